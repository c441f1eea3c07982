import { spawn } from 'node:child_process';

/** Milliseconds that a program gets. */
const PATIENCE = 10_000;

/**
 * Starts a program, gives it a text, and waits for the first line that it prints.
 *
 * @returns the line and the milliseconds until it came.
 * @throws Error where it cannot be started, or ends or takes too long without a line.
 */
export function firstLineOf(
  command: string,
  args: readonly string[],
  input: string,
): Promise<{ readonly line: string; readonly took: number }> {
  const began = performance.now();
  const env = { ...process.env, NODE_OPTIONS: '' };
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'], env });
  const line = new Promise<string>((done, fail) => {
    let printed = '';
    const late = setTimeout(() => fail(new Error(`printed nothing in ${PATIENCE / 1000} seconds`)), PATIENCE);
    child.on('error', (error) => fail(error));
    child.on('close', (code) => {
      clearTimeout(late);
      // The last line of a program may have no end.
      if (printed !== '') done(printed);
      fail(new Error(`ended with ${code} and printed nothing`));
    });
    child.stdin.on('error', () => undefined);
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      if (printed.includes('\n')) done(printed.slice(0, printed.indexOf('\n')));
    });
  });
  child.stdin.write(input);
  return line
    .then((text) => ({ line: text, took: performance.now() - began }))
    .finally(() => {
      child.stdin.end();
      child.kill();
    });
}
