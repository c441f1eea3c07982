package shop

class Open(x: Int) {
  def first = x +
  def (broken) = 2
  val = 3
  def after(y: Int) = first
}

object Closed {
  def second: Int = Open(1).after(
  val third = "never ends
}
}
