import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { GLOBAL_FLAGS } from '../../cli/flags.js';
import { commandsOf, HELP } from '../../cli/program.js';
import type { Session } from '../../cli/session.js';
import type { JsonSchema, WalkerSignature } from '../../host/index.js';
import { TOOLS } from '../../schema/index.js';

const NOTE = '<!-- Made from the walkers and the command line by `npm run golden`: change it there. -->';

/** `docs/reference/reference.md`: every walker that is a tool or a command with all its parameters, and every command's help. */
export function referencePage(): string {
  const all = builtSignatures();
  const signatures = new Map(all.map((signature) => [signature.name, signature]));
  const tools = TOOLS.filter(({ set, command }) => set !== null || command !== null).flatMap((entry) => {
    const signature = signatures.get(entry.walker);
    return signature ? [toolSection(entry, signature)] : [];
  });
  return [
    NOTE,
    '# Reference',
    'Every tool and command, as the code says it. [tools.md](tools.md) has the table and the profiles, [errors.md](errors.md) the codes of errors, [limits.md](limits.md) where each number comes from.',
    'Every tool also takes `project_root`, and `response_format` (`json` or `markdown`) of its text. Every answer has `state` beside its body.',
    '## Tools',
    ...tools,
    '## Commands',
    'Options that every command takes are listed once, at the end.',
    ...allCommands().map(commandSection),
    '### Every command',
    [
      '| option | what it does |',
      '| --- | --- |',
      ...GLOBAL_FLAGS.map(([flags, text]) => `| \`${flags}\` | ${cell(text)} |`),
    ].join('\n'),
  ]
    .join('\n\n')
    .concat('\n');
}

function toolSection(
  { walker, set, command, aliases }: (typeof TOOLS)[number],
  { description, access, input, output, examples }: WalkerSignature,
): string {
  const facts = [
    set === null ? 'no tool' : `profile \`${set}\``,
    command === null ? 'no command' : `\`codewalk ${command}\``,
    access === 'read' ? 'reads only' : 'writes',
    ...(aliases.length > 0 ? [`also called ${aliases.map((name) => `\`${name}\``).join(', ')}`] : []),
  ];
  const required = new Set(input.required ?? []);
  const rows = Object.entries(input.properties ?? {}).map(([name, property]) => {
    const schema = typeof property === 'boolean' ? {} : property;
    return `| \`${name}\` | ${cell(typeOf(schema))} | ${required.has(name) ? 'required' : fallbackOf(schema)} | ${cell(schema.description ?? '')} |`;
  });
  const fields = Object.keys(output.properties ?? {}).map((name) => `\`${name}\``);
  return [
    `### ${walker}`,
    `${facts.join(' · ')}`,
    description,
    rows.length === 0
      ? 'It takes nothing else.'
      : ['| parameter | type | default | what it is |', '| --- | --- | --- | --- |', ...rows].join('\n'),
    ...(fields.length > 0 ? [`Answers with ${fields.join(', ')}.`] : []),
    ...examples.map(({ title, input }) => `${title}: \`${JSON.stringify(input)}\``),
  ].join('\n\n');
}

function fallbackOf(schema: JsonSchema): string {
  return schema.default === undefined ? '' : `\`${JSON.stringify(schema.default)}\``;
}

/** A type in words: `integer, 1 to 5`, `list of text`. */
function typeOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map((one) => typeOf(one as JsonSchema)).join(' or ');
  if (schema.type === 'array') {
    const items = schema.items && !Array.isArray(schema.items) && schema.items !== true ? schema.items : {};
    return `list of ${typeOf(items as JsonSchema)}`;
  }
  const { minimum, maximum, maxLength } = schema;
  const isBounded = (bound: number | undefined): bound is number =>
    bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  const kind = schema.type === 'string' ? 'text' : schema.type === undefined ? 'any' : String(schema.type);
  const range = [
    isBounded(minimum) && isBounded(maximum) ? `${minimum} to ${maximum}` : '',
    isBounded(minimum) && !isBounded(maximum) ? `from ${minimum}` : '',
    isBounded(maxLength) ? `at most ${maxLength} characters` : '',
  ].filter((part) => part !== '');
  return [kind, ...range].join(', ');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

/** The walkers as the build wrote them down. */
export function builtSignatures(): WalkerSignature[] {
  return JSON.parse(readFileSync(new URL('../../dist/manifest.json', import.meta.url), 'utf8'));
}

/** Every command, with its words. */
export function allCommands(): { words: string; command: Command }[] {
  const nothing = () => undefined;
  const streams = { out: nothing, json: nothing, write: nothing, err: nothing, progress: null };
  const session: Session = {
    terminal: { ...streams, look: { columns: null, colors: false }, cwd: '/', debug: false },
    own: { folders: [], signatures: [] },
    signal: new AbortController().signal,
  };
  return commandsOf(session, builtSignatures()).map(({ words, command }) => ({
    words: words.join(' '),
    command,
  }));
}

function commandSection({ words, command }: { readonly words: string; readonly command: Command }): string {
  const help = command
    .configureHelp(HELP)
    .helpOption('-h, --help', 'print help')
    .helpInformation()
    .trimEnd()
    .replace(/^Usage: \S+/u, `Usage: codewalk ${words}`);
  return `### codewalk ${words}\n\n\`\`\`text\n${help}\n\`\`\``;
}
