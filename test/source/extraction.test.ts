import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentMaker } from '../../graphs/code/documents.js';
import {
  createExtractionPool,
  type Extraction,
  type FileToExtract,
  factsFromBytes,
  type Language,
  languages,
  type PoolOptions,
} from '../../source/index.js';
import { tree } from './trees.js';

/** What is bundled here finds its packages in the node_modules folder above. */
const FOLDER = fileURLToPath(
  new URL(`../../node_modules/.cache/codewalk-extraction-${process.pid}/`, import.meta.url),
);
const ROOM = fileURLToPath(new URL('../../source/', import.meta.url));

/** The thread that ships, with languages whose extraction goes wrong in every way beside the real ones. */
const ROUGH_WORKER = `
  import { existsSync, writeFileSync } from 'node:fs';
  import { serveExtraction } from '${ROOM}extraction/serve-extraction.ts';
  import { languages, typescript } from '${ROOM}languages/registry.ts';
  const one = languages[0];
  const rough = (name, extract) => ({ ...one, name, extensions: ['.' + name], extract });
  await serveExtraction([
    ...languages,
    rough('hang', () => { for (;;); }),
    rough('exit', () => process.exit(3)),
    rough('fill', () => { for (const all = []; ; ) all.push(new Array(100_000).fill({})); }),
    rough('trap', ({ path, ...file }) => {
      if (!existsSync('${FOLDER}trapped')) {
        writeFileSync('${FOLDER}trapped', path);
        throw new WebAssembly.RuntimeError('memory access out of bounds');
      }
      return one.extract({ path, ...file });
    }),
    { ...rough('mute', one.extract), grammar: 'tree-sitter-nowhere.wasm' },
  ]);
`;

/** A thread that leaves a mark and dies before it is ready. */
const STILLBORN_WORKER = `
  import { writeFileSync } from 'node:fs';
  writeFileSync('${FOLDER}started', '');
  throw new Error('cannot start');
`;

const [first] = languages as [Language];
const ROUGH = ['hang', 'exit', 'fill', 'trap', 'mute'].map((name) => ({
  ...first,
  name,
  extensions: [`.${name}`],
}));

beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, 'rough.source.ts'), ROUGH_WORKER);
  writeFileSync(join(FOLDER, 'stillborn.mjs'), STILLBORN_WORKER);
  await build({
    entryPoints: {
      real: join(ROOM, 'extraction/extraction.worker.ts'),
      indexing: join(ROOM, '../graphs/code/indexing.worker.ts'),
      rough: join(FOLDER, 'rough.source.ts'),
    },
    outdir: FOLDER,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    logLevel: 'error',
  });
});

afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

const workerFile = (name: string) => pathToFileURL(join(FOLDER, `${name}.mjs`));

/** Files on disk that are said to be large, so that threads are worth it. */
function filesOf(content: Readonly<Record<string, string>>, size = 100_000): FileToExtract[] {
  const root = tree(content);
  return Object.keys(content).map((path) => ({ path, diskPath: join(root, path), size }));
}

function plain(count: number): Record<string, string> {
  const names = Array.from({ length: count }, (_, i) => `f${i}.ts`);
  return Object.fromEntries(names.map((name, i) => [name, `export function made${i}() {}\n`.repeat(i + 1)]));
}

async function extracted(files: readonly FileToExtract[], options: PoolOptions): Promise<Extraction[]> {
  const pool = createExtractionPool(options);
  const answers: Extraction[] = [];
  for await (const one of pool.extract(files)) answers.push(one);
  pool.close();
  return answers;
}

const rough = (files: readonly FileToExtract[]) =>
  extracted(files, {
    worker: workerFile('rough'),
    languages: [...languages, ...ROUGH],
    size: 2,
    fileTimeMs: 1500,
  });

/** Path and reason; null for what went well. */
const outcomes = (answers: readonly Extraction[]) =>
  Object.fromEntries(answers.map((one) => [one.path, one.ok ? null : one.reason]));

describe('extraction in threads', () => {
  it('answers in the order of the files, with what one thread would have found', async () => {
    const files = filesOf({ ...plain(30), 'a.py': 'def f(): pass\n', 'b.tsx': 'const B = () => <i/>;\n' });
    const threads = await extracted(files, { worker: workerFile('real'), size: 2 });
    const here = await extracted(files, { size: 0 });
    expect(threads.map(({ path }) => path)).toEqual(files.map(({ path }) => path));
    expect(threads.map((one) => one.ok && factsFromBytes(one.facts))).toEqual(
      here.map((one) => one.ok && factsFromBytes(one.facts)),
    );
  });

  it('makes what else was asked for of every text that is read, wherever that is done', async () => {
    const files = filesOf({ ...plain(5), 'a.py': 'def f(): pass\n' });
    const documentsOf = documentMaker();
    const threads = await extracted(files, { worker: workerFile('indexing'), size: 2 });
    const here = await extracted(files, { size: 0, documentsOf });
    expect(threads.map((one) => Buffer.from(one.documents ?? []).toString('hex'))).toEqual(
      here.map((one) => Buffer.from(one.documents ?? []).toString('hex')),
    );
    expect(here.every((one) => (one.documents?.length ?? 0) > 0)).toBe(true);
    const [unasked] = await extracted(files, { size: 0 });
    expect(unasked?.documents).toBeNull();
  });

  it('hashes the bytes that it extracted', async () => {
    const text = 'export const a = 1;\n';
    const [one] = await extracted(filesOf({ 'a.ts': text }, 1e6), { worker: workerFile('real') });
    const hash = createHash('sha256').update(text).digest('hex');
    expect(one).toMatchObject({ ok: true, content: { hash, size: text.length } });
  });

  it('names a file that is gone, and goes on', async () => {
    const [a, b] = filesOf({ 'a.ts': 'let a;', 'b.ts': 'let b;' }, 1e6) as [FileToExtract, FileToExtract];
    const answers = await extracted([{ ...a, diskPath: `${a.diskPath}.gone` }, b], {
      worker: workerFile('real'),
    });
    expect(outcomes(answers)).toEqual({ 'a.ts': 'vanished', 'b.ts': null });
    expect(answers[0]).toMatchObject({ content: null });
  });

  it('names a file that ends its thread twice, or never ends, and loses no other', async () => {
    const files = filesOf({ ...plain(6), 'a.exit': '', 'b.hang': '', 'c.fill': '', ...plain(12) });
    const answers = await rough(files);
    const wrong = answers.filter((one) => !one.ok);
    // Memory or time: whichever a busy machine runs out of first.
    const memoryOrTime = expect.stringMatching(/^(?:PARSE_FAILED|too-slow)$/);
    expect(outcomes(wrong)).toEqual({
      'a.exit': 'PARSE_FAILED',
      'b.hang': 'too-slow',
      'c.fill': memoryOrTime,
    });
    expect(wrong.map((one) => !one.ok && one.detail)).toEqual([
      'Extraction of a.exit was given up: its thread ended',
      'Extraction of b.hang was given up: it took more than 1.5 s',
      expect.stringContaining('Extraction of c.fill was given up: '),
    ]);
    expect(answers).toHaveLength(files.length);
    // They are there all the same.
    expect(wrong.map(({ content }) => content?.size)).toEqual([0, 0, 0]);
  });

  it('tries a file again in another thread when the parser trapped', async () => {
    const answers = await rough(filesOf({ ...plain(4), 'a.trap': 'class A {}' }));
    expect(outcomes(answers)).toMatchObject({ 'a.trap': null });
  });

  it('names the files of a language whose grammar does not load', async () => {
    const answers = await rough(filesOf({ 'a.ts': 'let a;', 'a.mute': '', 'b.mute': '' }));
    expect(outcomes(answers)).toEqual({
      'a.ts': null,
      'a.mute': 'GRAMMAR_FAILED',
      'b.mute': 'GRAMMAR_FAILED',
    });
  });

  it('ends at once when it is cancelled, whatever its threads do', async () => {
    const pool = createExtractionPool({
      worker: workerFile('rough'),
      languages: [...languages, ...ROUGH],
      size: 1,
    });
    const files = filesOf({ 'a.ts': 'let a;', 'b.hang': '', 'c.ts': 'let c;' });
    const cancel = new AbortController();
    const answers: string[] = [];
    const run = async () => {
      for await (const { path } of pool.extract(files, { signal: cancel.signal })) {
        answers.push(path);
        setImmediate(() => cancel.abort());
      }
    };
    await expect(run()).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(answers).toEqual(['a.ts']);
  });

  it('can be left early, and be used again', async () => {
    const pool = createExtractionPool({ worker: workerFile('real'), size: 2 });
    const files = filesOf(plain(20));
    for await (const one of pool.extract(files)) {
      expect(one.path).toBe('f0.ts');
      break;
    }
    const again: string[] = [];
    for await (const { path } of pool.extract(files)) again.push(path);
    expect(again).toHaveLength(20);
  });

  it('starts no thread for a few small files', async () => {
    const answers = await extracted(filesOf(plain(3), 500), { worker: workerFile('stillborn') });
    expect(answers.filter(({ ok }) => ok)).toHaveLength(3);
    expect(existsSync(join(FOLDER, 'started'))).toBe(false);
  });

  it('does the work itself where no thread can be started', async () => {
    const answers = await extracted(filesOf(plain(20)), { worker: workerFile('stillborn'), size: 2 });
    expect(answers.filter(({ ok }) => ok)).toHaveLength(20);
    expect(existsSync(join(FOLDER, 'started'))).toBe(true);
  });
});
