import { posix } from 'node:path';
import { z } from 'zod';
import { fileSymbols, isConstructorId, type Named, nameField, pathField } from '../../graphs/code/index.js';
import { plural } from '../../present/index.js';
import type { NodeRef, ReadContext } from '../../runtime/index.js';
import {
  CodeSymbol,
  CodewalkError,
  type Evidence,
  File,
  FileContainsSymbol,
  FileImports,
  fileId,
  Import,
  ImportResolvesTo,
  LIMITS,
  lastNamePart,
  localId,
  packageId,
  parseId,
  SymbolCallsSymbol,
  SymbolReferencesSymbol,
  Unresolved,
} from '../../schema/index.js';
import { type Hunk, type PatchedFile, rangeChanges, textAt } from '../../source/index.js';
import { askedFiles } from '../asked-files.js';
import { EDIT_PARSER } from '../trace/edited-symbols.js';
import { lineageOf } from './inheritance.js';
import { CALLED, CLASSES, findTargets, insideOf, isModule, isSymbol, withParts } from './targets.js';

/** Files of a diff whose old text is parsed for symbols that are gone. */
const MOST_OLD_TEXTS = 50;

/** What a question about symbols, files or a change takes: exactly one of the three. */
export const subjectFields = {
  name: nameField('Name, id, path or path:line').optional().meta({ positional: true }),
  files: z.array(pathField()).min(1).max(100).optional().meta({ commas: true }).describe('Or: files'),
  diff: z.string().min(1).max(LIMITS.nameText.max).optional().describe('Or: a git range, main...HEAD'),
};

/** What an answer says in place of a finding: of a diff that touches no code. */
export const unchangedField = { unchanged: z.string().optional() };

/** What a question is about. */
export interface Subjects {
  /** In words, for the answer's first sentence. */
  readonly said: string;
  /** By id; of a diff the innermost symbols that it touched. */
  readonly nodes: readonly Named[];
  /** Ids of the nodes, of all that they enclose, and of what stands for them: where a search begins. */
  readonly starts: readonly string[];
  /** Symbols that a diff removed, and what still uses them. */
  readonly gone: readonly GoneSymbol[];
  readonly uses: RemovedUses;
  /** See {@link unchangedField}. */
  readonly unchanged?: { readonly unchanged: string };
  readonly notes: readonly string[];
}

/** What still uses symbols that are gone: by id, the name of one that it uses. */
export interface RemovedUses {
  /** Files that import one. */
  readonly importers: ReadonlyMap<string, string>;
  /** Symbols and modules that name one. */
  readonly users: ReadonlyMap<string, string>;
}

/** A symbol that the base of a diff had and the graph has no more. */
interface GoneSymbol {
  readonly id: string;
  /** Within its file: `Auth.login`. */
  readonly name: string;
  readonly path: string;
  /** At the base. */
  readonly line: number;
}

type Given = { readonly [K in keyof typeof subjectFields]?: z.output<(typeof subjectFields)[K]> };

/**
 * Finds what a question is about.
 *
 * @throws CodewalkError `INVALID_INPUT` unless exactly one is given; `NODE_NOT_FOUND`; what {@link rangeChanges} throws.
 */
export async function subjectsOf(context: ReadContext, { name, files, diff }: Given): Promise<Subjects> {
  const given = [name, files, diff].filter((one) => one !== undefined).length;
  if (given !== 1)
    throw new CodewalkError(
      'INVALID_INPUT',
      given === 0 ? 'Give a name, files or a diff.' : 'Give only one of a name, files and a diff.',
      { suggestion: 'A diff is a range of git revisions, as main...HEAD.' },
    );
  if (diff !== undefined) return ofDiff(context, diff);
  const { nodes, notes } = files
    ? await ofFiles(context, files)
    : await findTargets(context, name ?? '', CALLED);
  const said = name ?? nodes.map((node) => ('path' in node ? node.path : node.name)).join(', ');
  return { said, nodes, ...(await around(context, nodes, [])), notes };
}

async function ofFiles(context: ReadContext, files: readonly string[]) {
  const { found, missing } = await askedFiles(context, files);
  const paths = missing.map(({ path }) => path).join(', ');
  const nodes: readonly Named[] = found.filter(({ gone }) => !gone);
  return { nodes, notes: missing.length === 0 ? [] : [`Not in the graph: ${paths}.`] };
}

/** Where a search begins from some nodes, and what still uses what is gone. */
async function around(context: ReadContext, nodes: readonly Named[], gone: readonly GoneSymbol[]) {
  const { ids: starts } = await insideOf(context, await withParts(context, nodes));
  return { starts, gone, uses: await removedUses(context, gone) };
}

async function ofDiff(context: ReadContext, diff: string): Promise<Subjects> {
  const { projectRoot: root, signal } = context;
  if (root === null)
    throw new CodewalkError('GIT_FAILED', 'a graph in memory has no git repository', {
      suggestion: 'Name a symbol or files instead of a diff.',
    });
  const { base, files } = await rangeChanges(root, diff, signal);
  const nodes: Named[] = [];
  const gone: GoneSymbol[] = [];
  let oldTexts = 0;
  for (const file of files) {
    const symbols = file.path === null ? [] : await symbolsIn(context, file.path);
    const touched = touchedBy(file.hunks, symbols);
    nodes.push(...touched);
    const hasOld = file.before !== null && file.hunks.some(({ count }) => count > 0);
    const isRead = hasOld && ++oldTexts <= MOST_OLD_TEXTS;
    const went = isRead ? await goneFrom(context, root, base, file, symbols) : [];
    gone.push(...went);
    // An import of the old path is broken.
    if (file.before !== null && file.path !== file.before)
      gone.push({ id: fileId(file.before), name: posix.basename(file.before), path: file.before, line: 1 });
    if (touched.length + went.length > 0 || file.path === null) continue;
    // What changed at module level is the module's; where symbols changed as well, these say more.
    const [module] = await context.nodesOf(File, [fileId(file.path)]);
    if (module?.is_module && !module.gone) nodes.push(module);
  }
  const unread = Math.max(0, oldTexts - MOST_OLD_TEXTS);
  const unchanged = `${files.length === 0 ? 'Nothing' : 'No code'} changed in ${diff}.`;
  const symbols = nodes.filter((node) => !isModule(node));
  return {
    said: diff,
    ...(nodes.length + gone.length === 0 ? { unchanged: { unchanged } } : {}),
    nodes,
    ...(await around(context, symbols, gone)),
    notes: unread === 0 ? [] : [`Removed symbols were not looked for in ${plural(unread, 'file')}.`],
  };
}

async function symbolsIn({ q }: Pick<ReadContext, 'q'>, path: string): Promise<NodeRef<typeof CodeSymbol>[]> {
  const all = await q(fileId(path)).out(FileContainsSymbol).of(CodeSymbol);
  // A variable inside a function counts as the function.
  return all.filter(({ kind, scope }) => kind !== 'other' || scope !== 'function');
}

interface Lines {
  readonly start_line: number;
  readonly end_line: number;
}

/** The innermost symbols that changed lines are in, in the order of the text. */
function touchedBy<S extends Lines>(hunks: readonly Hunk[], symbols: readonly S[]): S[] {
  const innermost: S[] = [];
  const outerFirst = symbols.toSorted((a, b) => a.start_line - b.start_line || b.end_line - a.end_line);
  for (const symbol of outerFirst)
    for (let line = symbol.start_line; line <= symbol.end_line; line++) innermost[line] = symbol;
  const touched = new Set<S>();
  for (const { to, became } of hunks) {
    for (let line = to; line < to + became; line++) if (innermost[line]) touched.add(innermost[line] as S);
    // Lines that only went stood between two lines of the symbol that they were in.
    const around = became === 0 ? outerFirst.filter((one) => one.start_line <= to && to < one.end_line) : [];
    const last = around.at(-1);
    if (last) touched.add(last);
  }
  return outerFirst.filter((symbol) => touched.has(symbol));
}

/** The symbols of a file's old text in lines that went, of whose names the file has none now. */
async function goneFrom(
  context: ReadContext,
  root: string,
  base: string,
  { path, before, hunks }: PatchedFile,
  now: readonly NodeRef<typeof CodeSymbol>[],
): Promise<GoneSymbol[]> {
  const text = before === null ? null : await textAt(root, base, before, context.signal);
  if (before === null || text === null || Buffer.byteLength(text) > LIMITS.smallJobBytes.max) return [];
  const facts = await context.cached(EDIT_PARSER).factsOf(path ?? before, text);
  if (facts === null) return [];
  const names = new Set(now.map(({ id }) => parseId(id)?.name));
  const { ids } = fileSymbols(path ?? before, facts);
  const isInner = (around: number | null): boolean => {
    const one = around === null ? undefined : facts.definitions[around];
    return one !== undefined && (one.form !== 'class' || isInner(one.parent));
  };
  const old = facts.definitions.flatMap(({ scope, span, parent }, at) => {
    const id = ids[at] ?? '';
    const name = parseId(id)?.name ?? '';
    // Nobody else can name what stands in a function.
    return scope === 'function' || isInner(parent) || names.has(name)
      ? []
      : [{ id, name, path: before, line: span.start_line, span }];
  });
  const went = hunks.filter(({ count }) => count > 0);
  const removed = old.filter(({ span }) =>
    went.some(({ from, count }) => from <= span.start_line && span.start_line < from + count),
  );
  // Overloads are one symbol, and the last of them is what runs.
  return [...new Map(removed.map(({ span: _, ...symbol }) => [symbol.name, symbol])).values()];
}

/** Whether a node is one that others can depend on. */
export function isSubject(node: Named): node is NodeRef<typeof CodeSymbol | typeof File> {
  return isSymbol(node) || isModule(node);
}

/** Steps of inheritance that are looked at. */
const MOST_STEPS = 50;

/**
 * Finds what still uses symbols that a diff removed. Imports that name one and lead to no symbol are broken; whatever
 * in such a file, in the symbol's own one, or in one that imports these, uses an unresolved name is likely to mean it; of
 * a member, whatever uses its name of a receiver that may be of its class.
 *
 * Reads every import of the project: for questions in which something is gone.
 */
async function removedUses(context: ReadContext, gone: readonly GoneSymbol[]): Promise<RemovedUses> {
  const importers = new Map<string, string>();
  const users = new Map<string, string>();
  if (gone.length === 0) return { importers, users };
  const byTop = new Map(gone.map((one) => [one.name.split('.')[0] ?? '', one]));
  const stems = new Map(gone.map((one) => [stemOf(one.path), one]));
  for (const { id, module, items, path } of await context.find(Import, {})) {
    const taken = items.map((item) => byTop.get(item.split(' ')[0] ?? '')).find((one) => one !== undefined);
    const found = taken ?? (/^\./u.test(module) ? stems.get(stemOf(module)) : undefined);
    if (!found || path === found.path) continue;
    const targets = await context.q(id).out(ImportResolvesTo).ids();
    const outside = targets.some((target) => target.startsWith(packageId('')));
    const isKnown = targets.some(
      (target) => parseId(target)?.name?.split('.')[0] === found.name.split('.')[0],
    );
    const isBroken = targets.every((target) => target.startsWith('sym:'));
    if (outside || isKnown || (!taken && !isBroken)) continue;
    importers.set(fileId(path), found.name);
  }
  for (const { id, name, path } of gone) {
    const [last = '', owner] = name.split('.').reverse();
    // Every class has members of such names: a bare name says nothing.
    const isShared = owner !== undefined && (isConstructorId(id) || /^__\w+__$/u.test(last));
    if (parseId(id)?.form === 'file' || isShared) continue;
    const stubs = (await context.find(Unresolved, { name: last })).filter((stub) => stub.package === null);
    for (const stub of stubs)
      for (const edge of [SymbolCallsSymbol, SymbolReferencesSymbol])
        for (const { from, evidence } of await context.q(stub).in(edge).edges()) {
          const file = fileId(parseId(from)?.path ?? '');
          const near = [file, ...(await context.q(file).out(FileImports).ids())];
          const isUse = owner
            ? (await Promise.all(evidence.map((use) => mayBeOf(context, use, from, owner, last)))).includes(
                true,
              )
            : near.some((one) => one === fileId(path) || importers.has(one));
          if (isUse) users.set(from, name);
        }
  }
  return { importers, users };
}

/**
 * Whether a use of a name may mean a class's member: its receiver is of the class or of one of its heirs, or not known.
 *
 * @param from The id of what uses it. @param owner The class's name.
 */
async function mayBeOf(
  context: ReadContext,
  { expression }: Evidence,
  from: string,
  owner: string,
  member: string,
): Promise<boolean> {
  const receiver = expression.slice(0, Math.max(0, expression.indexOf(`.${member}`))).replace(/[?!]$/u, '');
  if (/^["'`[{\d]/u.test(receiver)) return false;
  if (!/^(?:|this|self|cls|super\b.*)$/su.test(receiver)) {
    const [, named = owner] = /^(?:new )?(?:\w+\.)*(\w+)(?:\(.*\))?$/su.exec(receiver) ?? [];
    return named === owner || !(await context.find(CodeSymbol, { name: named })).some(CLASSES.fits);
  }
  const { path, name } = parseId(from) ?? {};
  const parts = (name ?? '').split('.');
  const own = parts.map((_, at) => localId('cls', path ?? '', parts.slice(0, at + 1).join('.')));
  const { links } = await lineageOf(context, own, 'up', MOST_STEPS);
  const classes = await context.nodesOf(CodeSymbol, [...own, ...links.map(({ parent }) => parent)]);
  const bases = classes.flatMap((one) => (one.gone ? [] : [one.name, ...one.base_classes]));
  return bases.some((text) => lastNamePart(text.split(/[<([]/u)[0] ?? '') === owner);
}

/** `warning` of `src/warning.ts` and `./warning.js`; a package's own module has the name of its folder. */
function stemOf(path: string): string {
  const parts = path.replace(/\.[cm]?[jt]sx?$|\.pyi?$|\.vue$/u, '').split(/[/.]+/u);
  const last = parts.pop() ?? '';
  return /^(?:index|__init__)$/u.test(last) ? (parts.pop() ?? '') : last;
}
