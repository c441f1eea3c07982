import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { CLI } from '../cli/scratch.js';

/*
 * Homes that cannot be written. A disk of two megabytes is mounted where nobody else sees it, which takes Linux and the
 * right to; where that is not given, the tests that need it are shown as not run.
 */

const LIBRARY = fileURLToPath(new URL('../../dist/index.js', import.meta.url));
const RECORDER = fileURLToPath(new URL('../../dist/record.sh', import.meta.url));
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'codewalk-disk-')));
const root = join(folder, 'shop');
mkdirSync(root);
writeFileSync(join(root, 'package.json'), '{"name": "shop"}');
writeFileSync(join(root, 'money.ts'), 'export const vat = 19;\n');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const canMount =
  spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', folder], { stdio: 'ignore' }).status === 0;
let made = 0;

/** Runs a script of the shell with a small disk at `$DISK`, and graphs kept on it; what it printed, line by line. */
function onSmallDisk(script: string): string[] {
  const disk = join(folder, `disk-${++made}`);
  mkdirSync(disk);
  const setUp = `mount -t tmpfs -o size=2m tmpfs "$DISK" && mkdir -m 700 "$GRAPHS_HOME" || exit 9
fill() { cat /dev/zero > "$DISK/full" 2> /dev/null; }
codewalk() { '${process.execPath}' '${CLI}' "$@" 2>&1; }
log() { codewalk log error --root '${root}' --event-id "$1" --ts 1767225600000 --payload "{\\"error_type\\":\\"tool_error\\",\\"message\\":\\"$1\\"}" --json | grep -o '"error_code":"[A-Z_]*"' || echo logged; }
`;
  const { status, stdout, stderr } = spawnSync('unshare', ['-rm', 'sh', '-c', `${setUp}${script}`], {
    encoding: 'utf8',
    cwd: root,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      DISK: disk,
      GRAPHS_HOME: join(disk, 'graphs'),
      NO_COLOR: '1',
    },
  });
  expect(status, stderr).toBe(0);
  return stdout.trim().split('\n');
}

describe.runIf(canMount)('a disk that is full', () => {
  it('costs nothing that was acknowledged, not even after it had room again and everything was killed', () => {
    const child = join(folder, 'child.mjs');
    writeFileSync(
      child,
      `import { openGraph } from '${LIBRARY}';
import { rmSync, writeFileSync } from 'node:fs';
const graph = await openGraph('${root}', { home: process.env.GRAPHS_HOME });
const log = async (message) => {
  const payload = { error_type: 'tool_error', message };
  const told = { kind: 'error', payload, session_id: 'one', event_id: message };
  const failed = await graph.spawn('etg_log_event', null, told).then(() => null, (error) => error.code);
  console.log(message.slice(0, 20), failed ?? 'logged');
};
await log('before');
const full = process.env.DISK + '/full';
try { for (let size = 65536; ; size += 65536) writeFileSync(full, new Uint8Array(size)); } catch {}
for (let i = 0; i < 4; i++) await log('meanwhile ' + i + 'x'.repeat(9000));
console.log('asked', (await graph.spawn('tasks')).output.tasks.length);
rmSync(full);
for (let i = 0; i < 3; i++) await log('after ' + i);
process.kill(process.pid, 'SIGKILL');
`,
    );
    const said = onSmallDisk(`'${process.execPath}' '${child}'
codewalk export --layer durable --root '${root}' | grep -o '"message":"[^x"]*'
codewalk stop > /dev/null; true`);
    const kept = said.filter((line) => line.startsWith('"message"')).sort();
    expect(said.filter((line) => /^meanwhile/.test(line)).at(-1)).toMatch(/STORE_FULL$/);
    expect(said).toContain('asked 1');
    expect(said.filter((line) => / logged$/.test(line)).length).toBe(kept.length);
    expect(kept.slice(-4)).toEqual(
      ['"message":"after 0', '"message":"after 1', '"message":"after 2', '"message":"before'].sort(),
    );
  });

  it('is told of as STORE_FULL, and the same command works when it has room again', () => {
    const said = onSmallDisk(`log before
fill; for event in a b c; do log "$event"; done | sort | uniq
rm "$DISK/full"; log after
codewalk export --layer durable --root '${root}' | grep -o '"message":"[a-z]*'
codewalk stop > /dev/null; true`);
    expect(said).toContain('"error_code":"STORE_FULL"');
    expect(said).toContain('"message":"before');
    expect(said).toContain('"message":"after');
    expect(said.filter((line) => line.startsWith('"error_code"'))).toEqual(['"error_code":"STORE_FULL"']);
  });

  it('is no acknowledgement of a recorder', () => {
    const [first, second] = onSmallDisk(`fill
head -c 100000 /dev/zero | tr '\\\\0' x | sh '${RECORDER}' --root '${root}' 2> /dev/null; echo "$?"
find "$GRAPHS_HOME" -path '*/new/*' | wc -l`);
    expect([first, second?.trim()]).toEqual(['1', '0']);
  });
});

describe.runIf(canMount)('a disk that can only be read', () => {
  it('is told of as STORE_FULL by whatever needs a graph', () => {
    const said = onSmallDisk(`codewalk index --quiet '${root}'; codewalk stop > /dev/null; sleep 1
mount -o remount,ro "$DISK"
codewalk stats --root '${root}' --json | grep -o '"error_code":"[A-Z_]*"'
log event
echo '{"kind":"task_end","payload":{"status":"success"}}' | sh '${RECORDER}' --root '${root}' 2> /dev/null; echo "record $?"`);
    expect(said.slice(-3)).toEqual(['"error_code":"STORE_FULL"', '"error_code":"STORE_FULL"', 'record 1']);
  });
});

describe('a home', () => {
  const env = (home: string) => ({ PATH: process.env.PATH ?? '', HOME: folder, GRAPHS_HOME: home });
  const codewalk = (home: string, args: readonly string[]) =>
    spawnSync(process.execPath, [CLI, ...args], { encoding: 'utf8', cwd: root, env: env(home) });

  it('that is a file is refused, by commands and recorders, and left as it is', () => {
    const home = join(folder, 'a-file');
    writeFileSync(home, 'mine');
    const { status, stdout } = codewalk(home, ['index', '--json']);
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      error_code: 'STORE_FULL',
      error: expect.stringContaining(home),
    });
    const input = '{"kind":"task_end","payload":{"status":"success"}}';
    const recorded = spawnSync('sh', [RECORDER, '--root', root], { input, encoding: 'utf8', env: env(home) });
    expect(recorded.status).toBe(1);
    expect(recorded.stdout).toBe('');
  });

  it('that lies 200 characters deep works like any other', () => {
    const home = join(folder, 'deep'.repeat(15), 'er'.repeat(30), 'still '.repeat(20));
    expect(home.length).toBeGreaterThan(200);
    expect(codewalk(home, ['index', '--quiet'])).toMatchObject({ status: 0, stderr: '' });
    const { status, stdout } = codewalk(home, ['stats', '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout).state.root).toBe(root);
    expect(readdirSync(home).length).toBeGreaterThan(0);
    codewalk(home, ['stop']);
  });
});
