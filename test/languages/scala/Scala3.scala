package shop

import shop.model.*

def top(item: Item): Int = item.price

extension (item: Item)
  /** Half of the price. */
  def half: Int = item.price / 2
  def part(n: Int): Int =
    val whole = item.half
    whole / n

class Cart(items: Seq[Item]):
  def prices =
    for item <- items yield item.half
  def sum: Int =
    if items.isEmpty then 0
    else
      items.map: item =>
        item.part(2)
      .sum
  end sum

@main def start(names: String*): Unit =
  val cart = Cart(names.map(Item(_)))
  println(cart.sum)
