import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ended, Scratch } from './scratch.js';

const scratch = new Scratch();
const src = join(scratch.project, 'src');
afterAll(() => scratch.remove());

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
    const kept = await scratch.run(['export', '--out', out, '--json']);
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

  it('leave an export file as it was when something goes wrong', async () => {
    const out = join(scratch.folder, 'kept.jsonl');
    writeFileSync(out, 'an older export');
    const { code } = await scratch.run(['export', scratch.home, '--out', out]);
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
