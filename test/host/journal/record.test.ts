import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseEntry, timeInName } from '../../../host/journal/entry.js';
import { filesIn, RECORDERS, recorded, scratch } from './recorders.js';

const EVENT = '{"kind":"task_start","payload":{"user_prompt":"é \\u0000 \\n"}}\n';

describe.each(Object.entries(RECORDERS))('the recorder in %s', (_, recorder) => {
  it('puts what it was given into the journal, for the user alone, also where there was no home', async () => {
    const home = join(scratch(), 'deep', 'home');
    const before = Date.now() - 1000;
    expect(await recorded(recorder, ['--root', '/p', '--home', home], EVENT)).toEqual({
      code: 0,
      stderr: '',
    });
    const [file] = filesIn(home);
    expect(parseEntry(file?.bytes ?? Buffer.alloc(0))).toEqual({
      client: null,
      place: 'root',
      path: '/p',
      payload: Buffer.from(EVENT),
    });
    const at = timeInName(file?.name ?? '')?.at ?? 0;
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(Date.now());
    expect(statSync(join(home, 'journal', 'new', file?.name ?? '')).mode & 0o777).toBe(0o600);
    for (const folder of [home, join(home, 'journal'), join(home, 'journal/new'), join(home, 'journal/tmp')])
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(home, 'journal', 'tmp'))).toEqual([]);
  });

  it('keeps roots whatever stands in them, and makes them absolute', async () => {
    const home = scratch();
    const cwd = scratch();
    const roots = ['/a\nb"c\'d$e`f\\', '/é ü/日本', '/100%s', 'sub/dir', '/x/'];
    for (const root of roots) await recorded(recorder, [`--root=${root}`, '--home', home], EVENT, { cwd });
    const found = filesIn(home).map(({ bytes }) => parseEntry(bytes));
    expect(new Set(found.map((entry) => typeof entry === 'object' && entry.path))).toEqual(
      new Set(roots.map((root) => (root.startsWith('/') ? root : `${cwd}/${root}`))),
    );
  });

  it("notes the client, and where it stands when no root is given; any bytes are that client's own", async () => {
    const home = scratch();
    const cwd = scratch();
    const bytes = Buffer.from([0, 255, 10, 0, 0]);
    const env = { GRAPHS_HOME: home };
    expect((await recorded(recorder, ['--client', 'qwen'], bytes, { cwd, env })).code).toBe(0);
    const [file] = filesIn(home);
    expect(parseEntry(file?.bytes ?? bytes)).toEqual({
      client: 'qwen',
      place: 'cwd',
      path: cwd,
      payload: bytes,
    });
  });

  it('takes payloads of megabytes', async () => {
    const home = scratch();
    const payload = Buffer.alloc(5_000_000, 'x');
    expect((await recorded(recorder, ['--root', '/p', '--home', home], payload)).code).toBe(0);
    const entry = parseEntry(filesIn(home)[0]?.bytes ?? Buffer.alloc(0));
    expect(typeof entry === 'object' && entry.payload.equals(payload)).toBe(true);
  });

  it.each([
    ['an empty event', [], '', 'standard input is empty'],
    ['a client that cannot be one', ['--client', '../x'], EVENT, "'../x'"],
    ['an option that is none', ['--rot', '/p'], EVENT, "'--rot'"],
    ['an empty root', ['--root', ''], EVENT, '--root is empty'],
    ['an option without its value', ['--root'], EVENT, '--root needs a value'],
  ])('refuses %s with one line, and leaves nothing', async (_what, args, payload, why) => {
    const home = scratch();
    const { code, stderr } = await recorded(recorder, args, payload, { env: { GRAPHS_HOME: home } });
    expect(code).toBe(1);
    expect(stderr).toContain(why);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    if (existsSync(join(home, 'journal')))
      expect([...readdirSync(join(home, 'journal/new')), ...readdirSync(join(home, 'journal/tmp'))]).toEqual(
        [],
      );
  });

  it('fails with one line where it may not write', async () => {
    const file = join(scratch(), 'file');
    writeFileSync(file, '');
    const { code, stderr } = await recorded(recorder, ['--root', '/p', '--home', join(file, 'home')], EVENT);
    expect(code).not.toBe(0);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('records nothing, and says that all is well, while recording is paused', async () => {
    const home = scratch();
    writeFileSync(join(home, 'paused'), '');
    const big = 'x'.repeat(1_000_000);
    expect(await recorded(recorder, ['--root', '/p', '--home', home], big)).toEqual({ code: 0, stderr: '' });
    expect(existsSync(join(home, 'journal'))).toBe(false);
  });

  it('finds the home as all commands do', async () => {
    const userHome = scratch();
    const record = (env: Record<string, string>) => recorded(recorder, ['--root', '/p'], EVENT, { env });
    mkdirSync(join(userHome, '.qwen', 'graphs'), { recursive: true });
    await record({ HOME: userHome });
    expect(filesIn(join(userHome, '.qwen', 'graphs'))).toHaveLength(1);
    mkdirSync(join(userHome, '.graphs'));
    await record({ HOME: userHome });
    expect(filesIn(join(userHome, '.graphs'))).toHaveLength(1);
  });
});

it('never gives two files one name, however many record at once', async () => {
  const home = scratch();
  const all = Object.values(RECORDERS).flatMap((recorder) => Array.from({ length: 10 }, () => recorder));
  await Promise.all(all.map((recorder) => recorded(recorder, ['--root', '/p', '--home', home], EVENT)));
  expect(filesIn(home)).toHaveLength(all.length);
});

describe('the recorder as a hook runs it', () => {
  const SH = RECORDERS.sh;

  it('ends well and without a word whatever happens', async () => {
    const file = join(scratch(), 'file');
    writeFileSync(file, '');
    for (const args of [['--nonsense'], ['--client', 'No Name'], ['--home', join(file, 'home')], ['--root']])
      expect(await recorded(SH, ['--quiet', ...args], EVENT)).toEqual({ code: 0, stderr: '' });
    expect(await recorded(SH, ['--quiet', '--home', scratch()], '')).toEqual({ code: 0, stderr: '' });
  });

  it('leaves out what it is told to leave out', async () => {
    const home = scratch();
    const args = ['--quiet', '--home', home, '--client', 'qwen', '--drop', '"prompt": ?""'];
    for (const payload of ['{"prompt":""}', '{"prompt": ""}', '{"prompt":"a \\"prompt\\":\\"\\""}'])
      await recorded(SH, args, payload);
    expect(filesIn(home)).toHaveLength(1);
    for (const payload of ['{"a":"keep me"}', '{"a":"b"}'])
      await recorded(SH, ['--home', home, '--keep', 'keep me'], payload);
    expect(filesIn(home)).toHaveLength(2);
    expect(readdirSync(join(home, 'journal', 'tmp'))).toEqual([]);
  });

  it('asks for an answer only where it is told to, and records all the same', async () => {
    const folder = scratch();
    copyFileSync(SH[1], join(folder, 'record.sh'));
    writeFileSync(join(folder, 'hook.js'), "require('node:fs').writeFileSync(__dirname + '/asked', 'yes');");
    const asking = ['--quiet', '--home', folder, '--client', 'qwen', '--answer', process.execPath];
    const asked = async (payload: string) => {
      rmSync(join(folder, 'asked'), { force: true });
      await recorded(['sh', join(folder, 'record.sh')], [...asking, '--only', '"tool" *: *"(a|b)"'], payload);
      return existsSync(join(folder, 'asked'));
    };
    expect(await asked('{"tool": "b"}')).toBe(true);
    expect(await asked('{"tool":"c","text":"\\"tool\\":\\"a\\""}')).toBe(false);
    expect(filesIn(folder)).toHaveLength(2);
  });

  it('hands the deadline that it is given to what answers', async () => {
    const folder = scratch();
    copyFileSync(SH[1], join(folder, 'record.sh'));
    writeFileSync(
      join(folder, 'hook.js'),
      "require('node:fs').writeFileSync(__dirname + '/asked', process.argv.join('\\n'));",
    );
    const asking = ['--quiet', '--home', folder, '--client', 'qwen', '--answer', process.execPath];
    await recorded(['sh', join(folder, 'record.sh')], [...asking, '--deadline', '250'], EVENT);
    expect(readFileSync(join(folder, 'asked'), 'utf8').split('\n')).toContain('--deadline=250');
  });

  it('finds the project from the folder that it is told', async () => {
    const home = scratch();
    await recorded(SH, ['--home', home, '--client', 'qwen', '--cwd', '/some where'], EVENT);
    const [file] = filesIn(home);
    expect(parseEntry(file?.bytes ?? Buffer.alloc(0))).toMatchObject({ place: 'cwd', path: '/some where' });
    const cwd = scratch();
    const other = scratch();
    await recorded(SH, ['--home', other, '--client', 'claude', '--cwd', ''], EVENT, { cwd });
    expect(parseEntry(filesIn(other)[0]?.bytes ?? Buffer.alloc(0))).toMatchObject({ path: cwd });
  });
});
