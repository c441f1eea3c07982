#include "unity.h"

void test_area(void) { TEST_ASSERT(area(1) == 1); }

TEST(Shapes, HaveNames)
{
  shape_make(NULL, "a");
}

void helper(void) {}
