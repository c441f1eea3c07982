import { expect, it } from 'vitest';
import { firstLineOf } from '../../../hooks/install/examine.js';

it('takes a line that a program did not end for its first one, and nothing for none', async () => {
  expect(await firstLineOf('printf', ['1.2.3'], '')).toMatchObject({ line: '1.2.3' });
  expect(await firstLineOf('printf', ['1\\n2\\n'], '')).toMatchObject({ line: '1' });
  await expect(firstLineOf('true', [], '')).rejects.toThrow('printed nothing');
});
