import type { LinkRules } from '../../link/rules.js';
import { LIBRARY } from './library.js';

/** What the linker has to know of PHP. */
export const link: LinkRules = {
  modules: 'composer',
  package: 'written',
  namespaces: 'apart',
  membersInScope: false,
  overloads: false,
  satisfaction: 'written',
  selfTypes: true,
  constructorName: '__construct',
  // Functions and constants that a namespace lacks are those of no namespace.
  implicitImports: [''],
  builtinPackage: 'php',
  rootType: '',
  enumType: 'BackedEnum',
  literals: {},
  truth: 'bool',
  widening: [],
  boxes: {},
  iteration: ['getIterator', 'current'],
  library: LIBRARY,
};
