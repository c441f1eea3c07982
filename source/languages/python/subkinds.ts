import type { Base, ClassSubkind, Definition, ImportFact } from '../../facts.js';

/** What of a module a base is: `Protocol` of `typing`. */
interface Origin {
  /** Null where a star may bring it, or nothing says whence it comes. */
  readonly module: string | null;
  readonly name: string;
}

const ENUMS: ReadonlySet<string> = new Set(['Enum', 'IntEnum', 'StrEnum', 'Flag', 'IntFlag', 'ReprEnum']);
const CHOICES: ReadonlySet<string> = new Set(['Choices', 'TextChoices', 'IntegerChoices']);
/** Where typing's own names come from; a module of the project passes them on to older versions of the language. */
const TYPING = /^(?:typing|typing_extensions|\..*)$/;
const ENUM = /^(?:enum|aenum|strenum|backports\.strenum|\..*)$/;

/**
 * Says of classes that they are enums or protocols: by what their bases are imported as, since `asyncio.Protocol` and
 * SQLAlchemy's `Enum` are neither. What extends an enum of the file is one; what extends a protocol is a class, unless
 * it says `Protocol` again. TypedDict, NamedTuple and abstract classes stay classes.
 */
export function tellSubkinds(definitions: readonly Definition[], imports: readonly ImportFact[]): void {
  const enums = new Set<string>();
  for (const one of definitions) {
    if (one.form !== 'class') continue;
    one.subkind = subkindOf(one.bases, imports, enums);
    if (one.subkind === 'enum' && one.parent === null) enums.add(one.name);
  }
}

function subkindOf(
  bases: readonly Base[],
  imports: readonly ImportFact[],
  enums: ReadonlySet<string>,
): ClassSubkind | null {
  const origins = bases.flatMap(({ name }) => originOf(name, imports) ?? []);
  const isFrom = (names: (name: string) => boolean, modules: RegExp) =>
    origins.some(({ module, name }) => names(name) && (module === null || modules.test(module)));
  if (isFrom((name) => name === 'Protocol', TYPING)) return 'protocol';
  if (isFrom((name) => ENUMS.has(name), ENUM)) return 'enum';
  if (isFrom((name) => CHOICES.has(name), /^django\.db\.models$/)) return 'enum';
  return bases.some(({ name }) => enums.has(name)) ? 'enum' : null;
}

function originOf(written: string, imports: readonly ImportFact[]): Origin | null {
  const parts = written.split('.');
  const name = parts.pop() ?? '';
  const root = parts[0] ?? name;
  for (const { module, names } of imports) {
    const bound = names.find(({ local }) => local === root);
    if (bound === undefined) continue;
    if (parts.length === 0) return bound.imported === '*' ? null : { module, name: bound.imported };
    // `import a.b` binds `a`; `from django.db import models` binds a module.
    const start =
      bound.imported === '*'
        ? root === module.split('.')[0]
          ? root
          : module
        : `${module}.${bound.imported}`;
    return { module: [start, ...parts.slice(1)].join('.'), name };
  }
  const hasStar = imports.some(({ names }) => names.some(({ local }) => local === null));
  return parts.length === 0 && hasStar ? { module: null, name } : null;
}
