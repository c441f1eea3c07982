local Cart = require("cart")

describe("Cart", function()
  before_each(function() end)

  it("adds", function()
    local cart = Cart.new("me")
    assert.is_true(cart:add(1))
  end)

  describe("when empty", function()
    it('is open', function() Cart.open() end)
  end)
end)

TestCart = {}

function TestCart:testAdd()
  lu.assertEquals(Cart.new():add(1), nil)
end
