package shop.carts

import java.io.IOException
import shop.Money as Price
import shop.tools.*

/** What can be paid. */
interface Priced<out T : Any> {
  val price: Price
  fun total(count: Int = 1, vararg rest: Int): T
  fun free() = price == Price.ZERO
}

@Deprecated("old")
internal abstract class Cart<T : Priced<Int>>(val first: T, private var limit: Int = 3, seed: Long) :
  Base<T>(first), Priced<Int> where T : Comparable<T> {
  private val all = mutableListOf(first)
  val size: Int
    get() = all.size
  override val price by lazy { Price(seed) }

  constructor(first: T) : this(first, 1, 2L) {
    add(first)
  }

  init {
    add(first)
  }

  override fun total(count: Int, vararg rest: Int): Int = all.map { it.total(count) }.first()
  protected fun <R> add(one: R) where R : T {
    all.add(one)
  }

  companion object {
    const val MOST = 9
    fun empty(): Cart<*>? = null
  }

  object Shared : Priced<Int> {
    override val price = Price(1)
    override fun total(count: Int, vararg rest: Int) = 1
  }

  enum class State(val text: String) {
    OPEN("o"),
    PAID("p") {
      override fun done() = true
    };

    open fun done(): Boolean = false
  }
}

typealias Carts<T> = Map<String, Cart<T>>

fun String.toPrice(): Price = Price(this.length.toLong())
fun <T : Priced<Int>> List<T>.sum(): Int = fold(0) { all, one -> all + one.total() }
val String.isPrice: Boolean get() = startsWith("$")

fun use(any: Any?, carts: List<Cart<*>>): Int {
  val (one, two) = carts.first() to carts.last()
  for ((at, cart) in carts.withIndex()) println("$at ${cart.size}")
  if (any is String && any.isPrice) any.toPrice()
  val listener = object : Runnable {
    override fun run() = one.free()
  }
  return when (val it = any ?: return 0) {
    is Cart<*> -> it.size
    is String -> it.length
    else -> try { it.hashCode() } catch (e: IOException) { e.message!!.length }
  }
}
