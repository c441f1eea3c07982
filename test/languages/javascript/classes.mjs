import Base, { mix } from './base.mjs';

export class Counter extends Base {
  #count = 0;
  static instances = new Set();
  step = () => this.#bump();

  constructor() {
    super();
    this.clock = new Clock();
  }
  #bump() {
    this.#count += 1;
  }
  get value() {
    return this.#count;
  }
  static *all() {
    yield* Counter.instances;
  }
}

export class Mixed extends mix(Base, Counter) {}
export const lazy = async ({ a, b = 1 }, [c], ...rest) => a + b + c;

class Assigned {
  constructor() {
    this.on = () => listen();
  }
}
