#include "cart.h"

#define CART_API __attribute__((visibility("default")))

class CART_API Cart {
 public:
  CART_DEPRECATED("use total()")
  int sum() const;
  CART_API friend Cart& operator+(Cart& a, const Cart& b);
  explicit operator bool() const { return total() > 0; }
  operator const char*() const;
  int total() const CART_PURE CART_CHECKED((warn_unused)) { return (this->*counter)(); }
  Cart(Cart&&) CART_NOEXCEPT : counter(nullptr) {}
  ~Cart() CART_NOEXCEPT = default;

 private:
  int (Cart::*counter)() const;
};

CART_INLINE Cart::operator const char*() const { return "one \
	two"; }
CART_INLINE int Cart::sum() const { return total(); }
int checked(Cart *cart) CART_CHECKED((nonnull));

TEST_CASE("adds what it is given", "[cart]") {
  Cart cart;
  SECTION("once") { cart.sum(); }
}

TEST_CASE_METHOD(Fixture, "takes back", "[cart][slow]")
{
  checked(&cart);
}

SCENARIO("an empty cart") { checked(nullptr); }
