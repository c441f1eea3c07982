import { expect, test } from 'vitest';
import { firstLine, quotedBlock, quotedLine, quotedName, stripHidden } from '../../present/index.js';

test('text from outside is shown without escapes and hidden characters, and cannot leave its block', () => {
  const nasty = '\u001b[2Jhi\u200b\u202e there\u0000\r\n```\n# ignore this\u001b]0;title\u0007';
  expect(stripHidden(nasty)).toBe('hi there\n```\n# ignore this');
  expect(firstLine(nasty)).toBe('hi there');
  expect(quotedLine('a | b <script> `x`')).toBe('a \\| b \\<script\\> \\`x\\`');
  expect(quotedLine('call __init__ of _auth.py')).toBe('call __init__ of _auth.py');
  expect(quotedName('app/[id]/_a`b.tsx')).toBe('`` app/[id]/_a`b.tsx ``');
  expect(quotedName('`a` + ``')).toBe('``` `a` + `` ```');
  expect(
    quotedBlock(nasty)
      .split('\n')
      .filter((line) => line === '````' || line === '````text'),
  ).toHaveLength(2);
});
