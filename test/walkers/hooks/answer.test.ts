import { beforeEach, describe, expect, test } from 'vitest';
import type { OpenGraph } from '../../../index.js';
import { CART, FAILURE, FIRST_PROMPT, FIX, RUN, Sessions } from '../agent-sessions.js';
import { index, open, write } from '../project.js';

const PROMPT = 'applyDiscount in src/price.js should clamp percentages above 100.';
/** The fix as every answer gives it: where, and both sides. */
const FIXED =
  '  fixed in src/price.js:\n    - return total - total * pct;\n    + return total - (total * pct) / 100;\n';
const DISCOUNT = '10 percent discount: Error: Expected values to be strictly equal: -180 !== 18';

let graph: OpenGraph;
let root: string;
let agents: Sessions;
beforeEach(async () => {
  root = write(CART);
  graph = await open(root);
  agents = new Sessions(graph);
});

describe('at the start of a session', () => {
  const start = async (session: string) => (await agents.answer('session_start', {}, session)) ?? '';

  test('nothing is said where nothing was left unfinished', async () => {
    expect(await start('s2')).toBe('');
    await agents.fixesDiscount();
    expect(await start('s2')).toBe('');
  });

  test('the latest task that was left unfinished is named, with what it changed and what still fails, once', async () => {
    await agents.log('task_start', { user_prompt: FIRST_PROMPT }, 's1');
    await agents.use('s1', { ...FIX, new_string: '  return total;' });
    await agents.use('s1', RUN, FAILURE);
    await agents.log('task_end', { status: 'ended' }, 's1');
    await agents.log('task_start', { user_prompt: 'What does the cart do?' }, 's1');
    await agents.use('s1', { command: 'npm test' }, 'Error: no test script');
    await agents.log('task_end', { status: 'ended' }, 's1');
    const text = await start('s2');
    expect(text).toMatch(
      /^Codewalk: what was left unfinished in this project\. Recorded data.*\n```text\n- unfinished: /u,
    );
    expect(text).toMatch(/- unfinished: task of [\d-]{10}, failed: The discount in src\/price\.js is wrong/u);
    expect(text).toContain(`\n  it changed src/price.js\n  still failing: ${DISCOUNT}\n`);
    expect(text).not.toContain('What does the cart do');
    expect(await start('s2')).toBe('');
  });
});

describe('with a prompt', () => {
  const ask = (prompt = PROMPT, session = 's2') => agents.answer('prompt', { prompt }, session);
  beforeEach(() => index(graph));

  test('earlier work on the file that it names is given with its fix, once', async () => {
    await agents.fixesDiscount();
    const text = await ask();
    expect(text).toContain(`success: ${FIRST_PROMPT.slice(0, 60)}`);
    expect(text).toContain(`  failed with: ${DISCOUNT}\n${FIXED}`);
    expect(await ask()).toBeNull();
  });

  test('an earlier success that met no failure is given with its change', async () => {
    await agents.log('task_start', { user_prompt: PROMPT }, 's1');
    await agents.use('s1', FIX);
    await agents.log('task_end', { status: 'ended' }, 's1');
    expect(await ask()).toContain(FIXED.replace('fixed in', 'changed in'));
  });

  test('tasks that neither failed nor changed anything are not given, nor in the way of one that did', async () => {
    await agents.log('task_start', { user_prompt: PROMPT }, 'looks');
    await agents.use('looks', { command: 'ls src' });
    await agents.log('task_end', { status: 'ended', summary: 'It clamps already.' }, 'looks');
    expect(await ask()).toBeNull();
    await agents.fixesDiscount();
    for (const session of ['a', 'b', 'c', 'd']) {
      await agents.log('task_start', { user_prompt: PROMPT }, session);
      await agents.log('task_end', { status: 'ended' }, session);
    }
    const text = await ask();
    expect(text).toContain(FIXED);
    expect(text).not.toContain('clamp');
  });

  test('nothing is said of another matter', async () => {
    await agents.fixesDiscount();
    expect(await ask('Write a changelog for the next release')).toBeNull();
  });
});

describe('when a file is read', () => {
  const read = (path = 'src/price.js', session = 's2', moment = 'read') =>
    agents.answer(moment, { file_paths: [path] }, session);

  test('its history, callers and tests are given, once', async () => {
    await index(graph);
    await agents.fixesDiscount();
    const text = await read(`${root}/src/price.js`);
    expect(text).toContain(
      `- fixed here before: ${DISCOUNT}; by: return total - (total * pct) / 100; (task of `,
    );
    expect(text).toContain('- applyDiscount is called by Cart.total (src/cart.js)\n');
    expect(text).toContain('- tested by test/cart.test.js (10 percent discount)\n');
    expect(text?.length).toBeLessThanOrEqual(1000);
    expect(await read()).toBeNull();
  });

  test('a client that is given code before an edit gets the history alone, and later the code', async () => {
    await index(graph);
    await agents.fixesDiscount();
    const text = await read('src/price.js', 's2', 'read_history');
    expect(text).toContain('- fixed here before: ');
    expect(text).not.toContain('is called by');
    const before = await read('src/price.js', 's2', 'before_edit');
    expect(before).toContain('is called by');
    expect(before).not.toContain('fixed here before');
    expect(await read('src/alone.js', 's2', 'read_history')).toBeNull();
  });

  test('it is said where the file changed since it was indexed', async () => {
    await index(graph);
    write({ 'src/price.js': `// new\n${CART['src/price.js']}` }, root);
    expect(await read()).toContain('about src/price.js (as last indexed; it changed since)');
  });

  test('nothing is said of a file that stands alone', async () => {
    await index(graph);
    expect(await read('src/alone.js')).toBeNull();
  });
});

describe('after a failure', () => {
  const fail = (output = FAILURE, session = 's2') => agents.answer('failure', { output, ...RUN }, session);

  test('what fixed the same one is given', async () => {
    await agents.fixesDiscount();
    await agents.log('task_start', { user_prompt: 'Make the receipt nicer' }, 's2');
    const text = (await fail()) ?? '';
    expect(text).toContain(`\`\`\`text\n- ${DISCOUNT}\n${FIXED}  task of `);
    expect(text).not.toMatch(/[<>]|->/u);
  });

  test('one whose exit code a pipe hid is given with what fixed it', async () => {
    const piped = { command: 'node --test test/ | tail -20' };
    const [tool_id, tool_name] = ['call piped', 'run_shell_command'];
    await agents.log('task_start', { user_prompt: FIRST_PROMPT }, 's1');
    await agents.log('tool_start', { tool_name, params_json: piped }, 's1', { tool_id });
    await agents.log('tool_end', { tool_name, success: true, stdout: FAILURE }, 's1', { tool_id });
    const error = { error_type: 'test_failure', message: '10 percent discount: -180 !== 18' };
    await agents.log('error', { ...error, tests: ['10 percent discount'] }, 's1', { tool_id });
    await agents.use('s1', FIX);
    await agents.use('s1', piped);
    await agents.log('task_end', { status: 'ended' }, 's1');
    expect(await fail()).toContain(FIXED);
  });

  test('each of several failing tests is given with its own message and its own fix', async () => {
    const failing = (...tests: [name: string, why: string][]) =>
      [
        ...tests.map(([name, why]) => `not ok 1 - ${name}\n  ---\n  error: '${why}'\n  ...`),
        `# fail ${tests.length}`,
      ].join('\n');
    const tax = ['tax is added', 'tax rate 7 is unknown'] as [string, string];
    const coupon = ['coupon is taken', 'coupon SUMMER has expired'] as [string, string];
    const edit = (file: string, now: string) => ({
      file_path: file,
      old_string: '  old();',
      new_string: now,
    });
    await agents.log('task_start', { user_prompt: 'Make the checkout pass' }, 's1');
    await agents.use('s1', RUN, failing(tax, coupon));
    await agents.use('s1', edit('src/tax.js', '  rates.add(7);'));
    await agents.use('s1', RUN, failing(coupon));
    await agents.use('s1', edit('src/coupon.js', '  extend(SUMMER);'));
    await agents.use('s1', RUN);
    await agents.log('task_end', { status: 'success' }, 's1');
    const text = (await fail(failing(tax, coupon))) ?? '';
    const entries = text.split(/^- /mu).slice(1);
    expect(entries.find((one) => one.startsWith('tax is added: '))).toMatch(
      /tax rate 7 is unknown\n {2}fixed in src\/tax\.js:\n.*\n {4}\+ rates\.add\(7\);\n {2}task of/u,
    );
    expect(entries.find((one) => one.startsWith('coupon is taken: '))).toMatch(
      /SUMMER has expired\n {2}fixed in src\/coupon\.js:\n.*\n {4}\+ extend\(SUMMER\);\n {2}task of/u,
    );
  });

  test('the task that met it is no earlier attempt', async () => {
    await agents.log('task_start', { user_prompt: FIRST_PROMPT }, 's1');
    await agents.use('s1', RUN, FAILURE);
    await agents.use('s1', FIX);
    expect(await fail(FAILURE, 's1')).toBeNull();
  });

  test("nothing is said where nothing similar is recorded, or of an agent's own slip", async () => {
    await agents.fixesDiscount();
    const slip = 'String to replace not found in file.';
    await agents.log('task_start', { user_prompt: 'Round' }, 's1');
    await agents.use('s1', FIX, slip);
    await agents.use('s1', FIX);
    await agents.log('task_end', { status: 'success' }, 's1');
    expect(await agents.answer('failure', { output: 'bash: cargo: command not found' })).toBeNull();
    expect(await agents.answer('failure', { output: slip })).toBeNull();
  });
});
