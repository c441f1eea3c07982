import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ended, Scratch } from './scratch.js';

const scratch = new Scratch();
const src = join(scratch.project, 'src');
afterAll(() => scratch.remove());

/** Bytes of all files in a folder, at any depth. */
function bytesUnder(folder: string): number {
  const paths = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  const sizes = paths.map((path) => statSync(join(folder, path), { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}

describe('codewalk update', () => {
  it('takes paths as they are where the user stands, and says what came of them', async () => {
    const project = scratch.write('updated', {
      'src/a.ts': 'export const a = 1;\n',
      'src/b.ts': "import { a } from './a';\na;\n",
    });
    await scratch.run(['index', '--quiet'], { cwd: project });
    rmSync(join(project, 'src/a.ts'));
    writeFileSync(join(project, 'src/c.ts'), 'export const c = 1;\n');
    const { code, stdout } = await scratch.run(['update', 'a.ts', 'c.ts', '--json'], {
      cwd: join(project, 'src'),
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      files_updated: 2,
      files_removed: 1,
      symbols_updated: 1,
      scope: 'files',
    });
    const text = await scratch.run(['update', 'src/nowhere.ts'], { cwd: project });
    expect(text.stdout).toMatch(/^Updated 0 files.*\n[\s\S]*src\/nowhere\.ts/);
    const fromRoot = await scratch.run(['update', 'src/b.ts', '--json'], { cwd: join(project, 'src') });
    expect(JSON.parse(fromRoot.stdout)).toMatchObject({ skipped: [] });
    const outside = await scratch.run(['update', '../x.ts'], { cwd: project });
    expect(outside.code).toBe(1);
    expect(outside.stderr).toMatch(/^error PATH_OUTSIDE_ROOT: .*x\.ts/);
  });
});

describe('codewalk index', () => {
  it('says what it found and what to try next', async () => {
    const { code, stdout, stderr } = await scratch.run(['index', '.']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/3 symbols/);
    expect(stdout).toContain('typescript');
    expect(stdout).toContain('Try next:');
    expect(stdout).toMatch(/^ {2}node \S+ context src\/money\.ts$/m);
    expect(stdout).toContain(`mcp --root ${scratch.project}`);
  });

  it('that is interrupted ends with 130; the graph says that it is not whole, and the next run completes it', async () => {
    const interrupted = async (count: number) => {
      const files = Array.from({ length: count }, (_, at) => [
        `f${at}.ts`,
        `export class C${at} { m() { return ${at}; } }\n`,
      ]);
      const project = scratch.write(`many${count}`, Object.fromEntries(files));
      const child = scratch.start(['index', '--json'], { cwd: project });
      const end = ended(child);
      // What is written first says that the graph is not whole, and names every file.
      const before = bytesUnder(scratch.env.GRAPHS_HOME);
      const isBegun = () => bytesUnder(scratch.env.GRAPHS_HOME) > before + 100 * count;
      while (child.exitCode === null && !isBegun()) await new Promise((done) => setTimeout(done, 2));
      child.kill('SIGINT');
      return { project, ...(await end) };
    };
    // On a busy machine it may have ended before anybody looks: then it gets more to do.
    let count = 400;
    let last = await interrupted(count);
    while (last.code === 0) {
      count *= 2;
      last = await interrupted(count);
    }
    const { project, code, stdout } = last;
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ error_code: 'CANCELLED' });
    const stats = JSON.parse((await scratch.run(['stats', '--json'], { cwd: project })).stdout);
    expect(stats).toMatchObject({ complete: false, state: { pending: expect.any(Number) } });
    expect(stats.state.cut[0]).toContain('codewalk index --mode incremental');
    await scratch.run(['index', '--mode', 'incremental'], { cwd: project });
    const after = JSON.parse((await scratch.run(['stats', '--json'], { cwd: project })).stdout);
    expect(after).toMatchObject({ complete: true, state: { pending: 0, cut: [] } });
  });

  it('writes nothing inside the project', async () => {
    await scratch.run(['index', '.']);
    expect(readdirSync(scratch.project).sort()).toEqual(['.gitignore', 'README.md', 'out', 'src']);
  });

  it('answers exactly one JSON document with --json, and what it cost on stderr with --trace', async () => {
    const { code, stdout, stderr } = await scratch.run([
      'index',
      '--mode',
      'incremental',
      '--json',
      '--trace',
    ]);
    expect(code).toBe(0);
    const body = JSON.parse(stdout);
    expect(body).toMatchObject({ files_indexed: 0, files_total: 4, symbols_total: 3 });
    expect(body.state).toMatchObject({ root: scratch.project, cut: [] });
    expect(stderr).toMatch(/^trace: \d+ visits, \d+ round trips, [\d.]+ ms\n$/);
  });

  it('lists with --list what it would take and what not, and why, without a graph', async () => {
    const env = { GRAPHS_HOME: join(scratch.folder, 'no-graphs') };
    const { code, stdout } = await scratch.run(['index', '--list', '--exclude', '*.md'], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^extracted +typescript +src\/shop\.ts$/m);
    expect(stdout).toMatch(/^skipped +gitignored +out\/ +\(.+\)$/m);
    expect(stdout).toMatch(/^skipped +excluded +README\.md/m);
    expect(existsSync(env.GRAPHS_HOME)).toBe(false);

    const json = JSON.parse((await scratch.run(['index', '--list', '--json'], { env })).stdout);
    expect(json.root).toBe(scratch.project);
    expect(json.files).toContainEqual({
      path: 'src/shop.ts',
      decision: 'extracted',
      language: 'typescript',
      reason: null,
      why: '',
    });
  });
});

describe('commands on an indexed project', () => {
  beforeAll(async () => {
    await scratch.run(['index', scratch.project]);
  });

  it('find the project that holds the working directory, and files relative to it', async () => {
    const { code, stdout } = await scratch.run(['context', 'shop.ts', '--json', '--radius', '0'], {
      cwd: src,
    });
    expect(code).toBe(0);
    const { context_pack, state } = JSON.parse(stdout);
    expect(state.root).toBe(scratch.project);
    expect(context_pack.symbols.map(({ name }: { name: string }) => name).sort()).toEqual([
      'Basket',
      'total',
    ]);
  });

  it('take items of JSON one by one or as a list', async () => {
    const line = (start_line: number) => ({ file: 'src/money.ts', start_line, end_line: start_line });
    const summaryOf = async (...ranges: unknown[]) => {
      const given = ranges.flatMap((one) => ['--ranges', JSON.stringify(one)]);
      const args = ['context', 'src/money.ts', '--root', scratch.project, '--json', ...given];
      return JSON.parse((await scratch.run(args)).stdout).context_pack.summary;
    };
    const summary = await summaryOf(line(1000), line(2000));
    expect(summary).toMatch(/Lines 1000-1000 .* were left out.* Lines 2000-2000 .* were left out/);
    expect(await summaryOf([line(1000), line(2000)])).toBe(summary);
  });

  it('take files as paths inside the root where the user stands outside of it', async () => {
    const args = ['context', 'src/money.ts', '--root', scratch.project];
    const { code, stdout } = await scratch.run(args, { cwd: scratch.folder });
    expect(code).toBe(0);
    expect(stdout).toContain('tax');
  });

  it('print text for people and the same body as JSON for programs', async () => {
    const text = await scratch.run(['stats']);
    const json = await scratch.run(['stats', '--json', '--embedded']);
    expect(text.stdout).toContain('typescript');
    expect(JSON.parse(json.stdout).state.root).toBe(scratch.project);
  });

  it('export the same lines to stdout and to a file, which gets its name at the end', async () => {
    const out = join(scratch.folder, 'graph.jsonl');
    writeFileSync(out, 'an older export');
    const shown = await scratch.run(['export']);
    const refused = await scratch.run(['export', '--out', out]);
    expect([refused.code, readFileSync(out, 'utf8')]).toEqual([2, 'an older export']);
    expect(refused.stderr).toContain('--overwrite');
    const kept = await scratch.run(['export', '--out', out, '--overwrite', '--json']);
    expect(shown.code).toBe(0);
    expect(readFileSync(out, 'utf8')).toBe(shown.stdout);
    const lines = shown.stdout.trimEnd().split('\n');
    expect(JSON.parse(kept.stdout)).toEqual({
      file: out,
      lines: lines.length,
      bytes: Buffer.byteLength(shown.stdout),
    });
    expect(lines.map((line) => JSON.parse(line).type)).toContain('edge');
    expect(readdirSync(scratch.folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('print a diagram alone, for a program that draws it, and notes beside', async () => {
    const exported = await scratch.run(['export', '--format', 'dot']);
    expect(exported.stdout).toMatch(/^digraph "codewalk" \{\n[\s\S]*\n\}\n$/);
    const drawn = await scratch.run(['call-graph', 'src/money.ts', '--format', 'graphml']);
    expect(drawn.stdout).toMatch(/^<\?xml [\s\S]*<\/graphml>\n$/);
    const cycles = await scratch.run(['cycles', 'calls', '--format', 'mermaid']);
    expect([cycles.stdout, cycles.stderr]).toEqual(['flowchart LR\n', '']);
    const json = await scratch.run(['cycles', 'calls', '--format', 'mermaid', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ results: { diagram: 'flowchart LR\n' } });
    const wrong = await scratch.run(['export', '--format', 'svg']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('INVALID_INPUT')]);
  });

  it('leave an export file as it was when something goes wrong', async () => {
    const out = join(scratch.folder, 'kept.jsonl');
    writeFileSync(out, 'an older export');
    const { code } = await scratch.run(['export', scratch.home, '--out', out, '--overwrite']);
    expect(code).toBe(1);
    expect(readFileSync(out, 'utf8')).toBe('an older export');
    const nowhere = await scratch.run(['export', '--out', join(scratch.folder, 'none', 'x.jsonl')]);
    expect(nowhere.stderr).toMatch(/^error INVALID_INPUT: The file '.+x\.jsonl' cannot be written/);
  });

  it('are quiet when nobody reads their output any more', async () => {
    const child = scratch.start(['export']);
    const end = ended(child);
    child.stdout.destroy();
    expect(await end).toMatchObject({ code: 0, stderr: '' });
  });

  it('fail in CI, for impact, where more is affected than it may, and prints for a pull request', async () => {
    const all = await scratch.run(['impact', 'tax', '--format', 'github', '--fail-on', '1']);
    expect([all.code, all.stderr]).toEqual([0, '']);
    expect(all.stdout).toContain('| 1 | `Basket.total` | caller | src/shop.ts:4 |');
    const over = await scratch.run(['impact', 'tax', '--fail-on', '5', '--fail-on', 'caller:0']);
    expect([over.code, over.stderr]).toEqual([3, '--fail-on: 1 affected as caller, more than 0\n']);
    expect((await scratch.run(['impact', 'tax', '--fail-on', 'few'])).code).toBe(2);
    const diff = await scratch.run(['tests', '--diff', '--output=stolen']);
    expect([diff.code, diff.stderr]).toEqual([2, expect.stringContaining('no range of revisions')]);
    expect((await scratch.run(['tests', '--files', 'src/shop.ts,src/money.ts'])).stdout).toContain(
      'none are known',
    );
    const task = await scratch.run(['impact', 'task:none']);
    expect([task.code, task.stderr]).toEqual([
      1,
      expect.stringContaining("there is no task or error 'task:none'"),
    ]);
  });

  it('save a pack as Markdown or JSON, never over a file that is there, and only where they are told', async () => {
    const saved = await scratch.run(['pack', 'tax of a price', '--out', 'pack.md']);
    expect(saved.stdout).toMatch(/^Saved \d+ bytes in /u);
    const file = join(scratch.project, 'pack.md');
    expect(readFileSync(file, 'utf8')).toContain('    2: export function tax(price: number): number {');
    const again = await scratch.run(['pack', 'basket', '--out', 'pack.md']);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('is there already');
    expect(readFileSync(file, 'utf8')).toContain('tax of a price');
    const json = await scratch.run(['pack', 'basket', '--out', 'pack.md', '--overwrite', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ file });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      query: 'basket',
      nodes: expect.any(Array),
    });
    const nothing = await scratch.run(['pack', 'basket', '--overwrite']);
    expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining('no --out names a file')]);
    const outside = await scratch.run(['pack', 'basket', '--out', '../pack.md']);
    expect(outside.code).toBe(2);
    expect(outside.stderr).toContain('leads out of the working directory');
  });
});

describe('codewalk walkers', () => {
  it('lists every walker with its access, profile, command and what it does', async () => {
    const { stdout } = await scratch.run(['walkers']);
    expect(stdout).toMatch(/^graph_index_project +steps +core +index +Index a project/m);
    expect(stdout).toMatch(/^graph_export +read +- +export /m);
  });

  it('shows what one of them takes', async () => {
    const { stdout } = await scratch.run(['walkers', 'graph_context_for_files']);
    expect(stdout).toContain('radius (number, default 1)');
    const json = JSON.parse((await scratch.run(['walkers', 'graph-stats', '--json'])).stdout);
    expect(json).toMatchObject({ name: 'graph_stats', command: 'stats', input: { type: 'object' } });
  });

  it('suggests the name that was meant', async () => {
    const { code, stderr } = await scratch.run(['walkers', 'graph_stat']);
    expect(code).toBe(1);
    expect(stderr).toContain('error WALKER_NOT_FOUND');
    expect(stderr).toContain("Did you mean 'graph_stats'?");
  });
});

describe('codewalk completion', () => {
  it('completes commands, those in groups and their flags in bash', async () => {
    const { stdout: script } = await scratch.run(['completion', 'bash']);
    const candidates = (...typed: string[]) => {
      const words = typed.map((word) => `'${word}'`).join(' ');
      const run = `${script}\nCOMP_WORDS=(${words}); COMP_CWORD=${typed.length - 1}; _codewalk; echo "\${COMPREPLY[@]}"`;
      return spawnSync('bash', ['-c', run], { encoding: 'utf8' }).stdout.trim();
    };
    expect(candidates('codewalk', 'call')).toBe('callers call-graph');
    expect(candidates('codewalk', 'memory', 'st')).toBe('store stats');
    expect(candidates('codewalk', '--json', 'callers', '--max-d')).toBe('--max-depth');
    expect(candidates('codewalk', 'completion', 'f')).toBe('fish');
  });

  it('names the shells that it knows', async () => {
    const { code, stderr } = await scratch.run(['completion', 'csh']);
    expect(code).toBe(2);
    expect(stderr).toContain('bash, zsh, fish');
  });
});
