/**
 * How modules are imported and exported.
 * @module
 */
import 'side-effect';
import def, * as everything from 'everything';
import { a, b as c, default as d } from './abc';
import type { T } from './types';
import { type U, v } from './mixed';
import { type Only, type Types } from './only-types';
import fs = require('node:fs');
import alias = everything.inner;

export { a, c as renamed };
export { x, y as default } from './reexported';
export type { Z } from './types';
export * from './all';
export * as all from './all';
export type * from './all-types';
export const first = 1,
  { second, third: [fourth] } = def;
export default v;

function hidden() {}
class Offered {}
export { Offered, hidden as shown };

async function load() {
  const { part } = await import('./part');
  const whole = await import('./whole');
  await import('./dropped');
  part(whole.member, fs.readFileSync);
  everything.run(alias);
}
