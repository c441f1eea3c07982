package com.acme;

class Broken {
  void fine() {
    run();
  }

  void unfinished( {
    if (x {
  }

  int after = 1;

  void last() { end(); }
