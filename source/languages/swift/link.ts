import type { LinkRules } from '../../link/rules.js';
import { LIBRARY } from './library.js';

/** What the linker has to know of Swift. */
export const link: LinkRules = {
  modules: 'swiftpm',
  package: 'written',
  namespaces: 'apart',
  membersInScope: true,
  constructorName: 'init',
  overloads: true,
  labels: true,
  bodiesApart: true,
  privateToFile: true,
  satisfaction: 'written',
  extensions: true,
  callsValues: true,
  selfTypes: true,
  indexing: 'subscript',
  implicitImports: ['Swift', 'Foundation', 'Dispatch', 'XCTest'],
  builtinPackage: '',
  rootType: '',
  listType: 'Swift.Array',
  enumType: 'Swift.RawRepresentable',
  literals: {
    string: 'Swift.String',
    int: 'Swift.Int',
    double: 'Swift.Double',
    bool: 'Swift.Bool',
  },
  truth: 'bool',
  widening: [],
  boxes: {},
  iteration: ['makeIterator', 'next'],
  library: LIBRARY,
};
