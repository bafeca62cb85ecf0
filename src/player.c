#include "player.h"

#include <math.h>

void player_begin(struct player *player, gint64 start_ns, gint64 chunk_ns, gint64 buffer_ns)
{
	*player = (struct player){
	    .start_ns = start_ns, .chunk_ns = chunk_ns, .buffer_ns = buffer_ns, .dry_ns = start_ns + buffer_ns};
}

gint64 player_room_ns(const struct player *player)
{
	return player->dry_ns - player->buffer_ns + player->chunk_ns;
}

/* Where the buffer ran empty before now, the music has stood still since. */
static void play_until(struct player *player, gint64 now_ns)
{
	if (now_ns <= player->dry_ns)
		return;
	player->silent_ns += now_ns - player->dry_ns;
	player->n_underruns++;
	player->dry_ns = now_ns;
}

void player_feed(struct player *player, gint64 now_ns)
{
	play_until(player, now_ns);
	player->dry_ns += player->chunk_ns;
}

double player_end(struct player *player, gint64 end_ns)
{
	gint64 all_ns = end_ns - player->start_ns;

	if (all_ns <= 0)
		return NAN;
	play_until(player, end_ns);
	return 100 * (1 - (double)player->silent_ns / (double)all_ns);
}
