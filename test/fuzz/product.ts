import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CodewalkError, type OpenGraph } from '../../index.js';
import { ERROR_CODES } from '../../schema/index.js';
import { demand, demandNoStack, type Place } from './target.js';

/** The built library. */
export async function libraryIn({ dist }: Place): Promise<typeof import('../../index.js')> {
  return import(pathToFileURL(join(dist, 'index.js')).href);
}

/** What an export reports, one line each. */
export async function linesOf(graph: OpenGraph, walker: string, input: Record<string, unknown> = {}) {
  const { reports } = await graph.spawn(walker, null, input);
  return reports.map((line) => JSON.stringify(line));
}

/**
 * The error that some work ends in; null where it ends well.
 *
 * @throws Fault where it has no code of the table or no message, is a fault of the product's own, or shows a stack.
 */
export async function codedError(work: () => Promise<unknown> | unknown): Promise<CodewalkError | null> {
  try {
    await work();
    return null;
  } catch (thrown) {
    if (!(thrown instanceof CodewalkError)) throw thrown;
    const { code, message } = thrown;
    const told = `${code}: ${message}`;
    demand(Object.hasOwn(ERROR_CODES, code) && message !== '', 'coded', () => told);
    const cause = thrown.cause instanceof Error ? `\n${thrown.cause.stack}` : '';
    demand(code !== 'INTERNAL' && code !== 'WALKER_FAILED', 'no-internal', () => `${told}${cause}`);
    demandNoStack(message);
    return thrown;
  }
}
