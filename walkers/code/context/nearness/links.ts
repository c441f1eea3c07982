import { z } from 'zod';
import type { ReadContext } from '../../../../runtime/index.js';
import {
  type EdgeType,
  FileImports,
  fileId,
  parseId,
  SymbolCallsSymbol,
  SymbolExtendsSymbol,
  SymbolImplementsSymbol,
  SymbolMayCallSymbol,
  SymbolReferencesSymbol,
  SymbolTestsSymbol,
} from '../../../../schema/index.js';
import { type Focus, lineInFocus } from '../focus.js';
import { add } from './scores.js';

/** How much one edge of a type says about nearness: a call says more than a mention, a candidate less than a fact. */
const WEIGHTS: readonly (readonly [type: EdgeType, weight: number, out: string, into: string])[] = [
  [SymbolCallsSymbol, 1, 'called by it', 'calls it'],
  [SymbolTestsSymbol, 1, 'tested by it', 'tests it'],
  [SymbolExtendsSymbol, 1, 'extended by it', 'extends it'],
  [SymbolImplementsSymbol, 1, 'implemented by it', 'implements it'],
  [FileImports, 0.6, 'imported by it', 'imports it'],
  [SymbolReferencesSymbol, 0.5, 'used by it', 'uses it'],
  [SymbolMayCallSymbol, 0.2, 'perhaps called by it', 'may call it'],
];
/** The ways of what breaks first when the files change. */
export const CALLING: readonly string[] = ['calls it', 'extends it', 'implements it'];
/** Edges of one type and direction that are looked at: enough of any file but a hub, and of a hub more says no more. */
const MOST_EDGES = 2000;

/** What an edge counts of lines that are about to change, and of others beside them. */
const IN_FOCUS = 3;
const OUT_OF_FOCUS = 0.5;

/** What all of these edges have; a FileImports that says nothing of its confidence is sure. */
const LinkProps = z.object({ line: z.number(), confidence: z.number().default(1) });

/** What is joined to the files asked for by edges of the code graph. */
export interface CodeLinks {
  /** Weights of the other files, by path. */
  readonly files: Map<string, number>;
  /** Weights of their symbols, by id. */
  readonly symbols: Map<string, number>;
  /** The first line where each speaks of the files, by path or id; absent where only they speak of it. */
  readonly lines: Map<string, number>;
  /**
   * How each is joined, by path or id: each way once, in the order of {@link WEIGHTS}. Of a symbol only how it is joined to
   * the lines that are about to change, where some are.
   */
  readonly ways: Map<string, Set<string>>;
  /** What is joined to the lines that are about to change, by path or id; null where no lines are. */
  readonly inFocus: Set<string> | null;
  /** The ids of what calls them, in the order of the edges. */
  readonly callers: Set<string>;
}

/**
 * The edges between what files hold and everything else, both ways. An edge counts its type's weight times its
 * confidence, so that what leads to a stub counts nothing.
 *
 * @param asked Paths.
 * @param own Ids of the files' symbols.
 * @param focus Edges of the lines that are about to change count more than others.
 */
export async function codeLinks(
  { q }: Pick<ReadContext, 'q'>,
  asked: readonly string[],
  own: readonly string[],
  focus: Focus | null,
): Promise<CodeLinks> {
  const links: CodeLinks = {
    files: new Map(),
    symbols: new Map(),
    lines: new Map(),
    ways: new Map(),
    inFocus: focus && new Set(),
    callers: new Set(),
  };
  // What is in focus first: of a hub's edges not all are read.
  const origin = [...new Set([...(focus?.ids ?? []), ...asked.map(fileId), ...own])];
  const inside = new Set(origin);
  const paths = new Set(asked);
  for (const [type, weight, out, into] of WEIGHTS)
    for (const [path, way, far] of [
      [q(origin).out(type), out, 'to'],
      [q(origin).in(type), into, 'from'],
    ] as const)
      for (const edge of await path.slice(0, MOST_EDGES).edges()) {
        const id = edge[far];
        const place = parseId(id)?.path ?? null;
        if (place === null || inside.has(id) || paths.has(place)) continue;
        if (type === SymbolCallsSymbol && far === 'from') links.callers.add(id);
        const { line, confidence } = LinkProps.parse(edge);
        const near = far === 'to' ? edge.from : edge.to;
        const isIntended = focus === null || isIn(focus, far, near, line);
        const counts = weight * confidence * (focus === null ? 1 : isIntended ? IN_FOCUS : OUT_OF_FOCUS);
        for (const key of new Set([place, id])) {
          if (isIntended || key === place) note(links.ways, key, way);
          if (isIntended) links.inFocus?.add(key);
          // An import stands above everything; where its names are used says more.
          if (far === 'from' && type !== FileImports)
            links.lines.set(key, Math.min(line, links.lines.get(key) ?? line));
        }
        add(links.files, place, counts);
        if (type !== FileImports) add(links.symbols, id, counts);
      }
  return links;
}

/** Whether an edge is of the lines in focus: what leaves it stands in them, what enters it means their symbols. */
function isIn(focus: Focus, far: 'to' | 'from', near: string, line: number): boolean {
  return focus.ids.has(near) || (far === 'to' && lineInFocus(focus, parseId(near)?.path ?? '', line));
}

function note(ways: Map<string, Set<string>>, key: string, way: string): void {
  const known = ways.get(key);
  if (known) known.add(way);
  else ways.set(key, new Set([way]));
}
