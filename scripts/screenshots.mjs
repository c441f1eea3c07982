// Takes the pictures of the explorer that README and tutorial show: the tutorial's session, in a real browser.
// Run: npm run build && node scripts/screenshots.mjs   (needs Chromium: Debian's package, or CHROMIUM=path)
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { inTutorial, ROOT } from './tutorial-run.mjs';

const VIEWS = { 'explorer-symbol': 'symbol/Basket.total', 'explorer-task': null };

const executablePath = [process.env.CHROMIUM, '/usr/bin/chromium'].find((path) => path && existsSync(path));

await inTutorial(async ({ codewalk, project, env }) => {
  const { tasks } = JSON.parse(codewalk(['tasks', '--json']));
  const child = spawn(process.execPath, [join(ROOT, 'dist/cli.js'), 'explore', '--json', '--no-open'], {
    cwd: project,
    env,
  });
  const [line] = await once(child.stdout, 'data');
  const { url } = JSON.parse(line);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const page = await browser.newPage({ viewport: { width: 1200, height: 760 }, colorScheme: 'light' });
  for (const [name, view] of Object.entries(VIEWS)) {
    await page.goto(`${url}#/${view ?? `task/${encodeURIComponent(tasks[0].task_id)}`}`);
    await page.waitForFunction(() => document.querySelector('main')?.getAttribute('aria-busy') === 'false');
    await page.screenshot({ path: join(ROOT, `docs/${name}.png`) });
  }
  await browser.close();
  child.kill('SIGTERM');
  await once(child, 'exit');
});
