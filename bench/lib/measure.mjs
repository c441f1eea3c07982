// What every bench needs: repeatable random numbers, percentiles, a scratch folder, the built library.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The value after `--name`, else `otherwise`. */
export function option(name, otherwise) {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : process.argv[at + 1];
}

/** Whether `--name` was given. */
export function flag(name) {
  return process.argv.includes(`--${name}`);
}

/** The library as users get it; `--library FILE` measures another build of it. */
export async function library() {
  return import(pathToFileURL(libraryFile()).href);
}

/** The file of {@link library}; the commands of its build lie beside it. */
export function libraryFile() {
  const file = resolve(option('library', fileURLToPath(new URL('../../dist/index.js', import.meta.url))));
  if (!existsSync(file)) throw new Error(`${file} is not there: run 'npm run build' first`);
  return file;
}

/** Numbers from 0 to 1, the same for the same seed. */
export function generator(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The middle value. */
export function p50(times) {
  return quantile(times, 0.5);
}

/** The value that a share of all lies below. */
export function quantile(times, share) {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)];
}

/** Milliseconds that an action takes. */
export async function timed(action) {
  const from = performance.now();
  await action();
  return performance.now() - from;
}

/** Runs `body` with a new folder that is gone afterwards. */
export async function inScratch(name, body) {
  const folder = mkdtempSync(join(tmpdir(), `codewalk-${name}-`));
  try {
    return await body(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
