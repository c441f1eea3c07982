import { parentPort, workerData } from 'node:worker_threads';
import { LIMITS } from '../../schema/index.js';
import type { Language } from '../languages/index.js';
import type { MakeDocuments } from './extraction.js';
import { createExtractor } from './extractor.js';
import type { WorkerMessage, WorkerRequest, WorkerStart } from './worker-messages.js';

/**
 * The body of a worker thread: extracts the files that it is asked for, in order.
 *
 * @param known The languages that it may be started with.
 * @param documentsOf What else is made of each text: what the pool was given, too.
 */
export async function serveExtraction(
  known: readonly Language[],
  documentsOf: MakeDocuments | null = null,
): Promise<void> {
  const { languages } = workerData as WorkerStart;
  const extractor = await createExtractor(
    known.filter(({ name }) => languages.includes(name)),
    documentsOf,
  );
  let over = false;
  parentPort?.on('message', (file: WorkerRequest) => {
    if (over) return;
    const extraction = extractor.extract(file);
    const grown = extractor.memoryBytes > LIMITS.parserMemory.max;
    const spent = extractor.broken ? 'trapped' : grown ? 'grown' : null;
    over = spent !== null;
    const moved = [extraction.ok ? extraction.facts : null, extraction.documents];
    say(
      { kind: 'done', extraction, spent },
      moved.flatMap((bytes) => (bytes ? [bytes.buffer as ArrayBuffer] : [])),
    );
  });
  say({ kind: 'ready' });
}

function say(message: WorkerMessage, moved: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, moved);
}
