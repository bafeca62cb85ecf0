#ifndef VERSION_H
#define VERSION_H

#define VERSION "0.1"

#endif
