import { ended, type Scratch } from '../cli/scratch.js';

const FAILURE = [
  'Exit code 1',
  ' FAIL  test/shop.test.ts > adds the tax once',
  'AssertionError: expected 14 to be 12',
  ' ❯ test/shop.test.ts:4:26',
  '',
  ' Tests  1 failed (1)',
].join('\n');
const RUN = { tool_name: 'Bash', tool_input: { command: 'npx vitest run' } };

/** What a client's hooks report of one task: a test fails, a sub agent looks, an edit fixes it. */
function events(session: string, prompt: string) {
  const of = (hook_event_name: string, fields: object = {}) => ({
    session_id: session,
    hook_event_name,
    ...fields,
  });
  const id = (name: string) => ({ tool_use_id: `${session}-${name}` });
  const edit = {
    file_path: 'src/shop.ts',
    old_string: 'return price + tax(price) + tax(price);',
    new_string: 'return price + tax(price);',
  };
  const read = { tool_name: 'Read', tool_input: { file_path: 'src/money.ts' }, agent_id: 'looker' };
  return [
    of('UserPromptSubmit', { prompt_id: `${session}-1`, prompt }),
    of('PreToolUse', { ...id('a'), ...RUN }),
    of('PostToolUseFailure', { ...id('a'), ...RUN, error: FAILURE }),
    of('PreToolUse', { ...id('b'), ...read }),
    of('PostToolUse', { ...id('b'), ...read, tool_response: {} }),
    of('PostToolUse', { ...id('c'), tool_name: 'Edit', tool_input: edit, tool_response: {} }),
    of('PreToolUse', { ...id('d'), ...RUN }),
    of('PostToolUse', { ...id('d'), ...RUN, tool_response: { stdout: ' Tests  1 passed (1)', stderr: '' } }),
    of('Stop'),
  ];
}

/** Records a session as a client would: its hooks run, one after the other. */
export async function playSession(scratch: Scratch, session: string, prompt: string): Promise<void> {
  for (const event of events(session, prompt)) {
    const hook = scratch.start(['hook', '--client', 'claude']);
    hook.stdin?.end(JSON.stringify(event));
    await ended(hook);
  }
}
