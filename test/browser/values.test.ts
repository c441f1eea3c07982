import { expect, it } from 'vitest';
import { inBrowser, Stage, type View } from './browser.js';

inBrowser('a table of results', () => {
  const stage = new Stage(async (scratch) => {
    scratch.write('shop', { 'src/odd names/a:b.ts': 'export function odd() {}\n' });
    await scratch.run(['index', '--quiet']);
    await scratch.run(['memory', 'store', 'decision', 'Tax is added once', 'By the basket']);
  });
  const ask = async (query: string) =>
    (await stage.view()).open(`query?q=${encodeURIComponent(query)}`) as Promise<View>;
  const links = async (view: View) =>
    Promise.all((await view.page.locator('main td a').all()).map((link) => link.getAttribute('href')));

  it('shows texts whole, and links what is an id in a column of ids', async () => {
    const texts = [
      'test: adds the tax',
      'fn:src/shop.ts:tax',
      'm:no id',
      'm:src/shop.ts:Basket.total',
      'task:one',
    ];
    const [text, name, id, method, task] = texts;
    const view = await ask(
      `RETURN '${text}' AS text, '${name}' AS name, '${id}' AS id, '${method}' AS method_id, '${task}' AS task_id`,
    );
    expect(await view.page.locator('main td').allTextContents()).toEqual(texts);
    expect(await links(view)).toEqual([
      `#/symbol/${encodeURIComponent(method ?? '')}`,
      `#/task/${encodeURIComponent(task ?? '')}`,
    ]);
  });

  it('leads from a node to its own page, and from one that has none nowhere', async () => {
    const memory = await ask('MATCH (m:Memory) RETURN m');
    const [to] = await links(memory);
    expect(to).toMatch(/^#\/memory\/./u);
    await memory.page.locator('main td a').click();
    await memory.page.locator('h1', { hasText: 'Tax is added once' }).waitFor();

    const file = await ask("MATCH (f:File) WHERE f.path ENDS WITH 'b.ts' RETURN f");
    expect(await links(file)).toEqual(['#/file/src/odd%20names/a%3Ab.ts']);
    await file.page.locator('main td a').click();
    await file.page.locator('h1', { hasText: 'src/odd names/a:b.ts' }).waitFor();

    expect(await links(await ask('MATCH (d:Directory) RETURN d'))).toEqual([]);
  });
});
