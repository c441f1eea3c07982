import 'shop.dart';

class Till {
  final Cart cart = Cart();
  final void Function(Item item)? onSold;

  Till({this.onSold});

  Future<Item?> sell(String id, {bool isFree = false}) async {
    final found = await cart.find(id);
    if (found == null) return null;
    cart
      ..add(found)
      ..last.price = 3
      ..items[0].touch();
    onSold?.call(found);
    if (found is Shirt && found.isLarge) found.fold();
    if (found is! Shirt) return found;
    found.wash();
    return found as Item;
  }

  void all(Object thing) {
    for (final item in cart.items) {
      item.touch();
    }
    for (var i = 0; i < 3; i++) cart.count(i);
    final names = [for (final one in cart.items) one.name(), if (cart.isEmpty) none() else ...cart.names()];
    final byName = <String, Item>{'a': cart.first()};
    cart.items.where((item) => item.isOpen()).map((item) => item.price).toList();
    final label = 'all: $names, ${cart.total()}';
    final next = names.isEmpty ? Shirt('a') : const Shirt.named('b', size: 1);
    next.wash();
    switch (thing) {
      case Shirt(size: final size, :var color) when size.isLarge():
        color.mix();
      case Cart cart:
        cart.clear();
      default:
        print(label);
    }
    final width = switch (thing) {
      Shirt shirt => shirt.width(),
      _ => 0,
    };
    final (a, b) = pair();
    a.wash();
    int twice(int x) => x * width;
    twice(2);
    try {
      cart.check();
    } on CartError catch (error) {
      error.show();
    } finally {
      cart.close();
    }
    return Provider.of<Cart>(context).clear();
  }

  (Shirt, int) pair() => (Shirt('a'), 1);
}

import 'stub.dart' if (dart.library.io) 'io.dart' if (dart.library.html) 'web.dart';
import 'late.dart' deferred as late_;

abstract class Reader {
  abstract final int size;

  void read(List<int> all) {
    outer:
    for (final one in all) {
      if (one > size) continue outer;
      late_.load();
    }
  }
}
