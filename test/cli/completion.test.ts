import { spawnSync } from 'node:child_process';
import { afterAll, describe, expect, it } from 'vitest';
import { Scratch } from './scratch.js';

const scratch = new Scratch();
afterAll(() => scratch.remove());

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
