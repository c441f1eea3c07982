import { compareText, type EdgeRef, type ReadContext } from '../../../runtime/index.js';
import {
  FileImports,
  FileImportsPackage,
  fileId,
  lastNamePart,
  parseId,
  SymbolCallsSymbol,
  SymbolExtendsSymbol,
  SymbolImplementsSymbol,
  SymbolMayCallSymbol,
  SymbolReferencesSymbol,
} from '../../../schema/index.js';
import { EdgeProps, shortName } from './explain-rows.js';

/** Sentences of one kind: the rest says the same. */
const MOST_SENTENCES = 5;
/** Others that use what the one end does not: those of the first lines. */
const MOST_USERS = 3;
/** Edges that say that one thing uses another. */
const USES = [SymbolCallsSymbol, SymbolReferencesSymbol, SymbolExtendsSymbol, SymbolImplementsSymbol];

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

/** Whether the files know of each other though the one end does not use the other, and who beside it does. */
async function unused(
  { q }: Pick<ReadContext, 'q'>,
  from: readonly string[],
  to: readonly string[],
): Promise<string[]> {
  const [importer, imported] = [placesOf(from), placesOf(to)];
  const ends = new Set(imported.length > 0 ? imported.map(fileId) : to);
  const isEnd = (edge: EdgeRef) => ends.has(edge.to);
  const files = (await q(importer.map(fileId)).out(FileImports).edges()).filter(isEnd);
  const packages = (await q(importer.map(fileId)).out(FileImportsPackage).edges()).filter(isEnd);
  const uses = files.length === 0 ? [] : await usesOf({ q }, to);
  return [
    ...files.map((edge) => {
      const [one, other] = [pathOf(edge.from), pathOf(edge.to)];
      const [here, there] = [
        from.filter((id) => pathOf(id) === one),
        to.filter((id) => pathOf(id) === other),
      ];
      const said = `${importText(edge)}, but ${shortName(here[0] ?? edge.from)} does not use ${shortName(there[0] ?? edge.to)}`;
      const users = uses.filter((use) => pathOf(use.from) === one && there.includes(use.to));
      return `${said}${usersText(users)}.`;
    }),
    // What is used of a package leads to its parts, not to itself.
    ...packages.map((edge) => `${importText(edge)}.`),
  ];
}

/** Facts that use one of these. */
async function usesOf({ q }: Pick<ReadContext, 'q'>, ids: readonly string[]): Promise<EdgeRef[]> {
  const uses: EdgeRef[] = [];
  for (const type of USES) uses.push(...(await q(ids).in(type).edges()));
  return uses;
}

/** `; start (line 3) and welcome (line 7) do`: each with its first line. */
function usersText(uses: readonly EdgeRef[]): string {
  const lines = new Map<string, number>();
  for (const edge of uses) {
    const { line } = EdgeProps.parse(edge);
    lines.set(edge.from, Math.min(line, lines.get(edge.from) ?? line));
  }
  const users = [...lines]
    .sort(([a, at], [b, bt]) => at - bt || compareText(a, b))
    .map(([id, line]) => `${shortName(id)} (line ${line})`);
  if (users.length === 0) return '';
  const more = users.length - MOST_USERS;
  return `; in that file it is used by ${users.slice(0, MOST_USERS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function importText(edge: EdgeRef): string {
  return `${shortName(edge.from)} imports ${shortName(edge.to)} at line ${EdgeProps.parse(edge).line}`;
}

function pathOf(id: string): string | undefined {
  return parseId(id)?.path ?? undefined;
}

function placesOf(ids: readonly string[]): string[] {
  return [...new Set(ids.flatMap((id) => parseId(id)?.path ?? []))];
}

function isStub(id: string): boolean {
  return parseId(id)?.form === 'sym';
}

/** `send` of `m:src/a.ts:Mail.send`; the name of a package. */
function lastName(id: string): string {
  return lastNamePart(shortName(id));
}
