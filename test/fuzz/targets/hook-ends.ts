import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { agents } from '../../../hooks/index.js';
import { directHost, ingestOn, Journal, journalCounts, recordEntry } from '../../../host/index.js';
import { brief, demand, demandNoStack, type Target } from '../lib.js';
import { writeProject } from '../project.js';
import { payloadBy, payloadOf, samplesIn } from './hooks.js';

/** What a hook is given comes to an end that is known: in the graph, or set aside where it is counted. */
export const hookEnds: Target = {
  name: 'hook-ends',
  weight: 2,
  open(place) {
    const samples = samplesIn(place);
    const root = writeProject(join(place.scratch, 'shop'));
    let nth = 0;
    return {
      generate: (random) =>
        random.times(random.between(1, 4), () => ({
          ...(payloadBy(random, samples) as object),
          process: random.oneIn(12),
        })),
      async run(input) {
        const home = join(place.scratch, `graphs${nth++}`);
        mkdirSync(home);
        let [events, held] = [0, 0];
        const ids = new Set<string>();
        for (const one of Array.isArray(input) ? input : []) {
          const given = payloadOf(one);
          if (given === null || given.payload === '') continue;
          const { client } = given;
          const payload = Buffer.from(given.payload);
          if ((one as { process?: boolean }).process === true)
            hooked(place.dist, home, root, client, payload);
          else recordEntry({ home, root, client, cwd: root }, [payload]);
          const told = agents.eventsOf({ client, payload, name: `n${nth}`, at: 1_700_000_000_000 });
          if (told === null) held++;
          for (const { event_id } of told ?? []) {
            events++;
            ids.add(event_id);
          }
        }
        await using host = directHost(home);
        await using journal = new Journal({ home, ingest: ingestOn(host), agents });
        const drained = await journal.drain();
        const { failure } = drained;
        demand(
          failure === null,
          'recorded',
          `${failure?.code}: ${failure?.message}\n${(failure?.cause as Error)?.stack}`,
        );
        const counts = journalCounts(home);
        demand(drained.aside === 0, 'recorded', `set aside: ${brief(counts)}`);
        demand(
          drained.held === held,
          'recorded',
          `${held} payloads of unknown clients, ${drained.held} held`,
        );
        const kept = drained.recorded + drained.known;
        demand(kept === events, 'recorded', `${events} events (${ids.size} ids), ${kept} recorded`);
        demand(counts.pending === 0, 'recorded', `${counts.pending} wait still`);
        rmSync(home, { recursive: true, force: true });
      },
    };
  },
};

/** A real hook; without time to ask, so that it starts no daemon. */
function hooked(dist: string, home: string, cwd: string, client: string, input: Buffer): void {
  const args = [join(dist, 'hook.js'), '--client', client, '--home', home, '--root', cwd, '--deadline', '0'];
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, { cwd, input });
  demand(status === 0, 'exits-0', `it ended with ${signal ?? status}: ${stderr}`);
  demandNoStack(`${stdout}\n${stderr}`);
  const text = stdout.toString();
  demand(text === '' || typeof JSON.parse(text) === 'object', 'one-object', () => brief(text));
}
