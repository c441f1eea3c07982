package
class { fun ( ) {} }
fun String.( {
val = by
enum class E { A(, ; fun }
object : {
fun f() { when ( { is -> } }
