import { type EdgeRef, isA, type ReadContext } from '../../../runtime/index.js';
import {
  type Evidence,
  FileContainsImport,
  Import,
  ImportResolvesTo,
  lastNamePart,
  parseId,
  SymbolCallsSymbol,
  SymbolImports,
  SymbolMayCallSymbol,
  stubId,
  Unresolved,
} from '../../../schema/index.js';
import { isTestPath } from '../../../source/index.js';

type Look = Pick<ReadContext, 'entries' | 'nodesOf'>;

/** A call that may lead to a symbol, and is no fact. */
export interface CandidateCall {
  readonly from: string;
  /** Where, and as it is written. */
  readonly places: readonly Pick<Evidence, 'line' | 'expression'>[];
  /** Why it is no fact. */
  readonly cause: (typeof CANDIDATE_CAUSES)[number];
}

/** Why a call is no fact. */
export const CANDIDATE_CAUSES = [
  'one of several that it may call',
  'the type of its receiver is not known',
  'where the name comes from is not known',
] as const;

/** The calls that may lead to symbols. */
export interface CandidateCalls {
  /** How many there are: what one caller calls by one name counts once, however many it may be. */
  readonly count: number;
  /** Those of the page, in production code before those in tests. */
  readonly calls: readonly CandidateCall[];
}

/**
 * The calls that may lead to symbols, and are no facts: candidates of ambiguous calls, and calls of one of their names
 * that lead nowhere known.
 *
 * @param most How many are listed, from the place `skip` on; the others are only counted.
 */
export async function candidateCalls(
  { entries, entryEdges, nodesOf }: Look & Pick<ReadContext, 'entryEdges'>,
  ids: readonly string[],
  names: Iterable<string>,
  most: number,
  skip = 0,
): Promise<CandidateCalls> {
  const stubs = (await nodesOf(Unresolved, [...new Set(names)].map(stubId))).flatMap((stub) =>
    stub.gone || stub.package !== null ? [] : [stub.id],
  );
  const ambiguous = await entries(ids, 'in', SymbolMayCallSymbol);
  const unresolved = stubs.length === 0 ? [] : await entries(stubs, 'in', SymbolCallsSymbol);
  const steps = new Map<string, EntryStep>();
  for (const [nodes, found] of [[ids, ambiguous] as const, [stubs, unresolved] as const])
    for (const [at, node] of nodes.entries())
      for (const entry of found[at] ?? []) {
        const key = callOf(entry.far, nameIn(node));
        if (!steps.has(key)) steps.set(key, { node, entry });
      }
  const isTest = ({ entry }: EntryStep) => Number(isTestPath(parseId(entry.far)?.path ?? ''));
  const sorted = most === 0 ? [] : [...steps.values()].sort((a, b) => isTest(a) - isTest(b));
  const edges = await entryEdges(sorted.slice(skip, skip + most));
  return { count: steps.size, calls: edges.flatMap((edge) => candidateCall(edge) ?? []) };
}

/** How many calls may lead to symbols; see {@link candidateCalls}. */
export async function candidatesInto(
  context: Look & Pick<ReadContext, 'entryEdges'>,
  ids: readonly string[],
  names: Iterable<string>,
): Promise<number> {
  return (await candidateCalls(context, ids, names, 0)).count;
}

type EntryStep = Parameters<ReadContext['entryEdges']>[0][number];

function candidateCall(edge: EdgeRef | undefined): CandidateCall | null {
  if (!edge || !(isA(edge.archetype, SymbolCallsSymbol) || isA(edge.archetype, SymbolMayCallSymbol)))
    return null;
  const { from, line, call_type, evidence } = edge as EdgeRef<typeof SymbolMayCallSymbol>;
  const [several, receiver, name] = CANDIDATE_CAUSES;
  const isAmbiguous = isA(edge.archetype, SymbolMayCallSymbol);
  return {
    from,
    places: evidence.length > 0 ? evidence : [{ line, expression: '' }],
    cause: isAmbiguous ? several : call_type === 'method' ? receiver : name,
  };
}

/** How many calls by symbols may lead to others, and are no facts; counted as {@link candidateCalls} counts. */
export async function candidatesOutOf({ entries, nodesOf }: Look, ids: readonly string[]): Promise<number> {
  const calls = new Set<string>();
  const ambiguous = await entries(ids, 'out', SymbolMayCallSymbol);
  const called = await entries(ids, 'out', SymbolCallsSymbol);
  const unresolved = called.flat().filter(({ farType }) => farType === Unresolved.name);
  const stubs = await nodesOf(Unresolved, [...new Set(unresolved.map(({ far }) => far))]);
  const nowhere = new Set(stubs.filter((stub) => stub.package === null).map(({ id }) => id));
  for (const [at, id] of ids.entries()) {
    for (const { far } of ambiguous[at] ?? []) calls.add(callOf(id, nameIn(far)));
    for (const { far } of called[at] ?? []) if (nowhere.has(far)) calls.add(callOf(id, nameIn(far)));
  }
  return calls.size;
}

function callOf(caller: string, name: string): string {
  return `${caller}\0${name}`;
}

/** What a symbol or a stub is called, as its id tells it: no record is read. */
function nameIn(id: string): string {
  return lastNamePart(parseId(id)?.name ?? id);
}

/** How many imports of modules and symbols lead nowhere known. */
export async function missingImports(
  { entries, q }: Pick<ReadContext, 'entries' | 'q'>,
  ids: readonly string[],
): Promise<number> {
  const imports = [
    ...(await q(ids).out(FileContainsImport).ids()),
    ...(await q(ids).out(SymbolImports).of(Import).ids()),
  ];
  const ends = imports.length === 0 ? [] : (await entries(imports, 'out', ImportResolvesTo)).flat();
  return ends.filter(({ farType }) => farType === Unresolved.name).length;
}
