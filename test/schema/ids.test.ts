import { describe, expect, it } from 'vitest';
import {
  canonicalId,
  conceptId,
  directoryId,
  fileId,
  ID_FORMS,
  type LocalForm,
  localId,
  PROJECT_ID,
  packageId,
  parseId,
  stubId,
} from '../../schema/index.js';

const LOCAL_FORMS = Object.entries(ID_FORMS)
  .filter(([, parts]) => parts === 'path and name')
  .map(([form]) => form as LocalForm);

const PATHS = [
  'a.ts',
  'src/auth.ts',
  'my docs/a file.py',
  'odd:name/b:c.ts',
  '100%/x.py',
  'ünï/ö.ts',
  'a~2.ts',
  '%3A.ts',
];
const NAMES = [
  'login',
  'Auth.login',
  'GET /users/:id',
  'a test: it adds 50% ~2',
  'trailing~2',
  'trailing~',
  '~Destructor',
  'outer.<anonymous>.inner',
  'two\nlines',
  'ends in ~1',
  '%7E2',
];

describe('ids of the code graph', () => {
  it('read like what they name (S2-05)', () => {
    expect(PROJECT_ID).toBe('project:');
    expect(directoryId('')).toBe('dir:');
    expect(directoryId('src/auth')).toBe('dir:src/auth');
    expect(fileId('src/auth.ts')).toBe('file:src/auth.ts');
    expect(localId('fn', 'src/foo.py', 'bar')).toBe('fn:src/foo.py:bar');
    expect(localId('m', 'src/auth.ts', 'Auth.login')).toBe('m:src/auth.ts:Auth.login');
    expect(localId('import', 'src/auth.ts', './users.js')).toBe('import:src/auth.ts:./users.js');
    expect(packageId('@scope/pkg')).toBe('pkg:@scope/pkg');
    expect(stubId('requests.get')).toBe('sym:requests.get');
    expect(conceptId('todo', 'rate limit: per user')).toBe('concept:todo:rate limit: per user');
  });

  it('number the second definition of a name in a file (X-19)', () => {
    expect(localId('fn', 'a.py', 'f', 1)).toBe('fn:a.py:f');
    expect(localId('fn', 'a.py', 'f', 2)).toBe('fn:a.py:f~2');
    expect(parseId('fn:a.py:f~12')).toMatchObject({ name: 'f', ordinal: 12 });
  });

  it('come back from their parts, whatever colons, spaces or signs the path and name hold', () => {
    for (const form of LOCAL_FORMS)
      for (const path of PATHS)
        for (const name of NAMES)
          for (const ordinal of [1, 2, 37]) {
            const id = localId(form, path, name, ordinal);
            expect(parseId(id), id).toEqual({ form, path, name, ordinal, origin: null });
            expect(canonicalId(id)).toBe(id);
          }
  });

  it('differ whenever their parts differ', () => {
    const ids = PATHS.flatMap((path) =>
      NAMES.flatMap((name) => [1, 2].map((n) => localId('fn', path, name, n))),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('keep a path as it is where nothing follows it', () => {
    for (const path of PATHS) {
      expect(parseId(fileId(path))).toMatchObject({ form: 'file', path, name: null });
      expect(parseId(directoryId(path))).toMatchObject({ form: 'dir', path });
    }
  });

  it('read mod: as file: (X-04)', () => {
    expect(parseId('mod:src/foo.py')).toEqual(parseId('file:src/foo.py'));
    expect(canonicalId('mod:src/foo.py')).toBe('file:src/foo.py');
  });

  it('keep the concepts of indexing and of people apart', () => {
    expect(conceptId('todo', 'login')).not.toBe(conceptId('added', 'login'));
    expect(parseId('concept:added:login: now')).toMatchObject({ origin: 'added', name: 'login: now' });
    expect(canonicalId('concept:added:login: now')).toBe('concept:added:login: now');
  });

  it('are told from other ids', () => {
    for (const id of [
      '',
      'login',
      'fn:',
      'fn:a.py',
      'fn:a.py:',
      'sym:',
      'project:x',
      'task:1',
      'constructor:a:b',
      'concept:x',
    ])
      expect(parseId(id), id).toBeNull();
    expect(canonicalId('01J9ZK')).toBe('01J9ZK');
  });
});
