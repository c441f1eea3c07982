import { resolve } from 'node:path';
import { z } from 'zod';
import { failureOf } from '../../host/index.js';
import { limitText } from '../../runtime/index.js';
import { CodewalkError } from '../../schema/index.js';
import type { Invocation } from '../invocation.js';
import { progressBar } from '../progress-bar.js';
import { runOptions, withGraph } from '../session.js';
import { type CommandExtension, traceLine } from '../walker-command.js';
import { fileSink, textSink } from './line-sink.js';

/** An export is as long as the graph is large. */
const UNBOUNDED = {
  maxBytes: Number.POSITIVE_INFINITY,
  maxVisits: Number.POSITIVE_INFINITY,
  deadlineMs: Number.POSITIVE_INFINITY,
};

/** `codewalk export`: the walker's reports as lines, to stdout or to a file. */
export const exportExtension: CommandExtension = {
  prepare: (command) =>
    void command.option('--out <file>', 'write the lines to this file; default: stdout, one after the other'),
  run: exportLines,
};

async function exportLines({ session, walker, input, root, flags, given }: Invocation): Promise<void> {
  const { terminal, heartbeat } = session;
  const file = typeof given.out === 'string' ? resolve(terminal.cwd, given.out) : null;
  const sink = file === null ? textSink(terminal.out) : fileSink(file);
  const bar = progressBar(flags.quiet || flags.progress === false ? null : terminal.progress);
  const options = {
    ...runOptions(session, flags, UNBOUNDED),
    onReport: (report: unknown) => sink.write(JSON.stringify(report)),
    onProgress: bar.onProgress,
    keepReports: false,
  };
  try {
    const run = await withGraph(session, root, flags, walker, (graph) =>
      heartbeat.watch(`the walker '${walker.name}'`, () => graph.spawn(walker.name, null, input, options)),
    );
    if (run.truncated)
      throw new CodewalkError(
        'DEADLINE',
        `The export ended early at its limit of ${limitText(run.truncated)}`,
        {
          suggestion: 'Give it a larger --deadline.',
        },
      );
    sink.finish();
    bar.stop();
    for (const note of cutOf(run.output)) terminal.err(`note: ${note}\n`);
    if (flags.trace) terminal.err(traceLine(run.figures));
  } catch (thrown) {
    bar.stop();
    sink.abandon();
    throw failureOf(thrown, walker, input);
  }
  if (file === null) return;
  const { lines, bytes } = sink;
  if (flags.json) terminal.out(`${JSON.stringify({ file, lines, bytes })}\n`);
  else if (!flags.quiet) terminal.out(`${lines} lines (${bytes} bytes) in ${file}\n`);
}

const WithState = z.object({ state: z.object({ cut: z.array(z.string()) }) });

/** What the walker says that its lines lack. */
function cutOf(output: unknown): readonly string[] {
  const parsed = WithState.safeParse(output);
  return parsed.success ? parsed.data.state.cut : [];
}
