import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { agents } from '../../hooks/index.js';
import { HookService, type HookServiceOptions } from '../../host/daemon/hook-service.js';
import { directHost, readCounters } from '../../host/index.js';
import { JournalCounters } from '../../host/journal/counters.js';

function scratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'codewalk-ends-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Answers hooks; nothing is in the journal. */
function serviceOf(given: Pick<HookServiceOptions, 'home' | 'host'> & Partial<HookServiceOptions>) {
  return new HookService({
    agents,
    drain: async () => undefined,
    autoIndex: { onActivity: () => undefined, refresh: () => undefined, isIndexing: () => false },
    onEnd: () => undefined,
    ...given,
  });
}

it('counts hooks that were told something, had nothing to be told, went too early, or failed', async () => {
  const [home, root] = [join(scratch(), 'graphs'), scratch()];
  mkdirSync(join(root, '.git'));
  const host = directHost(home);
  const counter = new JournalCounters(home);
  const failing = JSON.stringify({
    session_id: 'second',
    hook_event_name: 'PostToolUseFailure',
    tool_name: 'run_shell_command',
    tool_input: { command: 'npm test' },
    error: "Command: npm test\nOutput: not ok 1 - half of four is two\n  error: '1.33 == 2'\nExit Code: 1\n",
    cwd: root,
  });
  const ask = async (payload: string, meanwhile: () => void = () => undefined, signal?: AbortSignal) => {
    const service = serviceOf({
      home,
      host: {
        async spawn(request) {
          const answer = await host.spawn(request);
          if (request.input.question) meanwhile();
          return answer;
        },
      },
      onEnd: (client, end) => counter.hookEnded(client, end),
    });
    const hook = { client: 'qwen', payload, place: 'root', path: root } as const;
    return service.answer(hook, signal ?? new AbortController().signal);
  };
  expect(await ask(failing)).toBe('');
  // Asks nothing.
  expect(await ask('{"session_id":"second","hook_event_name":"Stop"}')).toBe('');
  const gone = new AbortController();
  expect(await ask(failing, () => gone.abort(), gone.signal)).toBe('');
  const broken = () => {
    throw new Error('broken');
  };
  expect(await ask(failing, broken)).toBe('');
  counter.save();
  expect(readCounters(home).hooks).toEqual({ qwen: { answered: 0, silent: 1, late: 1, failed: 1 } });
  counter.hookEnded('qwen', 'answered');
  counter.save();
  counter.save();
  expect(readCounters(home).hooks).toEqual({ qwen: { answered: 1, silent: 1, late: 1, failed: 1 } });
});

it('shows the person once per session, with a prompt, that the project is being indexed, and not the agent', async () => {
  const [home, root] = [join(scratch(), 'graphs'), scratch()];
  mkdirSync(join(root, '.git'));
  const host = directHost(home);
  let isIndexing = true;
  const autoIndex = { onActivity: () => undefined, refresh: () => undefined, isIndexing: () => isIndexing };
  const service = serviceOf({ home, host, autoIndex });
  const ask = (client: string, session_id: string, event: string, signal = new AbortController().signal) => {
    const payload = JSON.stringify({ session_id, hook_event_name: event, prompt: 'Add quarters', cwd: root });
    return service.answer({ client, payload, place: 'root', path: root }, signal);
  };
  const notice = { systemMessage: expect.stringMatching(/^Codewalk is indexing .* auto_index false/) };
  expect(await ask('claude', 'one', 'SessionStart')).toBe('');
  expect(await ask('claude', 'one', 'UserPromptSubmit', AbortSignal.abort())).toBe('');
  expect(JSON.parse(await ask('claude', 'one', 'UserPromptSubmit'))).toEqual(notice);
  expect(await ask('claude', 'one', 'UserPromptSubmit')).toBe('');
  expect(JSON.parse(await ask('qwen', 'two', 'UserPromptSubmit'))).toEqual(notice);
  const input = { type: 'problem', title: 'Halves', content: 'Round quarters down.', importance: 1 };
  await host.spawn({ walker: 'memory_store', root, input });
  isIndexing = false;
  expect(Object.keys(JSON.parse(await ask('claude', 'three', 'SessionStart')))).toEqual([
    'hookSpecificOutput',
  ]);
  // Answered once what was delivered is marked.
  expect(await ask('claude', 'three', 'SessionStart')).toBe('');
});
