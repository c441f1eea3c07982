import type { LinkRules } from '../../link/rules.js';

/** What Lua brings along. */
const GLOBALS =
  'assert collectgarbage dofile error getmetatable ipairs load loadfile loadstring module next pairs pcall print rawequal rawget rawlen ' +
  'rawset require select setfenv getfenv setmetatable tonumber tostring type unpack xpcall';
const TABLES: Readonly<Record<string, string>> = {
  string: 'byte char dump find format gmatch gsub len lower match pack packsize rep reverse sub unpack upper',
  table: 'concat insert maxn move pack remove sort unpack',
  math: 'abs acos asin atan atan2 ceil cos deg exp floor fmod huge log max min modf pi pow rad random randomseed sin sqrt tan tointeger type ult',
  io: 'close flush input lines open output popen read stderr stdin stdout tmpfile type write',
  os: 'clock date difftime execute exit getenv remove rename setlocale time tmpname',
  coroutine: 'close create isyieldable resume running status wrap yield',
  debug:
    'debug gethook getinfo getlocal getmetatable getupvalue sethook setlocal setmetatable setupvalue traceback',
  package: 'config cpath loaded loadlib path preload searchers searchpath',
  utf8: 'char charpattern codepoint codes len offset',
};

/** What the linker has to know of Lua: a file is a module, which is the table that it returns. */
export const link: LinkRules = {
  modules: 'lua',
  package: 'file',
  namespaces: 'one',
  membersInScope: false,
  overloads: false,
  satisfaction: 'written',
  moduleValues: true,
  functionsAreValues: true,
  implicitImports: [],
  builtinPackage: 'lua',
  rootType: '',
  enumType: '',
  literals: { string: 'string' },
  truth: '',
  widening: [],
  boxes: {},
  iteration: [],
  library:
    GLOBALS.replace(/\S+/g, 'func $&(...?) ?\n') +
    Object.entries(TABLES)
      .map(([name, members]) => `type ${name}: ${members.replace(/(\S+) ?/g, '$1(...?) ?; ')}\n`)
      .join(''),
};
