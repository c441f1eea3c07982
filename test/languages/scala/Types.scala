/** Shapes, and what is made of them. */
package shop.model

import java.util.{Locale, UUID => Id}
import shop.money._

/** What has a price. */
sealed trait Priced extends Serializable {
  /** In cents. */
  def price: Int
  def isFree = price == 0
  protected def label(prefix: String = "€"): String = prefix + price
}

trait Named { self: Priced =>
  def name: String
  def shown = s"$name: ${label()}"
}

abstract class Base(protected val id: Int, note: String) extends Priced {
  def this(id: Int) = this(id, "")
  private[model] var count = 0
  lazy val key: String = note + id
}

/** A thing that is sold. */
final case class Item(name: String, price: Int, tags: Seq[String] = Nil)(implicit locale: Locale)
    extends Base(1)
    with Named {
  override def isFree: Boolean = super.isFree && tags.isEmpty
  def raised(by: Int): Item = copy(price = price + by)
}

object Item extends (String => Item) {
  type Tags = Seq[String]
  val Free, Cheap = 1
  val (low, high) = (1, 100)
  def apply(name: String): Item = Item(name, low)
}

class Box[+A, F[_]](val value: A) {
  def map[B](f: A => B)(g: B => Unit): Box[B, F] = new Box(f(value))
}

enum Color(val rgb: Int):
  case Red extends Color(0xff0000)
  case Mixed(a: Color, b: Color) extends Color(a.rgb + b.rgb)
  def isRed: Boolean = this == Color.Red

package object inner {
  type Cents = Int
}

given ordering: Ordering[Item] with
  def compare(a: Item, b: Item) = a.price - b.price

@deprecated("use Item", "2.0") class Old
