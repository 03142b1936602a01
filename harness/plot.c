/* plot.c - see plot.h. */
#include "plot.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gnuplot.h"
#include "picture.h"
#include "plot_sources.h"
#include "report.h"
#include "text.h"

static int complain(const char *path, int rc)
{
	fprintf(stderr, "%s: %s\n", path, strerror(-rc));
	return rc;
}

static bool ends_in(const char *name, const char *ending)
{
	size_t n = strlen(name), k = strlen(ending);

	return n > k && !strcmp(name + n - k, ending);
}

/* Old pictures must not outlive the records they were drawn from. */
static void clear(const char *folder, const char *const *endings)
{
	DIR *dir = opendir(folder);
	struct dirent *e;

	while (dir && (e = readdir(dir)))
		for (unsigned i = 0; endings[i]; i++)
			if (ends_in(e->d_name, endings[i]))
				unlinkat(dirfd(dir), e->d_name, 0);
	if (dir)
		closedir(dir);
}

static int make_folder(const char *path)
{
	return mkdir(path, 0777) && errno != EEXIST ? complain(path, -errno) : 0;
}

static int put_sources(const char *data)
{
	int rc = 0;

	for (const struct plot_source *s = plot_sources; s->name && !rc; s++) {
		char *path = text_append(NULL, "%s/%s", data, s->name);
		size_t size = (size_t)(s->end - s->begin);
		FILE *f;

		if (ends_in(s->name, ".gp")) {
			f = fopen(path, "we");
			if (!f || fwrite(s->begin, 1, size, f) != size)
				rc = complain(path, errno ? -errno : -EIO);
			if (f && fclose(f) && !rc)
				rc = complain(path, -errno);
		}
		free(path);
	}
	return rc;
}

static int draw(struct album *a, bool pdf)
{
	const char **files = calloc(a->count + 1, sizeof(*files));
	bool *done = calloc(a->count + 1, sizeof(*done));
	unsigned failed;

	if (!files || !done)
		abort();
	for (unsigned i = 0; i < a->count; i++)
		files[i] = text_append(NULL, "%s.gp", a->picture[i].name);
	failed = gnuplot_draw(a->data, pdf ? "TERMS='svg png pdf'" : "TERMS='svg png'", files,
			      a->count, done);
	for (unsigned i = 0; i < a->count; i++) {
		a->picture[i].drawn = done[i];
		free((char *)files[i]);
	}
	free(files);
	free(done);
	return failed ? -EIO : 0;
}

static void fill(struct album *a)
{
	pictures_heat(a);
	for (unsigned i = 0; i < a->groups->count; i++) {
		const struct group *g = &a->groups->group[i];

		pictures_throughput(a, g);
		pictures_latency(a, g);
		pictures_fairness(a, g);
		pictures_time(a, g);
		pictures_counters(a, g);
	}
}

static void album_free(struct album *a)
{
	for (unsigned i = 0; i < a->count; i++) {
		free(a->picture[i].name);
		free(a->picture[i].title);
		free(a->picture[i].notes);
	}
	free(a->picture);
	free(a->data);
}

static int plot(struct readings *r, struct groups *g, const char *plots, bool pdf)
{
	static const char *const drawn[] = { ".svg", ".png", ".pdf", NULL };
	static const char *const numbers[] = { ".gp", ".dat", NULL };
	struct album a = { .readings = r, .groups = g };
	int rc, page;

	a.data = text_append(NULL, "%s/data", plots);
	rc = make_folder(plots);
	if (!rc)
		rc = make_folder(a.data);
	if (!rc) {
		clear(plots, drawn);
		clear(a.data, numbers);
		rc = put_sources(a.data);
	}
	if (!rc) {
		fill(&a);
		rc = a.error ? a.error : draw(&a, pdf);
		/* what was drawn is worth a page also where one picture failed */
		page = report_write(&a, plots, pdf);
		rc = rc ? rc : page;
	}
	album_free(&a);
	return rc;
}

int plot_results_as(const char *dir, bool pdf)
{
	char why[512], *plots;
	struct readings r;
	struct groups g;
	int rc;

	if (!gnuplot_found()) {
		fprintf(stderr, "plot: gnuplot is not installed: no pictures of %s\n", dir);
		return -ENOENT;
	}
	if (readings_read(&r, dir, why, sizeof(why))) {
		fprintf(stderr, "plot: %s\n", why);
		readings_free(&r);
		return -EINVAL;
	}
	groups_make(&g, &r);
	plots = text_append(NULL, "%s/plots", dir);
	rc = plot(&r, &g, plots, pdf);
	free(plots);
	groups_free(&g);
	readings_free(&r);
	return rc;
}

int plot_results(const char *dir)
{
	return plot_results_as(dir, false);
}
