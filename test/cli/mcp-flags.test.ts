import { describe, expect, it } from 'vitest';
import { plainMcpFlags } from '../../cli/flags.js';

describe('the flags of a plain mcp command line', () => {
  it('are read without the parser of the program', () => {
    expect(plainMcpFlags([])).toEqual({
      profile: ['core'],
      format: 'json',
    });
    const line = '--root=../a --profile core,query --format markdown --deadline 2.5 --force --embedded';
    expect(plainMcpFlags([...line.split(' '), '--home', '/graphs', '--no-progress', '--quiet'])).toEqual({
      profile: ['core', 'query'],
      format: 'markdown',
      force: true,
      embedded: true,
      deadline: 2.5,
      root: '../a',
      home: '/graphs',
      quiet: true,
      'no-progress': true,
    });
  });

  it.each([
    '--help',
    '-h',
    '--version',
    '--prfile core',
    '--profile everything',
    '--profile',
    '--format xml',
    '--deadline soon',
    '--deadline 0',
    'PATH',
    '--root --force',
    '--force=yes',
  ])('are left to the parser where it has something to explain: %s', (line) => {
    expect(plainMcpFlags(line.split(' '))).toBeNull();
  });
});
