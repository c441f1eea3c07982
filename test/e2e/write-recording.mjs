/*
 * Makes a recording for `test/hooks/` of a run of the harness whose hooks were on all events:
 * `HOOK_CMD='cat >/dev/null' OUT=… run-e2e.sh`, then `node test/e2e/write-recording.mjs OUT FILE`.
 * One payload a line, in the order in which the client gave them; paths of the run become those of nobody.
 */
import { readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What clients fire for their own screen. */
const NOISE = new Set(['MessageDisplay', 'Notification', 'InstructionsLoaded']);

const [run, file] = process.argv.slice(2);
const out = realpathSync(run);
const dashed = (path) => path.replace(/[^a-zA-Z0-9]/gu, '-');
const project = join(out, 'project');
const places = {
  [project]: '/project',
  [dashed(project)]: '-project',
  [join(out, 'home')]: '/home/user',
  [out]: '/run',
};
const lines = readdirSync(join(out, 'hooks'))
  .filter((name) => name.endsWith('.in'))
  .sort()
  .map((name) => readFileSync(join(out, 'hooks', name), 'utf8').trim())
  .filter((payload) => !NOISE.has(JSON.parse(payload).hook_event_name))
  .map((payload) =>
    Object.entries(places).reduce((text, [path, place]) => text.replaceAll(path, place), payload),
  );
writeFileSync(file, `${lines.join('\n')}\n`);
