import type { LinkRules } from '../../link/rules.js';
import { LIBRARY } from './library.js';

/** What the linker has to know of Java. */
export const link: LinkRules = {
  modules: 'jvm',
  package: 'written',
  namespaces: 'apart',
  membersInScope: true,
  overloads: true,
  satisfaction: 'written',
  implicitImports: ['java.lang'],
  builtinPackage: '',
  rootType: 'java.lang.Object',
  listType: 'java.lang.Array$',
  enumType: 'java.lang.Enum',
  literals: { string: 'java.lang.String' },
  truth: 'boolean',
  widening: ['byte', 'short', 'char', 'int', 'long', 'float', 'double'],
  boxes: {
    byte: 'java.lang.Byte',
    short: 'java.lang.Short',
    char: 'java.lang.Character',
    int: 'java.lang.Integer',
    long: 'java.lang.Long',
    float: 'java.lang.Float',
    double: 'java.lang.Double',
    boolean: 'java.lang.Boolean',
  },
  iteration: ['iterator', 'next'],
  library: LIBRARY,
};
