import { expect, test } from 'vitest';
import { diskFileSystem } from '../../source/file-system.js';
import { remembering } from '../../source/index.js';

test('a remembering file system reads a directory once, and asks again for what failed', () => {
  const asked: string[] = [];
  const fs = remembering({
    ...diskFileSystem,
    readDirectory: (path) => {
      asked.push(path);
      if (asked.length === 1) throw new Error('busy');
      return [{ name: 'a.ts', kind: 'file' }];
    },
  });
  expect(() => fs.readDirectory('/p')).toThrow('busy');
  expect(fs.readDirectory('/p')).toEqual([{ name: 'a.ts', kind: 'file' }]);
  expect(fs.readDirectory('/p')).toHaveLength(1);
  expect(asked).toEqual(['/p', '/p']);
});
