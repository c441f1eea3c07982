import { z } from 'zod';
import { ImportedRecords, type Problem, readRecords } from '../../graphs/memory/index.js';
import { plural } from '../../present/index.js';
import { defineWalker } from '../../runtime/index.js';
import { CodewalkError, LIMITS } from '../../schema/index.js';
import { readText } from '../../source/index.js';

const count = z.number().int();
const Imported = z.object({ created: count, updated: count, unchanged: count });

/** Reads an export of memories: all of it in one commit, or nothing. */
export const MemoryImport = defineWalker('memory_import', {
  description:
    'Import memories from JSON lines that memory export wrote: all in one commit, or nothing where a line is wrong. Again, it changes nothing.',
  access: 'write',
  reads: 'trace',
  input: {
    file: z.string().min(1).describe('A file that memory export wrote; -: from stdin'),
    skip_invalid: z.boolean().default(false).describe('Leave out wrong lines, and name them'),
    dry_run: z.boolean().default(false).describe('Only say what would be imported'),
  },
  output: z.object({
    dry_run: z.boolean(),
    memories: Imported,
    /** Earlier versions that were written. */
    versions: count,
    relations: Imported,
    abouts: Imported,
    /** What cannot be imported, by line; line 0 is the file as a whole. The first ones. */
    left_out: z.array(z.object({ line: count, why: z.string() })),
    left_out_count: count,
  }),
  examples: [{ title: 'What another checkout remembers', input: { file: 'memories.jsonl' } }],
  finish: async ({ state: { file, skip_invalid, dry_run }, context }) => {
    const imported = await ImportedRecords.of(context, readRecords(textIn(file)), dry_run);
    const { memories, versions, relations, abouts, problems } = imported;
    if (problems.length > 0 && !skip_invalid && !dry_run) throw refusal(problems);
    const left_out = problems.slice(0, LIMITS.memoryProblems.max);
    const left_out_count = problems.length;
    return { dry_run, memories, versions, relations, abouts, left_out, left_out_count };
  },
  markdown: ({ dry_run, memories, versions, relations, abouts, left_out, left_out_count }) =>
    [
      dry_run ? 'Would import:' : 'Imported:',
      `- memories: ${importedText(memories)}, ${plural(versions, 'earlier version')}`,
      `- relations: ${importedText(relations)}`,
      `- bindings to files, symbols, tasks and errors: ${importedText(abouts)}`,
      ...(left_out_count > 0 ? [`- left out: ${plural(left_out_count, 'line')}`] : []),
      ...left_out.map((problem) => `  - ${problemText(problem)}`),
      '',
    ].join('\n'),
});

function importedText({ created, updated, unchanged }: z.infer<typeof Imported>): string {
  return `${created} new, ${updated} changed, ${unchanged} as they were`;
}

function problemText({ line, why }: Problem): string {
  return `${line === 0 ? 'the file' : `line ${line}`}: ${why}`;
}

function textIn(file: string): string {
  const read = readText({ diskPath: file }, { maxFileBytes: LIMITS.memoryImport.max });
  if (read.ok) return read.text;
  throw new CodewalkError('INVALID_INPUT', `file: '${file}' cannot be read: ${read.reason}, ${read.detail}`, {
    input: file,
    suggestion: 'Name a file that memory export wrote, of at most 256 MiB.',
  });
}

function refusal(problems: readonly Problem[]): CodewalkError {
  const named = problems.slice(0, 5).map(problemText);
  const more = problems.length > 5 ? `; and ${problems.length - 5} more` : '';
  return new CodewalkError('INVALID_INPUT', `nothing was imported. ${named.join('; ')}${more}`, {
    input: { line: problems[0]?.line ?? 0 },
    suggestion: 'Fix it, or leave out what is wrong with --skip-invalid; --dry-run names all of it.',
  });
}
