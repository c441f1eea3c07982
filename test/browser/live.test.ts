import { renameSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inBrowser, Stage, type View } from './browser.js';

const FILE = 'file/src/live.ts';

inBrowser('a page', () => {
  const stage = new Stage();
  const write = (...names: string[]) =>
    stage.scratch.write('shop', {
      'src/live.ts': names.map((name) => `export function ${name}() {}\n`).join(''),
    });
  const symbols = (view: View) => view.part('Symbols').locator('a.name');
  const shows = (view: View, name: string) =>
    symbols(view).getByText(name, { exact: true }).waitFor({ timeout: 60_000 });

  it('shows what changed while it was loading', async () => {
    write('before');
    const witness = await (await stage.view()).open(FILE);
    await shows(witness, 'before');
    const view = await stage.view();
    let release = () => {};
    const released = new Promise<void>((done) => {
      release = done;
    });
    await view.page.route(
      (url) => url.pathname === '/api/view',
      async (route) => {
        const response = await route.fetch();
        await released;
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    const isAsked = view.page.waitForRequest((request) => request.url().includes('/api/view'));
    const opened = view.open(FILE);
    await isAsked;
    await view.page.waitForTimeout(1500);
    write('before', 'after');
    await shows(witness, 'after');
    await view.page.waitForTimeout(1500);
    release();
    await opened;
    await shows(view, 'after');
    expect(view.faults).toEqual([]);
  });

  it('listens while it can be seen, and catches up when it is seen again', async () => {
    write('first');
    const view = await stage.view();
    const open = new Set<unknown>();
    const isStream = (request: { url(): string }) => request.url().includes('/api/events');
    view.page.on('request', (request) => isStream(request) && open.add(request));
    for (const end of ['requestfinished', 'requestfailed'] as const)
      view.page.on(end as 'requestfinished', (request) => open.delete(request));
    await view.open(FILE);
    await shows(view, 'first');
    await expect.poll(() => open.size).toBe(1);
    await turn(view, true);
    await expect.poll(() => open.size).toBe(0);
    // What was asked before the page was hidden is answered.
    await view.page.waitForTimeout(1000);
    write('first', 'second');
    await view.page.waitForTimeout(2000);
    expect(await symbols(view).count()).toBe(1);
    await turn(view, false);
    await shows(view, 'second');
    await expect.poll(() => open.size).toBe(1);
    expect(view.faults).toEqual([]);
  });

  it('says so while the graph cannot follow the files', async () => {
    write('here');
    const view = await (await stage.view()).open(FILE);
    const { project } = stage.scratch;
    const note = view.page.getByText('the graph does not follow the files');
    renameSync(project, `${project}-moved`);
    await note.waitFor({ timeout: 60_000 });
    renameSync(`${project}-moved`, project);
    await note.waitFor({ state: 'detached', timeout: 60_000 });
  });
});

/** A tab of a window that is not shown has no other sign of it. */
function turn({ page }: View, isHidden: boolean): Promise<void> {
  return page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
}
