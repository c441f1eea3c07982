import { builtInSignatures, namedWalker, type WalkerSignature } from '../../host/index.js';
import { toolEntry } from '../../schema/index.js';
import type { Handler } from '../commands.js';
import { textTable } from '../text.js';
import { commandWords, fieldsOf, type InputField } from '../walker-fields.js';

/** The list of walkers, or the input of one of them. */
export const walkers: Handler<'walkers'> = async ({ session, places: [name] }) => {
  const all = [...builtInSignatures(), ...session.own.signatures];
  if (name === undefined) {
    const rows = all.map(rowOf);
    const cells = rows.map((row) => [
      row.name,
      row.access,
      row.profile ?? '-',
      row.command ?? '-',
      row.description,
    ]);
    const heads = ['WALKER', 'ACCESS', 'PROFILE', 'COMMAND', 'WHAT IT DOES'];
    return { body: { walkers: rows }, text: textTable([heads, ...cells]) };
  }
  const walker = namedWalker(name.replaceAll('-', '_'), all);
  const { description, input, output, examples } = walker;
  return {
    body: { ...rowOf(walker), description, input, output, examples },
    text: detailsText(walker),
  };
};

/** Profile: `own` for a user's walker, null for one that is no tool. */
function rowOf({ name, access, description }: WalkerSignature) {
  const entry = toolEntry(name);
  return {
    name,
    access,
    profile: entry === undefined ? 'own' : entry.set,
    command: commandWords(name)?.join(' ') ?? null,
    description: /^[^\n]*?\.(?=\s|$)/.exec(description)?.[0] ?? description,
  };
}

function detailsText(walker: WalkerSignature): string {
  const { access, profile, command } = rowOf(walker);
  const examples = walker.examples.map(({ title, input }) => `  ${title}: ${JSON.stringify(input)}\n`);
  return [
    `${walker.name} (${access}, profile ${profile ?? '-'}, command ${command ?? '-'})\n`,
    walker.description === '' ? '' : `${walker.description}\n`,
    '\nInputs:\n',
    ...fieldsOf(walker).map(fieldLine),
    ...(examples.length > 0 ? ['\nExamples:\n', ...examples] : []),
  ].join('');
}

function fieldLine({ name, kind, many, required, choices, fallback, description }: InputField): string {
  const type = choices ? choices.join(' | ') : kind;
  const notes = [
    many ? `list of ${type}` : type,
    ...(required ? ['required'] : []),
    ...(fallback === undefined ? [] : [`default ${JSON.stringify(fallback)}`]),
  ];
  return `  ${name} (${notes.join(', ')})${description === '' ? '' : `: ${description}`}\n`;
}
