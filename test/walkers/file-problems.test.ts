import { expect, it } from 'vitest';
import { allProblems } from '../../graphs/code/index-output.js';
import { type FileNews, newsOf, type Reading, suspects } from '../../graphs/code/scan.js';
import { type DiscoveredFile, type Extraction, type ExtractionPool, TOO_SLOW } from '../../source/index.js';

const FILE: DiscoveredFile = {
  path: 'a.py',
  diskPath: '/nowhere/a.py',
  size: 4,
  mtimeMs: 1_000,
  ctimeMs: 1_000,
  inode: 1,
  language: 'python',
  extracted: true,
  plain: null,
};

/** What is learned of a file whose extraction fails for a reason, and the problems that only this run names. */
async function failed(reason: string) {
  const answer: Extraction = {
    ok: false,
    path: FILE.path,
    content: { hash: 'abc', size: 4 },
    documents: null,
    reason,
    detail: 'why',
  };
  const pool: ExtractionPool = {
    async *extract() {
      yield answer;
    },
    close: () => undefined,
  };
  const problems: { path: string; reason: string; detail: string }[] = [];
  const context = {
    now: () => 1_000_000,
    signal: new AbortController().signal,
    checkDeadline: () => undefined,
  } as unknown as Reading['context'];
  const documentsOf = () => new Uint8Array();
  const reading = { context, states: new Map(), pool, documentsOf, full: false, problems };
  const news: FileNews[] = [];
  for await (const one of newsOf([FILE], reading)) news.push(one);
  const [only] = news;
  if (only?.kind !== 'changed') throw new Error('the file is not there');
  const states = new Map([[FILE.path, { ...only.state, offers: '', part: '', written: null }]]);
  return { facts: only.facts, states, problems };
}

it('a file that takes too long is there without facts, named by each run, and not tried again', async () => {
  const { facts, states, problems } = await failed(TOO_SLOW);
  expect(facts).toBe(null);
  expect(suspects([FILE], { states, full: false })).toEqual([]);
  expect(allProblems(problems, states)).toEqual([{ path: 'a.py', reason: TOO_SLOW, detail: 'why' }]);
  expect(allProblems([], states)).toEqual([{ path: 'a.py', reason: TOO_SLOW, detail: 'why' }]);
  // It changes, or its extractor does.
  expect(suspects([{ ...FILE, mtimeMs: 2_000 }], { states, full: false })).toHaveLength(1);
});

it('a file that fails for any other reason is tried again by the next run', async () => {
  const { states, problems } = await failed('PARSE_FAILED');
  expect(suspects([FILE], { states, full: false })).toEqual([FILE]);
  expect(allProblems(problems, states)).toHaveLength(1);
});
