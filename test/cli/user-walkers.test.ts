import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processTerminal } from '../../cli/terminal.js';
import { walkerCommand } from '../../cli/walker-command.js';
import { signatureOf } from '../../host/index.js';
import { defineWalker, z } from '../../index.js';
import { ended, Scratch } from './scratch.js';

const scratch = new Scratch();
afterAll(() => scratch.remove());
beforeAll(() => scratch.run(['index', '.', '--quiet']));

/** A folder with one file in it. */
function folder(name: string, source: string, file = 'mine.mjs'): string {
  return scratch.write(name, { [file]: source });
}

/** A walker that only finishes. */
function walker(name: string, finish: string): string {
  return `import { defineWalker } from 'codewalk';
export default defineWalker('${name}', { start: () => null, on: () => [], finish: async ({ context }) => { ${finish} } });
`;
}

/** The error that a command ends with. */
async function failure(args: readonly string[]) {
  const { code, stdout } = await scratch.run([...args, '--json']);
  expect(code).toBe(1);
  const { error, error_code } = JSON.parse(stdout);
  return `${error_code}: ${error}`;
}

const WAIT =
  "console.log('waiting'); await new Promise((_, no) => { const t = setInterval(() => {}, 50); context.signal.addEventListener('abort', () => { clearInterval(t); no(context.signal.reason); }); })";

/** Most of them in one folder: a thread that answers has it loaded, for one walker as for the next. */
const MINE = scratch.write('mine', {
  'greet.mjs': `import { defineWalker, z } from 'codewalk';
export const Greet = defineWalker('greet_all', {
  description: 'Greets.',
  input: {
    names: z.array(z.string()).describe('Whom'),
    maxTimes: z.number().int().min(1).max(3).default(1).describe('How often'),
    tone: z.enum(['warm', 'cool']).default('warm'),
    loud: z.boolean().default(false),
    json: z.string().optional().describe('A field with the name of a flag'),
  },
  start: () => null,
  on: () => [],
  finish: ({ state }) => ({ ...state }),
});`,
  'listed.js': walker('listed_one', 'return {}'),
  'where.mjs': `import { defineWalker, z } from 'codewalk';
export default defineWalker('where_am_i', {
  input: { project_root: z.string() }, start: () => null, on: () => [],
  finish: ({ state }) => ({ is: state.project_root }),
});`,
  'notes.mjs': `import { defineNode, defineWalker, onArrival, z } from 'codewalk';
export const Note = defineNode('FaceNote', { text: z.string() }, { layer: 'durable' });
export const arrivals = [onArrival(Note, 'entry', null, (self, visitor, context) => context.report('at ' + self.text))];
export const add = defineWalker('add_note', {
  access: 'write', input: { text: z.string() }, start: () => null, on: () => [],
  finish: async ({ state, context }) => { await context.create(Note({ text: state.text })); return {}; },
});
export const all = defineWalker('all_notes', {
  start: async (context) => { const notes = await context.find(Note); return notes.length > 0 ? notes : null; },
  on: (w) => [w.entry(Note, (here, context) => context.report(here.text))],
});`,
  'noisy.mjs': walker('noisy', "console.log('hello'); process.stdout.write('raw'); return { a: 1 }"),
  'throws.mjs': walker('thrower', "throw new TypeError('no such luck')"),
  'hangs.mjs': walker('hanger', 'await new Promise(() => {});'),
  'waits.mjs': walker('waiter', WAIT),
});

/** The error that a folder is refused with. */
const refused = (folder: string): Promise<string> => failure(['walkers', '--walkers', folder]);

describe("a user's walker", () => {
  it('is a command with the flags of its input', async () => {
    const help = await scratch.run(['greet-all', '--help', '--walkers', MINE]);
    expect(help.stdout).toContain('greet-all [options] <NAMES...>');
    expect(help.stdout).toMatch(/--max-times <number> +How often \(1 to 3\) \(default: 1\)/);
    expect(help.stdout).toContain('choices: "warm", "cool"');

    const args = ['greet-all', 'Ann', 'Bo', '--max-times', '2', '--tone=cool', '--loud', '--input-json', 'x'];
    const { code, stdout } = await scratch.run([...args, '--walkers', MINE, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      names: ['Ann', 'Bo'],
      maxTimes: 2,
      tone: 'cool',
      loud: true,
      json: 'x',
      state: { root: scratch.project },
    });
  });

  it('is listed beside ours', async () => {
    const { stdout } = await scratch.run(['walkers', '--walkers', MINE]);
    expect(stdout).toMatch(/^listed_one +read +own +listed-one/m);
    expect(stdout).toContain('graph_index_project');
  });

  it.skipIf(process.platform === 'win32')('is not waited for in a pipe', async () => {
    const dir = folder('piped', walker('piped_one', 'return {}'));
    execFileSync('mkfifo', [join(dir, 'a.mjs')]);
    symlinkSync('a.mjs', join(dir, 'b.mjs'));
    const { code, stdout } = await scratch.run(['walkers', '--walkers', dir]);
    expect([code, stdout.match(/^piped_one /gmu)]).toEqual([0, ['piped_one ']]);
  });

  it('with a field project_root gets the root that the faces chose', async () => {
    const args = ['where-am-i', '.', '--json', '--walkers', MINE];
    expect(JSON.parse((await scratch.run(args)).stdout).is).toBe(scratch.project);
  });

  it('may have archetypes and arrivals of its own, and what it wrote stays', async () => {
    await scratch.run(['add-note', 'look here', '--walkers', MINE]);
    expect((await scratch.run(['index'])).code).toBe(0);
    const { stdout } = await scratch.run(['all-notes', '--json', '--walkers', MINE]);
    expect(JSON.parse(stdout).reports).toEqual(['look here', 'at look here']);
  });

  it('is not there unless the user names its folder', async () => {
    expect(await scratch.run(['listed-one'], { cwd: scratch.folder })).toMatchObject({ code: 2 });
  });

  it('may print: it goes to stderr, since stdout belongs to the answer', async () => {
    const { stdout, stderr } = await scratch.run(['noisy', '--json', '--walkers', MINE]);
    expect(JSON.parse(stdout)).toMatchObject({ a: 1 });
    expect(stderr).toContain('hello\nraw');
  });

  it('that throws is named with what it threw', async () => {
    expect(await failure(['thrower', '--walkers', MINE])).toBe(
      "WALKER_FAILED: The walker 'thrower' threw TypeError: no such luck",
    );
  });

  it('that waits for what never comes is given up at its deadline, and named', async () => {
    expect(await failure(['hanger', '--walkers', MINE, '--deadline', '0.3'])).toBe(
      "DEADLINE: the walker 'hanger' did not end at its deadline of 300 ms",
    );
  });

  it('that waits ends when the user interrupts, with 130', async () => {
    const child = scratch.start(['waiter', '--walkers', MINE]);
    const end = ended(child);
    child.stderr.once('data', () => child.kill('SIGINT'));
    expect(await end).toMatchObject({ code: 130, stdout: '' });
  });

  it('that loops while it is loaded is ended too', async () => {
    const dir = folder('loops-early', 'for (;;);');
    // A thread that got no processor before says so itself.
    expect(await failure(['walkers', '--walkers', dir, '--deadline', '0.7'])).toMatch(
      /^WALKER_INVALID: .*(did not yield and was ended|it had not loaded after 0\.7 s)$/,
    );
  });

  it.each([
    ['', 'hangs-early'],
    ['setInterval(() => {}, 50);', 'hangs-busily'],
  ])('that waits for what never comes while it is loaded is refused: %s', async (busy, name) => {
    const dir = folder(name, `${busy} await new Promise(() => {});`);
    // A thread that gets no processor for two seconds, as on a busy machine, cannot say it: then its keeper does.
    expect(await failure(['walkers', '--walkers', dir, '--deadline', '1'])).toMatch(
      /^WALKER_INVALID: .*(mine\.mjs: Error: it had not loaded after 1 s|did not yield and was ended$)/,
    );
  });

  it('that ends its thread while it is loaded is named', async () => {
    const early = folder('exits-early', 'process.exit(0);');
    expect(await failure(['walkers', '--walkers', early])).toBe(
      `WALKER_INVALID: loading ${early} ended its thread`,
    );
  });
});

describe('a folder of walkers that cannot be loaded', () => {
  it('is refused with the file and the reason, by the command too', async () => {
    const dir = folder('broken', 'export const a = 1;\nexport const b = ;\n');
    const said = await failure(['stats', '--walkers', dir]);
    expect(said).toMatch(/^WALKER_INVALID: .*mine\.mjs: SyntaxError: .+ \(line 2\)$/);
    expect(await refused(dir)).toBe(said);
  });

  const broken: readonly (readonly [string, string, RegExp])[] = [
    ['throws', "throw new Error('not today');", /mine\.mjs: Error: not today$/],
    ['exports no walker', 'export const a = 1;', /mine\.mjs: it exports no walker$/],
    ['imports what is not there', "import { nothing } from 'codewalk';", /mine\.mjs: SyntaxError: .*nothing/],
  ];
  it.each(broken)('is refused with the file and the reason when a file %s', async (what, source, message) => {
    const said = await refused(folder(what.replaceAll(' ', '-'), source));
    expect(said).toMatch(/^WALKER_INVALID: /);
    expect(said).toMatch(message);
  });

  it('is refused when it is not there, or empty', async () => {
    expect(await refused('no-such-folder')).toMatch(/^WALKER_INVALID: .*no-such-folder: .*ENOENT/);
    const empty = scratch.write('empty', {});
    expect(await refused(empty)).toBe(`WALKER_INVALID: ${empty}: it holds no .js or .mjs file`);
  });

  it('is refused when it takes the name of a walker', async () => {
    expect(await refused(folder('twin', walker('graph_stats', 'return {}')))).toBe(
      "WALKER_INVALID: graph_stats: the name is one of Codewalk's own",
    );
  });
});

describe('walkers that can be no commands', () => {
  /** The command of a walker with a field. */
  const commandWith = (field: string) => {
    const Odd = defineWalker('odd', { input: { [field]: z.string().optional() }, on: () => [] });
    const signal = new AbortController().signal;
    const session = { terminal: processTerminal(), own: { folders: [], signatures: [] }, signal };
    return walkerCommand(['odd'], signatureOf(Odd), session);
  };

  it.each(['__proto__x', 'a b', 'to_string', '-x'])('since a field cannot be a flag: %s', (field) => {
    const message = `the field '${field}' of 'odd' cannot be a flag`;
    expect(() => commandWith(field)).toThrow(expect.objectContaining({ code: 'WALKER_INVALID', message }));
    expect(commandWith('to_text').helpInformation()).toContain('--to-text');
  });

  it('since there is one of that name are refused', async () => {
    const dir = folder('command', walker('mcp', 'return {}'));
    expect(await failure(['stats', '--walkers', dir])).toBe(
      "WALKER_INVALID: two walkers make the command 'mcp'",
    );
  });
});
