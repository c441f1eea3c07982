// Random edits of a project, as people and their tools make them: pure, from the texts of its files to those of the
// files that an edit changes. Used by bench/edits.mjs and by the tests.

const SCRIPT = /\.(?:[cm]?[jt]sx?)$/;
const PYTHON = /\.pyi?$/;
/** Languages whose packages are several files: a name is seen without an import. */
const GO = /\.go$/;
const JAVA = /\.java$/;
const KOTLIN = /\.kts?$/;
const CSHARP = /\.cs$/;
const PHP = /\.php$/;
const SWIFT = /\.swift$/;
/** Types that any file adds to. */
const RUBY = /\.rb$/;
const DART = /\.dart$/;
const LUA = /\.lua$/;
/** Files that include each other. */
const SHELL = /\.(?:sh|bash)$/;
const C = /\.(?:c|h|cc|cpp|hpp)$/;

/** The language of a path, as far as edits differ by it. */
function kindOf(path) {
  if (PYTHON.test(path)) return 'python';
  if (GO.test(path)) return 'go';
  if (PHP.test(path)) return 'php';
  if (KOTLIN.test(path)) return 'kotlin';
  if (CSHARP.test(path)) return 'csharp';
  if (SHELL.test(path)) return 'shell';
  if (SWIFT.test(path)) return 'swift';
  if (RUBY.test(path)) return 'ruby';
  if (C.test(path)) return 'c';
  if (DART.test(path)) return 'dart';
  if (LUA.test(path)) return 'lua';
  return JAVA.test(path) ? 'java' : 'script';
}

/**
 * One edit.
 *
 * @param files texts by root-relative path
 * @param gone texts of files that earlier edits deleted, by path
 * @param step a number for names that are not there yet
 * @returns what was done, and the new texts by path; null: the file is gone
 */
export function randomEdit(files, gone, random, step) {
  const code = [...files.keys()]
    .filter((path) =>
      [SCRIPT, PYTHON, GO, JAVA, KOTLIN, CSHARP, PHP, RUBY, SWIFT, C, SHELL, DART, LUA].some((one) =>
        one.test(path),
      ),
    )
    .sort();
  for (;;) {
    const make = EDITS[Math.floor(random() * EDITS.length)];
    const one = () => code[Math.floor(random() * code.length)];
    const changes = make({ files, gone, random, step, code, one });
    if (changes !== null && changes.size > 0) return { what: make.name, changes };
  }
}

/** An edit gives null where it finds nothing to do. */
const EDITS = [
  insertDefinition,
  insertDefinition,
  insertCall,
  insertCall,
  deleteLines,
  deleteDefinition,
  deleteDefinition,
  moveDefinition,
  moveDefinition,
  breakSyntax,
  deleteFile,
  restoreFile,
  restoreFile,
  renameFile,
  renameFile,
  renameFolder,
  swapFiles,
  satisfyImport,
  satisfyImport,
  togglePackage,
  barrel,
  starImport,
  changeBase,
  renameDefinition,
  touchComment,
  emptyFile,
  copyFile,
];

function insertDefinition({ files, step, one, random }) {
  const path = one();
  const text = files.get(path);
  const python = PYTHON.test(path);
  const name = random() < 0.5 ? `made${step}` : (anyName(text, random) ?? `made${step}`);
  const callee = anyName(text, random) ?? 'print';
  if (JAVA.test(path))
    return new Map([[path, inClass(text, `  static int ${name}() {\n    return ${callee}();\n  }\n`)]]);
  if (PHP.test(path)) return new Map([[path, `${text}\nfunction ${name}() {\n    return ${callee}();\n}\n`]]);
  if (KOTLIN.test(path))
    return new Map([[path, `${text}\nfun ${name}(by: Int = ${step % 3}) = ${callee}(by = by)\n`]]);
  if (CSHARP.test(path)) {
    const made = `class Made${step} { public static int ${name}(int by = 1) { return ${callee}(by: by); } }`;
    return new Map([[path, inClass(text, `  ${made}\n`)]]);
  }
  if (SHELL.test(path)) return new Map([[path, `${name}() {\n  ${callee} ${step % 3}\n}\n${text}`]]);
  if (RUBY.test(path)) {
    const type = anyType(text, random) ?? `Made${step}`;
    const self = random() < 0.5 ? 'self.' : '';
    return new Map([[path, `${text}\nclass ${type}\n  def ${self}${name}\n    ${callee}\n  end\nend\n`]]);
  }
  if (C.test(path))
    return new Map([[path, `${text}\nint ${name}(void) {\n  return ${callee}(${step % 3});\n}\n`]]);
  if (GO.test(path))
    return new Map([
      [path, `${text}\nfunc ${name}() int {\n\t// TODO: made in ${step % 7}\n\treturn ${callee}()\n}\n`],
    ]);
  if (DART.test(path)) return new Map([[path, `${text}\nint ${name}() {\n  return ${callee}();\n}\n`]]);
  if (LUA.test(path)) return new Map([[path, `function ${name}()\n  return ${callee}()\nend\n${text}`]]);
  const lines = python
    ? [`def ${name}():`, `    # TODO: made in ${step % 7}`, `    return ${callee}()`]
    : [`export function ${name}() {`, `  // TODO: made in ${step % 7}`, `  return ${callee}();`, '}'];
  return new Map([[path, `${text}\n\n${lines.join('\n')}\n`]]);
}

function insertCall({ files, one, random }) {
  const [path, other] = [one(), one()];
  const name = anyName(files.get(other), random);
  if (name === null || path === other || kindOf(path) !== kindOf(other)) return null;
  const text = files.get(path);
  if (C.test(path)) {
    const call = `static int use_${name}(void) {\n  return ${name}();\n}\n`;
    return new Map([
      [path, `#include "${random() < 0.5 ? relative(path, other) : nameOf(other)}"\n${text}\n${call}`],
    ]);
  }
  if (GO.test(path)) return new Map([[path, `${text}\nvar _ = ${name}\n`]]);
  if (KOTLIN.test(path)) return new Map([[path, `${text}\nval used${name} = ${name}(1) { it.${name}() }\n`]]);
  if (CSHARP.test(path))
    return new Map([
      [path, inClass(text, `  class Use { int used = ${name}(); ${name} made = new ${name}(); }\n`)],
    ]);
  if (SHELL.test(path)) {
    const file = random() < 0.5 ? `./${relative(path, other)}` : `$HERE/${nameOf(other)}`;
    return new Map([[path, `source "${file}"\n${text}\n${name}\n`]]);
  }
  if (SWIFT.test(path)) return new Map([[path, `${text}\nlet used${name} = ${name}()\n`]]);
  if (PHP.test(path)) return new Map([[path, `${text}\n${name}();\nnew ${name}();\n`]]);
  if (RUBY.test(path)) {
    const type = anyType(files.get(other), random) ?? 'Object';
    return new Map([[path, `${text}\n${type}.${name}\n${type}.new.${name}\n`]]);
  }
  if (JAVA.test(path)) return new Map([[path, inClass(text, `  static { ${name}(); new ${name}(); }\n`)]]);
  if (DART.test(path))
    return new Map([[path, `import '${relative(path, other)}';\n${text}\nfinal used = ${name}();\n`]]);
  if (LUA.test(path)) {
    const module = other.replace(/^(?:src|lib)\/|\.lua$/g, '').replaceAll('/', '.');
    return new Map([[path, `local used = require("${module}")\nused.${name}()\n${text}`]]);
  }
  if (PYTHON.test(path)) {
    const module = other
      .replace(/^src\//, '')
      .replace(/(?:\/__init__)?\.pyi?$/, '')
      .replaceAll('/', '.');
    return new Map([[path, `from ${module} import ${name}\n${text}\n${name}()\n`]]);
  }
  const specifier = relative(path, other).replace(/\.ts$/, random() < 0.5 ? '.js' : '');
  return new Map([[path, `import { ${name} } from '${specifier}';\n${text}\n${name}();\n`]]);
}

function deleteLines({ files, one, random }) {
  const path = one();
  const lines = files.get(path).split('\n');
  const at = Math.floor(random() * lines.length);
  lines.splice(at, 1 + Math.floor(random() * 3));
  return new Map([[path, lines.join('\n')]]);
}

function deleteDefinition({ files, one, random }) {
  const path = one();
  const block = anyBlock(files.get(path), random);
  return block && new Map([[path, block.before + block.after]]);
}

function moveDefinition({ files, one, random }) {
  const [path, other] = [one(), one()];
  if (path === other || kindOf(path) !== kindOf(other)) return null;
  const block = anyBlock(files.get(path), random);
  if (!block) return null;
  return new Map([
    [path, block.before + block.after],
    [other, `${files.get(other)}\n${block.text}`],
  ]);
}

function breakSyntax({ files, one, random }) {
  const path = one();
  const text = files.get(path);
  const at = Math.floor(random() * text.length);
  const broken =
    random() < 0.5 ? text.slice(0, at) + text.slice(at + 9) : `${text.slice(0, at)} ({ ${text.slice(at)}`;
  return new Map([[path, broken]]);
}

function deleteFile({ one }) {
  return new Map([[one(), null]]);
}

function restoreFile({ files, gone, random }) {
  const paths = [...gone.keys()].filter((path) => !files.has(path)).sort();
  const path = paths[Math.floor(random() * paths.length)];
  return path === undefined ? null : new Map([[path, gone.get(path)]]);
}

function renameFile({ files, one, random, step }) {
  const path = one();
  const folder = random() < 0.5 ? folderOf(path) : folderOf(one());
  const ending = /(?:\.d)?\.[^./]+$/.exec(path)?.[0] ?? '';
  const to = joined(folder, `moved${step}${ending}`);
  return files.has(to)
    ? null
    : new Map([
        [path, null],
        [to, files.get(path)],
      ]);
}

function renameFolder({ files, one, step }) {
  const folder = folderOf(one());
  if (folder === '') return null;
  const moved = [...files].filter(([path]) => path.startsWith(`${folder}/`));
  if (moved.length > 12) return null;
  const to = `${folder}_moved${step}`;
  return new Map(
    moved.flatMap(([path, text]) => [
      [path, null],
      [to + path.slice(folder.length), text],
    ]),
  );
}

function swapFiles({ files, one }) {
  const [path, other] = [one(), one()];
  if (path === other || kindOf(path) !== kindOf(other)) return null;
  return new Map([
    [path, files.get(other)],
    [other, files.get(path)],
  ]);
}

/** A file that a relative import was waiting for, with the names that are asked of it. */
function satisfyImport({ files, code, random }) {
  const waiting = [];
  for (const path of code) {
    const text = files.get(path);
    for (const [, names, specifier] of text.matchAll(
      /import\s*(?:type\s*)?\{([^}]*)\}\s*from\s*['"](\.[^'"]*)['"]/g,
    )) {
      const stem = resolved(folderOf(path), specifier.replace(/\.js$/, ''));
      const there = ['', '.ts', '.tsx', '.js', '/index.ts', '/index.tsx'].some((ending) =>
        files.has(stem + ending),
      );
      if (stem !== null && !there) waiting.push([`${stem}.ts`, scriptOf(names)]);
    }
    for (const [, dots, module, names] of text.matchAll(/^from (\.+)([\w.]*) import ([\w, ]+)$/gm)) {
      const folder = resolved(folderOf(path), '../'.repeat(dots.length - 1) || '.');
      const stem = folder === null || module === '' ? null : joined(folder, module.replaceAll('.', '/'));
      if (stem !== null && !files.has(`${stem}.py`) && !files.has(`${stem}/__init__.py`))
        waiting.push([`${stem}.py`, pythonOf(names)]);
    }
  }
  const chosen = waiting[Math.floor(random() * waiting.length)];
  return chosen ? new Map([chosen]) : null;
}

function scriptOf(names) {
  return wordsIn(names)
    .map((name) => `export function ${name}() { return 1; }\n`)
    .join('');
}

function pythonOf(names) {
  return wordsIn(names)
    .map((name) => `def ${name}():\n    return 1\n\n`)
    .join('');
}

/** Makes a folder a Python package, or none. */
function togglePackage({ files, code, random }) {
  const folders = [...new Set(code.filter((path) => PYTHON.test(path)).map(folderOf))].sort();
  const folder = folders[Math.floor(random() * folders.length)];
  if (folder === undefined) return null;
  const path = joined(folder, '__init__.py');
  return new Map([[path, files.has(path) ? null : '']]);
}

/** Passes on all that a neighbour has, from an index file that may be new. */
function barrel({ files, one }) {
  const path = one();
  if (!SCRIPT.test(path)) return null;
  const index = joined(folderOf(path), 'index.ts');
  if (index === path) return null;
  const line = `export * from './${path.slice(path.lastIndexOf('/') + 1).replace(SCRIPT, '')}';\n`;
  const text = files.get(index) ?? '';
  return new Map([[index, text.includes(line) ? text.replace(line, '') : text + line]]);
}

function starImport({ files, one }) {
  const path = one();
  if (!PYTHON.test(path) || path.endsWith('__init__.py')) return null;
  const init = joined(folderOf(path), '__init__.py');
  const line = `from .${path.slice(path.lastIndexOf('/') + 1).replace(PYTHON, '')} import *\n`;
  const text = files.get(init) ?? '';
  return new Map([[init, text.includes(line) ? text.replace(line, '') : text + line]]);
}

function changeBase({ files, one, random }) {
  const path = one();
  const text = files.get(path);
  const base = anyName(text, random);
  if (base === null) return null;
  if (GO.test(path)) {
    const embedding = text.replace(/^type (\w+) struct \{\n/m, `type $1 struct {\n\t${base}\n`);
    return embedding === text ? null : new Map([[path, embedding]]);
  }
  if (RUBY.test(path)) {
    const type = anyType(files.get(one()), random) ?? 'Object';
    const derived = text.replace(
      /^( *)class ([\w:]+)(?: < \S+)?$/m,
      random() < 0.5 ? `$1class $2 < ${type}` : `$&\n$1  include ${type}`,
    );
    return derived === text ? null : new Map([[path, derived]]);
  }
  const changed = PYTHON.test(path)
    ? text.replace(/^class (\w+)(?:\([^)]*\))?:/m, `class $1(${base}):`)
    : text.replace(/\bclass (\w+)(?: extends \w+)? \{/, `class $1 extends ${base} {`);
  return changed === text ? null : new Map([[path, changed]]);
}

function renameDefinition({ files, one, random, step }) {
  const path = one();
  const text = files.get(path);
  const name = anyName(text, random);
  return name === null
    ? null
    : new Map([[path, text.replace(new RegExp(`\\b${name}\\b`), `${name}${step}`)]]);
}

function touchComment({ files, one, step }) {
  const path = one();
  const comment =
    PYTHON.test(path) || RUBY.test(path)
      ? `# FIXME: look at ${step % 5}\n`
      : `// FIXME: look at ${step % 5}\n`;
  return new Map([[path, comment + files.get(path)]]);
}

function emptyFile({ one, random }) {
  return random() < 0.3 ? new Map([[one(), '']]) : null;
}

function copyFile({ files, one, step }) {
  const path = one();
  const ending = /(?:\.d)?\.[^./]+$/.exec(path)?.[0] ?? '';
  return new Map([[joined(folderOf(path), `copy${step}${ending}`), files.get(path)]]);
}

/** Puts a member at the end of the last class of a text. */
function inClass(text, member) {
  const end = text.lastIndexOf('}');
  return end < 0 ? text + member : `${text.slice(0, end)}${member}${text.slice(end)}`;
}

/** A name that the text defines; null where it defines none. */
function anyName(text, random) {
  const names = [
    ...text.matchAll(/^func (?:\([^)\n]*\) )?(\w+)/gm),
    ...text.matchAll(/^(?:static |struct )*\w+[ *]+(?:\w+::)?(\w+)\(/gm),
    ...text.matchAll(
      /^ *(?:(?:public|private|protected|static|final|abstract) )+(?:[\w<>[\], ?]+ )?(\w+) ?[({]/gm,
    ),
    ...text.matchAll(
      /^(?:export )?(?:default )?(?:async )?(?:function|class|const|def|interface|type) (\w+)/gm,
    ),
    ...text.matchAll(/^ +def (?:self\.)?(\w+)$/gm),
    ...text.matchAll(/^ *(?:\w+ )*(?:fun|object) (?:<[^>\n]*> )?(?:\w+\.)?(\w+)/gm),
    ...text.matchAll(/^(\w+)\(\) *\{/gm),
  ];
  return names[Math.floor(random() * names.length)]?.[1] ?? null;
}

/** A class or module that a text defines, as it is written; null where it defines none. */
function anyType(text, random) {
  const names = [...(text ?? '').matchAll(/^ *(?:class|module) ([A-Z][\w:]*)/gm)];
  return names[Math.floor(random() * names.length)]?.[1] ?? null;
}

/** A definition at the top of a text with what stands before and behind it. */
function anyBlock(text, random) {
  const starts = [
    ...text.matchAll(
      /^(?:export |async |@|function |class |const |def |interface |type |func |var |static |typedef |struct |enum |int |void |char |namespace |module |fun |object |internal |\w+\(\) *\{| {2}(?:override |internal |actual )+|(?: {2}){1,4}def (?!\w+\()| {2}(?:public|private|protected|static) )/gm,
    ),
  ].map(({ index }) => index);
  if (starts.length === 0) return null;
  const at = Math.floor(random() * starts.length);
  const [from, to] = [starts[at], starts[at + 1] ?? text.length];
  return { before: text.slice(0, from), text: text.slice(from, to), after: text.slice(to) };
}

function wordsIn(names) {
  return names
    .split(',')
    .map(
      (one) =>
        one
          .trim()
          .replace(/^type /, '')
          .split(/\s/)[0],
    )
    .filter((one) => /^[A-Za-z_]\w*$/.test(one));
}

function folderOf(path) {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function joined(folder, name) {
  return folder === '' ? name : `${folder}/${name}`;
}

/** A relative specifier as a root-relative path; null where it leaves the root. */
function resolved(folder, specifier) {
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of specifier.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/');
}

function relative(from, to) {
  const up = folderOf(from) === '' ? [] : folderOf(from).split('/');
  const parts = to.split('/');
  let shared = 0;
  while (shared < up.length && shared < parts.length - 1 && up[shared] === parts[shared]) shared += 1;
  const climb = up.length - shared;
  return (climb === 0 ? './' : '../'.repeat(climb)) + parts.slice(shared).join('/');
}

function nameOf(path) {
  return path.slice(path.lastIndexOf('/') + 1);
}
