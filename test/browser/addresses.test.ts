import { expect, it } from 'vitest';
import { expectWholePage, inBrowser, Stage } from './browser.js';

inBrowser('an address', () => {
  const stage = new Stage();

  it('may have more than one question mark', async () => {
    const query = "RETURN '%3F' AS a, '?' AS b";
    const view = await (await stage.view()).open(`query?q=${query.replaceAll(' ', '%20')}`);
    expect(await view.page.locator('main td').allTextContents()).toEqual(['?', '?']);
    await expectWholePage(view);
  });

  it.each(['symbol/../../project', 'symbol/..', 'symbol/%2E%2E%2F..'])(
    'is taken as it stands, whatever a browser makes of dots: #/%s',
    async (path) => {
      const view = await (await stage.view()).open(path);
      expect(await view.heading()).toContain('..');
      expect(await view.page.locator('main .trouble').count()).toBe(1);
      await expectWholePage(view);
    },
  );

  it('may hold a query that is longer than a server takes addresses', async () => {
    const query = `RETURN '${'%'.repeat(6000)}' AS text`;
    const view = await (await stage.view()).open(`query?q=${encodeURIComponent(query)}`);
    expect(await view.page.locator('main td').textContent()).toContain('%%%%');
    await expectWholePage(view);
  });

  it('can be made of a name with half a surrogate pair', async () => {
    const query = `RETURN {id: 'fn:src/shop.ts:\\uD800', labels: ['Function']} AS n`;
    const view = await (await stage.view()).open(`query?q=${encodeURIComponent(query)}`);
    expect(await view.page.locator('main td').textContent()).toContain('U+D800');
    await expectWholePage(view);
  });
});
