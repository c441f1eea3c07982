import type { LinkRules } from '../../link/rules.js';

/** What Bash brings along, and the programs that scripts call most: none of them is missing from the project. */
const PROGRAMS =
  'alias awk base64 basename bg bind break builtin caller cat cd chmod chown clear cmp command compgen complete compopt ' +
  'continue cp curl cut date dd declare df diff dirname dirs disown docker du echo enable env eval exec exit export expr ' +
  'false fc fg file find getopts git grep gzip hash head help history hostname id install jobs jq kill less let ln local ' +
  'logout ls make mapfile mkdir mktemp mv node nohup npm npx popd printf ps pushd pwd python python3 read readarray ' +
  'readlink readonly realpath return rm rmdir rsync sed seq set shift shopt sleep sort source ssh stat sudo suspend tail ' +
  'tar tee test time times touch tr trap true tput type typeset ulimit umask unalias uname uniq unset unzip wait wc wget ' +
  'which whoami xargs yes zip';

/** What the linker has to know of shells: a script sees what the files have that it sources. */
export const link: LinkRules = {
  modules: 'shell',
  package: 'program',
  namespaces: 'apart',
  membersInScope: false,
  overloads: false,
  satisfaction: 'written',
  implicitImports: [],
  builtinPackage: 'shell',
  rootType: '',
  enumType: '',
  literals: {},
  truth: '',
  widening: [],
  boxes: {},
  iteration: [],
  library: PROGRAMS.split(' ')
    .map((name) => `func ${name}(...?)\n`)
    .join(''),
};
