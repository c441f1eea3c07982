// Projects of any size, the same for the same seed: packages of TypeScript and Python whose files import and call
// each other, as real ones do: most within their folder, some far away, some names many times.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generator } from './measure.mjs';

const FILES_PER_FOLDER = 20;
const PYTHON_SHARE = 0.3;
const VERBS = ['load', 'parse', 'render', 'merge', 'check', 'send', 'find', 'split', 'store', 'apply'];
const NOUNS = ['order', 'user', 'token', 'page', 'route', 'batch', 'report', 'image', 'rule', 'session'];

/** Writes a project of `count` files under `root`. */
export function generateProject(root, count, seed = 7) {
  const random = generator(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const folders = Math.ceil(count / FILES_PER_FOLDER);
  const files = Array.from({ length: count }, (_, i) => {
    const folder = Math.floor(i / FILES_PER_FOLDER);
    const python = folder / folders < PYTHON_SHARE;
    const name = `${pick(NOUNS)}_${i}`;
    const place = `${python ? 'py' : 'ts'}/area${folder % 17}/part${folder}`;
    return {
      i,
      python,
      place,
      name,
      functions: [0, 1, 2, 3, 4].map((n) => `${pick(VERBS)}_${pick(NOUNS)}_${n}`),
    };
  });
  const starts = files.findIndex(({ python }) => !python);
  for (const file of files) {
    const [low, high] = file.python ? [0, starts < 0 ? count : starts] : [Math.max(0, starts), count];
    const near = () => {
      const at = file.i - (file.i % FILES_PER_FOLDER) + Math.floor(random() * FILES_PER_FOLDER);
      return files[Math.min(Math.max(at, low), high - 1)];
    };
    const far = () => files[low + Math.floor(random() * (high - low))];
    const used = new Set();
    for (let n = 0; n < 5; n += 1) used.add(random() < 0.7 ? near() : far());
    used.delete(file);
    const text = (file.python ? pythonText : typescriptText)(file, [...used], { random, pick });
    const path = join(root, file.place, `${file.name}.${file.python ? 'py' : 'ts'}`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

function className({ name, i }) {
  return `${name[0].toUpperCase()}${name.slice(1).replace(`_${i}`, '')}${i}`;
}

/** Only from files before it, so that nothing extends itself. */
function baseOf(file, used) {
  return used.find(({ i }) => i < file.i);
}

function typescriptText(file, used, { random, pick }) {
  // Two files may give the same name: only one of them can be imported bare.
  const names = new Map();
  const imports = used.map((other, n) => {
    const items = other.functions.slice(0, 3).map((name, k) => {
      const local = names.has(name) || file.functions.includes(name) ? `${name}_of${n}${k}` : name;
      names.set(local, other);
      return local === name ? name : `${name} as ${local}`;
    });
    return `import { ${[className(other), ...new Set(items)].join(', ')} } from '../../../${other.place}/${other.name}.js';`;
  });
  const lines = [...imports, ''];
  const callable = [...names.keys()];
  lines.push(`/** What ${file.name} is configured with. */`, `export interface ${className(file)}Options {`);
  lines.push('  readonly limit: number;', '  readonly label?: string;', '}', '');
  for (const [n, name] of file.functions.entries()) {
    lines.push(`/** Makes the ${name} of what is given. */`);
    lines.push(`export function ${name}(input: string, options: ${className(file)}Options): number {`);
    lines.push(`  const parts = input.split('${n}');`, '  let total = options.limit;');
    for (let k = 0; k < 2 + random() * 4; k += 1) {
      const callee = callable.length > 0 && random() < 0.7 ? pick(callable) : pick(file.functions);
      lines.push(
        `  if (parts.length > ${k}) {`,
        `    total += ${callee}(parts[${k}] ?? '', options);`,
        '  }',
      );
    }
    lines.push('  return total;', '}', '');
  }
  const base = baseOf(file, used);
  lines.push(`export class ${className(file)}${base ? ` extends ${className(base)}` : ''} {`);
  lines.push(`  readonly items: string[] = [];`, '');
  for (const verb of VERBS.slice(0, 3)) {
    lines.push(`  ${verb}(item: string): number {`, '    this.items.push(item);');
    lines.push(`    const count = this.${pick(VERBS.slice(0, 3))}Count(item);`);
    lines.push(`    return count + ${pick(file.functions)}(item, { limit: count });`, '  }', '');
    lines.push(`  ${verb}Count(item: string): number {`);
    lines.push('    return this.items.filter((one) => one === item).length;', '  }', '');
  }
  lines.push('}', '');
  return lines.join('\n');
}

function pythonText(file, used, { random, pick }) {
  const imports = used.map((other) => {
    const module = `${other.place.replaceAll('/', '.')}.${other.name}`;
    return `from ${module} import ${[className(other), ...new Set(other.functions.slice(0, 3))].join(', ')}`;
  });
  const lines = [`"""What ${file.name} is for."""`, '', ...imports, '', ''];
  const callable = used.flatMap(({ functions }) => functions.slice(0, 3));
  for (const [n, name] of file.functions.entries()) {
    lines.push(`def ${name}(value: str, limit: int = ${n}) -> int:`);
    lines.push(
      `    """Make the ${name} of what is given."""`,
      `    parts = value.split("${n}")`,
      '    total = limit',
    );
    for (let k = 0; k < 2 + random() * 4; k += 1) {
      const callee = callable.length > 0 && random() < 0.7 ? pick(callable) : pick(file.functions);
      lines.push(`    if len(parts) > ${k}:`, `        total += ${callee}(parts[${k}], limit)`);
    }
    lines.push('    return total', '', '');
  }
  const base = baseOf(file, used);
  lines.push(`class ${className(file)}${base ? `(${className(base)})` : ''}:`);
  lines.push(
    '    def __init__(self, limit: int) -> None:',
    '        self.limit = limit',
    '        self.items: list[str] = []',
    '',
  );
  for (const verb of VERBS.slice(0, 3)) {
    lines.push(`    def ${verb}(self, item: str) -> int:`, '        self.items.append(item)');
    lines.push(`        count = self.${verb}_count(item)`);
    lines.push(`        return count + ${pick(file.functions)}(item, self.limit)`, '');
    lines.push(`    def ${verb}_count(self, item: str) -> int:`);
    lines.push('        return len([one for one in self.items if one == item])', '');
  }
  return lines.join('\n');
}
