package com.acme.shop;

import java.util.List;
import java.util.function.Function;

class Values extends Base {
  private final Function<Item, String> name = Item::name;
  private Runnable later;

  String locals(Object given, List<Item> items, int... counts) throws Exception {
    var made = new StringBuilder();
    Item first = items.get(0), second = null;
    for (final Item item : items) made.append(item.name());
    for (int at = 0, end = counts.length; at < end; at++) made.append(counts[at]);
    try (Reader in = open(first); in) {
      in.read();
    } catch (IOException | IllegalStateException failed) {
      failed.printStackTrace();
    } finally {
      close();
    }
    if (!(given instanceof Item item)) return "";
    item.name();
    if (given instanceof Pair(Item left, var right)) left.name();
    return made.toString();
  }

  int choices(Size size, Object given, int number) {
    switch (size) {
      case SMALL:
        small();
        break;
      default:
        large();
    }
    int chosen = switch (number) {
      case LIMIT, 2 -> 1;
      case 3 -> {
        yield three();
      }
      default -> throw new IllegalArgumentException("none " + number);
    };
    return switch (given) {
      case Item item when item.isFree() -> item.price();
      case Pair(Item left, Item right) -> right.price();
      case null, default -> chosen;
    };
  }

  void functions() {
    later = () -> run(1);
    Function<Item, String> one = item -> item.name();
    each((left, right) -> left.compareTo(right), (Item left, final Item right) -> { return right; });
    each(this::locals, super::toString, Item::new, int[]::new, List<Item>::size, factory.make()::build);
    Supplier<Runnable> twice = () -> () -> run(2);
  }

  void expressions(Outer outer) {
    long sum = 1L + 0x1F + 07 + 0b1 + 'c' + (int) 2.5 + (long) 1f;
    boolean both = !done & (sum > 3 || sum <= 2) ^ true;
    String text = """
        a "block"
        of text""" + null;
    Item[][] grid = new Item[3][sum > 0 ? 1 : 2], row = {{first()}, {}};
    int[] list = new int[] {1, 2, sum};
    grid[0][1].name();
    ((Item) outer.item).name();
    outer.new Inner(1).open();
    Outer.this.close();
    Outer.super.close();
    this.<Item>pick(Item.class, int[].class).name();
    java.util.Objects.hash(1);
    a = b = c();
    sum += next();
    --sum;
    assert both : "not " + both;
    outermost:
    while (true) break outermost;
    synchronized (this) {
      locked();
    }
    do again(); while (more());
  }
}
