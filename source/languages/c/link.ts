import type { LinkRules } from '../../link/rules.js';
import { LIBRARY } from './library.js';

/** What the linker has to know of C. */
export const link: LinkRules = {
  modules: 'include',
  package: 'program',
  namespaces: 'tags',
  membersInScope: false,
  overloads: false,
  satisfaction: 'written',
  implicitImports: [],
  builtinPackage: 'libc',
  rootType: '',
  enumType: '',
  literals: {},
  truth: 'int',
  widening: [],
  boxes: {},
  iteration: [],
  library: LIBRARY,
};
