import type { LinkRules } from '../../link/rules.js';
import { LIBRARY as JVM } from '../java/library.js';
import { LIBRARY } from './library.js';

/** What the linker has to know of Kotlin. */
export const link: LinkRules = {
  modules: 'jvm',
  package: 'written',
  namespaces: 'apart',
  membersInScope: true,
  overloads: true,
  argumentNames: true,
  satisfaction: 'written',
  extensions: true,
  callsValues: true,
  invokedMethod: 'invoke',
  selfTypes: true,
  indexing: 'get',
  implicitImports: [
    'kotlin',
    'kotlin.collections',
    'kotlin.io',
    'kotlin.text',
    'kotlin.ranges',
    'kotlin.sequences',
    'java.lang',
  ],
  builtinPackage: '',
  rootType: 'kotlin.Any',
  enumType: 'kotlin.Enum',
  literals: {
    string: 'kotlin.String',
    char: 'kotlin.Char',
    int: 'kotlin.Int',
    long: 'kotlin.Long',
    float: 'kotlin.Float',
    boolean: 'kotlin.Boolean',
  },
  literalsFit: { int: ['Byte', 'Short', 'Long', 'UByte', 'UShort', 'UInt', 'ULong'] },
  truth: 'boolean',
  widening: [],
  boxes: {},
  iteration: ['iterator', 'next'],
  library:
    LIBRARY +
    JVM.replace(/\bString\b/g, 'kotlin.String').replace(/^(type|interface) kotlin\.String\b/m, '$1 String'),
};
