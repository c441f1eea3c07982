import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EventKind } from '../../schema/index.js';
import { masked, secretName } from '../../source/index.js';
import { EtgLogEvent } from '../../walkers/trace/etg-log-event.js';
import { keptText } from '../../walkers/trace/kept-text.js';
import { ORDINARY_TEXTS, SECRET_CASES } from './etg-secret-shapes.js';
import { open, scratch, write } from './project.js';

test.each(SECRET_CASES)('$name is masked', ({ text, secret }) => {
  expect(text).toContain(secret);
  expect(masked(text)).not.toContain(secret);
  expect(masked(text)).toContain('[masked:');
  // What was masked once stays as it is.
  expect(masked(masked(text))).toBe(masked(text));
});

test.each(ORDINARY_TEXTS)('%j stays as it is', (text) => {
  expect(masked(text)).toBe(text);
});

test.each([
  ['DB_PASSWORD', 'password'],
  ['apiKey', 'key'],
  ['x-auth-token', 'key'],
  ['AWS_SECRET_ACCESS_KEY', 'key'],
  ['max_tokens', null],
  ['tokenCount', null],
  ['passwordField', null],
  ['primary_key', null],
])('the name %s is that of a %s', (name, strength) => {
  expect(secretName(name)).toBe(strength);
});

test('ten million characters are looked at where they are kept, and a secret that the cut goes through is masked', () => {
  const secret = SECRET_CASES.find(({ name }) => name === 'GitHub token')?.secret ?? '';
  const filler = (length: number) => 'password = a.b "x '.repeat(length / 18 + 1).slice(0, length);
  for (let shift = 0; shift <= 40; shift += 8) {
    const text =
      filler(16_000 - shift - 1) +
      ` ${secret} ` +
      filler(10_000_000) +
      ` ${secret} ` +
      filler(16_000 - shift - 1);
    const { text: kept, truncated } = keptText(text, 32_000);
    expect(kept).not.toContain(secret.slice(0, 12));
    expect(kept).not.toContain(secret.slice(-12));
    expect(truncated).toBeGreaterThan(9_000_000);
  }
});

test.each([
  ['quotes', '"'],
  ['a password with no end', 'password:'],
  ['names', 'a.b-'],
  ['armour', '-----BEGIN RSA PRIVATE KEY-----\n'],
  ['slashes', 'a://b:'],
  ['curl', 'curl -s '],
  ['tokens', 'eyJ'],
  ['spaces', ' '],
  ['equals', 'token=='],
  ['one letter', 'a'],
])('a text of nothing but %s takes no longer for its shape', (_, part) => {
  const text = part.repeat(Math.ceil(64_000 / part.length));
  expect(keptText(text, 32_000).text.length).toBeLessThan(64_000);
});

/** The files of a folder that hold a text. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
}

test('no secret reaches the disk, whatever field it stands in', async () => {
  const home = scratch();
  const graph = await open(write({ 'a.ts': '' }), home);
  const all = SECRET_CASES.map(({ text }) => text).join('\n\n');
  const log = (kind: EventKind, payload: Record<string, unknown>, more: Record<string, unknown> = {}) =>
    graph.spawn(EtgLogEvent, null, { kind, payload: { ...payload, more: all }, ...more });
  const { task_id } = (
    await log('task_start', { user_prompt: all, client: all, tags: SECRET_CASES.map(({ text }) => text) })
  ).output;
  await log('step', { order: 1, role: all, llm_summary: all }, { task_id });
  for (const { text, secret } of SECRET_CASES) {
    await log(
      'tool_start',
      { tool_name: text, params_json: { text, deep: [{ nested: text }], token: secret, [text]: 1 } },
      { task_id },
    );
    const names = { step_id: text, tool_id: text, event_id: text, session_id: text, ts: text };
    await log('tool_end', { tool_name: text, success: false }, { task_id, ...names });
    await log('task_end', { status: text }, { task_id: text });
    await log('task_start', { user_prompt: 'x' }, { session_id: text });
    await log(
      'tool_end',
      { tool_name: 'x', success: true, files_touched: [text, `src/${text}`] },
      { task_id },
    );
  }
  await log('tool_end', { tool_name: 'x', success: true, stdout: all, stderr: all }, { task_id });
  await log('error', { error_type: all, message: all.slice(0, 9000), raw_log_excerpt: all }, { task_id });
  await log('checkpoint', { checkpoint_file: all.slice(0, 400), created_at: all }, { task_id });
  const leaks = () =>
    SECRET_CASES.filter(({ secret }) => filesWith(home, secret).length > 0).map(({ name }) => name);
  expect(filesWith(home, 'masked').length).toBeGreaterThan(0);
  expect(leaks()).toEqual([]);
  await graph.close();
  expect(leaks()).toEqual([]);
});
