. ./math.sh

test_adds() {
  assertEquals 3 "$(add 1 2)"
}

helper() { :; }
