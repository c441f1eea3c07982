import { BUILDS } from '../../ir/index.js';

/** Systems, processors and what else differs from machine to machine. */
const OF_MACHINES = new Set(
  (
    'aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos ' +
    'unix cgo race msan asan ' +
    '386 amd64 amd64p32 arm arm64 armbe arm64be loong64 mips mips64 mips64le mips64p32 mips64p32le mipsle ppc ppc64 ' +
    'ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm'
  ).split(' '),
);
/** Characters of a condition that are read: longer ones say nothing. */
const LONGEST = 2000;

/** Which builds take a file: by its name, and by the condition above its package clause. */
export function buildOf(text: string, path: string): number {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.go$/, '');
  const ending = name
    .replace(/_test$/, '')
    .split('_')
    .slice(1);
  const isOfMachine = OF_MACHINES.has(ending[ending.length - 1] ?? '');
  const head = text.slice(0, LONGEST);
  const clause = head.search(/^package\s/m);
  const written = /^\/\/go:build\s+(.+)$/m.exec(clause < 0 ? head : head.slice(0, clause))?.[1];
  const holds = written === undefined ? true : holding(written);
  if (holds === false) return BUILDS.indexOf('asked');
  return BUILDS.indexOf(holds === null || isOfMachine ? 'some' : 'all');
}

/** Whether a condition holds in a build for which no tags are given; null: on some machines. */
function holding(condition: string): boolean | null {
  const tokens = condition.match(/\|\||&&|[!()]|[\w.]+/g) ?? [];
  let at = 0;
  const either = (): boolean | null => {
    let found = both();
    while (tokens[at] === '||') {
      at += 1;
      const other = both();
      found = found === true || other === true ? true : found === null || other === null ? null : false;
    }
    return found;
  };
  const both = (): boolean | null => {
    let found = one();
    while (tokens[at] === '&&') {
      at += 1;
      const other = one();
      found = found === false || other === false ? false : found === null || other === null ? null : true;
    }
    return found;
  };
  const one = (): boolean | null => {
    const token = tokens[at] ?? '';
    at += 1;
    if (token === '!') {
      const found = one();
      return found === null ? null : !found;
    }
    if (token === '(') {
      const found = either();
      at += 1;
      return found;
    }
    if (OF_MACHINES.has(token)) return null;
    // The usual compiler, and a version of it that has all.
    return token === 'gc' || /^go1\.\d+$/.test(token);
  };
  return either();
}
