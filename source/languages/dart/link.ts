import type { LinkRules } from '../../link/rules.js';
import { LIBRARY } from './library.js';

/** What the linker has to know of Dart. */
export const link: LinkRules = {
  modules: 'pub',
  package: 'library',
  namespaces: 'one',
  membersInScope: true,
  constructorName: 'new',
  overloads: false,
  argumentNames: true,
  satisfaction: 'written',
  extensions: true,
  selfTypes: true,
  indexing: 'operator[]',
  awaited: ['dart.async.Future', 'dart.async.FutureOr'],
  implicitImports: ['dart.core'],
  builtinPackage: '',
  rootType: 'dart.core.Object',
  listType: 'dart.core.List',
  enumType: 'dart.core.Enum',
  literals: {
    string: 'dart.core.String',
    int: 'dart.core.int',
    double: 'dart.core.double',
    bool: 'dart.core.bool',
  },
  truth: 'bool',
  widening: [],
  boxes: {},
  iteration: ['iterator', 'current'],
  library: LIBRARY,
};
