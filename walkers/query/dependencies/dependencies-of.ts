import type { ReadContext } from '../../../runtime/index.js';
import {
  CodeSymbol,
  FileContainsSymbol,
  FileImports,
  FileImportsPackage,
  parseId,
  SymbolCallsSymbol,
  SymbolContainsSymbol,
  SymbolImports,
} from '../../../schema/index.js';

type Look = Pick<ReadContext, 'q'>;

/** What is followed. */
export interface Followed {
  readonly imports: boolean;
  readonly calls: boolean;
}

/** What one thing depends on: ids. */
export interface Dependencies {
  /** Modules of the project, then packages outside of it, each in the order of the imports. */
  readonly imports: readonly string[];
  /** Symbols outside of it that its code calls, in the order of the calls. */
  readonly calls: readonly string[];
}

/** What code depends on directly. */
export class DependenciesOf {
  readonly #q: Look['q'];
  readonly #followed: Followed;

  constructor({ q }: Look, followed: Followed) {
    this.#q = q;
    this.#followed = followed;
  }

  /** What each of these depends on, by id. */
  async all(ids: readonly string[]): Promise<Map<string, Dependencies>> {
    await this.#readAhead(ids);
    const found = new Map<string, Dependencies>();
    for (const id of ids) found.set(id, await this.#one(id));
    return found;
  }

  /** Ids of a thing and of all code in it: of a module every symbol, of a symbol whatever it encloses. */
  async inside(ids: readonly string[]): Promise<string[]> {
    const all = new Set(ids);
    const files = ids.filter(isFile);
    for (const id of files.length > 0 ? await this.#q(files).out(FileContainsSymbol).ids() : []) all.add(id);
    let frontier = ids.filter((id) => !isFile(id));
    while (frontier.length > 0) {
      const parts: string[] = await this.#q(frontier).out(SymbolContainsSymbol).ids();
      frontier = parts.filter((id) => !all.has(id));
      for (const id of frontier) all.add(id);
    }
    return [...all];
  }

  async #one(id: string): Promise<Dependencies> {
    const { imports, calls } = this.#followed;
    const inside = isFile(id) && !calls ? [id] : await this.inside([id]);
    const own = new Set(inside);
    const called = calls ? await this.#q(inside).out(SymbolCallsSymbol).of(CodeSymbol).ids() : [];
    const imported = imports ? await this.#importedBy(id, inside) : [];
    const isOutside = (one: string) => !own.has(one);
    return { imports: imported.filter(isOutside), calls: called.filter(isOutside) };
  }

  async #importedBy(id: string, inside: readonly string[]): Promise<string[]> {
    const found = isFile(id)
      ? [...(await this.#q(id).out(FileImports).ids()), ...(await this.#q(id).out(FileImportsPackage).ids())]
      : await this.#q(inside).out(SymbolImports).ids();
    return [...found.filter(isFile), ...found.filter((one) => parseId(one)?.form === 'pkg')];
  }

  /** Reads for all what is then asked for each. */
  async #readAhead(ids: readonly string[]): Promise<void> {
    if (ids.length < 2) return;
    const { imports, calls } = this.#followed;
    const inside = await this.inside(ids);
    if (calls) await this.#q(inside).out(SymbolCallsSymbol).ids();
    if (!imports) return;
    const files = ids.filter(isFile);
    await this.#q(files).out(FileImports).ids();
    await this.#q(files).out(FileImportsPackage).ids();
    await this.#q(inside.filter((id) => !isFile(id)))
      .out(SymbolImports)
      .ids();
  }
}

/** Whether an id is that of a file. */
export function isFile(id: string): boolean {
  return parseId(id)?.form === 'file';
}
