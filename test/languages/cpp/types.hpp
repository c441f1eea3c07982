#pragma once
#include <memory>
#include <string>
#include "base/shape.h"

namespace shop {

class Item;
enum class Kind : int { kFood, kTool };
using Name = std::string;

namespace detail {
template <typename T>
struct Node {
  T value;
  Node<T>* next = nullptr;
};
}  // namespace detail

/** Things that can be sold. */
class SHOP_API Cart final : public base::Shape, private detail::Node<int> {
 public:
  enum State { kOpen, kClosed };
  struct Entry {
    Name name;
    int count = 0;
  };

  explicit Cart(const Name& owner, int size = 1) : base::Shape(size), owner_(owner) {}
  Cart(const Cart&) = delete;
  ~Cart() override;

  /** Adds one. */
  virtual bool Add(const Item& item, int count = 1);
  virtual double Total() const = 0;
  static Cart* Make(Kind kind);
  bool operator==(const Cart& other) const { return owner_ == other.owner_; }
  template <typename T>
  T* Find(const Name& name) const;
  friend class Shop;

 protected:
  void Check() const SHOP_REQUIRES(lock_);

 private:
  std::unique_ptr<detail::Node<Entry>> first_ SHOP_GUARDED_BY(lock_);
  Name owner_;
  struct Rep;
};

template <typename Key, class Compare = std::less<Key>>
class List {
 public:
  void Insert(const Key& key);
  auto begin() const -> const Key*;

 private:
  Compare compare_;
};

int Count(const Cart& cart);
int Count(const List<int>& list);

}  // namespace shop
