import type { CodewalkError } from '../schema/index.js';

/** How the command line ends. */
export const EXIT = { ok: 0, failure: 1, usage: 2, exceeded: 3, interrupted: 130 } as const;

/** The exit code of an error: 2 says that the command line itself is wrong. */
export function exitCodeOf(error: CodewalkError, interrupted: boolean): number {
  if (interrupted) return EXIT.interrupted;
  return error.code === 'INVALID_INPUT' ? EXIT.usage : EXIT.failure;
}

/** An error as people read it. */
export function failureText(error: CodewalkError, debug: boolean): string {
  const suggestion = error.suggestion === '' ? '' : `suggestion: ${error.suggestion}\n`;
  const stack = debug ? `${stackOf(error)}\n` : '';
  return `error ${error.code}: ${error.message}\n${suggestion}${stack}`;
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : '';
  return `${error.stack ?? ''}${cause}`;
}
