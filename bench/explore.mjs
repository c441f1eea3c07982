/*
 * How fast the explorer is, in a real browser: `node bench/explore.mjs DIR [--symbol NAME] [--rounds N]`. Build first;
 * needs Chromium (Debian's package, or CHROMIUM=path).
 *
 * DIR is indexed into a scratch home, its daemon warm. Then, medians over the rounds: the first view until it is usable
 * (`main` is no longer busy), and a symbol's view after a click on its link, each beside what the browser needs for a
 * page without anything in the same round; bytes over the wire of the first view; the largest answer of the API among
 * many views; and a file of 20,000 symbols, until it is usable and the longest time that it did not respond.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { inScratch, option, p50, timed } from './lib/measure.mjs';

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const rounds = Number(option('rounds', 9));
const [root] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const executablePath = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  (path) => path && existsSync(path),
);

await inScratch('explore', async (folder) => {
  const env = { ...process.env, HOME: folder, GRAPHS_HOME: join(folder, 'graphs') };
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    await measure(resolve(root), env, browser, folder);
  } finally {
    await browser.close();
    spawnSync(process.execPath, [CLI, 'stop', '--quiet'], { env });
  }
});

async function measure(project, env, browser, folder) {
  const explorer = await start(project, env);
  const symbols = await cypher(
    explorer,
    'MATCH ()-[c:CALLS]->(f:Function) RETURN f.id AS id, count(c) AS calls ORDER BY calls DESC, id LIMIT 40',
  );
  const symbol = option('symbol', symbols[0].id);
  const times = { bare: [], first: [], click: [], search: [] };
  let wire = 0;
  for (let round = -1; round < rounds; round++) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const bare = await timed(() => page.goto(`http://127.0.0.1:${explorer.port}/none`));
    const bytes = await countBytes(page);
    const first = await timed(async () => {
      await page.goto(explorer.url);
      await usable(page);
    });
    wire = bytes();
    const click = await timedClick(page, symbol);
    if (round >= 0) for (const [name, time] of Object.entries({ bare, first, click })) times[name].push(time);
    await context.close();
  }
  const bare = p50(times.bare);
  const line = (what, ms) =>
    console.log(
      `${what.padEnd(34)} ${ms.toFixed(0).padStart(6)} ms   ${(ms / bare).toFixed(1)} x a bare page`,
    );
  line('a bare page', bare);
  line('first view, usable', p50(times.first));
  line(`a symbol after a click (${symbol})`.slice(0, 34), p50(times.click));
  console.log(`${'first view over the wire'.padEnd(34)} ${(wire / 1000).toFixed(0).padStart(6)} KB`);
  const files = await cypher(
    explorer,
    'MATCH (f:File) RETURN f.path AS path ORDER BY f.size_bytes DESC LIMIT 10',
  );
  const paths = [
    ...['', 'tasks', 'errors', 'memories', 'health', 'map', 'search/update'],
    ...symbols.map(({ id }) => `symbol/${encodeURIComponent(id)}`),
    ...files.map(({ path }) => `file/${path}`),
  ];
  let largest = { bytes: 0, path: '' };
  for (const path of paths) {
    const text = await (await get(explorer, `/api/view/${path}`)).text();
    if (Buffer.byteLength(text) > largest.bytes) largest = { bytes: Buffer.byteLength(text), path };
  }
  console.log(
    `${`largest of ${paths.length} answers`.padEnd(34)} ${(largest.bytes / 1000).toFixed(0).padStart(6)} KB   ${largest.path}`,
  );
  explorer.child.kill('SIGTERM');

  const many = join(folder, 'many');
  mkdirSync(many);
  const lines = Array.from(
    { length: 20_000 },
    (_, at) => `export function made${at}(a: number) { return a + ${at}; }`,
  );
  writeFileSync(join(many, 'many.ts'), `${lines.join('\n')}\n`);
  const other = await start(many, env);
  await get(other, '/api/view/health');
  const page = await browser.newPage();
  await page.goto(other.url);
  await usable(page);
  await page.evaluate(() => {
    window.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
    }).observe({ type: 'longtask' });
  });
  const opened = await timed(async () => {
    await page.evaluate(() => {
      window.location.hash = '#/file/many.ts';
    });
    await page.waitForFunction(() => document.querySelector('h1')?.textContent.includes('many.ts'));
    await usable(page);
  });
  for (let step = 0; step < 20; step++) await page.mouse.wheel(0, 3000);
  await page.waitForTimeout(500);
  line('a file of 20,000 symbols, usable', opened);
  line('its longest time without response', await page.evaluate(() => window.longest));
  other.child.kill('SIGTERM');
}

/** Starts the explorer of a project that is indexed, and waits for its address. */
async function start(project, env) {
  spawnSync(process.execPath, [CLI, 'index', project, '--quiet'], { env });
  const child = spawn(process.execPath, [CLI, 'explore', project, '--json', '--no-open'], { env });
  const [line] = await new Promise((done) =>
    child.stdout.once('data', (data) => done(String(data).split('\n'))),
  );
  const explorer = { child, ...JSON.parse(line) };
  await get(explorer, '/api/view/');
  return explorer;
}

function get({ port, token }, path, options = {}) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return fetch(`http://127.0.0.1:${port}${path}`, { ...options, headers });
}

async function cypher(explorer, query) {
  const options = { method: 'POST', body: JSON.stringify({ query, max_tokens: 20_000 }) };
  const { body, error } = await (await get(explorer, '/api/walkers/query_cypher', options)).json();
  if (error) throw new Error(error.error);
  return body.results.rows;
}

function usable(page) {
  return page.waitForFunction(() => document.querySelector('main')?.getAttribute('aria-busy') === 'false');
}

/** Milliseconds, by the page's own clock, from a click on a symbol's link until its view is usable. */
async function timedClick(page, symbol) {
  const address = `#/symbol/${encodeURIComponent(symbol)}`;
  return page.evaluate(
    (address) =>
      new Promise((done) => {
        const link = document.createElement('a');
        link.href = address;
        document.querySelector('main').append(link);
        const before = document.querySelector('h1').textContent;
        const from = performance.now();
        const look = () => {
          const isThere =
            document.querySelector('main')?.getAttribute('aria-busy') === 'false' &&
            document.querySelector('h1')?.textContent !== before;
          if (isThere) done(performance.now() - from);
          else requestAnimationFrame(look);
        };
        link.click();
        requestAnimationFrame(look);
      }),
    address,
  );
}

/** Counts what the browser gets over the wire from now on. */
async function countBytes(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  return () => bytes;
}
