import type { LinkRules } from '../../link/rules.js';
import { link as c } from '../c/link.js';
import { LIBRARY } from './library.js';

/** What the linker has to know of C++. */
export const link: LinkRules = {
  ...c,
  membersInScope: true,
  overloads: true,
  converts: true,
  truth: 'bool',
  widening: ['bool', 'char', 'short', 'int', 'long', 'long long', 'float', 'double'],
  iteration: ['begin', 'operator*'],
  library: LIBRARY,
};
