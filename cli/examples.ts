import type { WalkerSignature } from '../host/index.js';
import type { FieldParameter } from './options.js';
import { shellWord } from './shell.js';

/** A walker's examples as command lines, each under its title; empty when it has none. */
export function exampleLines(
  words: readonly string[],
  walker: WalkerSignature,
  parameters: readonly FieldParameter[],
): string {
  return walker.examples
    .map(({ title, input }) => {
      const typed = parameters.flatMap((parameter) => typedOf(parameter, input[parameter.field.name]));
      return `  # ${title}\n  ${['codewalk', ...words, ...typed].join(' ')}\n`;
    })
    .join('');
}

function typedOf(parameter: FieldParameter, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  const values = (Array.isArray(value) ? value : [value]).map(quoted);
  if ('argument' in parameter) return values;
  const { option, opposite } = parameter;
  if (option.isBoolean()) {
    const said = value === !option.negate ? option : opposite;
    return said ? [said.long ?? ''] : [];
  }
  return values.flatMap((one) => [option.long ?? '', one]);
}

function quoted(value: unknown): string {
  return shellWord(typeof value === 'string' ? value : JSON.stringify(value));
}
