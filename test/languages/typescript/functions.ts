/** Adds two numbers. */
export function add(a: number, b = 1): number {
  return a + b;
}

async function* pages(url: string, ...rest: string[]): AsyncGenerator<Page> {}

const double = (n: number): number => n * 2;
let later = async function named() {
  named();
};
const one = 1,
  two = () => one;

function outer() {
  const local = 3;
  const helper = (x: number) => x + local;
  function inner() {
    return helper(one);
  }
  return [1].map(helper).concat(inner());
}

function parse(text: string): number;
function parse(text: string, radix: number): number;
function parse(text: string, radix?: number): number {
  return add(Number(text), radix ?? 10);
}

declare function ambient(): void;
const { x, y: renamed = two(), ...others } = outer() as never;

const manyLines = (
  separator = '( , )',
  callback: (
    value: string,
  ) => void,
): void => callback( separator );
