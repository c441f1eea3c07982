import type { LinkRules } from '../../link/rules.js';
import { LIBRARY } from './library.js';

/** What the linker has to know of Rust. */
export const link: LinkRules = {
  modules: 'cargo',
  package: 'file',
  namespaces: 'apart',
  membersInScope: false,
  overloads: false,
  satisfaction: 'written',
  extensions: true,
  callsValues: true,
  paths: { root: 'crate', own: 'self', parent: 'super' },
  prelude: {
    Option: 'std.option.Option',
    Result: 'std.result.Result',
    Vec: 'std.vec.Vec',
    String: 'std.string.String',
    Box: 'std.boxed.Box',
  },
  implicitImports: ['std.prelude'],
  builtinPackage: 'std',
  rootType: '',
  listType: 'std.vec.Vec',
  enumType: '',
  literals: {},
  truth: 'bool',
  widening: [],
  boxes: {},
  iteration: ['into_iter', 'next', 'unwrap'],
  indexing: 'index',
  library: LIBRARY,
};
