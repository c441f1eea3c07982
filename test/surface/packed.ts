import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A folder in which somebody has installed the package as `npm pack` makes it from what was built. */
export class Installed {
  readonly folder = mkdtempSync(join(tmpdir(), 'codewalk-packed-'));

  constructor() {
    const modules = join(this.folder, 'node_modules');
    mkdirSync(modules);
    const made = execFileSync(
      'npm',
      ['pack', '--silent', '--ignore-scripts', '--pack-destination', this.folder],
      { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    );
    const tarball = join(this.folder, made.trim().split('\n').at(-1) ?? '');
    mkdirSync(join(modules, 'codewalk'));
    execFileSync('tar', ['-xzf', tarball, '-C', join(modules, 'codewalk'), '--strip-components=1']);
    const manifest: { dependencies: object } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    for (const name of [...Object.keys(manifest.dependencies), '@types', 'undici-types']) {
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
    }
  }

  /** Runs a program of the folder's; what it printed. */
  run(args: readonly string[], env: NodeJS.ProcessEnv = {}): string {
    return execFileSync(process.execPath, args, {
      cwd: this.folder,
      env: { ...process.env, ...env },
      encoding: 'utf8',
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
