namespace A {
class { void ( ) { }
class B : { int ; public void M( { x.; new ; }
  #if X
  void N() {
  #else
  void N(int a) {
  #endif
    Go();
  }
