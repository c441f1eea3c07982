/** Programming language → file name endings, with the dot, in lower case. */
const PROGRAMMING: Readonly<Record<string, string>> = {
  typescript: '.ts .mts .cts',
  tsx: '.tsx',
  javascript: '.js .mjs .cjs',
  jsx: '.jsx',
  python: '.py .pyi .pyw',
  go: '.go',
  rust: '.rs',
  java: '.java',
  kotlin: '.kt .kts',
  scala: '.scala .sc .sbt',
  groovy: '.groovy .gradle',
  clojure: '.clj .cljs .cljc .edn',
  c: '.c .h',
  cpp: '.cc .cpp .cxx .c++ .hh .hpp .hxx .h++ .ipp .inl',
  csharp: '.cs .csx',
  fsharp: '.fs .fsi .fsx',
  'visual-basic': '.vb',
  'objective-c': '.m',
  'objective-cpp': '.mm',
  swift: '.swift',
  ruby: '.rb .rake .gemspec .ru',
  php: '.php .phtml',
  perl: '.pl .pm .t',
  lua: '.lua',
  r: '.r',
  julia: '.jl',
  dart: '.dart',
  elixir: '.ex .exs',
  erlang: '.erl .hrl',
  haskell: '.hs .lhs',
  ocaml: '.ml .mli',
  elm: '.elm',
  purescript: '.purs',
  lisp: '.lisp .cl .el',
  scheme: '.scm .ss .rkt',
  zig: '.zig',
  nim: '.nim',
  d: '.d',
  crystal: '.cr',
  v: '.vsh',
  fortran: '.f .f90 .f95 .f03',
  cobol: '.cob .cbl',
  ada: '.adb .ads',
  pascal: '.pas',
  assembly: '.s .asm',
  verilog: '.v .sv .svh',
  vhdl: '.vhd .vhdl',
  solidity: '.sol',
  cuda: '.cu .cuh',
  glsl: '.glsl .vert .frag',
  wgsl: '.wgsl',
  webassembly: '.wat',
  shell: '.sh .bash .zsh .ksh',
  fish: '.fish',
  powershell: '.ps1 .psm1 .psd1',
  batch: '.bat .cmd',
  awk: '.awk',
  tcl: '.tcl',
  vim: '.vim',
  svelte: '.svelte',
  astro: '.astro',
};

/** Language or format name → file name endings, with the dot, in lower case. Longer endings win. */
const ENDINGS: Readonly<Record<string, string>> = {
  ...PROGRAMMING,
  nix: '.nix',
  sql: '.sql',
  graphql: '.graphql .gql',
  protobuf: '.proto',
  thrift: '.thrift',
  prisma: '.prisma',
  html: '.html .htm .xhtml',
  css: '.css',
  scss: '.scss',
  sass: '.sass',
  less: '.less',
  stylus: '.styl',
  vue: '.vue',
  mdx: '.mdx',
  handlebars: '.hbs .handlebars .mustache',
  jinja: '.j2 .jinja .jinja2',
  ejs: '.ejs',
  pug: '.pug',
  erb: '.erb',
  markdown: '.md .markdown',
  restructuredtext: '.rst',
  asciidoc: '.adoc .asciidoc',
  latex: '.tex .sty .cls',
  bibtex: '.bib',
  text: '.txt .text .log',
  json: '.json .jsonc .json5 .webmanifest .map .ipynb',
  jsonl: '.jsonl .ndjson',
  yaml: '.yaml .yml',
  toml: '.toml',
  xml: '.xml .xsd .xsl .xslt .plist .csproj .fsproj .vbproj .props .targets .resx',
  svg: '.svg',
  ini: '.ini .cfg .conf .properties .editorconfig',
  csv: '.csv .tsv',
  dotenv: '.env.example .env.sample .env.template',
  ignore: '.gitignore .dockerignore .npmignore .eslintignore .prettierignore .codewalkignore',
  hcl: '.tf .hcl',
  cmake: '.cmake',
  make: '.mk .mak',
  diff: '.diff .patch',
  snapshot: '.snap',
};

/** Whole file names in lower case that say more than their ending. */
const NAMES: Readonly<Record<string, string>> = {
  dockerfile: 'dockerfile',
  containerfile: 'dockerfile',
  makefile: 'make',
  gnumakefile: 'make',
  'cmakelists.txt': 'cmake',
  rakefile: 'ruby',
  gemfile: 'ruby',
  podfile: 'ruby',
  vagrantfile: 'ruby',
  jenkinsfile: 'groovy',
  justfile: 'just',
  procfile: 'yaml',
  'go.mod': 'go-module',
  'go.sum': 'go-module',
  'requirements.txt': 'requirements',
  'cargo.lock': 'toml',
  'poetry.lock': 'toml',
  'uv.lock': 'toml',
  'composer.lock': 'json',
  'bun.lock': 'json',
  'yarn.lock': 'yaml',
  '.babelrc': 'json',
  '.eslintrc': 'json',
  '.prettierrc': 'json',
  '.bashrc': 'shell',
  '.zshrc': 'shell',
  '.profile': 'shell',
  '.gitattributes': 'ini',
  '.gitmodules': 'ini',
  '.gitconfig': 'ini',
  pkgbuild: 'shell',
  build: 'starlark',
  'build.bazel': 'starlark',
  workspace: 'starlark',
};

/** Interpreters that a first line `#!` may name. */
const INTERPRETERS: Readonly<Record<string, string>> = {
  sh: 'shell',
  bash: 'shell',
  dash: 'shell',
  zsh: 'shell',
  ksh: 'shell',
  fish: 'fish',
  node: 'javascript',
  nodejs: 'javascript',
  bun: 'typescript',
  deno: 'typescript',
  tsx: 'typescript',
  python: 'python',
  pypy: 'python',
  ruby: 'ruby',
  perl: 'perl',
  php: 'php',
  lua: 'lua',
  awk: 'awk',
  gawk: 'awk',
  tclsh: 'tcl',
  rscript: 'r',
  julia: 'julia',
  elixir: 'elixir',
  pwsh: 'powershell',
  make: 'make',
};

const languageOfEnding: ReadonlyMap<string, string> = new Map(
  Object.entries(ENDINGS).flatMap(([language, endings]) =>
    endings.split(' ').map((ending) => [ending, language] as const),
  ),
);

/** Every language and format name that {@link languageName} can answer, sorted. */
export const LANGUAGE_NAMES: readonly string[] = [
  ...new Set([...Object.keys(ENDINGS), ...Object.values(NAMES), ...Object.values(INTERPRETERS)]),
].sort();

/** What a file whose language nothing tells is called. */
export const UNKNOWN_LANGUAGE = 'text';

/** Whether a language is one that programs are written in: no format of data, no markup. */
export function isProgramming(language: string): boolean {
  return Object.hasOwn(PROGRAMMING, language);
}

/**
 * The language or format of a text file: by its whole name, its longest known ending, its `#!` line; else `text`.
 * Lower case, the names that the graph shows.
 *
 * @param path root-relative.
 * @param head how the file begins, or how to get it; only looked at where the name says nothing.
 */
export function languageName(path: string, head: string | (() => string) = ''): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const whole = Object.hasOwn(NAMES, name) ? NAMES[name] : undefined;
  if (whole !== undefined) return whole;
  if (name.startsWith('dockerfile.')) return 'dockerfile';
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const language = languageOfEnding.get(name.slice(dot));
    if (language !== undefined) return language;
  }
  return interpreterLanguage(typeof head === 'string' ? head : head()) ?? UNKNOWN_LANGUAGE;
}

/** `#!/usr/bin/env -S python3.12 -u` → `python`. */
function interpreterLanguage(head: string): string | undefined {
  const line = /^#!\s*(.+)/.exec(head)?.[1];
  if (line === undefined) return undefined;
  const words = line.trim().split(/\s+/);
  const program = /(^|\/)env$/.test(words[0] ?? '')
    ? words.slice(1).find((word) => !word.startsWith('-') && !word.includes('='))
    : words[0];
  const name =
    (program ?? '')
      .split('/')
      .at(-1)
      ?.replace(/(?<![\d.])[\d.]+$/, '') ?? '';
  return Object.hasOwn(INTERPRETERS, name) ? INTERPRETERS[name] : undefined;
}
