#include <stdio.h>
#include "types.h"

static hooks defaults = {.allocate = malloc, .release = free};
static int count = 0, *last;
const char *const shape_names[] = {"box", "circle"};

static int by_name(const shape *a, const shape *b) { return strcmp(a->name, b->name); }

SHAPES_API(shape *)
shape_make(const hooks *with, const char *name) {
  shape *made = (shape *)with->allocate(sizeof(shape)), empty = {0};
  compare_fn compare = by_name;
  struct shape copy = {.next = made, .name = "x"};
  if (made == NULL) return NULL;
  for (int i = 0; i < MAX_SHAPES; i++) {
    int count = i;
    made->name[i] = name[count];
    made->box.width = AREA(i, count);
  }
  *made = empty;
  switch (made->flags) {
    case RED:
      return (by_name)(made, &copy) ? made : made->next;
    default:
      goto end;
  }
end:
  count += compare(made, &copy);
  return made;
}

#ifdef WIDE
static void widen(shape *one) { one->box.width *= 2; }
#else
static void widen(shape *one) { (void)one; }
#endif

int (*choose(int which))(int, char *[]) { return NULL; }

int old_style(a, b)
int a;
char *b;
{
  return a + b[0];
}

int main(int argc, char **argv) {
  struct { int x; } local = {argc};
  hooks *all = &defaults;
  widen(shape_make(all, argv[0]));
  printf("%d " PRIu64 "\n", local.x, (uint64_t)shape_is(NULL, GREEN));
  return 0;
}
