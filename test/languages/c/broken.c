int before(void) { return 1; }

int broken(int a { return before(;

#if defined(A)
int twice(int a) {
#else
int twice(long a) {
#endif
  return before();
}

#if A
  while (1) {
#endif

void after(void) { before(); twice(1);
