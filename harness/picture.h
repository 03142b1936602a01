/*
 * picture.h - one picture: a gnuplot file that sets its values and loads the
 * source of its kind from plots/, and a file with its numbers. All under
 * DIR/plots/data; nothing of a name or a folder ever reaches a shell.
 */
#ifndef HARNESS_PICTURE_H
#define HARNESS_PICTURE_H

#include <stdbool.h>
#include <stdio.h>

#include "groups.h"

#define PICTURE_DIRECT 7 /* more locks than this are shown as small multiples */

struct picture {
	char *name;  /* file stem: "throughput-mix-read_pct-95" */
	char *title; /* also its text alternative */
	const char *kind;
	const struct group *group; /* NULL: of several */
	char *notes;		   /* the grey lines, parts divided by " · " */
	FILE *gp, *dat;		   /* open between begin and end */
	unsigned blocks;	   /* written to dat */
	long block_at;		   /* where the present one begins */
	bool drawn;
};

struct album {
	struct readings *readings;
	struct groups *groups;
	char *data; /* path of DIR/plots/data */
	struct picture *picture;
	unsigned count;
	int error; /* the first -errno */
};

/* NULL after an error, which is then in the album. Valid until the next begin. */
struct picture *picture_begin(struct album *a, const char *kind, const char *slug,
			      const struct group *group, const char *title);
void picture_end(struct album *a, struct picture *p, unsigned width, unsigned height);

/* One part of the grey lines. */
__attribute__((format(printf, 2, 3))) void picture_note(struct picture *p, const char *format, ...);
/* How many runs, whether an interval, what was left out, the machine, the parameters. */
void picture_note_runs(struct picture *p, const struct group *g, const char *interval);
void picture_note_machine(struct album *a, struct picture *p, const struct group *g);
/* Locks that have no good run at x and why, and whether x is oversubscribed. */
void picture_note_missing(struct picture *p, const struct group *g, unsigned x);

/* Variables of the gnuplot source. */
void picture_number(struct picture *p, const char *name, double v);
void picture_text(struct picture *p, const char *name, const char *s);
void picture_array(struct picture *p, const char *name, const double *v, unsigned n);
void picture_texts(struct picture *p, const char *name, const char *const *s, unsigned n);

/* Ends a block of dat, so that gnuplot's index counts it, and gives its number. */
unsigned picture_block(struct picture *p);
/* A number or NaN, and a tab; a text in quotes, and a tab. */
void picture_put(struct picture *p, double v);
void picture_put_text(struct picture *p, const char *s);

/* LEFT: pixels for the longest name at the left of its row. */
void picture_names(struct picture *p, const char *const *lock, unsigned locks);
/* The lock that is none: what the loop costs, not a lock to compare. */
bool is_floor(const char *lock);
/* The colours (0xRRGGBB), dash and point types of a group's locks, as arrays. */
void picture_lock_styles(struct album *a, struct picture *p, const struct group *g);

/* A logarithmic axis over positive values. */
struct axis {
	double low, high;
	char *tics; /* gnuplot: 'label' value, … */
};

/*
 * Range and tics for values from low to high, whatever they are; format is
 * text_si or text_time. Never narrower than a factor of 1.5; about `most` tics.
 */
struct axis axis_log(double low, double high, unsigned most,
		     const char *(*format)(char *s, size_t size, double v));
/* Sets NAME_LOW, NAME_HIGH and NAME_TICS, and frees. */
void picture_axis(struct picture *p, const char *name, struct axis *axis);
/* The horizontal axis of a group: X_… and SHADE, where oversubscription begins. */
void picture_axis_x(struct picture *p, const struct group *g, unsigned pixels);
/* Where x stands on it. */
double picture_x(const struct group *g, unsigned x);

/*
 * Moves values on [low, high] apart until they are at least gap from each
 * other, each as little as can be, and order kept. NAN stays.
 */
void spread(double *v, unsigned n, double gap, double low, double high);

/* The kinds; each adds its pictures to the album. */
void pictures_throughput(struct album *a, const struct group *g);
void pictures_latency(struct album *a, const struct group *g);
void pictures_fairness(struct album *a, const struct group *g);
void pictures_time(struct album *a, const struct group *g);
void pictures_counters(struct album *a, const struct group *g);
void pictures_heat(struct album *a);

#endif
