import type { EdgeRef, ReadContext } from '../../../runtime/index.js';
import {
  FileImports,
  FileImportsPackage,
  fileId,
  parseId,
  SymbolCallsSymbol,
  SymbolMayCallSymbol,
} from '../../../schema/index.js';
import { EdgeProps, shortName } from './explain-rows.js';

/** Sentences of one kind: the rest says the same. */
const MOST_SENTENCES = 5;

/** What stands where an edge is missing, and how many calls of the one end lead nowhere known. */
export interface Missing {
  readonly sentences: readonly string[];
  readonly unresolved: number;
}

/**
 * Why there is no edge: what the one end calls under the other's name that leads elsewhere or nowhere known, whether
 * the files know of each other at all, and what else there is.
 *
 * @param from Ids of the one end and of what stands in it.
 * @param to Ids of the other.
 */
export async function whyNot(
  context: Pick<ReadContext, 'q'>,
  from: readonly string[],
  to: readonly string[],
): Promise<Missing> {
  const { q } = context;
  const names = new Set(to.map(lastName));
  const calls = await q(from).out(SymbolCallsSymbol).edges();
  const maybe = await q(from).out(SymbolMayCallSymbol).edges();
  const unresolved = calls.filter((edge) => isStub(edge.to));
  const here = new Set(to);
  const sentences = [
    ...unresolved.filter((edge) => names.has(lastName(edge.to))).map(unknownCall),
    ...calls
      .filter((edge) => !isStub(edge.to) && !here.has(edge.to) && names.has(lastName(edge.to)))
      .map(otherCall),
  ].slice(0, MOST_SENTENCES);
  const far = new Set(maybe.filter((edge) => here.has(edge.to)).map(placeText));
  for (const place of [...far].slice(0, MOST_SENTENCES))
    sentences.push(`${place} could be it, or another of the same name: it is a candidate, not a fact.`);
  if (sentences.length === 0) sentences.push(...(await unused(context, from, to)));
  if (sentences.length === 0)
    sentences.push(
      `${shortName(from[0] ?? '')} has ${calls.length} calls, ${unresolved.length} of them to nothing known in the project; none is of that name.`,
    );
  return { sentences, unresolved: unresolved.length };
}

function unknownCall(edge: EdgeRef): string {
  const { name } = parseId(edge.to) ?? {};
  const outside = name?.includes('.') === true;
  const reason = outside
    ? `it was resolved to ${name}, outside the project`
    : 'what it is called on, or where the name comes from, is not known';
  return `${placeText(edge)}: ${reason}.`;
}

function otherCall(edge: EdgeRef): string {
  const { resolution } = EdgeProps.parse(edge);
  return `${placeText(edge)} calls another of that name: ${edge.to} (resolved by ${resolution ?? 'name'}).`;
}

/** `a() has \`x.send()\` at line 12`. */
function placeText(edge: EdgeRef): string {
  const { line, evidence } = EdgeProps.parse(edge);
  const expression = evidence[0]?.expression ?? lastName(edge.to);
  return `${shortName(edge.from)} has \`${expression.replaceAll('`', "'")}\` at line ${evidence[0]?.line ?? line}`;
}

/** Whether the files know of each other though nothing is used. */
async function unused(
  { q }: Pick<ReadContext, 'q'>,
  from: readonly string[],
  to: readonly string[],
): Promise<string[]> {
  const [importer, imported] = [placesOf(from), placesOf(to)];
  const ends = new Set(imported.length > 0 ? imported.map(fileId) : to);
  const edges: EdgeRef[] = [
    ...(await q(importer.map(fileId)).out(FileImports).edges()),
    ...(await q(importer.map(fileId)).out(FileImportsPackage).edges()),
  ];
  return edges
    .filter((edge) => ends.has(edge.to))
    .map(
      (edge) =>
        `${shortName(edge.from)} imports ${shortName(edge.to)} at line ${EdgeProps.parse(edge).line}, but nothing of it is used there.`,
    );
}

function placesOf(ids: readonly string[]): string[] {
  return [...new Set(ids.flatMap((id) => parseId(id)?.path ?? []))];
}

function isStub(id: string): boolean {
  return parseId(id)?.form === 'sym';
}

/** `send` of `m:src/a.ts:Mail.send`; the name of a package. */
function lastName(id: string): string {
  const name = shortName(id);
  return name.slice(name.lastIndexOf('.') + 1);
}
