import { builtInSignatures, namedWalker, type WalkerSignature } from '../../host/index.js';
import { toolEntry } from '../../schema/index.js';
import { commandSpec } from '../command.js';
import { commandWords } from '../command-words.js';
import { fieldsOf, type InputField } from '../fields.js';
import { textTable } from '../text-table.js';

/** `codewalk walkers [NAME]`: the list of walkers, and the input of one of them. */
export const walkersCommand = commandSpec({
  name: 'walkers',
  description: 'List the walkers that there are, or show what one of them takes.',
  places: [['[NAME]', 'show this one']],
  async run({ session, places: [name] }) {
    const walkers = [...builtInSignatures(), ...session.own.signatures];
    if (name === undefined) {
      const rows = walkers.map(rowOf);
      return { body: { walkers: rows }, text: listText(rows) };
    }
    const walker = namedWalker(name.replaceAll('-', '_'), walkers);
    return { body: detailsOf(walker), text: detailsText(walker) };
  },
});

interface WalkerRow {
  readonly name: string;
  readonly access: string;
  /** Of table T; `own` for a user's walker, null for one that is no tool. */
  readonly profile: string | null;
  /** Null: none. */
  readonly command: string | null;
  readonly description: string;
}

function rowOf(walker: WalkerSignature): WalkerRow {
  const entry = toolEntry(walker.name);
  return {
    name: walker.name,
    access: walker.access,
    profile: entry === undefined ? 'own' : entry.set,
    command: commandWords(walker.name)?.join(' ') ?? null,
    description: firstSentence(walker.description),
  };
}

function firstSentence(text: string): string {
  return /^[^\n]*?\.(?=\s|$)/.exec(text)?.[0] ?? text;
}

function listText(rows: readonly WalkerRow[]): string {
  const cells = rows.map(({ name, access, profile, command, description }) => [
    name,
    access,
    profile ?? '-',
    command ?? '-',
    description,
  ]);
  const table = [['WALKER', 'ACCESS', 'PROFILE', 'COMMAND', 'WHAT IT DOES'], ...cells];
  return textTable(table);
}

function detailsOf(walker: WalkerSignature) {
  const { description, input, output, examples } = walker;
  return { ...rowOf(walker), description, input, output, examples };
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
