import { readFileSync } from 'node:fs';
import { Argument, InvalidArgumentError, Option } from 'commander';
import { CodewalkError } from '../schema/index.js';
import { type InputField, isPathField } from './fields.js';
import { GLOBAL_FLAGS } from './flags.js';

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
  return fields.map((field) =>
    placed.has(field)
      ? { field, argument: argumentOf(field) }
      : { field, option: optionOf(field), opposite: oppositeOf(field) },
  );
}

/** What the parser can take, and what no object has by itself. */
function isFlag(flag: string): boolean {
  const key = flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  return /^[\p{L}\p{N}][\p{L}\p{N}.-]*$/u.test(flag) && !(key in Object.prototype);
}

function argumentOf(field: InputField): Argument {
  const name = field.many || field.words ? `${field.name.toUpperCase()}...` : field.name.toUpperCase();
  const isText = field.kind === 'string' && !field.many && !field.choices && !isPathField(field);
  const described = isText && field.required ? withStdin(field.description) : field.description;
  const argument = new Argument(field.required ? `<${name}>` : `[${name}]`, described);
  if (field.choices) argument.choices(field.choices);
  if (field.words)
    return argument.argParser<string>((word, before) =>
      before === undefined ? textOf(word) : `${before} ${word}`,
    );
  return isText ? argument.argParser(textOf) : argument;
}

/** A boolean that has no default: to leave its flag out would say nothing. */
function isEitherWay({ kind, many, required }: InputField): boolean {
  return kind === 'boolean' && !many && required;
}

function oppositeOf(field: InputField): Option | undefined {
  return isEitherWay(field)
    ? new Option(`--no-${typedFlag(field)}`, `or this: not --${typedFlag(field)}`)
    : undefined;
}

function typedFlag({ flag }: InputField): string {
  return TAKEN.has(flag) ? `input-${flag}` : flag;
}

function optionOf(field: InputField): Option {
  const flag = typedFlag(field);
  const said = field.kind === 'json' ? withStdin(field.description || 'JSON text') : field.description;
  const repeated = field.commas ? '(repeatable, or with commas between)' : '(repeatable)';
  const described = field.many ? `${said} ${repeated}`.trim() : said;
  if (field.kind === 'boolean' && !field.many) {
    return new Option(field.fallback === true ? `--no-${flag}` : `--${flag}`, described);
  }
  const option = new Option(`--${flag} <${valueName(field)}>`, described);
  if (field.choices) option.choices(field.choices);
  option.argParser<unknown>((text, before) => {
    if (!field.many) return parsed(field, text);
    // Several items of JSON may stand in one list.
    const values = (field.commas ? partsOf(text) : [text]).flatMap((one) => parsed(field, one));
    return [...(Array.isArray(before) ? before : []), ...values];
  });
  if (field.fallback !== undefined && field.fallback !== null && !field.many) option.default(field.fallback);
  return field.required ? option.makeOptionMandatory() : option;
}

function withStdin(description: string): string {
  return [description, '-: from stdin'].filter(Boolean).join('; ');
}

function valueName({ kind, flag }: InputField): string {
  return kind === 'string' || kind === 'either' ? (flag.split('-').at(-1) ?? flag) : kind;
}

function parsed({ kind, choices }: InputField, text: string): unknown {
  if (choices && !choices.includes(text))
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
  if (kind === 'number') return numberOf(text);
  if (kind === 'either') return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
  if (kind === 'boolean') return text === 'true';
  return kind === 'json' ? jsonOf(text) : text;
}

function partsOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function numberOf(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value)) throw new InvalidArgumentError('It is not a number.');
  return value;
}

/** A text from the command line; `-`: what comes on stdin, whole. */
export function textOf(text: string): string {
  return text === '-' ? readFileSync(0, 'utf8') : text;
}

/** JSON from the command line; `-`: what comes on stdin. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(textOf(text));
  } catch {
    throw new InvalidArgumentError('It is not JSON.');
  }
}
