/*
 * How well earlier attempts are found, what each part of the score adds, and how far confidence can be trusted. No build.
 *
 *   node bench/attempts.mjs history REPO.git > F.jsonl     a git history as questions with known answers
 *   node bench/attempts.mjs parts F.jsonl …                nDCG at 10 with each part of the score, and without it
 *   node bench/attempts.mjs fit F.jsonl …                  weights of the confidence in a prompt
 *   node bench/attempts.mjs confidence F.jsonl …           of the first results of each confidence, which share is right
 *   node bench/attempts.mjs failures STORIES.jsonl.gz …    repeated failures: first result right, and silence else
 *   node bench/attempts.mjs speed [ATTEMPTS]               milliseconds of a question
 *
 * A history is replayed in the order of time: each commit is asked for before it is recorded. Relevant are commits that
 * changed the same functions, by the Jaccard index of these weighted by rarity: half 3, a fifth 2, anything 1 (as gain
 * 2^g - 1). For confidence, commits are recorded by their first line and asked for by the rest of their message; as many
 * messages of commits that are not recorded, and share no function with those that are, have no right answer.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { record, Shelf, traceGraph } from './lib/attempts/shelf.mjs';

const [what, ...files] = process.argv.slice(2);
const mean = (list) => list.reduce((sum, x) => sum + x, 0) / (list.length || 1);
const show = (x) => x.toFixed(3);
const lines = (file) => {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').trim();
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
};

/** Commits with the names of functions that stand in the heads of their hunks. */
function history(repo, most = 900) {
  const args = [
    'log',
    '--no-merges',
    '-p',
    '-U0',
    '-M',
    '-n',
    String(2 * most),
    '--format=%x01%H%x02%at%x02%ae%x02%B%x03',
  ];
  const out = execFileSync('git', ['--git-dir', repo, ...args], { encoding: 'utf8', maxBuffer: 1 << 30 });
  const commits = out
    .split('\x01')
    .slice(1)
    .flatMap((part) => {
      const [head, diff = ''] = part.split('\x03');
      const [sha, at, author = '', message = ''] = head.split('\x02');
      const functions = new Map();
      let own = null;
      for (const line of diff.split('\n')) {
        const file = /^diff --git .* b\/(.+)$/.exec(line)?.[1];
        if (file) {
          own = new Set();
          functions.set(file, own);
        }
        const name = /^@@ .*? @@.*?\b(?:def|class|function\*?|const|let|var|interface)\s+([\w$]+)/.exec(
          line,
        )?.[1];
        if (name) own?.add(name);
      }
      // Numbers and hashes would give the answer away; bots and releases say nothing.
      const text = message.replace(/\(?#\d+\)?|\b[0-9a-f]{7,40}\b|^[\w-]+-by:.*$/gim, ' ').trim();
      if (/\[bot\]/.test(author) || functions.size === 0 || functions.size > 25 || text.length < 15)
        return [];
      return [
        {
          id: sha.slice(0, 12),
          at: 1000 * at,
          author,
          text,
          functions: [...functions].map(([file, set]) => [file, [...set]]),
        },
      ];
    });
  return commits.slice(0, most).reverse();
}

const functionsOf = ({ functions }) =>
  functions.flatMap(([file, names]) => names.map((name) => `${file}::${name}`));
const attemptOf = ({ id, at, functions }, prompt) => ({
  id,
  at,
  prompt,
  edits: functions.map(([file, symbols]) => ({ file, params: { file_path: file, symbols } })),
});

async function parts(graph) {
  const { PARTS } = graph;
  const all = { ...PARTS };
  const sets = [
    ['all', {}],
    ...Object.keys(PARTS).map((part) => [`without ${part}`, { [part]: part === 'firstLine' ? 1 : 0 }]),
  ];
  const rows = [];
  for (const file of files) {
    const commits = lines(file);
    const counts = new Map();
    for (const name of commits.flatMap(functionsOf)) counts.set(name, (counts.get(name) ?? 0) + 1);
    const telling = commits.map(
      (one) => new Set(functionsOf(one).filter((name) => counts.get(name) <= 0.03 * commits.length)),
    );
    const worth = (names) =>
      [...names].reduce((sum, name) => sum + Math.log(1 + commits.length / counts.get(name)), 0);
    const shelf = new Shelf();
    for (const [i, one] of commits.entries()) {
      const gains = new Map();
      if (i >= 0.4 * commits.length && i % 3 === 0)
        for (let j = 0; j < i; j++) {
          const both = worth([...telling[i]].filter((name) => telling[j].has(name)));
          const share = both / (worth(telling[i]) + worth(telling[j]) - both || 1);
          // The same author on the same day works on the same task.
          const isOwn = commits[j].author === one.author && one.at - commits[j].at < 86_400_000;
          if (share > 0 && !isOwn) gains.set(commits[j].id, share >= 0.5 ? 7 : share >= 0.2 ? 3 : 1);
        }
      if (Math.max(0, ...gains.values()) >= 3)
        for (const [variant, asked] of [
          ['text', []],
          ['text and files', one.functions.slice(0, 3).map(([path]) => path)],
        ])
          for (const [name, weights] of sets) {
            const question = { query: one.text, files: asked, strict: false, limit: 20, once: true };
            Object.assign(PARTS, all, weights);
            const found = (await graph.rankAttempts(shelf, question))
              .map(({ attempt }) => attempt.id)
              .slice(0, 10);
            const gained = (list) => list.reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0);
            const best = gained([...gains.values()].sort((a, b) => b - a).slice(0, 10));
            rows.push({ name, variant, value: gained(found.map((id) => gains.get(id) ?? 0)) / best });
          }
      await record(graph, shelf, [attemptOf(one, one.text)]);
    }
  }
  for (const variant of ['text', 'text and files'])
    for (const [name] of sets) {
      const of = (which) =>
        mean(rows.filter((row) => row.variant === variant && row.name === which).map(({ value }) => value));
      console.log(
        `| ${variant} | ${name} | ${show(of(name))} | ${((1 - of(name) / of('all')) * 100).toFixed(1)} % |`,
      );
    }
}

/** What stands first for every question about commits, with the id of the right one; null: there is none. */
async function firstResults(graph) {
  const results = [];
  for (const file of files) {
    const hash = (id) => Number.parseInt(id.slice(0, 8), 16);
    const commits = lines(file)
      .filter((one) => functionsOf(one).length > 0)
      .sort((a, b) => hash(a.id) - hash(b.id));
    const title = ({ text }) => text.split('\n')[0];
    const body = ({ text }) => text.split('\n').slice(1).join(' ').replace(/\s+/g, ' ').trim().slice(0, 300);
    const fit = commits.filter((one) => body(one).length > 40 && title(one).length > 15);
    for (const size of [15, 40, 120, 300]) {
      const questions = fit.slice(0, 25);
      const recorded = [...questions, ...commits.filter((one) => !fit.includes(one)).slice(0, size)];
      const taken = new Set(recorded.flatMap(functionsOf));
      const others = fit
        .slice(25)
        .filter((one) => !functionsOf(one).some((name) => taken.has(name)))
        .slice(0, 25);
      const shelf = new Shelf();
      await record(
        graph,
        shelf,
        recorded.map((one) => attemptOf(one, title(one))),
      );
      for (const [one, want] of [
        ...questions.map((each) => [each, each.id]),
        ...others.map((each) => [each, null]),
      ]) {
        const [first] = await graph.rankAttempts(shelf, {
          query: body(one),
          files: [],
          strict: false,
          limit: 5,
          once: true,
        });
        results.push({ first, want, isRight: first !== undefined && first.attempt.id === want });
      }
    }
  }
  return results;
}

async function confidence(graph) {
  const results = await firstResults(graph);
  for (const name of ['high', 'medium', 'low']) {
    const some = results.filter(({ first }) => first?.confidence === name);
    console.log(`| ${name} | ${some.length} | ${show(mean(some.map(({ isRight }) => Number(isRight))))} |`);
  }
  const sure = (some) => some.filter(({ first }) => first !== undefined && first.confidence !== 'low');
  const [asked, strangers] = [true, false].map((is) => results.filter(({ want }) => (want !== null) === is));
  const right = sure(asked).filter(({ isRight }) => isRight);
  console.log(
    `right and not low ${right.length} of ${asked.length}; not low without a right answer ${sure(strangers).length} of ${strangers.length}`,
  );
}

/** Logistic regression by gradient ascent: whether the first result is right, by its evidence. */
async function fit(graph) {
  const results = (await firstResults(graph)).filter(({ first }) => first !== undefined && !first.failure);
  const rows = results.map(({ first: { evidence }, isRight }) => ({
    x: [1, Math.log(evidence.gap), evidence.rareness, evidence.covered],
    y: Number(isRight),
  }));
  let weights = [0, 0, 0, 0];
  for (let round = 0; round < 20_000; round++) {
    const errors = rows.map(
      ({ x, y }) => y - 1 / (1 + Math.exp(-x.reduce((sum, one, at) => sum + one * weights[at], 0))),
    );
    weights = weights.map(
      (weight, at) =>
        weight + (0.5 / rows.length) * rows.reduce((sum, { x }, row) => sum + x[at] * errors[row], 0),
    );
  }
  console.log(
    ['base', 'gap', 'rareness', 'covered'].map((name, at) => `${name}: ${weights[at].toFixed(2)}`).join(', '),
  );
}

async function failures(graph) {
  for (const file of files) {
    const stories = lines(file).slice(1);
    const shelf = new Shelf();
    const rows = [];
    for (const { i, ts, prompt, cmd, out, err, cut, rel, best, fix } of stories) {
      const output = [out, err].filter((text) => text?.trim()).join('\n');
      const query = cut === 'head' ? output.slice(0, 2000) : output.slice(-2000);
      const found = await graph.rankAttempts(shelf, {
        query,
        files: [],
        strict: false,
        limit: 5,
        once: true,
      });
      rows.push({
        best,
        hit: (rel[found[0]?.attempt.id] ?? 0) >= 2,
        isSure: found.some((one) => one.confidence !== 'low'),
      });
      const edits =
        fix.type === 'edit'
          ? [{ file: fix.file, params: { file_path: fix.file, old_string: fix.old, new_string: fix.new } }]
          : [];
      await record(graph, shelf, [
        { id: String(i), prompt, at: Date.parse(ts), edits, failed: { command: cmd, output } },
      ]);
    }
    const [known, others] = [rows.filter(({ best }) => best >= 2), rows.filter(({ best }) => best < 2)];
    const share = (list, is) => mean(list.map((row) => Number(is(row))));
    const silence = share(others, ({ isSure }) => !isSure);
    const useful = (share(known, ({ hit, isSure }) => hit && isSure) + silence) / 2;
    console.log(
      `${file}: first right ${show(share(known, ({ hit }) => hit))} of ${known.length}, silence ${show(silence)} of ${others.length}, useful ${show(useful)}`,
    );
  }
}

async function speed(graph) {
  const all = Number(files[0] ?? 5000);
  const shelf = new Shelf();
  const words = Array.from(
    { length: 4000 },
    (_, n) => `word${String.fromCharCode(97 + (n % 26))}${n.toString(26)}`,
  );
  let seed = 7;
  const word = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return words[Math.floor((seed / 2_147_483_647) ** 3 * 4000)];
  };
  const some = (count) => Array.from({ length: count }, word).join(' ');
  const attempts = Array.from({ length: all }, (_, n) => ({
    id: `task-${String(n).padStart(6, '0')}`,
    at: 1.7e12 + n * 60_000,
    prompt: some(20),
    edits: [{ file: `src/${n % 300}.ts`, params: { file_path: `src/${n % 300}.ts`, new_string: some(30) } }],
    failed: {
      command: 'pytest',
      output: `FAILED tests/a.py::test_${n % 900} - ValueError: ${some(6)}\n1 failed in 0.1s`,
    },
  }));
  for (let at = 0; at < all; at += 500) await record(graph, shelf, attempts.slice(at, at + 500));
  for (const [name, ask] of [
    ['prompt', () => some(20)],
    ['failure', () => `FAILED tests/a.py::test_${seed % 900} - ValueError: ${some(6)}\n1 failed in 0.1s`],
  ]) {
    const times = [];
    for (let n = 0; n < 60; n++) {
      const query = ask();
      const from = performance.now();
      await graph.rankAttempts(shelf, { query, files: ['src/7.ts'], strict: false, limit: 5, once: true });
      if (n >= 10) times.push(performance.now() - from);
    }
    times.sort((a, b) => a - b);
    console.log(
      `${name} over ${all} attempts: p50 ${times[25].toFixed(1)} ms, p95 ${times[47].toFixed(1)} ms`,
    );
  }
}

if (what === 'history')
  for (const commit of history(files[0], Number(files[1] ?? 900))) console.log(JSON.stringify(commit));
else await { parts, fit, confidence, failures, speed }[what](await traceGraph());
