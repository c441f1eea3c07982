import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** graphs/trace and failures as they are in this repository, without a build. */
export async function traceGraph() {
  const folder = mkdtempSync(join(tmpdir(), 'codewalk-attempts-'));
  const outfile = join(folder, 'trace.mjs');
  const contents = ['graphs/trace', 'failures']
    .map((name) => `export * from './${name}/index.js';`)
    .join('\n');
  await build({
    stdin: { contents, resolveDir: new URL('../../../', import.meta.url).pathname },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    mainFields: ['module', 'main'],
  });
  const graph = await import(pathToFileURL(outfile).href);
  rmSync(folder, { recursive: true });
  return graph;
}

/** What a run reads and writes of the durable layer, in memory: one question takes milliseconds. */
export class Shelf {
  version = 0;
  projectRoot = '/project';
  #blobs = new Map();
  #cached = new Map();
  blobs = async (names) => names.map((name) => this.#blobs.get(name));
  blobsUnder = (prefix) => {
    const names = [...this.#blobs.keys()].filter((name) => name.startsWith(prefix)).sort();
    return (async function* () {
      yield names.map((name) => ({ name }));
    })();
  };
  putBlob = (name, value) => (value === undefined ? this.#blobs.delete(name) : this.#blobs.set(name, value));
  cached = (slot) => {
    if (!this.#cached.has(slot)) this.#cached.set(slot, slot.make());
    return this.#cached.get(slot);
  };
}

const time = (ms) => new Date(ms).toISOString();

/**
 * Records attempts: `{ id, prompt, at, edits: [{ file, params }], failed?: { command, output } }`, in milliseconds.
 */
export async function record({ writeAttempts, toolUse, parseFailure }, shelf, attempts) {
  const made = [];
  for (const { id, prompt, at, edits, failed } of attempts) {
    const tool = (name, params_json, more) => ({
      id: `${id}/${name}`,
      params_json,
      success: true,
      stdout: '',
      stderr: '',
      ...more,
    });
    const tools = edits.map(({ params }, n) =>
      tool(n, params, { tool_name: 'edit', started_at: time(at + 9 + n) }),
    );
    if (failed) {
      const { command, output: stdout } = failed;
      const failure = parseFailure(stdout, { command, isShell: true });
      tools.unshift(tool('run', { command }, { success: false, stdout, failure, started_at: time(at) }));
    }
    const files_touched = edits.map(({ file }) => file);
    const task = {
      id,
      user_prompt: prompt,
      tags: [],
      status: 'success',
      created_at: time(at),
      files_touched,
    };
    const step = { id: `${id}/step`, order: 0, llm_summary: '' };
    const touched = new Map(edits.map(({ file }, n) => [`${id}/${n}`, [`file:${file}`]]));
    const events = tools.map((one) => ({
      kind: 'tool',
      step: step.id,
      tool: one,
      use: toolUse(one.params_json),
      touched: touched.get(one.id) ?? [],
      ok: one.success,
    }));
    made.push({ task, steps: [step], events });
  }
  await writeAttempts(made, shelf);
  shelf.version++;
}
