package shop

import org.scalatest.flatspec.AnyFlatSpec
import org.scalatest.funsuite.AnyFunSuite

class CartSpec extends AnyFlatSpec {
  "A cart" should "have a sum" in {
    assert(new Cart(Nil).sum == 0)
  }
  it should "have prices" in { new Cart(Nil).prices }
}

class CartSuite extends AnyFunSuite {
  test("sums") { new Cart(Nil).sum }
}

object CartTests extends utest.TestSuite {
  val tests = Tests {
    test("nested") - {
      test("deeper") { top(Item("a")) }
    }
  }
}
