import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AGENTS, install, partsOf, uninstall } from '../../../hooks/index.js';
import { changeSetting, configFile, heldSettings, settingsFor } from '../../../host/index.js';
import { isSetting, SETTINGS } from '../../../schema/index.js';
import { brief, codedError, demand, type Json, type Random, type Target } from '../lib.js';
import { anyJson, mutatedJson, mutatedText } from '../mutate.js';

const AGENT = {
  theme: 'dark',
  hooks: {
    PostToolUse: [{ matcher: 'Edit|Write', hooks: [{ type: 'command', command: 'echo hi', timeout: 5 }] }],
    Stop: [{ hooks: [{ type: 'command', command: 'node /opt/codewalk/dist/hook.js --client claude' }] }],
  },
  mcpServers: { other: { command: 'npx', args: ['-y', 'other'] }, codewalk: { command: 'codewalk' } },
  permissions: { allow: ['Bash(npm test:*)'] },
};
const OWN = {
  auto_index: true,
  exclude: ['vendor/**'],
  idle_minutes: 10,
  projects: { '/work/shop': { include: ['src/**'] } },
};
const LONGEST_INDENTED = 5000;
const SPACES = ['', '\n', '\r\n', '\ufeff', '// mine\n', '/* mine */', '\t', ' '];

/** Settings files of agents and our own, changed: taken and given back byte by byte, or refused and left alone. */
export const settings: Target = {
  name: 'settings',
  weight: 2,
  open({ scratch }) {
    let nth = 0;
    return {
      generate: (random) => ({
        client: random.oneOf([...AGENTS.map(({ name }) => name), 'config']),
        nth: random.below(4),
        text: textBy(random),
        value: anyJson(random),
        twice: random.oneIn(2),
      }),
      async run(input) {
        if (typeof input !== 'object' || input === null || Array.isArray(input)) return;
        const { client, text } = input;
        if (typeof client !== 'string' || typeof text !== 'string') return;
        const folder = join(scratch, `h${nth++}`);
        mkdirSync(join(folder, '.graphs'), { recursive: true });
        try {
          if (client === 'config') await tryConfig(folder, text, input.value ?? null);
          else
            await tryInstall(folder, client, text, { nth: Number(input.nth), twice: input.twice === true });
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      },
    };
  },
};

function textBy(random: Random): string {
  const value: Json = random.oneIn(3) ? mutatedJson(random, OWN) : mutatedJson(random, AGENT);
  const spaces = random.oneOf([0, 2, 4, '\t']);
  const flat = JSON.stringify(random.oneIn(4) ? AGENT : value);
  // Deep nesting, indented, would be a hundred megabytes.
  const text = flat.length > LONGEST_INDENTED ? flat : JSON.stringify(JSON.parse(flat), null, spaces);
  const whole = random.oneOf(SPACES) + text + random.oneOf(SPACES);
  return random.oneIn(2) ? whole : mutatedText(random, whole);
}

async function tryInstall(folder: string, name: string, text: string, how: { nth: number; twice: boolean }) {
  const client = AGENTS.find((one) => one.name === name);
  if (client === undefined) return;
  const machine = { env: {}, userHome: folder, cwd: folder, platform: 'linux' } as const;
  const programs = { dist: '/opt/codewalk/dist', node: '/opt/node', home: null, version: '1.0.0' };
  const home = join(folder, '.graphs');
  const paths = [
    ...partsOf(client, null, { programs, machine }).map(({ path }) => path),
    client.userFile(machine),
  ];
  const path = paths[how.nth % paths.length] ?? '';
  mkdirSync(dirname(path), { recursive: true });
  // As bytes: a text with half a pair is no UTF-8, and a file may be none either.
  const before = Buffer.from(text, text.includes('\ud800') ? 'utf16le' : 'utf8');
  writeFileSync(path, before);
  const options = {
    home,
    root: null,
    programs,
    machine,
    force: false,
    dryRun: false,
    at: '2026-01-01T00:00:00.000Z',
  };
  const refused = await codedError(() => install(client, options));
  if (refused !== null) {
    demand(refused.code === 'INSTALL_REFUSED', 'refused', `${refused.code}: ${refused.message}`);
    demand(readFileSync(path).equals(before), 'nothing-written', `refused, and written: ${refused.message}`);
  } else {
    const installed = readFileSync(path);
    if (how.twice) {
      await codedError(() => install(client, options));
      demand(readFileSync(path).equals(installed), 'install-again', 'a second time changes the file');
    }
  }
  const { refused: left } = uninstall([client], { home, root: null, programs, machine, dryRun: false });
  for (const error of left) {
    await codedError(() => {
      throw error;
    });
    demand(refused !== null, 'given-back', `installed, and not taken out: ${error.message}`);
  }
  // Where it was refused there may have been something of ours before: that is taken out with reason.
  if (refused !== null) return;
  const after = readFileSync(path, { flag: 'r' });
  const heldOurs = text.includes('codewalk');
  demand(
    heldOurs || after.equals(before),
    'given-back',
    `${brief(before.toString())} became ${brief(after.toString())}`,
  );
}

async function tryConfig(folder: string, text: string, value: Json) {
  const home = join(folder, '.graphs');
  const file = configFile({ home });
  writeFileSync(file, text);
  const wrong = await codedError(() => settingsFor('/work/shop', { home }));
  const held = await codedError(() => heldSettings(null, { home }));
  demand((wrong === null) === (held === null), 'one-verdict', `${wrong?.message} and ${held?.message}`);
  if (wrong !== null) demand(wrong.code === 'CONFIG_INVALID', 'refused', `${wrong.code}: ${wrong.message}`);
  for (const key of Object.keys(SETTINGS).filter(isSetting)) {
    const before = readFileSync(file, 'utf8');
    const refused = await codedError(() => changeSetting(key, value, '/work/shop', { home }));
    const after = readFileSync(file, 'utf8');
    if (refused !== null)
      demand(after === before, 'nothing-written', `refused, and written: ${refused.message}`);
    else await codedError(() => settingsFor('/work/shop', { home }));
  }
}
