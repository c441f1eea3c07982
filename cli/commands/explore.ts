import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { builtInSignatures, graphsFolderOf, homeStatus, packageVersion } from '../../host/index.js';
import { CodewalkError } from '../../schema/index.js';
import { serveExplorer } from '../../web/index.js';
import type { Handler } from '../commands.js';
import { checkedRoot, DIST, hostFor, rootOf, type Session } from '../session.js';

/** Serves the explorer of a project until the process is asked to end. */
export const explore: Handler<'explore'> = async ({ session, flags, places: [path] }) => {
  const { terminal, own, signal } = session;
  const port = portOf(flags.port);
  const root = checkedRoot(session, rootOf(session, flags, path), flags);
  const home = graphsFolderOf({ home: flags.home });
  await using host = hostFor(flags);
  const explorer = await serveExplorer({
    host,
    root,
    own,
    builtIn: builtInSignatures(),
    version: packageVersion(),
    force: flags.force ?? false,
    page: join(DIST, 'web'),
    port,
    status: async () => {
      const { projects, ...rest } = await homeStatus(home);
      return { ...rest, project: projects.find((project) => project.root === root) ?? null };
    },
  });
  const { url, token } = explorer;
  if (flags.json) terminal.json({ url, port: explorer.port, token, root, pid: process.pid });
  else terminal.out(`${url}\n`);
  if (flags.open !== false) openBrowser(url, session);
  if (!flags.quiet && !flags.json) terminal.err('The explorer runs until you press Ctrl+C.\n');
  await aborted(signal);
  await explorer.close();
  return null;
};

/** @throws CodewalkError `INVALID_INPUT` */
function portOf(text: string | undefined): number {
  const port = text === undefined ? 0 : Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535 && text !== '') return port;
  throw new CodewalkError('INVALID_INPUT', `--port is '${text}', no port`, {
    input: text,
    suggestion: 'A port is a number from 1 to 65535; without --port a free one is taken.',
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    signal.addEventListener('abort', () => done(), { once: true });
  });
}

/** What opens an address on each system. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens the browser; where there is none, the address that was printed has to do. */
function openBrowser(url: string, { terminal }: Session): void {
  const { platform, env } = process;
  const failed = () => terminal.err('No browser could be opened: open the address yourself.\n');
  const [command = 'xdg-open', ...args] = OPENERS[platform] ?? ['xdg-open'];
  if (command === 'xdg-open' && !env.DISPLAY && !env.WAYLAND_DISPLAY && !env.BROWSER) {
    failed();
    return;
  }
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', failed);
  child.unref();
}
