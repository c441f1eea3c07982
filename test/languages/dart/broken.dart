class Half {
  void whole() {
    helper(;
  }

  void other() => whole(

  int get x => 
}

void after() {
  Half().whole();
}

extension {

enum E { a, b
