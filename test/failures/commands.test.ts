import { expect, test } from 'vitest';
import {
  answersWithExitCode,
  commandsIn,
  covers,
  hidesExitCode,
  namesTest,
  purposeOf,
  readsOnly,
  verificationOf,
  verificationsOf,
} from '../../failures/index.js';

test('a line of shell comes apart as a shell takes it', () => {
  const line = `cd 'a b' && X=1 npx jest "c d" 2>&1 > out.txt | tail -n 5; echo "x && y" < in.txt`;
  const none = { reads: [], writes: [] };
  expect(commandsIn(line)).toEqual([
    { words: ['cd', 'a b'], then: '&&', ...none },
    { words: ['jest', 'c d'], then: '|', reads: [], writes: ['out.txt'] },
    { words: ['tail', '-n', '5'], then: ';', ...none },
    { words: ['echo', 'x && y'], then: '', reads: ['in.txt'], writes: [] },
  ]);
  expect(commandsIn("cat <<'EOF' > a.sh\nnpm test\nEOF\nls")).toEqual([
    { words: ['cat'], then: ';', reads: [], writes: ['a.sh'] },
    { words: ['ls'], then: '', ...none },
  ]);
});

test.each([
  ['npx vitest run test/a.test.ts -t adds', 'test', 'vitest', ['test/a.test.ts'], ['adds']],
  ['cd web && CI=1 timeout 60 npm test -- --silent', 'test', 'cd web; script test', [], []],
  ['npm --prefix web run test:unit', 'test', 'cd web; script test:unit', [], []],
  ['pnpm vitest run', 'test', 'vitest', [], []],
  ['uv run python -m pytest -q -p no:cacheprovider tests', 'test', 'pytest', ['tests'], []],
  ['python manage.py test shop', 'test', 'manage.py test', ['shop'], []],
  ['python tests/test_a.py', 'test', 'python', ['tests/test_a.py'], []],
  ['node --import tsx --test test/a.test.ts', 'test', 'node:test', ['test/a.test.ts'], []],
  ["bash -lc 'cd web && npm test'", 'test', 'cd web; script test', [], []],
  ['(cd web && npm test)', 'test', 'cd web; script test', [], []],
  ['node node_modules/.bin/jest', 'test', 'jest', [], []],
  ['mvn -q clean test', 'test', 'mvn test', [], []],
  ['yarn workspace web test', 'test', 'workspace web; script test', [], []],
  ['cargo +nightly test adds', 'test', 'cargo test', [], ['adds']],
  ['./gradlew test --tests CartTest', 'test', 'gradle test', [], ['CartTest']],
  ['mvn -q test -Dtest=CartTest', 'test', 'mvn test', [], ['CartTest']],
  ['dotnet test --filter Adds', 'test', 'dotnet test', [], ['Adds']],
  ['vendor/bin/phpunit tests/CartTest.php', 'test', 'phpunit', ['tests/CartTest.php'], []],
  ['bundle exec rspec spec/cart_spec.rb', 'test', 'rspec', ['spec/cart_spec.rb'], []],
  ['docker compose -f ci.yml run --rm -e CI=1 web pytest tests/a.py', 'test', 'pytest', ['tests/a.py'], []],
  ['docker exec -it -u 0 app bash -c "npx vitest run"', 'test', 'vitest', [], []],
  ['npx tsc --noEmit', 'types', 'tsc', [], []],
  ['npm run type-check', 'types', 'script type-check', [], []],
  ['mypy src', 'types', 'mypy', ['src'], []],
  ['cargo check', 'types', 'cargo check', [], []],
  ['go vet ./...', 'types', 'go vet', [], []],
  ['npx eslint . --fix', 'lint', 'eslint', ['.'], []],
  ['ruff check src', 'lint', 'ruff check', ['src'], []],
  ['make lint', 'lint', 'make lint', [], []],
  ['make -j4', 'build', 'make all', [], []],
  ['gmake', 'build', 'make all', [], []],
  ['npm run build', 'build', 'script build', [], []],
  ['go build ./...', 'build', 'go build', [], []],
  ['gcc -o a a.c', 'build', 'gcc', ['a.c'], []],
])('%s is a %s by %s', (line, kind, runner, paths, names) => {
  expect(verificationOf(line)).toMatchObject({ kind, runner, paths, names, piped: false });
});

const OTHERS = ['', 'ls', 'echo done', 'true', 'git status', 'npm install', 'npm run dev', 'make clean'];
const HIDDEN = ['npm test & sleep 1', 'npm test | wc -l', 'npm test; git status', 'false || npm test'];
const MORE = [
  'npm run lint && npm test',
  'cargo run',
  'node server.js',
  'cat <<X\nnpm test\nX',
  'vitest --version',
];
test.each([...OTHERS, ...HIDDEN, ...MORE])('%s is no one verification', (line) => {
  expect(verificationOf(line)).toBeNull();
});

test('what follows a run may hide how it ended, and several may have to pass', () => {
  for (const line of [
    'npm test 2>&1 | tail -5',
    'npm test; echo $?',
    'npm test || true',
    'npm test | tee a; true',
    'npm test > a 2>&1; tail a',
  ])
    expect(verificationOf(line), line).toMatchObject({ runner: 'script test', piped: true });
  const runners = (line: string) => verificationsOf(line).map(({ runner }) => runner);
  expect(runners('npm run lint && npx vitest run && git push')).toEqual(['script lint', 'vitest']);
  expect(runners('npm run build; npm test')).toEqual(['script test']);
});

test.each([
  ['npx vitest run', 'npx vitest run test/a.test.ts', true],
  ['vitest run test', 'vitest run test/a.test.ts', true],
  ['vitest run test/a.test.ts', 'vitest run', false],
  ['python -m pytest -q tests', 'pytest tests/test_a.py::test_b', true],
  ['pytest -m fast', 'pytest', false],
  ['go test ./...', 'go test ./cart -run TestAdds', true],
  ['cargo test', 'cargo test adds', true],
  ['cargo test adds', 'cargo test', false],
  ['npm test', 'npm run test:unit', false],
  ['yarn test', 'yarn run test', true],
  ['cd a && npm test', 'npm test', false],
  ['npm test', 'npx vitest run test/a.test.ts', true],
  ['npm test -- test/a.test.ts', 'npx vitest run', false],
  ['npm run test:unit', 'npx vitest run', false],
  ['npx vitest run', 'npm test', false],
  ['npm run build', 'npx tsc', false],
  ['npm run typecheck', 'npx tsc --noEmit', true],
])('%s covers %s: %s', (wide, narrow, expected) => {
  const [one, other] = [verificationOf(wide), verificationOf(narrow)];
  expect(one !== null && other !== null && covers(one, other)).toBe(expected);
});

test('a runner covers the script whose output shows that it runs it', () => {
  const covered = (wide: string, tool: string) => {
    const [one, script] = [verificationOf(wide), verificationOf('npm test')];
    return one !== null && script !== null && covers(one, script, tool);
  };
  expect(covered('npx vitest run', 'vitest')).toBe(true);
  expect(covered('npx vitest run', 'jest')).toBe(false);
  expect(covered('npx vitest run test/a.test.ts', 'vitest')).toBe(false);
});

test.each([
  ['pytest tests/test_a.py', 'tests/test_a.py::TestX::test_b', true],
  ['pytest tests/test_a.py::TestX', 'tests/test_a.py::TestX::test_b[1]', true],
  ['pytest tests/test_ab.py', 'tests/test_a.py::test_b', false],
  ['pytest tests/test_a.py -k other', 'tests/test_a.py::test_b', false],
  ['npx jest /project/test/a.test.js', 'test/a.test.js > adds', true],
  ['node --test --test-name-pattern=adds', 'cart adds', true],
  ['node --test test/a.test.js', 'adds', false],
  ['node --test test/a.test.js', 'adds', true, 'test/a.test.js'],
  ['npx jest --changedSince main test/a.test.js', 'test/a.test.js > adds', false],
] as const)('%s names %s: %s', (command, name, names, file: string | null = null) => {
  const run = verificationOf(command);
  expect(run !== null && namesTest(run, { name, file }, run)).toBe(names);
});

test('what only looks is told from what changes something', () => {
  const looks = [
    'ls -la | head',
    'git diff > /dev/null',
    'grep -rn x src 2>&1',
    'sed -n 1,5p a.ts',
    'find . -name a',
  ];
  for (const line of looks) expect([purposeOf(line), readsOnly(line)], line).toEqual(['inspect', true]);
  const files = ['echo x > a.ts', 'git checkout .', 'find . -delete', 'cat $(rm a)', 'sed -i s/a/b/ a.ts'];
  for (const line of [...files, 'cd src', 'find . -fprint x', 'git log --output=x', 'date -s 1'])
    expect(readsOnly(line), line).toBe(false);
  expect(purposeOf('npm ci && npx vitest run')).toBe('verify');
  expect(purposeOf('rm -rf dist')).toBeNull();
});

test('an exit code may be an answer, or that of another command', () => {
  const answers = ['grep x a', 'cd src && git diff --quiet', 'diff a b', 'test -f a'];
  expect(answers.filter(answersWithExitCode)).toEqual(answers);
  expect(['npm test && grep x a', 'git commit', 'vitest'].filter(answersWithExitCode)).toEqual([]);
  const hidden = ['npm test | tail', 'tsc; true', 'npm test || true'];
  expect(hidden.filter(hidesExitCode)).toEqual(hidden);
  const shown = ['npm test', "pytest -k 'a|b'", 'ls | head', 'npm test && true', 'set -e; npm test'];
  expect(shown.filter(hidesExitCode)).toEqual([]);
});
