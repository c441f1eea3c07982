/* Shapes and what can be done with them. */
#ifndef SHAPES_H
#define SHAPES_H

#include <stddef.h>
#include "base/point.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MAX_SHAPES 16 /* at once */
#define AREA(w, h) ((w) * (h))
#define SHAPES_API(type) __attribute__((visibility("default"))) type

/** One shape in a list. */
typedef struct shape {
  struct shape *next, *prev;
  char name[MAX_SHAPES]; /* what it is called */
  unsigned int flags : 3;
  union {
    int radius;
    struct {
      int width, height;
    } box;
  };
} shape;

typedef struct {
  void *(*allocate)(size_t size);
  void (SHAPES_CALL *release)(void *pointer);
} hooks;

typedef int (*compare_fn)(const shape *, const shape *);
typedef struct opaque opaque_t;

enum color { RED = 1, GREEN, BLUE = RED + 2 };
enum { LEAST = -1 };

extern const char *const shape_names[];

/* Makes a shape; `NULL` where there is no memory. */
SHAPES_API(shape *) shape_make(const hooks *with, const char *name);
SHAPES_INLINE int shape_is(const shape *one, enum color color);
static inline void shape_log(const char *format, ...) SHAPES_PRINTF(1, 2);

#ifdef __cplusplus
}
#endif

#endif
