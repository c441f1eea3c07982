import { Command } from 'commander';
import { EXIT } from '../failure-text.js';
import type { GlobalFlags, Session } from '../session.js';

/** `codewalk doctor`: tries what everything else stands on, and says of each what to do where it fails. */
export function doctorCommand({ terminal }: Session): Command {
  const command = new Command('doctor').description(
    'Try what everything stands on (home, settings, daemon, journal, agents) and say what to do where it fails.',
  );
  return command.action(async () => {
    const { graphsFolderOf, examine, projectRootOf, settingsFor } = await import('../home.js');
    const { home, json }: GlobalFlags = command.optsWithGlobals();
    const folder = graphsFolderOf({ home });
    const { examineClients, ownPrograms, thisMachine } = await import('../installing.js');
    const root = projectRootOf(terminal.cwd, { home });
    const ofAgents = { home: folder, root, programs: ownPrograms(home), machine: thisMachine(terminal.cwd) };
    const checks = [...(await examine(folder, root)), ...(await examineClients(ofAgents))];
    if (hasEndpoint(() => settingsFor(root, { home: folder }))) {
      const { examineEmbeddings } = await import('../../host/index.js');
      checks.push(await examineEmbeddings(root, folder));
    }
    const width = Math.max(...checks.map(({ name }) => name.length));
    if (json) terminal.json({ checks });
    else {
      for (const { name, ok, note, found, suggestion } of checks)
        terminal.out(
          `${!ok ? 'FAIL' : note ? 'note' : 'ok  '}  ${name.padEnd(width)} ${found}${suggestion === '' ? '' : `\n      ${suggestion}`}\n`,
        );
    }
    if (checks.some(({ ok }) => !ok)) process.exitCode = EXIT.failure;
  });
}

/** Whether embeddings are on; settings that are wrong have a check of their own. */
function hasEndpoint(settings: () => { readonly embeddings_url: string }): boolean {
  try {
    return settings().embeddings_url !== '';
  } catch {
    return false;
  }
}
