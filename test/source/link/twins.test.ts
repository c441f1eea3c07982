import { describe, expect, it } from 'vitest';
import { resolved } from '../resolution/resolved.js';

describe('files of one Go package for different systems', () => {
  const FILES = {
    'go.mod': 'module example.com/shop\n',
    'a_linux.go':
      '//go:build linux\n\npackage p\n\ntype Screen struct{ size int }\n\nfunc (s *Screen) Draw() {}\n\nfunc open() *Screen { return &Screen{} }\n',
    'a_windows.go':
      '//go:build windows\n\npackage p\n\ntype Screen struct{ size int }\n\nfunc (s *Screen) Draw() {}\n\nfunc open() *Screen { return &Screen{} }\n',
    'all.go':
      'package p\n\nfunc (s *Screen) Clear() { s.Draw() }\n\nfunc f(s *Screen) {\n\topen()\n\ts.Draw()\n\ts.Clear()\n\topen().Draw()\n}\n',
  };

  it('have two definitions of each name, between which is not guessed: both may be called', () => {
    const { uses } = resolved(FILES);
    expect(uses('all.go', 'open()')).toEqual(['?open maybe a_linux.go open, a_windows.go open']);
    const both = '?Draw maybe a_linux.go Screen.Draw, a_windows.go Screen.Draw';
    expect(uses('all.go', 's.Draw()')).toEqual([both]);
    expect(uses('all.go', 'open().Draw()')).toEqual(['?Draw']);
  });

  it('are one for what is written beside them', () => {
    const { uses } = resolved(FILES);
    expect(uses('all.go', 's.Clear()')).toEqual(['all.go Screen.Clear (type)']);
  });

  it('are chosen by what a build takes that is asked for nothing', () => {
    const twin = (condition: string) => `//go:build ${condition}\n\npackage p\n\nfunc open() {}\n`;
    const open = (first: string, second: string, names = ['a.go', 'b.go'] as const) =>
      resolved({
        'go.mod': 'module example.com/shop\n',
        [names[0]]: twin(first),
        [names[1]]: twin(second),
        'all.go': 'package p\n\nfunc f() { open() }\n',
      }).uses('all.go', 'open()');
    expect(open('!slim', 'slim')).toEqual(['a.go open (import)']);
    expect(open('slim', '!slim')).toEqual(['b.go open (import)']);
    expect(open('go1.22 && !tinygo', '!go1.22 || tinygo')).toEqual(['a.go open (import)']);
    expect(open('!gc', '(gc && !purego)')).toEqual(['b.go open (import)']);
    expect(open('linux || darwin', '!(linux || darwin)')).toEqual(['?open maybe a.go open, b.go open']);
    expect(open('linux && slim', 'windows')).toEqual(['b.go open (import)']);
    expect(open('slim', 'fat')).toEqual(['?open maybe a.go open, b.go open']);
  });

  it('mean their own in themselves', () => {
    const own = '\nfunc g() { open().Draw() }\n';
    const { uses } = resolved({ ...FILES, 'a_linux.go': FILES['a_linux.go'] + own });
    expect(uses('a_linux.go', 'open()')).toEqual(['a_linux.go open (exact)']);
  });
});

describe('Java classes of one name in one package', () => {
  const cart = (body: string) => `package shop;\n\npublic class Cart {\n  public Cart() {}\n${body}}\n`;
  const user =
    'package shop;\n\npublic class User {\n  void f(Cart cart) {\n    cart.total();\n    new Cart();\n    Cart.make();\n    cart.only();\n  }\n}\n';
  const FILES = {
    'one/shop/Cart.java': cart('  public int total() { return 1; }\n  static Cart make() { return null; }\n'),
    'two/shop/Cart.java': cart(
      '  public int total() { return 2; }\n  static Cart make() { return null; }\n  void only() {}\n',
    ),
    'three/shop/User.java': user,
  };

  it('that are equally near are candidates, whichever path comes first', () => {
    const { uses } = resolved(FILES);
    expect(uses('three/shop/User.java', 'cart.total()')).toEqual([
      '?total maybe one/shop/Cart.java Cart.total, two/shop/Cart.java Cart.total',
    ]);
    expect(uses('three/shop/User.java', 'Cart.make()')).toEqual([
      '?make maybe one/shop/Cart.java Cart.make, two/shop/Cart.java Cart.make',
    ]);
    expect(uses('three/shop/User.java', 'new Cart()')[0]).toMatch(/^\?/);
  });

  it('of which one is nearer are that one', () => {
    const { uses } = resolved({ ...FILES, 'one/shop/User.java': user });
    expect(uses('one/shop/User.java', 'cart.total()')).toEqual(['one/shop/Cart.java Cart.total (type)']);
  });
});
