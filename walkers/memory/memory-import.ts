import { z } from 'zod';
import { defineWalker, Root } from '../../runtime/index.js';
import { CodewalkError, LIMITS } from '../../schema/index.js';
import { readText } from '../../source/index.js';
import { plural } from '../markdown.js';
import { ImportPlan } from './exchange/plan.js';
import { type Problem, readRecords } from './exchange/read-records.js';
import { takeAbouts } from './exchange/take-abouts.js';
import { takeMemories } from './exchange/take-memories.js';
import { takeRelations } from './exchange/take-relations.js';
import { writeMemoryText } from './memory-text.js';

/** Wrong lines that an error names in its message. */
const NAMED = 5;

const count = z.number().int();
const Taken = z.object({ created: count, updated: count, unchanged: count });

const ImportOutput = z.object({
  dry_run: z.boolean(),
  memories: Taken,
  /** Earlier versions that were written. */
  versions: count,
  relations: Taken,
  abouts: Taken,
  /** What cannot be taken, by line; line 0 is the file as a whole. The first ones. */
  left_out: z.array(z.object({ line: count, why: z.string() })),
  left_out_count: count,
});
type ImportOutput = z.infer<typeof ImportOutput>;

/**
 * Reads an export of memories: all of it in one commit, or nothing. What is here already gets one history of both, so that
 * nothing is lost, and reading a file again changes nothing.
 */
export const MemoryImport = defineWalker('memory_import', {
  description:
    'Import memories from JSON lines that memory export wrote: all in one commit, or nothing where a line is wrong. Again, it changes nothing.',
  access: 'write',
  reads: 'trace',
  input: {
    file: z.string().min(1).describe('A file that memory export wrote; -: from stdin'),
    skip_invalid: z.boolean().default(false).describe('Leave out what is wrong, and say so'),
    dry_run: z.boolean().default(false).describe('Only say what would become of it'),
  },
  output: ImportOutput,
  state: () => ({ output: null as ImportOutput | null }),
  examples: [{ title: 'What another checkout remembers', input: { file: 'memories.jsonl' } }],
  on: (w) => [
    w.entry(Root, async (_here, context) => {
      const { file, skip_invalid, dry_run } = context.state;
      const read = readRecords(textIn(file));
      const plan = new ImportPlan(read.problems);
      const { taken, versions } = await takeMemories(context, read, plan);
      const relations = await takeRelations(context, read.relations, plan);
      const abouts = await takeAbouts(context, read.abouts, plan);
      const problems = plan.problems.toSorted((a, b) => a.line - b.line);
      if (problems.length > 0 && !skip_invalid && !dry_run) throw refusal(problems);
      if (!dry_run) {
        await plan.write();
        await writeMemoryText(context, plan.changed);
      }
      context.state.output = {
        dry_run,
        memories: taken,
        versions,
        relations,
        abouts,
        left_out: problems.slice(0, LIMITS.memoryProblems.max),
        left_out_count: problems.length,
      };
    }),
  ],
  finish: ({ state: { output } }) => {
    if (output) return output;
    throw new CodewalkError('DEADLINE', 'the run ended before anything was imported');
  },
  markdown: ({ dry_run, memories, versions, relations, abouts, left_out, left_out_count }) =>
    [
      dry_run ? 'Would import:' : 'Imported:',
      `- memories: ${takenLine(memories)}, ${plural(versions, 'earlier version')}`,
      `- relations: ${takenLine(relations)}`,
      `- bindings to files, symbols, tasks and errors: ${takenLine(abouts)}`,
      ...(left_out_count > 0 ? [`- left out: ${plural(left_out_count, 'line')}`] : []),
      ...left_out.map(({ line, why }) => `  - ${placeOf(line)}: ${why}`),
      '',
    ].join('\n'),
});

function takenLine({ created, updated, unchanged }: z.infer<typeof Taken>): string {
  return `${created} new, ${updated} changed, ${unchanged} as they were`;
}

function placeOf(line: number): string {
  return line === 0 ? 'the file' : `line ${line}`;
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
  const named = problems.slice(0, NAMED).map(({ line, why }) => `${placeOf(line)}: ${why}`);
  const more = problems.length > NAMED ? `; and ${problems.length - NAMED} more` : '';
  return new CodewalkError('INVALID_INPUT', `nothing was imported. ${named.join('; ')}${more}`, {
    input: { line: problems[0]?.line ?? 0 },
    suggestion: 'Mend it, or leave out what is wrong with --skip-invalid; --dry-run names all of it.',
  });
}
