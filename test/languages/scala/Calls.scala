package shop

import shop.model._
import scala.collection.mutable

object Calls {
  implicit class Doubled(private val n: Int) extends AnyVal {
    def doubled: Int = n * 2
  }

  val items = List(Item("a"), Item("b", 2))
  private val seen = mutable.Map.empty[String, Item]

  def total: Int = items.map(_.price).sum
  def apply(n: Int): Int = n.doubled

  def run(args: Array[String]): Unit = {
    val boxed = new Box[Item, List](items.head).map(_.raised(1))(println)
    for {
      item <- items
      if !item.isFree
      tag <- item.tags
    } println(tag)
    val prices = for (item <- items) yield item.price
    items.foreach { case Item(name, price, _) => seen(name) = Item(name, price); case _ => () }
    boxed.value match {
      case free: Item if free.isFree => free.shown
      case Item(_, price, head :: _) => head.trim
      case other => other.name
    }
    Calls(total) max items.size
    def loop(n: Int): Int = if (n == 0) total else loop(n - 1)
    loop(3)
    import Item.{low => least, _}
    least + high
    val check = (item: Item) => item.isFree || item.isInstanceOf[Named]
    items.foldLeft(0)((sum, item) => sum + item.price).doubled
    new Priced { def price = 1 }.isFree
    this.total; Calls.this.total
  }
}
