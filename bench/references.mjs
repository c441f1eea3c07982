// Whether query_references lists what TypeScript's language server lists: sampled symbols of a TypeScript project, with the
// tsc of node_modules as the judge. A place that the server lists counts where its go-to-definition leads to the symbol;
// others (implementations, overridden members) are neutral. Keys of typed literals and destructured names are uses for the
// server, of the property that they name: they are no symbols to ask for, but with --keys. The project is only read.
// Run: npm run build && node bench/references.mjs DIR [--symbols 150] [--seed 1] [--keys] [--show 20] [--json]
// Exit code 1 below recall .95 or precision .97.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { flag, generator, inScratch, libraryFile, option } from './lib/measure.mjs';

const BOUNDS = { recall: 0.95, precision: 0.97 };
const TSC = fileURLToPath(new URL('../node_modules/typescript/lib/tsc.js', import.meta.url));
const KINDS = new Set(['function', 'method', 'class', 'interface', 'variable', 'type', 'component', 'enum']);
const root = realpathSync(process.argv[2] ?? '.');
const show = Number(option('show', 20));

/** A language server over stdio: requests in the order in which they are made. */
class LanguageServer {
  #waiting = new Map();
  #last = 0;
  #bytes = Buffer.alloc(0);

  constructor() {
    this.child = spawn(process.execPath, [TSC, '--lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
    this.child.stdout.on('data', (data) => this.#take(data));
  }

  #take(data) {
    this.#bytes = Buffer.concat([this.#bytes, data]);
    for (;;) {
      const head = this.#bytes.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(this.#bytes.subarray(0, head).toString())[1]);
      if (this.#bytes.length < head + 4 + length) return;
      const message = JSON.parse(this.#bytes.subarray(head + 4, head + 4 + length).toString());
      this.#bytes = this.#bytes.subarray(head + 4 + length);
      if (message.method === undefined) this.#waiting.get(message.id)?.(message.result ?? null);
      else if (message.id !== undefined)
        this.#send({ id: message.id, result: message.params?.items?.map(() => null) ?? null });
    }
  }

  #send(message) {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  notify(method, params) {
    this.#send({ method, params });
  }

  ask(method, params) {
    this.#last += 1;
    const id = this.#last;
    return new Promise((done) => {
      this.#waiting.set(id, done);
      this.#send({ id, method, params });
    });
  }
}

const { openGraph, answer } = await import(pathToFileURL(join(dirname(libraryFile()), 'host.js')).href);
const texts = new Map();
const linesOf = (path) => {
  if (!texts.has(path)) texts.set(path, readFileSync(join(root, path), 'utf8').split('\n'));
  return texts.get(path);
};
const uriOf = (path) => pathToFileURL(join(root, path)).href;
const pathOf = (uri) => relative(root, fileURLToPath(uri));
const placeOf = ({ uri, range }) => `${pathOf(uri)}:${range.start.line + 1}`;

const result = await inScratch('references', measured);
if (flag('json')) console.log(JSON.stringify(result, null, 2));
else print(result);
if (result.recall < BOUNDS.recall || result.precision < BOUNDS.precision) process.exitCode = 1;

async function measured(scratch) {
  const graph = await openGraph(root, { home: join(scratch, 'graphs') });
  await graph.spawn('graph_index_project', null, { mode: 'full' });
  const lines = (await graph.spawn('graph_export', null, {})).reports;
  const projects = lines.filter(
    ({ type, kind, path }) => type === 'node' && kind === 'file' && /(?:^|\/)tsconfig[^/]*\.json$/.test(path),
  );
  const known = new Set(projects.flatMap(({ path }) => filesOf(path)));
  const random = generator(Number(option('seed', 1)));
  const symbols = lines
    .filter((one) => one.type === 'node' && KINDS.has(one.kind) && known.has(one.path) && positionOf(one))
    .map((one) => [random(), one])
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one);
  const server = new LanguageServer();
  const workspaceFolders = [{ uri: pathToFileURL(root).href, name: 'project' }];
  await server.ask('initialize', {
    processId: process.pid,
    rootUri: workspaceFolders[0].uri,
    capabilities: {},
    workspaceFolders,
  });
  server.notify('initialized', {});
  // The server looks for references in the projects of open files alone.
  for (const path of known) open(server, path);
  const rows = [];
  for (const symbol of symbols) {
    const row = await compared(server, graph, symbol, known);
    if (row) rows.push(row);
    if (rows.length >= Number(option('symbols', 150))) break;
  }
  server.child.kill();
  await graph.close();
  const sum = (field) => rows.reduce((all, row) => all + row[field].length, 0);
  const [right, missed, wrong] = [sum('right'), sum('missed'), sum('wrong')];
  return {
    root,
    symbols: rows.length,
    recall: right / (right + missed),
    precision: right / (right + wrong),
    right,
    missed,
    wrong,
    rows,
  };
}

function filesOf(config) {
  try {
    const listed = execFileSync(process.execPath, [TSC, '--listFilesOnly', '-p', join(root, config)], {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    return listed
      .split('\n')
      .filter((file) => file.startsWith(`${root}/`) && !file.includes('node_modules'))
      .map((file) => relative(root, file));
  } catch {
    return [];
  }
}

/** Where a symbol's name stands; undefined where its line does not hold it. */
function positionOf({ path, name, name_line }) {
  const line = name_line - 1;
  const at =
    linesOf(path)[line]?.search(
      new RegExp(`(?<![\\w$])${name.replace(/[$#.*+?^{}()|[\]\\]/g, '\\$&')}(?![\\w$])`),
    ) ?? -1;
  return at < 0 ? undefined : { line, character: at };
}

async function compared(server, graph, symbol, known) {
  const { id, path, kind } = symbol;
  open(server, path);
  const at = { textDocument: { uri: uriOf(path) }, position: positionOf(symbol) };
  const own = new Set(((await server.ask('textDocument/definition', at)) ?? []).map(placeOf));
  if (!flag('keys') && !own.has(`${path}:${symbol.name_line}`)) return undefined;
  const listed =
    (await server.ask('textDocument/references', { ...at, context: { includeDeclaration: true } })) ?? [];
  const [wanted, neutral] = [new Map(), new Set(own)];
  for (const { uri, range } of listed) {
    if (!known.has(pathOf(uri))) continue;
    open(server, pathOf(uri));
    const leads =
      (await server.ask('textDocument/definition', { textDocument: { uri }, position: range.start })) ?? [];
    const isComment = /^\s*(?:\/?\*|\/\/)/.test(linesOf(pathOf(uri))[range.start.line]);
    const place = placeOf({ uri, range });
    if (!isComment && !own.has(place) && leads.some((one) => own.has(placeOf(one))))
      wanted.set(placeOf({ uri, range }), `${linesOf(pathOf(uri))[range.start.line]}`.trim());
    else neutral.add(placeOf({ uri, range }));
  }
  const found = await referencesOf(graph, id);
  const got = new Set(found.filter((one) => known.has(one.path)).flatMap(placesOf));
  const right = [...wanted.keys()].filter((place) => got.has(place));
  const missed = [...wanted.keys()].filter((place) => !got.has(place));
  const wrong = found
    .filter(
      (one) => known.has(one.path) && !placesOf(one).some((place) => wanted.has(place) || neutral.has(place)),
    )
    .map((one) => `${one.path}:${one.line}`);
  return {
    id,
    kind,
    right,
    missed: missed.map((place) => `${place}  ${wanted.get(place)}`),
    wrong: [...new Set(wrong)],
  };
}

function open(server, path) {
  if (open.done?.has(path)) return;
  open.done = (open.done ?? new Set()).add(path);
  const languageId = /\.[cm]?tsx$/.test(path)
    ? 'typescriptreact'
    : /\.[cm]?ts$/.test(path)
      ? 'typescript'
      : 'javascript';
  server.notify('textDocument/didOpen', {
    textDocument: { uri: uriOf(path), languageId, version: 1, text: linesOf(path).join('\n') },
  });
}

async function referencesOf(graph, name) {
  const rows = [];
  for (let cursor; ; ) {
    const input = { name, limit: 100, max_tokens: 20_000, ...(cursor && { cursor }) };
    const { body } = await answer(graph, graph.walkers.get('query_references'), input);
    rows.push(...body.results.references);
    cursor = body.state.cursor;
    if (cursor === undefined) return rows;
  }
}

/** Lines that a row stands for: those of its statement for an import. */
function placesOf({ path, line, kind }) {
  const lines = [line];
  if (kind === 'import' || kind === 'reexport')
    for (let at = line; at < line + 100 && !/['"]\s*;?\s*$/.test(linesOf(path)[at - 1] ?? '"'); at++)
      lines.push(at + 1);
  return lines.map((one) => `${path}:${one}`);
}

function print({ symbols, recall, precision, right, missed, wrong, rows }) {
  console.log(
    `${root}: recall ${recall.toFixed(3)} (${right} of ${right + missed}), precision ${precision.toFixed(3)} (${wrong} wrong), ${symbols} symbols`,
  );
  for (const kind of KINDS) {
    const of = rows.filter((row) => row.kind === kind);
    const sum = (field) => of.reduce((all, row) => all + row[field].length, 0);
    if (of.length > 0)
      console.log(
        `  ${kind.padEnd(10)} ${of.length} symbols: ${sum('right')} right, ${sum('missed')} missed, ${sum('wrong')} wrong`,
      );
  }
  for (const field of ['missed', 'wrong'])
    for (const text of rows
      .flatMap((row) => row[field].map((place) => `${field}: ${row.id} at ${place}`))
      .slice(0, show))
      console.log(`  ${text}`);
}
