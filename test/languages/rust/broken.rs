use ;
mod
struct { x: }
impl for {
    fn (&self) -> { self. }
}
enum E { A(, B { }
fn f( -> i32 { let = ; match { } x.( }
impl X for
trait T { fn ; type = ; }
