/* checks.c - the list. */
#include "checks.h"

const struct check checks[] = {
	{ "writer_excludes", check_writer_excludes },
	{ "reader_excludes_writers", check_reader_excludes_writers },
	{ "readers_overlap", check_readers_overlap },
	{ "tries", check_tries },
	{ "downgrade", check_downgrade },
	{ "deadline_passes", check_deadline_passes },
	{ "deadline_met", check_deadline_met },
	{ "quitter_wakes_others", check_quitter_wakes_others },
	{ "storm", check_storm },
	{ "storm_of_deadlines", check_storm_of_deadlines },
	{ 0 },
};
