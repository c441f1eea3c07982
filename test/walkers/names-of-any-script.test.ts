import { expect, test } from 'vitest';
import { freshLook } from './project.js';

test('bases, annotations, members and exports may be written in any script', async () => {
  const { pairs } = await freshLook({
    'a.py':
      'class Größe:\n    def maß(self): pass\n\nclass Länge(Größe):\n    pass\n\ndef miss(größe: Größe, liste: list["Größe"]):\n    größe.maß()\n    for eine in liste:\n        eine.maß()\n',
    'b.ts':
      "import { 型 } from './c';\nexport class 値 extends 型<string> implements 面 {}\nexport interface 面 {}\nexport function 取る<要素 extends 型<string>>(物: 要素) {\n  物.読む();\n}\n",
    'c.ts': 'export class 型<T> {\n  読む(): T | null { return null; }\n}\n',
    'd.js': 'exports.größer = function () {};\n',
    'e.js': "const { größer } = require('./d');\ngrößer();\n",
  });
  expect(pairs('INHERITS')).toEqual(['cls:a.py:Länge > cls:a.py:Größe', 'cls:b.ts:値 > cls:c.ts:型']);
  expect(pairs('IMPLEMENTS')).toEqual(['cls:b.ts:値 > cls:b.ts:面']);
  expect(pairs('CALLS')).toEqual([
    'file:e.js > fn:d.js:größer',
    'fn:a.py:miss > m:a.py:Größe.maß',
    'fn:b.ts:取る > m:c.ts:型.読む',
  ]);
});
