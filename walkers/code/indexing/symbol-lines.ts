import { createExtractionPool, factsFromBytes, statusAt } from '../../../source/index.js';
import { fileSymbols } from './file-symbols.js';

/** Lines from 1, both ends included. */
export interface Lines {
  readonly start_line: number;
  readonly end_line: number;
}

/** Where the symbols of a file stand in the text of this hash. */
export interface SymbolLines {
  readonly hash: string;
  /** By id. */
  readonly lines: ReadonlyMap<string, Lines>;
}

/**
 * Where the symbols of one file stand now, whatever the graph knows of it: for what cannot wait for the next index. Null
 * where it cannot be extracted.
 */
export async function symbolLines(path: string, diskPath: string): Promise<SymbolLines | null> {
  const pool = createExtractionPool();
  const { size = 0 } = statusAt(diskPath) ?? {};
  try {
    for await (const one of pool.extract([{ path, diskPath, size }])) {
      if (!one.ok) return null;
      const facts = factsFromBytes(one.facts);
      const { ids, extras } = fileSymbols(path, facts);
      const lines = new Map<string, Lines>(extras.map(({ id, fact }) => [id, fact.span]));
      for (const [at, { span }] of facts.definitions.entries()) lines.set(ids[at] ?? '', span);
      return { hash: one.content.hash, lines };
    }
    return null;
  } finally {
    pool.close();
  }
}
