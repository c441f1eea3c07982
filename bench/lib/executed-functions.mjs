// Which test files execute which functions, found by running a project's own tests: what bench/tests-reached.mjs
// compares answers with. Works on a copy; the project itself is only read.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';

const SOURCE = /\.[cm]?[jt]sx?$/;
const NO_SOURCE =
  /\.d\.[cm]?ts$|(?:^|\/)(?:node_modules|dist)\/|\.(?:test|spec)\.|(?:^|\/)(?:__tests__|tests?)\//;

/**
 * Runs a project's tests once.
 *
 * @param runner `vitest` (the project has its dependencies and TypeScript installed) or `pytest`.
 * @param args Given to the runner.
 * @returns `ran`: the test files; `functions`: `path:line` of every function's beginning; `executed`: by `path:line` of a function's beginning (in Python of its first
 * decorator), the test files that execute it.
 */
export function executedFunctions(root, scratch, runner, args) {
  const copy = join(scratch, 'copy');
  cpSync(root, copy, {
    recursive: true,
    filter: (path) => !/\/(?:node_modules|\.git|\.venv|__pycache__)$/.test(path),
  });
  const log = join(scratch, 'executed.txt');
  writeFileSync(log, '');
  const functions =
    runner === 'vitest' ? runVitest(root, copy, scratch, log, args) : runPytest(copy, scratch, log, args);
  const ran = new Set();
  const executed = new Map();
  for (const line of new Set(readFileSync(log, 'utf8').split('\n'))) {
    const [test, place] = line.split('\t').map((one) => one.replace(`${copy}/`, ''));
    if (!test) continue;
    ran.add(test);
    if (place) executed.set(place, [...(executed.get(place) ?? []), test]);
  }
  return { ran: [...ran].sort(), functions, executed: Object.fromEntries(executed) };
}

/** Every function of the copy says that it runs; a module that each worker loads first writes down for which test file. */
function runVitest(root, copy, scratch, log, args) {
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const ts = createRequire(join(root, 'package.json'))('typescript');
  const functions = [];
  for (const entry of readdirSync(copy, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const path = relative(copy, file);
    if (!entry.isFile() || !SOURCE.test(path) || NO_SOURCE.test(path)) continue;
    writeFileSync(file, withHits(ts, path, readFileSync(file, 'utf8'), functions));
  }
  const first = join(scratch, 'hit.mjs');
  writeFileSync(
    first,
    `import { appendFileSync } from 'node:fs';
const known = new Set();
const tell = (place) => {
  const line = (globalThis.__vitest_worker__?.filepath ?? '') + '\\t' + place + '\\n';
  if (known.has(line)) return;
  known.add(line);
  appendFileSync(${JSON.stringify(log)}, line);
};
globalThis.__executed = tell;\n`,
  );
  const env = { ...process.env, NODE_OPTIONS: `--import ${first}` };
  run(join(copy, 'node_modules/.bin/vitest'), ['--run', '--coverage.enabled=false', ...args], copy, env);
  return functions;
}

/** The text with a call at the beginning of every function's body, on the same line: lines stay what they are. */
function withHits(ts, path, text, functions) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const added = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      const place = `${path}:${line + 1}`;
      functions.push(place);
      const hit = `globalThis.__executed?.(${JSON.stringify(place)})`;
      const at = node.body.getStart(source);
      if (ts.isBlock(node.body)) added.push([at + 1, `${hit};`]);
      else added.push([at, `(${hit},(`], [node.body.end, '))']);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  let made = '';
  let from = 0;
  for (const [at, what] of added.sort((a, b) => a[0] - b[0])) {
    made += text.slice(from, at) + what;
    from = at;
  }
  return made + text.slice(from);
}

function runPytest(copy, scratch, log, args) {
  writeFileSync(
    join(scratch, 'executed_functions.py'),
    `import os, sys, threading
import pytest
ROOT, LOG = ${JSON.stringify(`${copy}/`)}, open(${JSON.stringify(log)}, 'a')
NOW, KNOWN = [None], set()
def tell(frame, event, arg):
    if event != 'call' or NOW[0] is None: return
    code = frame.f_code
    key = (NOW[0], code)
    if key in KNOWN: return
    KNOWN.add(key)
    if code.co_filename.startswith(ROOT):
        LOG.write(NOW[0] + '\\t' + code.co_filename + ':' + str(code.co_firstlineno) + '\\n')
@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    NOW[0] = str(item.path)
    threading.setprofile(tell)
    sys.setprofile(tell)
    yield
    sys.setprofile(None)
    NOW[0] = None
def pytest_sessionfinish(session):
    LOG.close()
`,
  );
  const source = existsSync(join(copy, 'src')) ? join(copy, 'src') : copy;
  const env = { ...process.env, PYTHONPATH: `${scratch}:${source}` };
  run('python3', ['-m', 'pytest', '-q', '-p', 'executed_functions', ...args], copy, env);
  const listed = spawnSync('python3', ['-c', LISTED, copy], { encoding: 'utf8', maxBuffer: 1 << 28 });
  return listed.stdout.split('\n').filter(Boolean);
}

/** A function begins at its first decorator; one whose body is no more than `...` is never called. */
const LISTED = `import ast, os, sys
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        if not name.endswith('.py'): continue
        path = os.path.join(folder, name)
        for node in ast.walk(ast.parse(open(path, encoding='utf8').read())):
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)): continue
            last = node.body[-1]
            if isinstance(last, ast.Expr) and isinstance(last.value, ast.Constant) and last.value.value is ...: continue
            line = min([node.lineno] + [each.lineno for each in node.decorator_list])
            print(os.path.relpath(path, sys.argv[1]) + ':' + str(line))
`;

function run(command, args, cwd, env) {
  const { status, error } = spawnSync(command, args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });
  if (error) throw error;
  // Tests that need the network fail; what they executed counts all the same.
  if (status !== 0) console.error(`${command} ended with ${status}`);
}
