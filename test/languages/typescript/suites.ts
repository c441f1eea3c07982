import { describe, expect, it, test } from 'vitest';
import { add } from './add';

describe('add', () => {
  it('adds', () => {
    expect(add(1, 2)).toBe(3);
  });
  describe.each([1, 2])('with %s', (n) => {
    test.each`
      a    | b
      ${1} | ${2}
    `('adds $a to $b', ({ a, b }) => add(a, b));
    it.only(`is ${n}`, async () => {});
  });
  describe.skip('later', () => {
    it.todo('waits');
    test.concurrent('named', named);
  });
});

test(add.name, named);

function named() {}
function local(it: Function) {
  it('is no test', () => {});
}
