import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startExplorer } from '../web/explorer.js';
import { expectWholePage, inBrowser, Stage } from './browser.js';

const HOSTILE = '<img src=x onerror=alert(1)>\u202Egnp.\u0007';

inBrowser('a reader', () => {
  const stage = new Stage(async (scratch) => {
    const many = Array.from(
      { length: 60 },
      (_, at) => `export function user${at}() {\n  return shared();\n}\n`,
    );
    scratch.write('shop', {
      'src/many.ts': `export function shared() {}\n${many.join('')}`,
      'src/one.ts': 'export function same() {}\n',
      'src/two.ts': 'export function same() {}\n',
      'src/<b>&"odd.ts': 'export function odd() { return "<script>alert(1)</script>"; }\n',
    });
    await scratch.run(['index', '--quiet']);
    await scratch.run(['memory', 'store', 'decision', HOSTILE, `${HOSTILE} says <script>alert(2)</script>`]);
  });

  it('follows links by mouse and keyboard, goes back and forward, and reloads', async () => {
    const view = await (await stage.view()).open('symbol/Basket.total');
    const tax = `symbol/${encodeURIComponent('fn:src/money.ts:tax')}`;
    const link = view.part('Callees').locator('a').first();
    await view.follow(() => link.click(), tax);
    expect(await view.heading()).toBe('tax');
    expect(await view.page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    await view.follow(() => view.page.goBack(), 'symbol/Basket.total');
    expect(await view.heading()).toBe('Basket.total');
    await view.follow(() => view.page.goForward(), tax);
    expect(await view.heading()).toBe('tax');
    await view.page.reload();
    await view.settled();
    expect(await view.heading()).toBe('tax');

    await view.open('symbol/Basket.total');
    await view.part('Callees').locator('a').first().focus();
    await view.follow(() => view.page.keyboard.press('Enter'), tax);
    expect(await view.heading()).toBe('tax');
    await expectWholePage(view);
  });

  it('searches with / and Enter, and skips to the content', async () => {
    const view = await (await stage.view()).open('tasks');
    await view.page.keyboard.press('/');
    await view.page.keyboard.type('tax');
    await view.follow(() => view.page.keyboard.press('Enter'), 'search/tax');
    expect(await view.symbolsOf('')).toEqual([]);
    expect(await view.page.locator('main .cards a').first().textContent()).toContain('tax');
    const other = await (await stage.view()).open('tasks');
    await other.page.keyboard.press('Tab');
    await other.page.keyboard.press('Enter');
    expect(await other.page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    expect(other.page.url()).toMatch(/#\/tasks$/u);
  });

  it('unfolds a long list, which says how many more there are; coming back, the page is where it was', async () => {
    const view = await stage.view({ viewport: { width: 1400, height: 600 } });
    await view.open('symbol/shared');
    const callers = view.part('Callers');
    expect(await callers.locator('.list > li').count()).toBe(20);
    await callers.getByRole('button', { name: 'Show 40 more callers' }).click();
    expect(await callers.locator('.list > li').count()).toBe(60);
    await view.page.evaluate(() => window.scrollTo(0, 700));
    await view.page.waitForTimeout(100);
    await callers.locator('a.name').nth(20).click();
    await view.page.waitForFunction(() => document.querySelector('h1')?.textContent?.startsWith('user'));
    expect(await view.page.evaluate(() => window.scrollY)).toBe(0);
    await view.follow(() => view.page.goBack(), 'symbol/shared');
    await view.page.waitForFunction(() => window.scrollY > 300);
  });

  it('sees what changes while it does, and the page does not move', async () => {
    const view = await stage.view({ viewport: { width: 1400, height: 500 } });
    await view.open('file/src/many.ts');
    await view.page.evaluate(() => window.scrollTo(0, 400));
    const before = await view.part('Symbols').locator('.count').textContent();
    await view.part('Symbols').locator('a').nth(10).focus();
    const scrolled = await view.page.evaluate(() => window.scrollY);
    const path = join(stage.scratch.project, 'src/many.ts');
    const lines = Array.from(
      { length: 61 },
      (_, at) => `export function user${at}() {\n  return shared();\n}\n`,
    );
    writeFileSync(path, `export function shared() {}\n${lines.join('')}`);
    await view.page.waitForFunction(
      (count) => document.querySelector('.outline .count')?.textContent !== count,
      before,
      { timeout: 60_000 },
    );
    expect(await view.part('Symbols').locator('.count').textContent()).toBe('62');
    expect(await view.page.evaluate(() => window.scrollY)).toBe(scrolled);
    expect(await view.page.evaluate(() => document.activeElement?.textContent)).toBe('user9');
    expect(await view.page.locator('[role="status"]').textContent()).toContain('Updated');
    expect(view.faults).toEqual([]);
  });

  it('reads names with markup and hidden characters as text', async () => {
    const view = await (await stage.view()).open('memories');
    const title = await view.page.locator('main .lead a').first().textContent();
    expect(title).toContain('<img src=x onerror=alert(1)>');
    expect(title).not.toContain('\u202E');
    expect(await view.page.locator('main img, main script').count()).toBe(0);
    await view.open('symbol/odd');
    expect(await view.page.locator('main').textContent()).toContain('<script>alert(1)</script>');
    await view.page.locator('.above a').first().click();
    await view.page.waitForFunction(() => document.querySelector('h1')?.textContent === 'src/<b>&"odd.ts');
    await expectWholePage(view);
  });

  it('edits and forgets a memory: each asks first', async () => {
    await stage.scratch.run(['memory', 'store', 'decision', 'Old words', 'Something']);
    const view = await (await stage.view()).open('memories');
    await view.page.getByRole('link', { name: 'Old words' }).click();
    await view.page.getByRole('button', { name: 'Edit' }).click();
    await view.page.getByLabel('Title').fill('New words');
    await view.page.getByRole('button', { name: 'Save' }).click();
    await view.page.getByRole('button', { name: 'Cancel' }).click();
    expect(await view.heading()).toBe('Old words');
    await view.page.getByRole('button', { name: 'Save' }).click();
    expect(await view.barriers()).toEqual([]);
    await view.page.getByRole('button', { name: 'Change it' }).click();
    await view.page.waitForFunction(() => document.querySelector('h1')?.textContent === 'New words');
    await view.page.getByRole('button', { name: 'Forget' }).click();
    await view.page.keyboard.press('Escape');
    expect(await view.heading()).toBe('New words');
    await view.page.getByRole('button', { name: 'Forget' }).click();
    await view.follow(() => view.page.getByRole('button', { name: 'Forget it' }).click(), 'memories');
    expect(await view.page.getByRole('link', { name: 'New words' }).count()).toBe(0);
    expect(view.faults).toEqual([]);
  });

  it('overwrites nothing that was written to a memory since its form was opened', async () => {
    const { scratch } = stage;
    await scratch.run(['memory', 'store', 'decision', 'Shared words', 'As they were']);
    const view = await (await stage.view()).open('memories');
    await view.page.getByRole('link', { name: 'Shared words' }).click();
    await view.page.getByRole('button', { name: 'Edit' }).click();
    await view.page.getByLabel('Content').fill('Written in the form');
    const id = decodeURIComponent(new URL(view.page.url()).hash.slice('#/memory/'.length));
    await scratch.run(['memory', 'update', id, '--content', 'Written by an agent']);
    await view.page.locator('.quote', { hasText: 'Written by an agent' }).first().waitFor();
    await view.page.getByRole('button', { name: 'Save' }).click();
    await view.page.getByRole('button', { name: 'Change it' }).click();
    await view.page.getByText('changed after you began to edit it').waitFor();
    expect(await view.page.getByLabel('Content').inputValue()).toBe('Written in the form');
    const { memory } = await stage.answer<{ memory: { content: string } }>('memory', 'get', id);
    expect(memory.content).toBe('Written by an agent');

    await view.page.getByRole('button', { name: 'Edit' }).click();
    await view.page.getByRole('button', { name: 'Edit' }).click();
    await view.page.getByLabel('Importance').fill('');
    await view.page.getByLabel('Title').fill('Other words');
    await view.page.getByRole('button', { name: 'Save' }).click();
    expect(await view.page.locator('dialog[open]').count()).toBe(0);
  });

  it('chooses among things of one name', async () => {
    const view = await (await stage.view()).open('symbol/same');
    const others = view.page.getByLabel('Others of this name');
    expect(await others.locator('a.name').count()).toBe(1);
    const [first] = await view.page.locator('.above .place').allTextContents();
    await others.locator('a.name').click();
    await view.page.waitForFunction(
      (place) => document.querySelector('.above .place')?.textContent !== place,
      first,
    );
    expect(await view.heading()).toBe('same');
  });

  it('reads on where the daemon ended, and is told where the server did', async () => {
    const view = await (await stage.view()).open('tasks');
    await stage.scratch.run(['stop', '--quiet']);
    await view.follow(() => view.page.locator('nav a[href="#/errors"]').click(), 'errors');
    expect(await view.heading()).toBe('Errors');
    expect(view.faults).toEqual([]);

    const explorer = await startExplorer(stage.scratch);
    const other = await stage.browser.newPage();
    await other.goto(`${explorer.url}#/tasks`);
    await other.waitForSelector('main[aria-busy="false"]');
    await explorer.stop();
    await other.getByText('The server does not answer').waitFor();
    expect(await other.textContent('h1')).toBe('Tasks');
    const again = await startExplorer(stage.scratch, ['--port', String(explorer.port)]);
    await other.getByText('the token is missing or wrong').waitFor();
    expect(await other.getByText('The server does not answer').count()).toBe(0);
    await other.goto(`${again.url}#/tasks`);
    await other.waitForSelector('main[aria-busy="false"]');
    expect(await other.textContent('h1')).toBe('Tasks');
    await again.stop();
  });

  it('takes a view along as a file that asks nobody', async () => {
    const file = join(stage.scratch.folder, 'total.html');
    const id = 'm:src/shop.ts:Basket.total';
    const { code, stderr } = await stage.scratch.run([
      'explore',
      '--export',
      file,
      '--view',
      `/symbol/${id}`,
    ]);
    expect([code, stderr]).toEqual([0, '']);
    const view = await stage.view({ offline: true });
    await view.page.goto(`file://${file}`);
    await view.settled();
    expect(await view.heading()).toBe('Basket.total');
    expect(await view.part('Callees').textContent()).toContain('tax');
    expect(await view.part('Callees').locator('[title^="Not in this file"]').count()).toBe(1);
    expect(await view.page.locator('.t-keyword').count()).toBeGreaterThan(0);
    expect(view.faults).toEqual([]);
  });
});
