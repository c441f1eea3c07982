import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { freshLook, type Look } from '../walkers/project.js';

/**
 * Edges that other code graphs were seen to invent, and those that belong there instead. Each folder of `fixtures` is
 * a case; comments say what the call on their line comes to, by a file of the case and a dotted name:
 *
 *     found.append(book)  # never shelf.py append
 *     append(shelf, found)  # calls shelf.py append
 *
 * `calls`: there is a CALLS edge. `never`: there is none, and none by the name alone. `may`: it is a candidate, a MAY_CALL edge.
 * `names`: the name alone leads there, to what a document defines.
 */
const here = join(import.meta.dirname, 'fixtures');
const NOTE = /(?:#|\/\/) (calls|never|may|names) (\S+) (\S+)/g;

const KINDS: Readonly<Record<string, string>> = { may: 'MAY_CALL', names: 'REFERENCES' };

interface Note {
  readonly verb: string;
  readonly from: string;
  readonly line: number;
  readonly to: string;
}

/** Every file of the museum: one project, so that a wrong edge may lead into any case. */
const files = Object.fromEntries(
  readdirSync(here, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => statSync(join(here, name)).isFile())
    .sort()
    .map((name) => [name, readFileSync(join(here, name), 'utf8')]),
);

function notesOf(room: string): Note[] {
  const inside = Object.entries(files).filter(([path]) => path.startsWith(`${room}/`));
  return inside.flatMap(([from, text]) =>
    text.split('\n').flatMap((line, at) =>
      [...line.matchAll(NOTE)].map(([, verb = '', path = '', name = '']) => {
        return { verb, from, line: at + 1, to: `${room}/${path}:${name}` };
      }),
    ),
  );
}

describe('of the wrong edges in the museum there is none, and the right ones are there:', () => {
  let look: Look;
  beforeAll(async () => {
    look = await freshLook(files);
  });

  /** Whether a line of a file has an edge to a definition, by its path and dotted name. */
  const has = (kind: string, { from, line, to }: Note, resolution?: string): boolean =>
    look.edges.some(
      (edge) =>
        edge.kind === kind &&
        (resolution === undefined || edge.resolution === resolution) &&
        String(edge.to).endsWith(`:${to}`) &&
        String(edge.from).includes(`:${from}`) &&
        (edge.evidence as { line: number }[]).some((place) => place.line === line),
    );

  for (const room of readdirSync(here).sort())
    it(room.replaceAll('-', ' '), () => {
      const notes = notesOf(room);
      expect(notes.some(({ verb }) => verb === 'never')).toBe(true);
      expect(notes.some(({ verb }) => verb !== 'never')).toBe(true);
      const wrong = notes.filter((note) =>
        note.verb === 'never'
          ? has('CALLS', note) || has('REFERENCES', note, 'name')
          : !has(KINDS[note.verb] ?? 'CALLS', note),
      );
      expect(wrong.map(({ verb, from, line, to }) => `${from}:${line} ${verb} ${to}`)).toEqual([]);
      // A name that no definition has could never be called.
      const names = notes.map(({ to }) => to);
      expect(names.filter((to) => !look.nodes.some(({ id }) => String(id).endsWith(`:${to}`)))).toEqual([]);
    });
});
