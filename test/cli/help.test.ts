import { afterAll, describe, expect, it } from 'vitest';
import { Scratch } from './scratch.js';

const scratch = new Scratch();
afterAll(() => scratch.remove());

describe('the help of the command line', () => {
  it('lists a command for every walker that has one, and the two that are no walkers', async () => {
    const { code, stdout } = await scratch.run(['--help']);
    expect(code).toBe(0);
    for (const name of ['index', 'context', 'stats', 'export', 'walkers', 'mcp'])
      expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
  });

  it('fits 80 columns, and says of each command what it takes and the first sentence of what it does', async () => {
    const { stdout } = await scratch.run(['--help']);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).toMatch(
      /^ {2}log <KIND> \[TEXT\.\.\.\] +Record your work: tasks, steps, tools, errors\.\n/m,
    );
    expect(stdout).toMatch(/^ {2}attempts <QUERY> +Has this been tried, or failed, before\?\n/m);
    expect(stdout).not.toContain('codewalk uninstall takes it back');
  });

  it('of a group says what it is for and leaves room for what its commands do; no field is described by nothing', async () => {
    const { stdout } = await scratch.run(['memory', '--help']);
    expect(stdout).toContain('What is worth knowing next time');
    expect(stdout).toMatch(/^ {2}link <FROM_MEMORY_ID> \.\.\. +Relate one memory to another: a fix SOLVES/m);
    const store = await scratch.run(['memory', 'store', '--help']);
    expect(store.stdout).toMatch(/TITLE +It in a line; -: from stdin/);
    expect(store.stdout).not.toMatch(/ ; -/);
  });

  it('of a command is made from the input schema of its walker', async () => {
    const { code, stdout } = await scratch.run(['context', '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('context [options] <FILE_PATHS...>');
    expect(stdout).toMatch(/--radius <number> +Hops to neighbour symbols \(0 to 5\) \(default: 1\)/);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'Lines about to change: {"file": "src/auth.ts", "start_line": 3, "end_line": 9}; -: from stdin',
    );
    expect(stdout).toContain('codewalk context src/auth.ts --radius 0');
    expect(stdout).toContain('--trace');
  });

  it('shows choices, and a project folder where nothing else is required', async () => {
    const { stdout } = await scratch.run(['index', '--help']);
    expect(stdout).toContain('index [options] [PATH]');
    expect(stdout).toMatch(/choices: "full",\s+"incremental"/);
  });

  it('says what is read from stdin', async () => {
    const { stdout } = await scratch.run(['log', '--help']);
    expect(stdout).toMatch(/--payload <json> +JSON text; -: from stdin/);
  });

  it('is what a bare command gets, on stderr', async () => {
    const { code, stdout, stderr } = await scratch.run([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Usage: codewalk');
  });

  it('has a version', async () => {
    const { code, stdout } = await scratch.run(['--version']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('a wrong command line', () => {
  it('of help says which command there is not, and what may have been meant', async () => {
    const { code, stdout, stderr } = await scratch.run(['help', 'memory', 'lnk']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(
      "error INVALID_INPUT: unknown command 'memory lnk'\nsuggestion: Did you mean 'link'?",
    );
    expect((await scratch.run(['help', 'memory', 'link'])).stdout).toContain('Usage: codewalk memory link');
  });

  it('suggests the command that was meant and exits with 2', async () => {
    const { code, stdout, stderr } = await scratch.run(['idnex']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe("error INVALID_INPUT: unknown command 'idnex'\nsuggestion: Did you mean index?\n");
  });

  it('suggests the flag that was meant, as JSON when JSON was asked for', async () => {
    const { code, stdout, stderr } = await scratch.run(['stats', '--jsn', '--json']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      error: "unknown option '--jsn'",
      error_code: 'INVALID_INPUT',
      suggestion: 'Did you mean --json?',
      provided_input: ['stats', '--jsn', '--json'],
    });
  });

  it('is told which value a flag does not take', async () => {
    const { code, stderr } = await scratch.run(['index', '--mode', 'quick']);
    expect(code).toBe(2);
    expect(stderr).toContain("argument 'quick' is invalid");
    expect(stderr).toContain('full, incremental');
  });

  it('is refused by the schema of the walker where the parser cannot know', async () => {
    const { code, stderr } = await scratch.run(['context', 'src/shop.ts', '--radius', '9']);
    expect(code).toBe(2);
    expect(stderr).toContain('error INVALID_INPUT: --radius');
  });

  it('misses what is required', async () => {
    const { code, stderr } = await scratch.run(['context']);
    expect(code).toBe(2);
    expect(stderr).toContain("missing required argument 'FILE_PATHS'");
  });
});
