import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import type { WalkerSignature } from '../host/index.js';
import { contains, platformOf } from '../source/index.js';
import { isPathField } from './fields.js';
import type { GlobalFlags } from './flags.js';
import type { FieldParameter } from './options.js';
import { rootOf, type Session } from './session.js';

/** A walker's command as the user typed it. */
export interface Invocation {
  readonly session: Session;
  readonly walker: WalkerSignature;
  readonly parameters: readonly FieldParameter[];
  /** The walker's input; fields that were not given are left out. */
  readonly input: Record<string, unknown>;
  /** As given, or chosen; not checked yet. */
  readonly root: string;
  readonly flags: GlobalFlags;
  /** Every flag of the command, those that are not the walker's too. */
  readonly given: Readonly<Record<string, unknown>>;
  /** What stands after the walker's own arguments, where the command takes a list of words. */
  readonly words: readonly string[];
}

/** Reads what commander parsed. */
export function invocationOf(
  session: Session,
  walker: WalkerSignature,
  parameters: readonly FieldParameter[],
  command: Command,
): Invocation {
  const given = command.optsWithGlobals();
  const places: unknown[] = [...command.processedArgs];
  const fromOutside: Record<string, unknown> = {};
  for (const parameter of parameters) {
    const value =
      'argument' in parameter ? places.shift() : chosen(command, parameter.option.attributeName());
    if (value !== undefined) fromOutside[parameter.field.name] = value;
  }
  const flags: GlobalFlags = given;
  const rest = places.shift();
  const words = Array.isArray(rest) ? rest.map(String) : [];
  const root = rootOf(session, flags, typeof rest === 'string' ? rest : undefined);
  const paths = parameters.map(({ field }) => field).filter(isPathField);
  for (const { name } of paths) {
    const value = fromOutside[name];
    if (value !== undefined) fromOutside[name] = fromHere(value, root, session.terminal.cwd);
  }
  for (const { field } of parameters) {
    const value = field.place ? fromOutside[field.name] : undefined;
    if (typeof value === 'string') fromOutside[field.name] = placeFromHere(value, root, session.terminal.cwd);
  }
  return { session, walker, parameters, input: fromOutside, root, flags, given, words };
}

/** Defaults are the walker's own business. */
function chosen(command: Command, attribute: string): unknown {
  return command.getOptionValueSource(attribute) === 'default' ? undefined : command.opts()[attribute];
}

/**
 * Relative to where the user stands, or to the root where nothing is there but something in the root is; who stands
 * outside of the root means paths inside it.
 */
function fromHere(value: unknown, root: string, cwd: string): unknown {
  if (Array.isArray(value)) return value.map((one) => fromHere(one, root, cwd));
  if (typeof value !== 'string' || isAbsolute(value)) return value;
  const rootHere = resolve(cwd, root);
  if (!contains(realOf(rootHere), realOf(cwd), platformOf())) return value;
  const here = resolve(cwd, value);
  return !isDotted(value) && !existsSync(here) && existsSync(resolve(rootHere, value)) ? value : here;
}

/**
 * A name that is a path relative to where the user stands, as one relative to the root, what stands behind it (`:12`)
 * kept; any other name as it is. Only what is there, or says where it begins, is taken for a path.
 */
function placeFromHere(value: string, root: string, cwd: string): string {
  const [, path = value, line = ''] = /^(.*?)((?::\d+){0,2})$/u.exec(value) ?? [];
  const rootHere = realOf(resolve(cwd, root));
  if (isAbsolute(path) || !/[./\\]/u.test(path) || !contains(rootHere, realOf(cwd), platformOf()))
    return value;
  const here = resolve(realOf(cwd), path);
  if (!existsSync(here) && !isDotted(path)) return value;
  const inside = relative(rootHere, here).replaceAll('\\', '/');
  return inside === '' || isDotted(inside) ? `${here}${line}` : `${inside}${line}`;
}

/** `./a` and `../a` say where they begin. */
function isDotted(path: string): boolean {
  return /^\.\.?(?:[\\/]|$)/.test(path);
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // A root that does not exist is refused when it is opened.
    return path;
  }
}
