import { readFileSync } from 'node:fs';
import { Argument, InvalidArgumentError, Option } from 'commander';
import type { JsonSchema as Schema, WalkerSignature } from '../host/index.js';
import { didYouMean, isNear } from '../present/index.js';
import { CodewalkError, toolEntry } from '../schema/index.js';
import { GLOBAL_FLAGS } from './flags.js';

/** One input field of a walker as the command line sees it. */
export interface InputField {
  /** As the walker spells it. */
  readonly name: string;
  /** With dashes, without the leading ones. */
  readonly flag: string;
  /** `either`: a text or a number, typed as it is. `json`: whatever has no plain spelling is given as JSON text. */
  readonly kind: 'string' | 'number' | 'either' | 'boolean' | 'json';
  /** A list of that kind. */
  readonly many: boolean;
  readonly required: boolean;
  /** Names files: what is relative is relative to where the user stands. */
  readonly path: boolean;
  /** Given by its place though it may be left out (`.meta({ positional: true })`). */
  readonly positional: boolean;
  /** A name that may be a path, with a line behind it or not (`.meta({ place: true })`). */
  readonly place: boolean;
  /** A list that is also typed as one text, with commas (`.meta({ commas: true })`). */
  readonly commas: boolean;
  /** A text whose words are typed with or without quotes (`.meta({ words: true })`). */
  readonly words: boolean;
  /** Null: free. */
  readonly choices: readonly string[] | null;
  /** Undefined: none. */
  readonly fallback: unknown;
  readonly description: string;
}

/** The words after `codewalk` that run a walker; null when it has no command. A user's walker always has one. */
export function commandWords(walker: string): readonly string[] | null {
  const entry = toolEntry(walker);
  if (entry === undefined) return [dashed(walker)];
  return entry.command?.split(' ') ?? null;
}

/** `maxDepth` and `max_depth` are both `max-depth`. */
function dashed(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}

/** The input fields of a walker, in the order in which it declares them. */
export function fieldsOf({ input }: WalkerSignature): InputField[] {
  const required = new Set(input.required ?? []);
  return Object.entries(input.properties ?? {}).map(([name, property]) =>
    fieldOf(name, typeof property === 'boolean' ? {} : property, required.has(name)),
  );
}

function fieldOf(name: string, schema: Schema, required: boolean): InputField {
  const plain = withoutNull(schema);
  const many = plain.type === 'array';
  const items = Array.isArray(plain.items) || typeof plain.items === 'boolean' ? {} : plain.items;
  const one = many ? withoutNull(items ?? {}) : plain;
  const kind = kindOf(one);
  // `help` describes a field to people, and is not shown to agents: each tool has few characters.
  const help = typeof schema.help === 'string' ? schema.help : undefined;
  const description = help ?? schema.description ?? plain.description;
  return {
    name,
    flag: dashed(name),
    kind,
    many,
    required,
    path: kind === 'string' && /^(?:files?|(?:file_?)?paths?)$/i.test(name),
    positional: schema.positional === true,
    place: schema.place === true || plain.place === true,
    commas: many && (schema.commas === true || plain.commas === true),
    words: schema.words === true,
    choices: one.enum?.every((value) => typeof value === 'string') ? (one.enum as string[]) : null,
    fallback: schema.default ?? plain.default,
    description: [description, rangeOf(one)].filter(Boolean).join(' '),
  };
}

function kindOf({ anyOf, type }: Schema): InputField['kind'] {
  const choices = new Set(anyOf?.map((one) => (one.type === 'integer' ? 'number' : one.type)));
  choices.delete('null');
  if (choices.size === 2 && choices.has('string') && choices.has('number')) return 'either';
  const types: readonly unknown[] = [type].flat().filter((one) => one !== 'null');
  // What may be a text or something else is typed as a text.
  if (types.includes('string')) return 'string';
  if (types.length !== 1) return 'json';
  if (types[0] === 'boolean') return 'boolean';
  return types[0] === 'number' || types[0] === 'integer' ? 'number' : 'json';
}

function withoutNull(schema: Schema): Schema {
  const { anyOf, ...rest } = schema;
  const [some, ...more] = anyOf?.filter((option) => option.type !== 'null') ?? [];
  return some && more.length === 0 ? { ...some, ...rest } : schema;
}

function rangeOf({ minimum, maximum }: Schema): string {
  // zod says of every integer that it is a safe one.
  const isChosen = (bound: number | undefined): bound is number =>
    bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  if (isChosen(minimum)) return isChosen(maximum) ? `(${minimum} to ${maximum})` : `(at least ${minimum})`;
  return isChosen(maximum) ? `(at most ${maximum})` : '';
}

/** How one field of a walker is given: by its place, or by its flag; `opposite` says no where nothing else does. */
export type FieldParameter =
  | { readonly field: InputField; readonly argument: Argument }
  | { readonly field: InputField; readonly option: Option; readonly opposite: Option | undefined };

/** Flags that all commands have: a field of that name is given as `--input-NAME`. */
const TAKEN = new Set([
  'help',
  'version',
  ...GLOBAL_FLAGS.map(([text]) => text.split(' ', 1)[0]?.replace(/^--(?:no-)?/u, '')),
]);

/**
 * The parameters of a walker's command: required texts and lists of texts (and what a walker calls positional) stand
 * in their order, at most one list and that one last; everything else is a flag.
 *
 * @throws CodewalkError `WALKER_INVALID` when two fields have one flag, or a field's name cannot be one.
 */
export function parametersOf(walker: string, fields: readonly InputField[]): FieldParameter[] {
  const places = fields.filter(
    ({ required, kind, positional }) => (required && kind === 'string') || positional,
  );
  const list = places.findIndex(({ many }) => many);
  const placed = new Set(list < 0 ? places : places.slice(0, list + 1));
  const flags = fields
    .filter((field) => !placed.has(field))
    .flatMap((field) => (isEitherWay(field) ? [field.flag, `no-${field.flag}`] : [field.flag]));
  const duplicate = flags.find((flag, at) => flags.indexOf(flag) !== at);
  if (duplicate !== undefined)
    throw new CodewalkError('WALKER_INVALID', `two fields of '${walker}' make the flag --${duplicate}`, {
      suggestion: 'Rename one of them.',
    });
  const unfit = fields.find(({ flag }) => !isFlag(flag));
  if (unfit)
    throw new CodewalkError('WALKER_INVALID', `the field '${unfit.name}' of '${walker}' cannot be a flag`, {
      suggestion: 'Rename it: letters, digits and single underscores, beginning with a letter.',
    });
  return fields.map((field) => {
    if (placed.has(field)) return { field, argument: argumentOf(field) };
    const flag = typedFlag(field);
    const opposite = isEitherWay(field) ? new Option(`--no-${flag}`, `or this: not --${flag}`) : undefined;
    return { field, option: optionOf(field), opposite };
  });
}

/** Whether the parser can take it, and no object has a property of that name by itself. */
function isFlag(flag: string): boolean {
  const key = flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  return /^[\p{L}\p{N}][\p{L}\p{N}.-]*$/u.test(flag) && !(key in Object.prototype);
}

/** A boolean that has no default: to leave its flag out would say nothing. */
function isEitherWay({ kind, many, required }: InputField): boolean {
  return kind === 'boolean' && !many && required;
}

function typedFlag({ flag }: InputField): string {
  return TAKEN.has(flag) ? `input-${flag}` : flag;
}

function argumentOf(field: InputField): Argument {
  const { kind, many, words, required, choices, description } = field;
  const name = `${field.name.toUpperCase()}${many || words ? '...' : ''}`;
  const isText = kind === 'string' && !many && !choices && !field.path;
  const described = isText && required ? withStdin(description) : description;
  const argument = new Argument(required ? `<${name}>` : `[${name}]`, described);
  if (choices) return argument.choices(choices).argParser((text) => choiceOf(choices, text));
  if (words)
    return argument.argParser<string>((word, before) =>
      before === undefined ? textOf(word) : `${before} ${word}`,
    );
  return isText ? argument.argParser(textOf) : argument;
}

function optionOf(field: InputField): Option {
  const { kind, many, commas, choices, fallback, required } = field;
  const flag = typedFlag(field);
  const about = kind === 'json' ? withStdin(field.description || 'JSON text') : field.description;
  const repeated = commas ? '(repeatable, or with commas between)' : '(repeatable)';
  const described = many ? `${about} ${repeated}`.trim() : about;
  if (kind === 'boolean' && !many) return new Option(`--${fallback === true ? 'no-' : ''}${flag}`, described);
  const value = kind === 'string' || kind === 'either' ? field.flag.split('-').at(-1) : kind;
  const option = new Option(`--${flag} <${value}>`, described);
  if (choices) option.choices(choices);
  option.argParser<unknown>((text, before) => {
    if (!many) return parsed(field, text);
    const parts = text.split(',').map((part) => part.trim());
    // Several items of JSON may stand in one list.
    const values = (commas ? parts.filter(Boolean) : [text]).flatMap((one) => parsed(field, one));
    return [...(Array.isArray(before) ? before : []), ...values];
  });
  if (fallback !== undefined && fallback !== null && !many) option.default(fallback);
  return required ? option.makeOptionMandatory() : option;
}

function withStdin(description: string): string {
  return [description, '-: from stdin'].filter(Boolean).join('; ');
}

/** The choice that is spelled so, upper and lower case alike. */
function choiceOf(choices: readonly string[], text: string): string {
  const [folded, all] = [text.toLowerCase(), choices.map((one) => one.toLowerCase())];
  const found = choices.includes(text) ? text : choices[all.indexOf(folded)];
  if (found !== undefined) return found;
  const near = choices.filter((one) => isNear(folded, one.toLowerCase()));
  throw new InvalidArgumentError(`${didYouMean(near.slice(0, 3))}Allowed choices are ${choices.join(', ')}.`);
}

function parsed({ kind, choices }: InputField, text: string): unknown {
  if (choices) return choiceOf(choices, text);
  const isBlank = text.trim() === '';
  switch (kind) {
    case 'number':
      if (isBlank || Number.isNaN(Number(text))) throw new InvalidArgumentError('It is not a number.');
      return Number(text);
    case 'either':
      return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true';
    case 'json':
      try {
        return JSON.parse(textOf(text));
      } catch {
        throw new InvalidArgumentError('It is not JSON.');
      }
    case 'string':
      return text;
  }
}

/** A text from the command line; `-`: what comes on stdin, whole. */
export function textOf(text: string): string {
  return text === '-' ? readFileSync(0, 'utf8') : text;
}
