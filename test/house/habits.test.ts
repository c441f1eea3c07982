import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../schema/index.js';
import { houseFiles, ROOT, type SourceFile, testFiles } from './sources.js';

const FILES = houseFiles();
const MAX_LINES = 800;
/** Limits that are promised of what no one place counts; benchmarks and evaluators measure them. */
const PROMISED: readonly string[] = ['answerRows', 'hookRecord', 'initialize'];

/** Places as `path:line`, for every line of code that fits. */
function placesOf(
  files: readonly SourceFile[],
  fits: (line: string) => boolean,
  of: 'code' | 'text' = 'code',
) {
  return files.flatMap((file) =>
    file[of].split('\n').flatMap((line, index) => (fits(line) ? [`${file.path}:${index + 1}`] : [])),
  );
}

/** Exported declarations with nothing said about them. Overloads share the comment of the first, a type that of its schema. */
function undocumented(file: SourceFile): string[] {
  const lines = file.text.split('\n');
  return lines.flatMap((line, index) => {
    const name =
      /^export (?:declare |abstract |async )*(?:const|class|function\*?|interface|type|enum) (\w+)/u.exec(
        line,
      )?.[1];
    if (name === undefined) return [];
    const before = lines.slice(0, index).findLast((other) => other.trim() !== '') ?? '';
    const overload =
      new RegExp(`^export (?:async )?function ${name}\\b`, 'u').test(line) && before.endsWith(';');
    const again = overload && lines.slice(0, index).some((other) => other.includes(`function ${name}`));
    const ofSchema =
      line.startsWith('export type ') &&
      lines.some((other) => other.replace('export ', '').startsWith(`const ${name} =`));
    const isDocumented = before.trimEnd().endsWith('*/') || again || ofSchema;
    return isDocumented ? [] : [`${file.path}:${index + 1} ${name}`];
  });
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

describe('the habits of the house', () => {
  it('know no any', () => {
    const any = /(?::|<|\bas|\||&|,|=>|\bextends|\bkeyof)\s*any\b(?!\s*[:(.'"])/u;
    const withoutStrings = (line: string) =>
      line.replace(/'[^']*'|"[^"]*"|`[^`]*`|\/[^/\s]+\/[a-z]*/gu, "''");
    expect(placesOf(FILES, (line) => any.test(withoutStrings(line)))).toEqual([]);
  });

  it('silence neither the compiler nor the linter', () => {
    const silenced = /@ts-(?:ignore|nocheck)|biome-ignore|eslint-disable/u;
    const others = testFiles().filter((file) => !file.path.startsWith('test/house/'));
    expect(placesOf([...FILES, ...others], (line) => silenced.test(line), 'text')).toEqual([]);
    expect(placesOf(FILES, (line) => line.includes('@ts-expect-error'), 'text')).toEqual([]);
  });

  it(`keep files under ${MAX_LINES} lines`, () => {
    const long = FILES.map((file) => ({ path: file.path, lines: file.text.split('\n').length }));
    expect(long.filter(({ lines }) => lines > MAX_LINES)).toEqual([]);
  });

  it('say of every exported thing what it is', () => {
    expect(FILES.flatMap(undocumented)).toEqual([]);
  });

  it('import no package that is not declared, and no tool of ours', () => {
    const manifest: { dependencies: object; devDependencies: object } = JSON.parse(
      readFileSync(join(ROOT, 'package.json'), 'utf8'),
    );
    const tools = ['vitest', 'esbuild', 'typescript', '@biomejs/biome'];
    const declared = new Set(Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }));
    const wrong = FILES.flatMap((file) =>
      file.imports
        .filter((specifier) => !specifier.startsWith('.') && !specifier.startsWith('node:'))
        .filter((specifier) => !declared.has(packageOf(specifier)) || tools.includes(packageOf(specifier)))
        .map((specifier) => `${file.path} imports ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });

  it('read every limit where it holds: no figure is written twice', () => {
    const read = [...FILES, ...testFiles()]
      .filter(({ code }) => code.includes('LIMITS'))
      .map(({ code }) => code);
    const isRead = (name: string) =>
      new RegExp(`LIMITS\\.${name}\\b|\\{[^{}]*\\b${name}\\b[^{}]*\\}\\s*=\\s*LIMITS\\b`, 'u');
    const unread = Object.keys(LIMITS).filter((name) => !read.some((code) => isRead(name).test(code)));
    expect(unread).toEqual(PROMISED);
  });

  it('skip no test', () => {
    const skipped = /\b(?:it|test|describe)\.(?:skip|only|todo)\b/u;
    expect(placesOf(testFiles(), (line) => skipped.test(line))).toEqual([]);
  });
});
