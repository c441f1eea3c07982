package shop.carts

import kotlin.test.Test

class CartTest {
  @Test
  fun addsUp() {
    Cart.empty()?.total()
  }
}
