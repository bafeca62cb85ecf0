#include "simulate.h"

#include <math.h>

double draw_uniform(struct stream *stream)
{
	return ((double)(stream_bits(stream) >> 11) + 0.5) * 0x1p-53;
}

double draw_standard(struct stream *stream)
{
	double radius = sqrt(-2 * log(draw_uniform(stream)));

	return radius * cos(2 * G_PI * draw_uniform(stream));
}

double draw_normal(struct stream *stream, double spread)
{
	return 100 + spread * draw_standard(stream);
}

double draw_log_normal(struct stream *stream, double spread)
{
	return 100 * exp(spread * draw_standard(stream));
}

double draw_bimodal(struct stream *stream, double spread)
{
	double mode = draw_uniform(stream) < 0.3 ? 20 * spread : 0;

	return draw_normal(stream, spread) + mode;
}
