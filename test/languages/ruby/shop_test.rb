require "minitest/autorun"

class ShopTest < Minitest::Test
  def setup
    @shop = Shop.new
  end

  def test_sells
    assert_equal 1, @shop.sell
  end

  test "sells more" do
    @shop.sell
  end

  def helper; end
end

RSpec.describe Shop do
  let(:shop) { described_class.new }

  describe "#sell" do
    it "sells" do
      expect(shop.sell).to eq(1)
    end
  end
end
