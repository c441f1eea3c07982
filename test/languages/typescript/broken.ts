export function before(): void {}

function broken() {
  return call(;
}

class Half {
  method() {
    this.other(;
  }
  whole() {}
}

export const after = () => before();
const unfinished = 'text
export function last() {}
