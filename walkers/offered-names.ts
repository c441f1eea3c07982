import type { NodeRef, ReadContext, Slot } from '../runtime/index.js';
import {
  append,
  CodeSymbol,
  File,
  FileContainsImport,
  FileContainsSymbol,
  Import,
  ImportResolvesTo,
  parseId,
} from '../schema/index.js';
import { languageOf } from '../source/index.js';

type Look = Pick<ReadContext, 'codeRevision' | 'entries' | 'cached' | 'nodesOf'>;

/** What a module offers: outside names, each with the ids of what it stands for. `*`: packages whose names are all passed on. */
export type Offered = ReadonlyMap<string, readonly string[]>;

/** What one file says itself. */
interface OwnOffer {
  /** Its definitions, and what it passes on by name. */
  readonly names: Offered;
  /** Ids of the files whose names it passes on, in the order of the text. */
  readonly stars: readonly string[];
}

/** The name of all that a package offers, which nobody here knows. */
const ALL = '*';

/** What modules of one revision of the code graph offer, as far as it was asked for. */
interface KnownOffers {
  revision: number | null;
  own: Map<string, OwnOffer>;
  whole: Map<string, Offered>;
}

const KNOWN_OFFERS: Slot<KnownOffers> = {
  name: 'names that modules offer',
  make: () => ({ revision: null, own: new Map(), whole: new Map() }),
};

/**
 * What modules offer by their language's own rule, with re-exports and stars followed to the definitions. A name of a
 * file itself hides those that its stars bring; cycles of stars end. Results are cached per revision of the code graph.
 */
export class OfferedNames {
  readonly #own: Map<string, OwnOffer>;
  readonly #whole: Map<string, Offered>;

  constructor(private readonly context: Look) {
    const known = context.cached(KNOWN_OFFERS);
    const { codeRevision } = context;
    if (codeRevision === null || known.revision !== codeRevision)
      Object.assign(known, { revision: codeRevision, own: new Map(), whole: new Map() });
    this.#own = known.own;
    this.#whole = known.whole;
  }

  /** @param file The file's id. */
  async of(file: string): Promise<Offered> {
    return (await this.#followed(file, new Set())).offered;
  }

  /** Ids of what a file imports under a name, offered or not, where the import does not rename it. @param file The file's id. */
  async imported(file: string, name: string): Promise<readonly string[]> {
    const { ids, leadTo } = await importEntries(this.context, file);
    const imports = await this.context.nodesOf(Import, ids);
    return imports.flatMap(({ items }, at) =>
      items.includes(name)
        ? (leadTo[at] ?? []).flatMap(({ far }) => (lastNameOf(far) === name ? [far] : []))
        : [],
    );
  }

  /** Whole unless a circle of stars was cut: then only the file that was asked first knows all. */
  async #followed(file: string, open: Set<string>): Promise<{ offered: Offered; isWhole: boolean }> {
    const known = this.#whole.get(file);
    if (known) return { offered: known, isWhole: true };
    const own = await this.#ownOf(file);
    const assigns = languageOf(parseId(file)?.path ?? '')?.starsAssign ?? false;
    const brought = new Map<string, readonly string[] | null>();
    let isWhole = true;
    open.add(file);
    for (const star of own.stars) {
      const behind = open.has(star) ? null : await this.#followed(star, open);
      isWhole &&= behind?.isWhole ?? false;
      for (const [name, targets] of behind?.offered ?? [])
        if (assigns || name !== 'default')
          brought.set(name, joined(name, brought.get(name), targets, assigns));
    }
    open.delete(file);
    const offered = new Map(own.names);
    for (const [name, targets] of brought)
      if (targets !== null && (name === ALL || !offered.has(name)))
        offered.set(name, [...new Set([...(offered.get(name) ?? []), ...targets])]);
    if (isWhole || open.size === 0) this.#whole.set(file, offered);
    return { offered, isWhole };
  }

  async #ownOf(file: string): Promise<OwnOffer> {
    const known = this.#own.get(file);
    if (known) return known;
    const names = new Map<string, string[]>();
    const stars: string[] = [];
    const add = (name: string, id: string) => append(names, name, id);
    for (const { id, name, exported, exported_as } of await topSymbols(this.context, file))
      if (exported) for (const outside of exported_as.length > 0 ? exported_as : [name]) add(outside, id);
    for (const { far, farType, props } of (await importEntries(this.context, file)).leadTo.flat())
      for (const name of Array.isArray(props.exported_as) ? props.exported_as.map(String) : [])
        if (name === ALL && farType === File.name) stars.push(far);
        else add(name, far);
    const own = { names, stars };
    this.#own.set(file, own);
    return own;
  }
}

/** The last name in an id: of a symbol its own, of a file that of its module inside its folder. */
function lastNameOf(id: string): string | undefined {
  const { name, path } = parseId(id) ?? {};
  return (name ?? path?.replace(/(?:\/__init__)?\.pyi?$/u, ''))?.split(/[./]/u).at(-1);
}

/** The symbols at the top of a file, in the order of the text. */
export async function topSymbols(
  { entries, nodesOf }: Pick<Look, 'entries' | 'nodesOf'>,
  file: string,
): Promise<NodeRef<typeof CodeSymbol>[]> {
  const [symbols = []] = await entries([file], 'out', FileContainsSymbol);
  const top = symbols.filter(({ props }) => props.top_level === true).map(({ far }) => far);
  return (await nodesOf(CodeSymbol, top)).filter(({ gone }) => !gone);
}

/** How many of a file's re-exports and stars lead nowhere known. */
export async function missingReexports(context: Look, file: string): Promise<number> {
  const { ids, leadTo } = await importEntries(context, file);
  const missing = ids.filter((_, at) => leadTo[at]?.some(({ farType }) => farType === 'Unresolved'));
  const imports = await context.nodesOf(Import, missing);
  return imports.filter(({ gone, kind, items }) => !gone && (kind === 'reexport' || items.includes(ALL)))
    .length;
}

/** The imports of a file, in the order of the text, and what each leads to. */
async function importEntries({ entries }: Look, file: string) {
  const [imports = []] = await entries([file], 'out', FileContainsImport);
  const ids = imports.map(({ far }) => far);
  return { ids, leadTo: await entries(ids, 'out', ImportResolvesTo) };
}

/** What two stars bring under one name; null: neither's counts. */
function joined(
  name: string,
  before: readonly string[] | null | undefined,
  targets: readonly string[],
  assigns: boolean,
): readonly string[] | null {
  if (before === undefined || (assigns && name !== ALL)) return targets;
  if (name === ALL) return [...new Set([...(before ?? []), ...targets])];
  const isSame = before?.length === targets.length && targets.every((one) => before.includes(one));
  return isSame ? targets : null;
}
