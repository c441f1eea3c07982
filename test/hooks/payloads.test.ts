import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { AGENTS, agents } from '../../hooks/index.js';
import { RECORDED } from './listing.js';

type Fields = Readonly<Record<string, unknown>>;

function sample(path: string): Fields {
  return JSON.parse(readFileSync(fileURLToPath(new URL(`samples/${path}.json`, import.meta.url)), 'utf8'));
}

function bytesOf(payload: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(payload));
}

function eventsOf(client: string, payload: unknown) {
  return agents.eventsOf({ client, payload: bytesOf(payload), ...RECORDED }) ?? [];
}

function kindsOf(client: string, payload: unknown): unknown[] {
  return eventsOf(client, payload).map(({ kind }) => kind);
}

function askedBy(client: string, payload: unknown): Fields | null {
  return agents.questionOf({ client, payload: bytesOf(payload) })?.input ?? null;
}

const EDIT = sample('qwen/PostToolUse.edit');
const SHELL = sample('qwen/PostToolUse.run_shell_command.exit0');
const FAILING = sample('qwen/PostToolUseFailure.run_shell_command');
const BASH = sample('claude/PostToolUse.Bash.exit0');

/** What Qwen says of a command. */
function reported(command: string, output: string, code: number): Fields {
  const told = `Command: ${command}\nDirectory: (root)\nOutput: ${output}\nError: (none)\nExit Code: ${code}\nSignal: (none)\nProcess Group PGID: (none)`;
  return code === 0
    ? { ...SHELL, tool_input: { command }, tool_response: { llmContent: told, returnDisplay: output } }
    : { ...FAILING, tool_input: { command }, error: told };
}

describe('a payload', () => {
  it('that is no JSON object tells nothing', () => {
    const texts = ['', 'null', '[]', '"text"', '{"session_id":', 'Session started', '[['.repeat(50_000)];
    for (const text of texts)
      for (const { name: client } of AGENTS) {
        const payload = new TextEncoder().encode(text);
        expect(agents.eventsOf({ client, payload, ...RECORDED })).toEqual([]);
        expect(agents.questionOf({ client, payload })).toBeNull();
      }
  });

  it('without any one of its fields, or with another type in it, is read as far as it can be', () => {
    const others = [null, 7, true, 'text', [], {}, [[1]], { text: 1 }];
    for (const path of [
      'qwen/PostToolUse.edit',
      'qwen-0.15/PostToolUse.run_shell_command.exit1',
      'claude/Stop',
      'codex/PostToolUse.Bash.exit1',
      'gemini/AfterTool.run_shell_command.exit1',
      'copilot/PostToolUse.Bash.failing-command',
    ])
      for (const field of Object.keys(sample(path)))
        for (const value of [undefined, ...others]) {
          const client = path.split(/[-/]/u, 1)[0] ?? '';
          const events = eventsOf(client, { ...sample(path), [field]: value });
          askedBy(client, { ...sample(path), [field]: value });
          if (field !== 'hook_event_name' && field !== 'tool_name') expect(events.length).toBeGreaterThan(0);
        }
  });

  it('with a duration that cannot be tells of a call that began just before it ended', () => {
    for (const duration_ms of [1e300, -1, '1e400']) {
      const [start, end] = eventsOf('qwen', { ...EDIT, tool_use_id: 'one', duration_ms });
      expect(end).not.toHaveProperty('payload.duration_ms');
      expect((end?.at ?? 0) - (start?.at ?? 0)).toBeLessThan(1);
    }
  });

  it('of a version that spells its fields otherwise is read alike', () => {
    const camel = Object.fromEntries(
      Object.entries(EDIT).map(([key, value]) => [
        key.replace(/_(\w)/gu, (_, letter: string) => letter.toUpperCase()),
        value,
      ]),
    );
    expect(eventsOf('qwen', camel)).toEqual(eventsOf('qwen', EDIT));
  });

  it('in UTF-16 is read alike; of other bytes what is no text is replaced', () => {
    const [utf16, latin1] = [
      Buffer.from(`\ufeff${JSON.stringify(EDIT)}`, 'utf16le'),
      Buffer.from(JSON.stringify({ ...EDIT, cwd: '/pröject' }), 'latin1'),
    ];
    expect(agents.eventsOf({ client: 'qwen', payload: utf16, ...RECORDED })).toEqual(eventsOf('qwen', EDIT));
    expect(agents.eventsOf({ client: 'qwen', payload: latin1, ...RECORDED })).toHaveLength(2);
  });

  it('of 20 MB is read, and the content of a file too large for symbols is left out', () => {
    const newContent = 'const a = 1;\n'.repeat(1_600_000);
    const [, end] = eventsOf('qwen', { ...EDIT, tool_response: { returnDisplay: { newContent } } });
    expect(end).toMatchObject({ kind: 'tool_end', payload: { success: true } });
    expect(JSON.stringify(end).length).toBeLessThan(100_000);
  });

  it('without a session belongs to the one that its transcript is called after', () => {
    const { session_id, ...rest } = EDIT;
    expect(eventsOf('qwen', rest)[0]?.session_id).toBe(session_id);
  });

  it('of an event that nobody knows tells nothing', () => {
    expect(kindsOf('claude', { ...BASH, hook_event_name: 'TeammateIdle' })).toEqual([]);
    expect(askedBy('claude', { ...BASH, hook_event_name: 'constructor' })).toBeNull();
  });

  it('of a call that has no name of its own still tells of its beginning and end together', () => {
    const { tool_use_id: _, tool_call_id: __, ...nameless } = EDIT;
    const [start, end] = eventsOf('qwen', nameless);
    expect(start?.tool_id).toBe(end?.tool_id);
    expect(kindsOf('qwen', { ...nameless, hook_event_name: 'PreToolUse' })).toEqual([]);
  });

  it('of a call without a name is told from another that ended in the same millisecond, and is one however often it is told', () => {
    const { tool_use_id: _, tool_call_id: __, ...nameless } = EDIT;
    const other = { ...nameless, tool_input: { file_path: '/project/other.js' } };
    const ids = [nameless, other, nameless].map((payload) =>
      eventsOf('qwen', payload).map(({ event_id }) => event_id),
    );
    expect(new Set(ids.flat()).size).toBe(4);
    expect(ids[2]).toEqual(ids[0]);
  });
});

describe('a read of many files', () => {
  it('touches those that it names, and no pattern', () => {
    const tool_input = { paths: ['src/**/*.ts', 'src/a.ts'] };
    const events = eventsOf('qwen', { ...EDIT, tool_name: 'read_many_files', tool_input });
    expect(events[1]).toMatchObject({ payload: { files_touched: ['/project/src/a.ts'] } });
  });
});

describe('an empty prompt', () => {
  it('is no task and no question', () => {
    const round = { ...sample('qwen/UserPromptSubmit'), prompt: '', submitted_prompt: undefined };
    expect(kindsOf('qwen', round)).toEqual([]);
    expect(askedBy('qwen', round)).toBeNull();
  });
});

describe('a command', () => {
  it('that commits is a checkpoint', () => {
    const output = '[main (root-commit) 1a2b3c4] Add the cart\n 1 file changed, 1 insertion(+)\n';
    const events = eventsOf('qwen', reported('git add -A && git commit -m "Add the cart"', output, 0));
    expect(events.at(-1)).toMatchObject({ kind: 'checkpoint', payload: { checkpoint_file: 'git:1a2b3c4' } });
    expect(kindsOf('qwen', reported('cat log.txt', output, 0))).not.toContain('checkpoint');
  });

  it('of any length is read once', () => {
    // Read again from each word it would take minutes.
    expect(kindsOf('qwen', reported('git '.repeat(100_000), '', 0))).toEqual(['tool_start', 'tool_end']);
  });

  it('that searches and finds nothing has not failed', () => {
    const [, end, ...errors] = eventsOf(
      'qwen',
      reported('grep -rn applyDiscount src | grep old', '(empty)', 1),
    );
    expect(end).toMatchObject({ payload: { success: true, exit_code: 1, stdout: '' } });
    expect(errors).toEqual([]);
    expect(askedBy('qwen', reported('grep -rn x src', '(empty)', 1))).toBeNull();
    expect(kindsOf('qwen', reported('grep -rn x src', 'grep: src: No such file', 2))).toContain('error');
    expect(kindsOf('qwen', reported('cd src && grep -rn x .', '(empty)', 1))).not.toContain('error');
  });

  it('that failed before a search could begin has failed', () => {
    const failing = reported('npm test && grep -rn applyDiscount src', 'not ok 1 - half is half', 1);
    expect(kindsOf('qwen', failing)).toContain('error');
    expect(askedBy('qwen', failing)).toMatchObject({ moment: 'failure' });
  });

  it('that a person stopped is no failure', () => {
    expect(kindsOf('qwen', { ...FAILING, is_interrupt: true })).toEqual(['tool_start', 'tool_end']);
    expect(askedBy('qwen', { ...FAILING, is_interrupt: true })).toBeNull();
  });

  it('that ran too long is one', () => {
    const error =
      'Command timed out after 1000ms before it could complete. Below is the output before it timed out:\nwaiting';
    const [, end, failure] = eventsOf('qwen', { ...FAILING, error });
    expect(end).toMatchObject({
      payload: { success: false, stdout: 'waiting', stderr: 'Command timed out after 1000ms' },
    });
    expect(failure).toMatchObject({ kind: 'error' });
  });

  it('whose output looks like what stands behind outputs keeps it', () => {
    const output = 'Output: a\nError: b\nExit Code: 3\nSignal: c';
    expect(eventsOf('qwen', reported('cat log', output, 0))[1]).toMatchObject({
      payload: { stdout: output, exit_code: 0 },
    });
  });
});

describe('Claude', () => {
  it('tells of an edit that it refused in the batch alone', () => {
    const call = {
      tool_name: 'Edit',
      tool_input: { file_path: '/project/a.js', old_string: 'a', new_string: 'b' },
      tool_use_id: 'toolu_9',
      tool_response: '<tool_use_error>String to replace not found in file.\nString: a</tool_use_error>',
    };
    const batch = { ...sample('claude/PostToolBatch'), tool_calls: [call] };
    const [start, end, error] = eventsOf('claude', batch);
    expect([start?.tool_id, end?.tool_id]).toEqual(['toolu_9', 'toolu_9']);
    expect(end).toMatchObject({ payload: { success: false, files_touched: ['/project/a.js'] } });
    expect(error).toMatchObject({
      payload: { error_type: 'tool_error', message: 'String to replace not found in file.' },
    });
    expect(askedBy('claude', batch)).toMatchObject({
      moment: 'failure',
      edit: { file: '/project/a.js', old: 'a', now: 'b' },
    });
  });

  it('asks before an edit with all that it replaces', () => {
    const edits = [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'c', new_string: 'd' },
    ];
    const before = {
      ...sample('claude/PreToolUse.Edit'),
      tool_name: 'MultiEdit',
      tool_input: { file_path: 'src/a.js', edits },
    };
    expect(askedBy('claude', before)).toMatchObject({
      moment: 'before_edit',
      edit: { file: '/project/src/a.js', old: 'a\nc', now: 'b\nd' },
    });
  });
});

describe('a session', () => {
  it('ends what is open in it, and names no task', () => {
    const [end] = eventsOf('claude', sample('claude/SessionEnd.other'));
    expect(end).toMatchObject({ kind: 'task_end', payload: { status: 'ended' } });
    expect(end).not.toHaveProperty('task_id');
  });

  it('that was opened by /clear has no prompt of the one before', () => {
    const prompt = sample('qwen/SessionStart.clear');
    const event = {
      ...prompt,
      hook_event_name: 'UserPromptSubmit',
      prompt: 'Go on',
      submitted_prompt: 'Go on',
    };
    expect(eventsOf('qwen', event)[0]).not.toHaveProperty('task_id');
  });

  it('tells what happened in a sub agent in its own step', () => {
    expect(eventsOf('qwen', { ...EDIT, agent_id: 'helper-1' })[0]?.step_id).toBe('agent:helper-1');
    expect(eventsOf('qwen', EDIT)[0]).not.toHaveProperty('step_id');
  });
});

describe('a failing run whose exit code a pipe hides', () => {
  const OUTPUT = 'not ok 1 - half of four is two\n  error: "1 == 2"\n# tests 1\n# pass 0\n# fail 1';

  it('is a failure that is recorded and asked about, though the command ended well', () => {
    const piped = reported('npm test 2>&1 | tail -20', OUTPUT, 0);
    expect(kindsOf('qwen', piped)).toEqual(['tool_start', 'tool_end', 'error']);
    expect(eventsOf('qwen', piped)[1]).toMatchObject({ payload: { success: true } });
    expect(eventsOf('qwen', piped)[2]).toMatchObject({ payload: { tests: ['half of four is two'] } });
    expect(askedBy('qwen', piped)).toMatchObject({ moment: 'failure', command: 'npm test 2>&1 | tail -20' });
    const claude = {
      ...BASH,
      tool_input: { command: 'npm test; echo done' },
      tool_response: { stdout: OUTPUT, stderr: '', interrupted: false },
    };
    expect(askedBy('claude', claude)).toMatchObject({ moment: 'failure' });
  });

  it('is none where nothing hides it, where the command only looks, and where all passed', () => {
    for (const [command, output] of [
      ['npm test', OUTPUT],
      ['cat report.tap | tail -20', OUTPUT],
      [`git commit -m "npm test | tail; mended"`, OUTPUT],
      ['npm test | tail', 'ok 1 - half\n# tests 1\n# pass 1\n# fail 0'],
    ] as const) {
      const told = reported(command, output, 0);
      expect(kindsOf('qwen', told), command).not.toContain('error');
      expect(askedBy('qwen', told), command).toBeNull();
    }
  });
});

describe('what is a secret as a whole', () => {
  const secret = 'butterfly';
  const endOf = (command: string) =>
    eventsOf('claude', {
      ...BASH,
      tool_input: { command },
      tool_response: { stdout: secret, stderr: '' },
    }).find(({ kind }) => kind === 'tool_end')?.payload;

  it.each([
    'cat .env',
    'tail -5 config/prod.env | sort',
    'cat ~/.aws/credentials',
    'cat /run/secrets/db',
    'printenv DB_PASSWORD',
    'echo "$API_KEY"',
    'gh auth token',
    'aws secretsmanager get-secret-value --secret-id x',
    'kubectl -n prod get secret x -o yaml',
    'cd app && vault kv get -field=x secret/x',
    'pass show mail/bob',
  ])('is not kept of what %j prints', (command) => {
    expect(endOf(command)).toMatchObject({ stdout: '[masked:secret]' });
  });

  it.each(['cat .env.example', 'echo $PATH', 'printenv HOME', 'git diff', 'gh pr list', 'cat src/token.ts'])(
    '%j prints none',
    (command) => {
      expect(endOf(command)).toMatchObject({ stdout: secret });
    },
  );

  it('is not kept of a file that is never read', () => {
    const read = sample('claude/PostToolUse.Read');
    const file_path = '/project/.env';
    const tool_response = { type: 'text', file: { filePath: file_path, content: `FOO=${secret}` } };
    const write = { tool_name: 'Write', tool_input: { file_path, content: `FOO=${secret}` } };
    for (const payload of [
      { ...read, tool_input: { file_path }, tool_response },
      { ...sample('claude/PostToolUse.Write'), ...write },
    ]) {
      const told = JSON.stringify(eventsOf('claude', payload));
      expect(told).toContain('.env');
      expect(told).not.toContain(secret);
    }
  });
});

/** A command of Codex that edits files, as its shell is given it. */
function patching(...lines: string[]): Fields {
  const text = ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
  const tool_input = { command: `apply_patch <<'PATCH'\n${text}\nPATCH` };
  return { ...sample('codex/PreToolUse.Bash'), tool_input };
}

describe('a patch that a shell is given', () => {
  const UPDATE = [
    '*** Update File: src/price.js',
    '@@ applyDiscount',
    ' {',
    '-  return 1;',
    '+  return 2;',
    ' }',
  ];

  it('is an edit of its files, of which the agent is told before it', () => {
    const patch = patching(...UPDATE, '*** Add File: /tmp/new.js', '+export {};');
    expect(eventsOf('codex', patch)).toMatchObject([
      {
        kind: 'tool_start',
        payload: { role: 'editing', files_touched: ['/project/src/price.js', '/tmp/new.js'] },
      },
    ]);
    expect(askedBy('codex', patch)).toMatchObject({
      moment: 'before_edit',
      file_paths: ['/project/src/price.js', '/tmp/new.js'],
      edit: {
        file: '/project/src/price.js',
        old: '{\n  return 1;\n}\n',
        now: '{\n  return 2;\n}\nexport {};',
      },
    });
  });

  it('is recorded as other edits are, by what it takes out and puts in', () => {
    expect(eventsOf('codex', patching(...UPDATE))[0]).toMatchObject({
      payload: {
        params_json: {
          edits: [
            {
              file_path: '/project/src/price.js',
              old_string: '{\n  return 1;\n}',
              new_string: '{\n  return 2;\n}',
            },
          ],
        },
      },
    });
  });

  it('names files in the folder that the command goes to', () => {
    const { tool_input, ...rest } = patching(...UPDATE);
    const command = `cd packages/shop && ${Object(tool_input).command}`;
    expect(eventsOf('codex', { ...rest, tool_input: { command } })[0]).toMatchObject({
      payload: { files_touched: ['/project/packages/shop/src/price.js'] },
    });
  });

  it('and is only shown, or has other commands before it, is a command', () => {
    const { tool_input, ...rest } = patching(...UPDATE);
    for (const before of ['cat <<X\n', 'npm test && '])
      expect(
        askedBy('codex', { ...rest, tool_input: { command: before + Object(tool_input).command } }),
      ).toMatchObject({ moment: 'before_command' });
  });

  it('may be handed to a tool of its own', () => {
    const { tool_input, ...rest } = patching(...UPDATE);
    const command = Object(tool_input).command.split('\n').slice(1, -1).join('\n');
    const done = {
      ...rest,
      hook_event_name: 'PostToolUse',
      tool_name: 'apply_patch',
      tool_response: 'Done!',
    };
    expect(eventsOf('codex', { ...done, tool_input: { command } })[1]).toMatchObject({
      kind: 'tool_end',
      payload: { success: true, files_touched: ['/project/src/price.js'] },
    });
  });
});

describe('a command of Codex, whose end tells no exit code', () => {
  const ended = (command: string, tool_response: string) =>
    kindsOf('codex', { ...sample('codex/PostToolUse.Bash.exit0'), tool_input: { command }, tool_response });

  it('has failed where tests say so, and not where their words are only read', () => {
    const failing = 'not ok 1 - adds\n# tests 1\n# pass 0\n# fail 1\n';
    expect(ended('node --test', failing)).toContain('error');
    expect(ended('cat test.log', failing)).not.toContain('error');
    expect(ended('node --test', 'ok 1 - adds\n# tests 1\n# pass 1\n# fail 0\n')).not.toContain('error');
  });
});

describe('what Gemini says of a command', () => {
  const ended = (llmContent: string) =>
    eventsOf('gemini', {
      ...sample('gemini/AfterTool.run_shell_command.exit0'),
      tool_response: { llmContent, returnDisplay: '' },
    })[1]?.payload;

  it('is taken off what the command printed, in the last lines alone', () => {
    const printed = 'Exit Code: 7\nlast';
    expect(ended(`Output: ${printed}\nExit Code: 2\nProcess Group PGID: 5`)).toMatchObject({
      stdout: printed,
      exit_code: 2,
      success: false,
    });
    expect(ended('Output: (empty)\nProcess Group PGID: 5')).toMatchObject({
      stdout: '',
      exit_code: 0,
      success: true,
    });
    expect(ended('Output: a\nSignal: SIGKILL\nProcess Group PGID: 5')).toMatchObject({ success: false });
    expect(ended('Output: of another tool')).toMatchObject({
      stdout: 'Output: of another tool',
      success: true,
    });
  });

  it('of one that a person stopped is no failure', () => {
    expect(ended('Command was cancelled by user before it could complete.')).toMatchObject({
      success: false,
      interrupted: true,
    });
  });
});

describe('what Copilot says of a command', () => {
  const ended = (text_result_for_llm: string, result_type = 'success') =>
    eventsOf('copilot', {
      ...sample('copilot/PostToolUse.Bash.ok'),
      tool_result: { result_type, text_result_for_llm },
    })[1]?.payload;

  it('is an exit code in its last line', () => {
    expect(ended('a\n<shellId: 3 completed with exit code 0>')).toMatchObject({
      stdout: 'a\n',
      exit_code: 0,
      success: true,
    });
    expect(ended('<shellId: 3 completed with exit code 1>\nb')).toMatchObject({ success: true });
    expect(ended('<shellId: 3 completed with exit code 127>')).toMatchObject({
      stdout: '',
      exit_code: 127,
      success: false,
    });
    expect(ended('refused', 'denied')).toMatchObject({ stderr: 'refused', success: false });
  });
});
