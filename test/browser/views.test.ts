import { expect, it } from 'vitest';
import { expectWholePage, inBrowser, Stage } from './browser.js';
import { playSession } from './session.js';

interface Callers {
  readonly results: { readonly callers: readonly { readonly id: string }[] };
  readonly metadata: { readonly total_count: number };
}
interface Tasks {
  readonly tasks: readonly { readonly task_id: string; readonly prompt: string; readonly status: string }[];
}
interface Shown {
  readonly steps: readonly { readonly events: readonly { readonly kind: string }[] }[];
}

const TOTAL = 'm:src/shop.ts:Basket.total';
const address = (id: string) => `symbol/${encodeURIComponent(id)}`;

inBrowser('the views', () => {
  const stage = new Stage(async (scratch) => {
    scratch.write('shop', {
      'test/shop.test.ts': [
        "import { it, expect } from 'vitest';",
        "import { Basket } from '../src/shop.js';",
        "it('adds the tax once', () => {",
        '  expect(new Basket().total(10)).toBe(12);',
        '});',
        '',
      ].join('\n'),
    });
    await scratch.run(['index', '--quiet']);
    await playSession(scratch, 'monday', 'The checkout charges too much');
    await playSession(scratch, 'tuesday', 'It charges too much again');
    await scratch.run([
      'memory',
      'store',
      'decision',
      'Tax belongs to the basket',
      'Nothing else adds it.',
      '--about',
      'src/shop.ts',
    ]);
  });
  const newestTask = async () => (await stage.answer<Tasks>('tasks')).tasks[0]?.task_id ?? '';

  it.each([
    ['', 'shop'],
    [address(TOTAL), 'total'],
    ['symbol/tax', 'tax'],
    ['file/src/shop.ts', 'src/shop.ts'],
    ['path/Basket.total/tax', 'Basket.total to tax'],
    ['map', 'Map of '],
    ['tasks', 'Tasks'],
    ['errors', 'Errors'],
    ['memories', 'Memories'],
    ['query', 'Query'],
    ['query?walker=query_callers', 'Query'],
    ['health', 'Health'],
    ['search/tax', 'tax'],
  ])('have all that a page has, without barriers, in both schemes: #/%s', async (path, title) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const view = await stage.view({ colorScheme });
      await view.open(path);
      expect(await view.heading()).toContain(title);
      expect(await view.page.locator('main .trouble').allTextContents()).toEqual([]);
      await expectWholePage(view);
      expect(await view.barriers()).toEqual([]);
      await view.page.context().close();
    }
  });

  it('fit a window of 360 pixels: the page never scrolls sideways', async () => {
    const view = await stage.view({ viewport: { width: 360, height: 700 } });
    for (const path of [
      '',
      address(TOTAL),
      'file/src/shop.ts',
      'map',
      'tasks',
      `task/${await newestTask()}`,
      'query',
      'health',
    ]) {
      await view.open(path);
      expect([path, await view.page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([
        path,
        360,
      ]);
    }
  });

  it('show of a symbol what the commands answer', async () => {
    const view = await (await stage.view()).open(address(TOTAL));
    for (const title of ['Callers', 'Callees', 'Tests', 'References', 'Past failures', 'Memories'])
      expect(await view.page.getByRole('heading', { name: title, exact: true }).count()).toBe(1);
    const { results, metadata } = await stage.answer<Callers>('callers', TOTAL);
    expect(await view.symbolsOf('Callers')).toEqual(results.callers.map(({ id }) => id));
    expect(await view.part('Callers').locator('.count').first().textContent()).toBe(
      String(metadata.total_count),
    );
    expect(await view.symbolsOf('Callees')).toEqual(['fn:src/money.ts:tax']);
    expect(await view.part('Callees').locator('.sure').textContent()).toBe('certain');
    expect(await view.part('Tests').textContent()).toContain('adds the tax once');
    expect(await view.part('Memories').textContent()).toContain('Tax belongs to the basket');
    expect(await view.part('Past failures').textContent()).toContain('expected 14 to be 12');
    const source = view.part('Source').locator('.line');
    expect(await source.allTextContents()).toContain('5    return price + tax(price);');
    expect(await source.locator(`a[href="#/${address('fn:src/money.ts:tax')}"]`).textContent()).toBe('tax');
  });

  it('say what is not in the graph, and show nothing in its place', async () => {
    const view = await (await stage.view()).open('symbol/no.such.thing');
    expect(await view.heading()).toBe('no.such.thing is not in the graph');
    expect(await view.page.locator('main section').count()).toBe(0);
    await expectWholePage(view);
    await view.open('nowhere');
    expect(await view.heading()).toBe('There is no such page');
    await expectWholePage(view);
    await view.open('symbol/100%');
    expect(await view.heading()).toBe('100% is not in the graph');
    await expectWholePage(view);
    await view.open('task/task:none');
    expect(await view.page.locator('main .trouble').textContent()).toContain('task:none');
  });

  it('show tasks as the command lists them, a task with its steps, and two side by side', async () => {
    const { tasks } = await stage.answer<Tasks>('tasks');
    const view = await (await stage.view()).open('tasks');
    const shown = await view.page.locator('main .cards .lead').allTextContents();
    expect(shown).toEqual(tasks.map(({ prompt }) => prompt));
    await view.page.getByLabel('How it stands').selectOption('failed');
    await view.page.waitForURL(/status=failed/u);
    await view.settled();
    expect(await view.page.locator('main .cards').count()).toBe(0);

    const [first, second] = tasks.map(({ task_id }) => task_id);
    await view.open(`task/${first}`);
    const { steps } = await stage.answer<Shown>('show', first ?? '');
    expect(await view.page.locator('.timeline > .step').count()).toBe(steps.length);
    expect(await view.page.locator('.events > li').count()).toBe(
      steps.flatMap(({ events }) => events).length,
    );
    expect(await view.page.locator('.diff .removed').first().textContent()).toBe(
      '−return price + tax(price) + tax(price);',
    );
    expect(await view.page.locator('.lane-names li').allTextContents()).toEqual([
      'the agent itself',
      'sub agent looker',
    ]);
    expect(await view.barriers()).toEqual([]);

    await view.page.getByText('Compare with another attempt').click();
    await view.page.getByLabel('The other one').selectOption(second ?? '');
    await view.page.waitForURL(/task\/.*\/.*/u);
    await view.settled();
    expect(await view.page.locator('.two > section').count()).toBe(2);
    expect(view.faults).toEqual([]);
  });

  it('show an error with its tasks and what fixed it', async () => {
    const view = await (await stage.view()).open('errors');
    await view.page.locator('main .cards a').first().click();
    await view.page.waitForURL(/#\/error\//u);
    await view.settled();
    expect(await view.heading()).toContain('expected 14 to be 12');
    expect(await view.part('What made it go away').textContent()).toContain('+return price + tax(price);');
    expect(await view.part('Tasks').locator('a').count()).toBe(2);
    expect(await view.barriers()).toEqual([]);
    expect(view.faults).toEqual([]);
  });

  it('run a query that stands in the address, with its columns in order and a picture', async () => {
    const view = await (await stage.view()).open('query');
    const query = 'MATCH (a:Method)-[c:CALLS]->(b:Function) RETURN b.name AS second, a.name AS first, a, b';
    await view.page.getByLabel('Query in Cypher').fill(query);
    await view.page.getByRole('button', { name: 'Run', exact: true }).click();
    await view.page.waitForSelector('table');
    await view.settled();
    expect(await view.page.locator('table').first().locator('thead th').allTextContents()).toEqual([
      'second',
      'first',
      'a',
      'b',
    ]);
    expect(await view.page.locator('tbody tr').first().locator('td').nth(0).textContent()).toBe('tax');
    expect(new URLSearchParams(view.page.url().split('?').at(-1)).get('q')).toBe(query);
    expect(await view.page.locator('.picture .box').count()).toBe(2);
    await view.page.waitForSelector('.picture .arrow', { state: 'attached' });
    await view.page.reload();
    await view.page.waitForSelector('table');
    expect(await view.page.getByLabel('Query in Cypher').inputValue()).toBe(query);

    await view.page.getByLabel('Query in Cypher').fill('MATCH (n RETURN n');
    await view.page.getByLabel('Query in Cypher').press('Control+Enter');
    await view.page.waitForSelector('.trouble');
    expect(await view.page.locator('.trouble').textContent()).toContain('line 1, column 7');
    expect(await view.page.locator('table').count()).toBe(0);
  });

  it('complete labels, types and properties, and store queries', async () => {
    const view = await (await stage.view()).open('query');
    const box = view.page.getByLabel('Query in Cypher');
    await box.fill('');
    await box.pressSequentially('MATCH (f:Fun');
    await view.page.getByRole('option', { name: 'Function', exact: true }).waitFor();
    await box.press('Tab');
    await box.pressSequentially(') RETURN f.qualif');
    await view.page.getByRole('option', { name: 'qualified_name', exact: true }).waitFor();
    await box.press('Tab');
    expect(await box.inputValue()).toBe('MATCH (f:Function) RETURN f.qualified_name');
    await view.page.getByRole('button', { name: 'Save this query' }).click();
    await view.page.reload();
    await view.settled();
    await view.page.getByLabel('Saved').selectOption('MATCH (f:Function) RETURN f.qualified_name');
    await view.page.waitForSelector('table');
    expect(view.faults).toEqual([]);
  });

  it('make a form of what a walker takes, and run it', async () => {
    const view = await (await stage.view()).open('query');
    await view.page.getByLabel('Walker', { exact: true }).selectOption('query_callers');
    await view.page.getByLabel('function name').fill('tax');
    await view.page.getByRole('button', { name: 'Run query_callers' }).click();
    await view.page.waitForURL(/input=/u);
    await view.settled();
    expect(await view.page.locator('.walker .fields a').allTextContents()).toContain(TOTAL);
  });

  it('make pictures that are the same on every load, and can be taken along', async () => {
    const view = await stage.view({ acceptDownloads: true });
    const drawn = async () => {
      await view.open('map');
      await view.page.waitForSelector('.picture .box');
      return view.page.locator('.picture svg').innerHTML();
    };
    expect(await drawn()).toBe(await drawn());
    for (const [button, start] of [
      ['Save as SVG', '<svg'],
      ['Save as PNG', '\u0089PNG'],
    ] as const) {
      const [download] = await Promise.all([
        view.page.waitForEvent('download'),
        view.page.getByRole('button', { name: button }).click(),
      ]);
      const chunks: Buffer[] = [];
      for await (const chunk of await download.createReadStream()) chunks.push(chunk);
      expect(Buffer.concat(chunks).toString('latin1').startsWith(start)).toBe(true);
    }
    expect(view.faults).toEqual([]);
  });
});
