/*
 * The four kernels of ebb memory in C, for a comparison in one run. Written for Ebb; it follows the
 * published description of STREAM (what each kernel computes and how bytes are counted), not its
 * source.
 *
 *   kernels ELEMENTS REPEATS HUGE
 *
 * prints the best time in seconds of copy, scale, add and triad, the first repetition left out, and
 * ends with 1 when the arrays do not hold the right values. HUGE 1 asks the kernel for huge pages, as
 * a JVM with -XX:+UseTransparentHugePages does.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static double *array(long n, int huge) {
  size_t page = 2u << 20;
  size_t bytes = (n * sizeof(double) + page - 1) / page * page;
  double *memory = aligned_alloc(page, bytes);
  if (!memory) {
    perror("kernels");
    exit(2);
  }
  if (huge) {
    madvise(memory, bytes, MADV_HUGEPAGE);
  }
  return memory;
}

static int near(const double *x, long n, double expected) {
  double error = 0;
  for (long i = 0; i < n; i++) {
    error += fabs(x[i] - expected);
  }
  return error / n / fabs(expected) <= 1e-13;
}

int main(int argc, char **argv) {
  if (argc != 4) {
    return 2;
  }
  const long n = atol(argv[1]);
  const int repeats = atoi(argv[2]);
  const int huge = atoi(argv[3]);
  double *restrict a = array(n, huge);
  double *restrict b = array(n, huge);
  double *restrict c = array(n, huge);
  const double s = 3.0;
  double best[4] = {1e30, 1e30, 1e30, 1e30};
#pragma omp parallel for
  for (long i = 0; i < n; i++) {
    a[i] = 1.0;
    b[i] = 2.0;
    c[i] = 0.0;
  }
  for (int r = 0; r < repeats; r++) {
    double t[5];
    t[0] = now();
#pragma omp parallel for
    for (long i = 0; i < n; i++) {
      c[i] = a[i];
    }
    t[1] = now();
#pragma omp parallel for
    for (long i = 0; i < n; i++) {
      b[i] = s * c[i];
    }
    t[2] = now();
#pragma omp parallel for
    for (long i = 0; i < n; i++) {
      c[i] = a[i] + b[i];
    }
    t[3] = now();
#pragma omp parallel for
    for (long i = 0; i < n; i++) {
      a[i] = b[i] + s * c[i];
    }
    t[4] = now();
    for (int k = 0; r > 0 && k < 4; k++) {
      if (t[k + 1] - t[k] < best[k]) {
        best[k] = t[k + 1] - t[k];
      }
    }
  }
  double x = 1.0, y = 2.0, z = 0.0;
  for (int r = 0; r < repeats; r++) {
    z = x;
    y = s * z;
    z = x + y;
    x = y + s * z;
  }
  printf("%.9f %.9f %.9f %.9f\n", best[0], best[1], best[2], best[3]);
  return near(a, n, x) && near(b, n, y) && near(c, n, z) ? 0 : 1;
}
