// Another indexer beside ours: @colbymchenry/codegraph, installed by npm into a scratch folder, with a home there.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { watched } from './process-tree.mjs';

const PEER = '@colbymchenry/codegraph@1.6.1';

/** Installs it under `scratch`; gives what indexes a project, which it does inside the project's folder. */
export function installPeer(scratch) {
  const folder = join(scratch, 'peer');
  const home = join(scratch, 'peer-home');
  mkdirSync(folder);
  mkdirSync(home);
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, PEER], { stdio: 'ignore' });
  const command = join(folder, 'node_modules', '.bin', 'codegraph');
  const env = { ...process.env, HOME: home, USERPROFILE: home, CODEGRAPH_TELEMETRY: '0' };
  return {
    name: PEER,
    async index(root) {
      const { stdout, ...figures } = await watched(command, ['init', '--yes', root], { cwd: root, env });
      const [, nodes, edges] = /([\d,]+) nodes, ([\d,]+) edges/.exec(stdout) ?? [];
      return { ...figures, nodes: number(nodes), edges: number(edges) };
    },
  };
}

function number(text) {
  return text === undefined ? null : Number(text.replaceAll(',', ''));
}
