#include "types.hpp"

#include <vector>

using namespace shop;
using shop::detail::Node;
namespace sd = shop::detail;

namespace shop {
namespace {
int hidden = 0;
void Hide() { hidden++; }
}  // namespace

Cart::~Cart() = default;

bool Cart::Add(const Item& item, int count) {
  Hide();
  this->Check();
  Entry entry{item.name(), count};
  auto* node = new Node<Entry>(entry);
  for (const auto& one : std::vector<Entry>{entry}) one.name.size();
  first_->value.name.clear();
  if (auto found = Find<Item>(entry.name); found != nullptr) return static_cast<bool>(found->price());
  auto later = [&](int by) { return by + Count(*this); };
  std::lock_guard<std::mutex> held(lock);
  delete node;
  return later(1) > ::abs(2);
}

template <typename Key, class Compare>
void List<Key, Compare>::Insert(const Key& key) {
  compare_(key, key);
}

struct Cart::Rep {
  int uses;
};
}  // namespace shop

TEST_F(CartTest, AddsItems) { EXPECT_TRUE(Cart::Make(Kind::kFood)->Add(Item(), 2)); }
