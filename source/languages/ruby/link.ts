import type { LinkRules } from '../../link/rules.js';
import { LIBRARY, PACKAGES } from './library.js';

/** What the linker has to know of Ruby. */
export const link: LinkRules = {
  modules: 'gem',
  package: 'open',
  classType: 'ruby.Class',
  makes: 'new',
  namespaces: 'apart',
  membersInScope: false,
  overloads: false,
  satisfaction: 'written',
  selfTypes: true,
  constructorName: 'initialize',
  implicitImports: PACKAGES,
  builtinPackage: '',
  rootType: 'ruby.Object',
  listType: 'ruby.Array',
  enumType: '',
  literals: {
    string: 'ruby.String',
    symbol: 'ruby.Symbol',
    integer: 'ruby.Integer',
    float: 'ruby.Float',
    hash: 'ruby.Hash',
    regex: 'ruby.Regexp',
    range: 'ruby.Range',
  },
  truth: 'bool',
  widening: [],
  boxes: {},
  iteration: [],
  library: LIBRARY,
};
