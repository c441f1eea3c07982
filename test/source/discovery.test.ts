import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../schema/index.js';
import {
  DISCOVERY_LIMITS,
  type DiscoverOptions,
  discover,
  listing,
  readText,
  SKIP_REASONS,
  VENDORED_FOLDERS,
} from '../../source/discovery/index.js';
import { diskFileSystem, type FileSystem } from '../../source/file-system.js';
import { gitIndex, memoryFileSystem, systemError, type TreeContent, tree } from './trees.js';

const languageOf = (path: string) => (path.endsWith('.ts') ? { name: 'typescript' } : null);

const run = (root: string, options: Partial<DiscoverOptions> = {}) =>
  discover(root, { languageOf, ...options });

const taken = async (content: Record<string, TreeContent>, options: Partial<DiscoverOptions> = {}) =>
  (await run(tree(content), options)).files.map(({ path }) => path);

/** What it skips, as path → `reason detail`. */
const skippedOf = async (root: string, options: Partial<DiscoverOptions> = {}) =>
  Object.fromEntries(
    (await run(root, options)).skipped.map(({ path, reason, detail }) => [
      path,
      `${reason} ${detail}`.trimEnd(),
    ]),
  );
const skipped = (content: Record<string, TreeContent>, options: Partial<DiscoverOptions> = {}) =>
  skippedOf(tree(content), options);

/** Secret files are never opened, whatever is included. */
const SECRETS =
  '.env .env.local a/PROD.ENV server.pem a/b.key id_rsa .npmrc .netrc credentials.json a/google.credentials.json service-account.json a/service-account-prod.json service_account.json'.split(
    ' ',
  );
const LONG = 'let a=1;'.repeat(8000);

/** One project: each path with what it holds, or a folder with a file in it, and the language or why it is left out. */
const PROJECT: readonly (readonly [path: string, content: string | Uint8Array, decision: string])[] = [
  ['src/a.ts', 'let a', 'typescript'],
  ['README.md', '# A', 'markdown (language)'],
  ['a.py', 'a = 1', 'python (language)'],
  ['run', '#!/bin/sh\n', 'shell (language)'],
  ['notes', '', 'text (language)'],
  // Folders of tools, at every level; those with names that people use too need evidence beside or in them.
  ...Object.entries(VENDORED_FOLDERS)
    .filter(([, evidence]) => evidence === 'always')
    .map(([name]) => [`deep/${name}/`, 'x.ts', `vendored ${name}`] as const),
  ['graphs/', '.codewalk-home', 'vendored holds .codewalk-home'],
  ['.git/', 'config', 'git'],
  ['build/a.ts', '', 'typescript'],
  ['target/a.ts', '', 'typescript'],
  ['vendor/a.ts', '', 'typescript'],
  ['rust/Cargo.toml', '', 'toml (language)'],
  ['rust/target/', 'a.rs', 'vendored target beside Cargo.toml'],
  ['go/go.mod', '', 'go-module (language)'],
  ['go/vendor/', 'a.go', 'vendored vendor beside go.mod'],
  ['py/setup.py', '', 'python (language)'],
  ['py/build/', 'a.py', 'vendored build beside setup.py'],
  ['my-env/', 'pyvenv.cfg', 'vendored holds pyvenv.cfg'],
  ['tmp/x/', 'CACHEDIR.TAG', 'vendored holds CACHEDIR.TAG'],
  ...SECRETS.map((path) => [path, 'TOKEN=x', 'secret'] as const),
  ['.ssh/', 'config', 'secret'],
  // Examples and public halves of secrets.
  ['.env.example', '', 'dotenv (language)'],
  ['.env.sample', '', 'dotenv (language)'],
  ['.env.template', '', 'dotenv (language)'],
  ['credentials.example.json', '', 'json (language)'],
  ['credentials.ts', '', 'typescript'],
  ['env.ts', '', 'typescript'],
  ['environment', '', 'text (language)'],
  ['id_rsa.pub', '', 'text (language)'],
  ['keys.ts', '', 'typescript'],
  // Binary by ending, or by a NUL near the start.
  ['a.png', 'text', 'binary .png'],
  ['A.PNG', '', 'binary .png'],
  ['png', 'text', 'text (language)'],
  ['video.ts', 'G\0\0', 'binary NUL at byte 1'],
  ['far.ts', `${'a'.repeat(DISCOVERY_LIMITS.binaryProbeBytes)}\0`, 'typescript'],
  ['wide.ts', Buffer.from('\ufefflet a', 'utf16le'), 'not-utf8 UTF-16LE'],
  ['jquery.min.ts', 'a', 'typescript (minified)'],
  ['bundle.ts', `/* licence */\n${LONG}\n`, 'typescript (minified)'],
  ['small.ts', 'let a=1;'.repeat(1000), 'typescript'],
  ['ordinary.ts', 'let a = 1;\n'.repeat(8000), 'typescript'],
  ['data.json', LONG, 'json (language)'],
];

describe('a project', () => {
  it.each([[undefined], [['**', ...SECRETS, '.ssh']]])(
    'is decided path by path (included: %s)',
    async (include) => {
      const root = tree(
        Object.fromEntries(
          PROJECT.map(([path, content]) =>
            path.endsWith('/') ? [`${path}${content}`, ''] : [path, content],
          ),
        ),
      );
      const opened: string[] = [];
      const fs: FileSystem = {
        ...diskFileSystem,
        readBytes: (path, maxBytes) => {
          opened.push(path.slice(root.length + 1));
          return diskFileSystem.readBytes(path, maxBytes);
        },
      };
      const { files, skipped: left } = await run(root, include ? { fs, include } : { fs });
      const decided = [
        ...files.map(({ path, language, plain }) => [path, plain ? `${language} (${plain})` : language]),
        ...left.map(({ path, reason, detail }) => [
          path,
          reason === 'secret' ? reason : `${reason} ${detail}`.trim(),
        ]),
      ];
      expect(Object.fromEntries(decided)).toEqual(
        Object.fromEntries(PROJECT.map(([path, , decision]) => [path, decision])),
      );
      expect(opened.filter((path) => SECRETS.includes(path) || path.startsWith('.ssh'))).toEqual([]);
      expect(files.find(({ path }) => path === 'src/a.ts')).toMatchObject({
        diskPath: join(root, 'src/a.ts'),
        size: 5,
        extracted: true,
      });
    },
  );
});

describe('what is taken', () => {
  it('does not depend on the order of listings, and is sorted by path', async () => {
    const root = tree({
      'b/z.ts': '',
      'b/a.ts': '',
      'a.ts': '',
      'a/b.ts': '',
      'a-b.ts': '',
      'x/.gitignore': '*.js',
    });
    const straight = await run(root);
    expect(straight.files.map(({ path }) => path)).toEqual([
      'a-b.ts',
      'a.ts',
      'a/b.ts',
      'b/a.ts',
      'b/z.ts',
      'x/.gitignore',
    ]);
    for (const turn of [1, 2, 3]) {
      const fs: FileSystem = {
        ...diskFileSystem,
        readDirectory: (path) => {
          const entries = diskFileSystem.readDirectory(path);
          return [...entries.slice(turn), ...entries.slice(0, turn)].reverse();
        },
      };
      expect(await run(root, { fs })).toEqual(straight);
    }
  });

  it('is the same with and without .git, and under another folder name', async () => {
    const content = { 'src/a.ts': '', 'b.log': '', '.gitignore': '*.log' };
    const rows = async (files: Record<string, string>) =>
      listing(await run(tree(files))).filter(({ path }) => !path.startsWith('.git/') && path !== '.git');
    expect(await rows({ ...content, '.git': 'gitdir: /nowhere/.git/worktrees/x\n' })).toEqual(
      await rows(content),
    );
    expect(await rows({ ...content, '.git/HEAD': 'ref: refs/heads/main\n' })).toEqual(await rows(content));
  });

  it('is listed with what is skipped, one row each, with a sentence', async () => {
    const root = tree({ 'a.ts': '', 'b.md': '', 'c.png': '', 'node_modules/x/y.js': '' });
    expect(listing(await run(root))).toEqual([
      { path: 'a.ts', decision: 'extracted', language: 'typescript', reason: null, why: '' },
      {
        path: 'b.md',
        decision: 'plain',
        language: 'markdown',
        reason: 'language',
        why: 'No extractor for this language.',
      },
      {
        path: 'c.png',
        decision: 'skipped',
        language: null,
        reason: 'binary',
        why: `${SKIP_REASONS.binary} (.png)`,
      },
      {
        path: 'node_modules/',
        decision: 'skipped',
        language: null,
        reason: 'vendored',
        why: `${SKIP_REASONS.vendored} (node_modules)`,
      },
    ]);
  });
});

describe('vendored and generated folders', () => {
  it('come back when an include glob names them, .git never', async () => {
    const content = { 'a.ts': '', 'node_modules/x/a.ts': '', 'node_modules/y/a.ts': '', '.git/a.ts': '' };
    expect(await taken(content, { include: ['*.ts'] })).toEqual(['a.ts']);
    expect(await taken(content, { include: ['node_modules/x', '.git/**'] })).toEqual(['node_modules/x/a.ts']);
    expect(await taken(content, { include: ['**/node_modules/**/*.ts'] })).toEqual([
      'node_modules/x/a.ts',
      'node_modules/y/a.ts',
    ]);
  });

  it('include a second checkout of a repository, but not a submodule', async () => {
    expect(
      await skipped({
        'trees/one/.git': 'gitdir: /repo/.git/worktrees/one\n',
        'trees/one/a.ts': '',
        'sub/.git': 'gitdir: ../.git/modules/sub\n',
        'sub/a.ts': '',
      }),
    ).toEqual({ 'trees/one/': 'nested-worktree', 'sub/.git': 'git' });
  });
});

describe('.gitignore', () => {
  /** Each case: the ignore files, the other files, and which of these are left. */
  const cases: [what: string, ignore: Record<string, string>, files: string[], left: string[]][] = [
    [
      'a bare name matches at every level',
      { '.gitignore': 'x.ts' },
      ['x.ts', 'a/x.ts', 'a/y.ts'],
      ['a/y.ts'],
    ],
    ['a leading slash anchors', { '.gitignore': '/x.ts' }, ['x.ts', 'a/x.ts'], ['a/x.ts']],
    ['a slash in the middle anchors', { '.gitignore': 'a/x.ts' }, ['a/x.ts', 'b/a/x.ts'], ['b/a/x.ts']],
    ['a trailing slash matches folders only', { '.gitignore': 'x/' }, ['x/a.ts', 'b/x'], ['b/x']],
    ['* does not cross a slash', { '.gitignore': '/a/*.ts' }, ['a/x.ts', 'a/b/x.ts'], ['a/b/x.ts']],
    ['a leading **/ matches at every level', { '.gitignore': '**/a/x' }, ['a/x', 'b/a/x', 'b/x'], ['b/x']],
    ['a trailing /** matches everything beneath', { '.gitignore': 'a/**' }, ['a/b/c', 'b/a'], ['b/a']],
    ['/**/ matches any number of folders', { '.gitignore': 'a/**/x' }, ['a/x', 'a/b/c/x', 'a/y'], ['a/y']],
    ['? and [a-c] match one character', { '.gitignore': '?.ts\n[a-c]x' }, ['a.ts', 'bx', 'dx'], ['dx']],
    ['\\# and \\! are plain characters', { '.gitignore': '\\#a\n\\!b' }, ['#a', '!b', 'c'], ['c']],
    ['# begins a comment', { '.gitignore': '# a\n#b' }, ['#b', 'a'], ['#b', 'a']],
    ['trailing spaces do not count unless escaped', { '.gitignore': 'a  \nb\\ ' }, ['a', 'b', 'b '], ['b']],
    ['CRLF and a byte-order mark are fine', { '.gitignore': '\ufeffa\r\nb/\r\n' }, ['a', 'b/x', 'c'], ['c']],
    ['a later rule takes back', { '.gitignore': '*.ts\n!b.ts' }, ['a.ts', 'b.ts'], ['b.ts']],
    [
      'nothing comes back under an excluded folder',
      { '.gitignore': 'a/\n!a/b.ts', 'a/.gitignore': '!*' },
      ['a/b.ts', 'c'],
      ['c'],
    ],
    ['but under /a/* it does', { '.gitignore': 'a/*\n!a/b.ts' }, ['a/b.ts', 'a/c.ts'], ['a/b.ts']],
    [
      'the inner file wins',
      { '.gitignore': '*.ts', 'a/.gitignore': '!b.ts' },
      ['b.ts', 'a/b.ts'],
      ['a/b.ts'],
    ],
    [
      'the inner file is anchored to its folder',
      { 'a/.gitignore': '/x' },
      ['x', 'a/x', 'a/b/x'],
      ['x', 'a/b/x'],
    ],
    [
      'a folder that the inner file takes back is whole again',
      { '.gitignore': 'out/', 'a/.gitignore': '!out/' },
      ['a/out/b/c.ts', 'a/out/d.ts', 'out/e.ts'],
      ['a/out/b/c.ts', 'a/out/d.ts'],
    ],
    [
      'but the outer file still excludes what it matches in there',
      { '.gitignore': 'out/\n*.log', 'a/.gitignore': '!out/' },
      ['a/out/b.ts', 'a/out/c.log'],
      ['a/out/b.ts'],
    ],
    ['case matters', { '.gitignore': 'README' }, ['readme', 'b/README'], ['readme']],
    ['names are compared composed', { '.gitignore': 'caf\u00e9' }, ['cafe\u0301', 'b'], ['b']],
  ];

  it.each(cases)('%s', async (_what, ignore, files, left) => {
    const content = { ...ignore, ...Object.fromEntries(files.map((path) => [path, ''])) };
    const found = (await taken(content)).filter((path) => !path.endsWith('.gitignore'));
    expect(found).toEqual([...left].sort());
  });

  it('is named with its rule; a folder is one row', async () => {
    expect(await skipped({ 'a/.gitignore': '# mine\ngen/\n*.log', 'a/gen/b.ts': '', 'a/c.log': '' })).toEqual(
      {
        'a/c.log': 'gitignored a/.gitignore: *.log',
        'a/gen/': 'gitignored a/.gitignore: gen/',
      },
    );
  });

  it('has .git/info/exclude behind it, also from a linked worktree', async () => {
    const content = { '.git/info/exclude': '*.log\n*.tmp', '.gitignore': '!b.log', 'a.log': '', 'b.log': '' };
    expect(await taken(content)).toEqual(['.gitignore', 'b.log']);
    const top = tree({
      'main/.git/info/exclude': '*.log',
      'main/.git/worktrees/two/commondir': '../..\n',
      'main/.git/worktrees/two/gitdir': '../../../../two/.git\n',
      'two/.git': 'gitdir: ../main/.git/worktrees/two\n',
      'two/a.log': '',
      'two/a.ts': '',
    });
    expect(await skippedOf(join(top, 'two'))).toMatchObject({
      'a.log': 'gitignored .git/info/exclude: *.log',
    });
  });

  it('holds from the git top level down to a root inside the work tree', async () => {
    const top = tree({
      '.git/HEAD': '',
      '.gitignore': '*.log\n/packages/app/gen',
      'packages/.gitignore': '/app/local/\n!keep.log',
      'packages/app/a.ts': '',
      'packages/app/a.log': '',
      'packages/app/keep.log': '',
      'packages/app/gen/b.ts': '',
      'packages/app/local/c.ts': '',
    });
    const found = await run(join(top, 'packages/app'));
    expect(found.files.map(({ path }) => path)).toEqual(['a.ts', 'keep.log']);
    expect(found.skipped.map(({ path, detail }) => [path, detail])).toEqual([
      ['a.log', '../../.gitignore: *.log'],
      ['gen/', '../../.gitignore: /packages/app/gen'],
      ['local/', '../.gitignore: /app/local/'],
    ]);
  });

  it('does not empty a root that it excludes as a whole: somebody pointed at it', async () => {
    const top = tree({ '.git/HEAD': '', '.gitignore': '/scratch/', 'scratch/repo/a.ts': '' });
    expect((await run(join(top, 'scratch/repo'))).files.map(({ path }) => path)).toEqual(['a.ts']);
  });

  it('is not followed when it is a link, as in git', async () => {
    expect(await taken({ rules: '*.ts', '.gitignore': { link: 'rules' }, 'a.ts': '' })).toEqual([
      'a.ts',
      'rules',
    ]);
  });

  it('hides nothing that git tracks, but for secrets and binary files', async () => {
    const tracked = ['gen/a/1.ts', 'gen/.env', 'gen/b.png', 'app/package.json', 'sub'];
    const content = {
      '.gitignore': 'gen/\npackage.json\nsub/',
      '.git/index': gitIndex(2, tracked),
      'gen/a/1.ts': '',
      'gen/a/2.ts': '',
      'gen/c/3.ts': '',
      'gen/.env': 'A=1',
      'gen/b.png': '',
      'app/package.json': '{}',
      'lib/package.json': '{}',
      'sub/1.ts': '',
    };
    expect(await taken(content)).toEqual(['.gitignore', 'app/package.json', 'gen/a/1.ts']);
    expect(await skipped(content)).toMatchObject({
      'gen/a/2.ts': 'gitignored .gitignore: gen/',
      'gen/c/': 'gitignored .gitignore: gen/',
      'gen/.env': 'secret .env',
      'lib/package.json': 'gitignored .gitignore: package.json',
    });
    const fourth = { ...content, '.git/index': gitIndex(4, tracked) };
    expect(await taken(fourth)).toEqual(['.gitignore', 'app/package.json', 'gen/a/1.ts']);
    expect(await taken({ ...content, '.git/index': 'DIRC and no index' })).toEqual(['.gitignore']);
  });

  it('hides nothing that git tracks in a root inside the work tree', async () => {
    const index = gitIndex(2, ['app/gen/1.ts', 'gen/2.ts']);
    const top = tree({ '.git/index': index, '.gitignore': 'gen/', 'app/gen/1.ts': '', 'app/gen/2.ts': '' });
    expect((await run(join(top, 'app'))).files.map(({ path }) => path)).toEqual(['gen/1.ts']);
  });

  it('decides as git itself does, where git is installed', async () => {
    const content = {
      '.gitignore': 'a/\n!b/a/\n*.log\n!/keep.log\n/x/*\n!/x/y/\n',
      'b/.gitignore': '!a/\n/a/*.ts\n',
      'a/1.ts': '',
      'b/a/1.ts': '',
      'b/a/2.md': '',
      'b/c/a/1.ts': '',
      'keep.log': '',
      'b/keep.log': '',
      'x/y/1.ts': '',
      'x/z/1.ts': '',
      'x/1.ts': '',
    };
    const root = tree(content);
    let listed: string;
    try {
      execFileSync('git', ['init', '-q', root]);
      const options = ['-c', 'core.excludesFile=', '-C', root, 'ls-files', '-oz', '--exclude-standard'];
      listed = execFileSync('git', options, { encoding: 'utf8' });
    } catch {
      // What git answered where it was there.
      listed = ['.gitignore', 'b/.gitignore', 'b/a/2.md', 'b/c/a/1.ts', 'keep.log', 'x/y/1.ts'].join('\0');
    }
    const found = (await run(root)).files.map(({ path }) => path);
    expect(found).toEqual(listed.split('\0').filter(Boolean).sort());
  });
});

describe('.codewalkignore', () => {
  it('has the same syntax at every level and can only exclude', async () => {
    const content = {
      '.gitignore': '*.log',
      '.codewalkignore': '*.md\n!a.log\n!.env\n!node_modules/\n',
      'docs/.codewalkignore': '!keep.md',
      'a.log': '',
      '.env': '',
      'a.md': '',
      'docs/keep.md': '',
      'node_modules/a.ts': '',
    };
    expect(await taken(content)).toEqual([
      '.codewalkignore',
      '.gitignore',
      'docs/.codewalkignore',
      'docs/keep.md',
    ]);
    expect(await skipped(content)).toMatchObject({ 'a.md': 'codewalkignored .codewalkignore: *.md' });
  });
});

describe('globs', () => {
  const content = { 'a.ts': '', 'src/a.ts': '', 'src/a.js': '', 'src/gen/b.ts': '', 'docs/a.md': '' };

  it('of exclude leave out files and whole folders', async () => {
    const exclude = ['gen', './docs/**', '*.js'];
    expect(await taken(content, { exclude })).toEqual(['a.ts', 'src/a.ts']);
    expect(await skipped(content, { exclude })).toEqual({
      'docs/': 'excluded ./docs/**',
      'src/a.js': 'excluded *.js',
      'src/gen/': 'excluded gen',
    });
  });

  it('of include take nothing but what matches, and name the rest', async () => {
    expect(await taken(content, { include: ['src'] })).toEqual(['src/a.js', 'src/a.ts', 'src/gen/b.ts']);
    expect(await taken(content, { include: ['*.{js,md}'] })).toEqual(['docs/a.md', 'src/a.js']);
    expect(await taken(content, { include: ['/a.ts'] })).toEqual(['a.ts']);
    expect(await skipped({ 'a.ts': '', 'b.js': '' }, { include: ['*.ts'] })).toEqual({
      'b.js': 'not-included',
    });
  });

  it('of include override neither exclude, nor ignore files, nor secret files', async () => {
    const files = {
      '.gitignore': 'a.ts',
      '.codewalkignore': 'b.ts',
      'a.ts': '',
      'b.ts': '',
      'c.ts': '',
      '.env': '',
    };
    const include = ['**', 'a.ts', 'b.ts', 'c.ts', '.env'];
    expect(await taken(files, { include, exclude: ['c.ts'] })).toEqual(['.codewalkignore', '.gitignore']);
  });

  it('whose brackets are never closed are refused, for they would match nothing', async () => {
    const root = tree({ 'a.ts': '' });
    for (const glob of ['[', 'src/{a,b', 'a '.repeat(30_000)])
      await expect(run(root, { include: [glob] })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(run(root, { exclude: ['[[]x', '\\[x', '{a,b}', 'x(y'] })).resolves.toBeDefined();
  });

  it('that are empty or negated are refused by value', async () => {
    for (const glob of ['', '/', '!a.ts']) {
      await expect(run(tree({}), { include: [glob] })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        providedInput: glob,
      });
    }
  });
});

describe('globs and rules of a hostile project', () => {
  const long = [`${'a'.repeat(200)}.ts`, `${'a/'.repeat(60)}y.ts`];
  const hostile = [`${'*a'.repeat(20)}b`, `${'a/**/'.repeat(12)}b`, `**/${'[!b]*'.repeat(12)}z`, '\\\\\\\\'];

  it('cost no more than the product of both lengths', async () => {
    const root = tree({
      ...Object.fromEntries(long.map((path) => [path, ''])),
      '.gitignore': hostile.join('\n'),
    });
    expect((await run(root, { exclude: hostile })).files.map(({ path }) => path)).toEqual([
      '.gitignore',
      ...long.toSorted(),
    ]);
  });
});

describe('links and special files', () => {
  it('are named, and never followed', async () => {
    const top = tree({
      'secret.ts': '',
      'elsewhere/b.ts': '',
      'repo/src/a.ts': '',
      'repo/again.ts': { link: 'src/a.ts' },
      'repo/folder': { link: 'src' },
      'repo/src/up': { link: '..' },
      'repo/out.ts': { link: '../secret.ts' },
      'repo/outside': { link: '../elsewhere' },
      'repo/nowhere.ts': { link: 'gone.ts' },
      'repo/circle': { link: 'circle' },
    });
    const root = join(top, 'repo');
    expect((await run(root)).files.map(({ path }) => path)).toEqual(['src/a.ts']);
    expect(await skippedOf(root)).toEqual({
      'again.ts': 'symlink-inside src/a.ts',
      circle: 'symlink-broken ELOOP',
      folder: 'symlink-inside src',
      'nowhere.ts': 'symlink-broken ENOENT',
      'out.ts': 'symlink-outside ../secret.ts',
      outside: 'symlink-outside ../elsewhere',
      'src/up': 'symlink-inside .',
    });
  });

  it('are no folders to a .gitignore rule with a trailing slash', async () => {
    expect(await skipped({ '.gitignore': 'x/', 'a/b.ts': '', x: { link: 'a' } })).toEqual({
      x: 'symlink-inside a',
    });
  });

  it('that block when opened are not opened', async () => {
    const root = tree({ 'a.ts': '' });
    const fs: FileSystem = {
      ...diskFileSystem,
      readDirectory: (path) => [...diskFileSystem.readDirectory(path), { name: 'pipe.ts', kind: 'other' }],
    };
    expect(await skippedOf(root, { fs })).toEqual({ 'pipe.ts': 'special-file' });
  });

  it('may be how the root itself is given', async () => {
    const top = tree({ 'repo/a.ts': '', door: { link: 'repo' } });
    expect(await run(join(top, 'door'))).toEqual(await run(join(top, 'repo')));
  });
});

describe('content', () => {
  it('beyond the size limit is not read, 50 MB or not', async () => {
    const root = tree({ 'big.ts': '', 'edge.ts': 'a'.repeat(10), 'over.ts': 'a'.repeat(11) });
    truncateSync(join(root, 'big.ts'), 50 * 1024 * 1024);
    expect(await skippedOf(root, { limits: { maxFileBytes: 10 } })).toEqual({
      'big.ts': 'too-large 52428800 bytes, limit 10',
      'over.ts': 'too-large 11 bytes, limit 10',
    });
    expect(DISCOVERY_LIMITS.maxFileBytes).toBe(LIMITS.fileBytes.default);
  });

  it('that may not be read is named, files and folders alike', async () => {
    const root = tree({ 'a.ts': '', 'locked.ts': '', 'closed/b.ts': '' });
    const refuse = (path: string) => {
      if (/locked|closed/.test(path)) throw systemError('EACCES', path);
    };
    const fs: FileSystem = {
      ...diskFileSystem,
      readBytes: (path, maxBytes) => {
        refuse(path);
        return diskFileSystem.readBytes(path, maxBytes);
      },
      readDirectory: (path) => {
        refuse(path);
        return diskFileSystem.readDirectory(path);
      },
    };
    expect(await skippedOf(root, { fs })).toEqual({
      'closed/': 'unreadable EACCES',
      'locked.ts': 'unreadable EACCES',
    });
  });

  it('that vanishes during the run is named, files and folders alike', async () => {
    const root = tree({ 'a.ts': '', 'gone.ts': '', 'gone/b.ts': '' });
    const fs: FileSystem = {
      ...diskFileSystem,
      readDirectory: (path) => {
        const entries = diskFileSystem.readDirectory(path);
        rmSync(join(root, 'gone.ts'), { force: true });
        rmSync(join(root, 'gone'), { recursive: true, force: true });
        return entries;
      },
    };
    expect(await skippedOf(root, { fs })).toEqual({
      'gone.ts': 'vanished ENOENT',
      'gone/': 'vanished ENOENT',
    });
  });
});

describe('names', () => {
  const content = { '/repo/caf\u00e9.ts': 'nfc', '/repo/cafe\u0301.ts': 'nfd', '/repo/na\u0308h/a.ts': '' };

  it('are composed in the path and as on disk in diskPath', async () => {
    const fs = memoryFileSystem('posix', content);
    const { files } = await run('/repo', { fs, platform: 'posix' });
    expect(files.map(({ path, diskPath }) => [path, diskPath])).toEqual([
      ['caf\u00e9.ts', '/repo/cafe\u0301.ts'],
      ['n\u00e4h/a.ts', '/repo/na\u0308h/a.ts'],
    ]);
    expect(readText(files[0] ?? { diskPath: '' }, { fs })).toMatchObject({ text: 'nfd' });
  });

  it('that compose to one path give the first in byte order and name the other', async () => {
    const fs = memoryFileSystem('posix', content);
    expect(await skippedOf('/repo', { fs, platform: 'posix' })).toEqual({
      'caf\u00e9.ts': 'same-name taken: cafe\\u0301.ts',
    });
  });

  it('that differ only by case stay two files', async () => {
    const fs = memoryFileSystem('posix', {
      '/repo/a.ts': '',
      '/repo/A.ts': '',
      '/repo/Src/b.ts': '',
      '/repo/src/b.ts': '',
    });
    const { files } = await run('/repo', { fs, platform: 'posix' });
    expect(files.map(({ path }) => path)).toEqual(['A.ts', 'Src/b.ts', 'a.ts', 'src/b.ts']);
  });

  it('on Windows use / in the path, and \\ with the drive on disk', async () => {
    const fs = memoryFileSystem('win32', {
      'C:\\repo\\src\\a.ts': '',
      'C:\\repo\\.gitignore': '/src/gen/\r\n',
      'C:\\repo\\src\\gen\\b.ts': '',
    });
    const found = await run('c:\\REPO', { fs, platform: 'win32' });
    expect(found.root).toBe('C:\\repo');
    expect(found.files.map(({ path, diskPath }) => [path, diskPath])).toEqual([
      ['.gitignore', 'C:\\repo\\.gitignore'],
      ['src/a.ts', 'C:\\repo\\src\\a.ts'],
    ]);
    expect(found.skipped).toEqual([
      { path: 'src/gen/', reason: 'gitignored', detail: '.gitignore: /src/gen/' },
    ]);
  });

  it('that are not UTF-8 are named', async () => {
    const fs = memoryFileSystem('posix', { '/repo/a\ufffd.ts': '', '/repo/b.ts': '' });
    expect(await skippedOf('/repo', { fs, platform: 'posix' })).toEqual({ 'a\ufffd.ts': 'name-not-utf8' });
  });

  it('may hold a backslash on POSIX', async () => {
    const fs = memoryFileSystem('posix', { '/repo/a\\b.ts': '' });
    const { files } = await run('/repo', { fs, platform: 'posix' });
    expect(files.map(({ path }) => path)).toEqual(['a\\b.ts']);
  });
});

describe('a run', () => {
  it('refuses a root that is not there or not a directory', async () => {
    const root = tree({ 'a.ts': '' });
    for (const path of ['a.ts', 'gone']) {
      await expect(run(join(root, path))).rejects.toMatchObject({ code: 'INVALID_ROOT' });
    }
  });

  it('ends when it is cancelled', async () => {
    const cancelled = AbortSignal.abort();
    await expect(run(tree({ 'a.ts': '' }), { signal: cancelled })).rejects.toMatchObject({
      code: 'CANCELLED',
    });
  });

  it('tells how far it is', async () => {
    const content = Object.fromEntries(Array.from({ length: 1200 }, (_, at) => [`${at % 3}/${at}.ts`, '']));
    const seen: number[] = [];
    await run(tree(content), { onProgress: (decided) => seen.push(decided) });
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.at(-1)).toBe(1200);
    expect(seen).toEqual([...seen].sort((left, right) => left - right));
  });
});

describe('reading a text', () => {
  const read = (content: TreeContent, options = {}) =>
    readText({ diskPath: join(tree({ 'a.ts': content }), 'a.ts') }, options);

  it('gives text and hash of the same bytes, without the byte-order mark, line ends as they are', () => {
    const bytes = Buffer.from('\ufefflet \u00e4\r\nlet b\n');
    expect(read(bytes)).toEqual({
      ok: true,
      text: 'let \u00e4\r\nlet b\n',
      hash: createHash('sha256').update(bytes).digest('hex'),
      size: bytes.length,
    });
  });

  it('names what is not UTF-8, with the line where it breaks off', () => {
    expect(read(Buffer.from('un\ncaf\u00e9 au lait\n', 'latin1'))).toEqual({
      ok: false,
      reason: 'not-utf8',
      detail: 'line 2',
    });
    expect(read(Buffer.from([0x61, 0xe2, 0x82]))).toMatchObject({ reason: 'not-utf8' });
  });

  it('names a file that grew beyond the limit or became binary', () => {
    expect(read('aaaa', { maxFileBytes: 3 })).toMatchObject({ ok: false, reason: 'too-large' });
    expect(read('aaa', { maxFileBytes: 3 })).toMatchObject({ ok: true });
    expect(read('a\0')).toMatchObject({ ok: false, reason: 'binary' });
  });

  it('names a file that vanished since it was discovered', async () => {
    const root = tree({ 'a.ts': '' });
    const [file] = (await run(root)).files;
    rmSync(join(root, 'a.ts'));
    expect(readText(file ?? { diskPath: '' })).toEqual({ ok: false, reason: 'vanished', detail: 'ENOENT' });
  });

  it('does not follow a link that took the place of the file', () => {
    const root = tree({ secret: 'x', 'a.ts': { link: 'secret' } });
    expect(readText({ diskPath: join(root, 'a.ts') })).toMatchObject({ ok: false, reason: 'unreadable' });
  });
});

describe('a listing', () => {
  it('says of a file in another encoding what an index run would say', async () => {
    const root = tree({ 'a.ts': 'const a = 1;', 'latin.ts': Buffer.from([0x63, 0xe9]) });
    expect(listing(await run(root)).map(({ path, decision, reason }) => [path, decision, reason])).toEqual([
      ['a.ts', 'extracted', null],
      ['latin.ts', 'skipped', 'not-utf8'],
    ]);
  });
});

describe('only some paths', () => {
  const TREE = {
    '.gitignore': 'out/\n',
    'a.ts': '',
    'src/b.ts': '',
    'src/deep/c.ts': '',
    'src/deep/.gitignore': 'd.ts\n',
    'src/deep/d.ts': '',
    'out/e.ts': '',
    'other/f.ts': '',
  };
  /** What is taken and skipped, and the folders that were listed for it. */
  const decided = async (only: string[]) => {
    const root = tree(TREE);
    const listed: string[] = [];
    const fs: FileSystem = {
      ...diskFileSystem,
      readDirectory: (path) => {
        listed.push(path.slice(root.length + 1));
        return diskFileSystem.readDirectory(path);
      },
    };
    const { files, skipped: left } = await run(root, { only, fs });
    return {
      files: files.map(({ path }) => path),
      left: left.map(({ path }) => path),
      listed: listed.sort(),
    };
  };

  it('are decided by the same rules as all, and no other folder is listed', async () => {
    expect(await decided(['src/deep/c.ts', 'src/deep/d.ts'])).toEqual({
      files: ['src/deep/c.ts'],
      left: ['src/deep/d.ts'],
      listed: ['', 'src', 'src/deep'],
    });
    expect(await decided(['out/e.ts', 'none.ts', 'none/x.ts'])).toEqual({
      files: [],
      left: ['out/'],
      listed: [''],
    });
  });

  it('that are folders stand for all that is in them', async () => {
    expect((await decided(['src'])).files).toEqual(['src/b.ts', 'src/deep/.gitignore', 'src/deep/c.ts']);
    expect((await decided([''])).files).toEqual((await run(tree(TREE))).files.map(({ path }) => path));
  });
});

it('a file that is known by its status is not opened', async () => {
  const root = tree({ 'a.ts': 'let a', 'b.ts': 'let b' });
  const opened: string[] = [];
  const fs: FileSystem = {
    ...diskFileSystem,
    readBytes: (path, most) => {
      opened.push(path);
      return diskFileSystem.readBytes(path, most);
    },
  };
  const known = { language: 'known', extracted: true, plain: null };
  const { files } = await run(root, {
    fs,
    known: (path, { size }) => (path === 'a.ts' && size === 5 ? known : null),
  });
  expect(files.map(({ path, language }) => [path, language])).toEqual([
    ['a.ts', 'known'],
    ['b.ts', 'typescript'],
  ]);
  expect(opened).toEqual([join(root, 'b.ts')]);
});
