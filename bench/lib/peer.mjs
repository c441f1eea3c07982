// Another indexer beside ours: @colbymchenry/codegraph, installed by npm into a scratch folder, with a home there.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { watched } from './process-tree.mjs';

const PEER = '@colbymchenry/codegraph@1.6.1';

/**
 * Installs it under `scratch`; gives what indexes a project, which it does inside the project's folder, and how its MCP
 * server is started.
 *
 * @param installed A folder into which npm has installed it; null: none.
 */
export function installPeer(scratch, installed = null) {
  const folder = installed === null ? join(scratch, 'peer') : resolve(installed);
  const home = join(scratch, 'peer-home');
  mkdirSync(folder, { recursive: true });
  mkdirSync(home);
  if (installed === null)
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, PEER], {
      stdio: 'ignore',
    });
  const command = join(folder, 'node_modules', '.bin', 'codegraph');
  const env = { ...process.env, HOME: home, USERPROFILE: home, CODEGRAPH_TELEMETRY: '0' };
  return {
    name: PEER,
    server: (root) => ({ command, args: ['serve', '--mcp', '--path', root], cwd: root, env }),
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
