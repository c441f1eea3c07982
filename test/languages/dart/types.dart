/// Things that are sold.
library shop;

import 'dart:async';
import 'package:shop/money.dart' as money show Price, Tax hide Old;
import 'src/log.dart' hide debug;
export 'src/cart.dart' show Cart;

part 'types.g.dart';

/// What has a price.
@immutable
abstract class Item<T extends Object> extends Base<T> with Named, Counted implements Comparable<Item> {
  const Item(this.id, {required this.price, int count = 1, super.key})
      : _count = count,
        assert(count > 0),
        super(id);

  Item.free(String id) : this(id, price: money.Price.zero());

  factory Item.of(String id) => Shirt(id);

  factory Item.again(String id) = Shirt;

  static final Map<String, Item> all = {};
  final String id;
  final money.Price price;
  int _count = 0, sold = 0;
  late final List<money.Price>? history;

  /// How many there are.
  int get count => _count;
  set count(int value) {
    _count = clamp(value);
  }

  int get unknown;

  @override
  int compareTo(Item other) => count - other.count;

  Item operator +(Item other);

  Future<void> load<S>([int? most]) async {
    await fetch(most);
  }

  static int clamp(int value) => value.clamp(0, 10);
}

class Shirt extends Item<String> {
  Shirt(super.id) : super.free();
}

mixin Counted on Base implements Countable {
  int twice() => super.hashCode * 2;
}

class Both = Base with Named;

enum Size implements Countable {
  small(1),
  @deprecated
  large.named(3);

  const Size(this.width);
  const Size.named(this.width);
  final int width;

  int doubled() => width * 2;
}

extension Prices on List<money.Price> {
  static int calls = 0;
  money.Price get sum => fold(first, (a, b) => a.plus(b));
  money.Price most() => sum;
}

extension on String {
  Item toItem() => Item.of(this);
}

extension type Id(int value) {
  Id.zero() : this(0);
  bool get isFirst => value == 0;
}

typedef Check<T> = bool Function(T item);
typedef int Old(String a);

const int most = 10;
final Item first = Item.of('a'), second = Item.free('b');
late Map<String, int> counts;
int get total => counts.length;

main() {
  print(first.price);
}
