import type { Definition } from './facts.js';

/** A decorator that makes a fixture of a function. */
export const FIXTURE = /^(?:\w+\.)*fixture\b/;

/** Whether pytest hands what a function returns to parameters of its name. */
export function isFixture({ decorators }: Pick<Definition, 'decorators'>): boolean {
  return decorators.some((one) => FIXTURE.test(one));
}

/** Whether pytest fills the parameters of a function, if it looks for tests or fixtures in its file. */
export function takesFixtures(one: Pick<Definition, 'name' | 'decorators'>): boolean {
  return one.name.startsWith('test') || isFixture(one);
}
