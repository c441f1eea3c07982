package com.acme.shop;

import org.junit.jupiter.api.*;

@DisplayName("An owner")
class OwnerTest {
  @BeforeEach
  void setUp() {}

  @Test
  void hasName() {}

  @org.junit.Test(expected = Exception.class)
  public void old() {}

  @ParameterizedTest(name = "{0}")
  @ValueSource(ints = {1, 2})
  @DisplayName("takes \"numbers\"")
  void takes(int number) {}

  @TestFactory
  List<DynamicTest> made() {
    return null;
  }

  @Nested
  class WithPets {
    @Test
    @Disabled("not yet")
    void hasPets() {}

    void testNothing() {}
  }

  @TestOnly
  void helper() {}
}

class OldTest extends TestCase {
  public void testIt() {}

  public void helper() {}
}
