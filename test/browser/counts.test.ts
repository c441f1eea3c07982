import { expect, it } from 'vitest';
import { expectWholePage, inBrowser, Stage } from './browser.js';

const FILES = 26;
const ARROWS = (FILES * (FILES - 1)) / 2;

inBrowser('a count', () => {
  const stage = new Stage(async (scratch) => {
    const files = Array.from({ length: FILES }, (_, at) => {
      const names = Array.from({ length: at }, (_, other) => other);
      const imports = names.map((other) => `import { f${other} } from './f${other}.js';\n`).join('');
      const calls = names.map((other) => `  f${other}();\n`).join('');
      return [`src/dense/f${at}.ts`, `${imports}export function f${at}() {\n${calls}}\n`] as const;
    });
    scratch.write('shop', {
      ...Object.fromEntries(files),
      'src/used.ts': 'export function used() {}\n',
      'src/user.ts':
        "import { used } from './used.js';\nexport const user = () => used();\nexport function twice() { used(); used(); }\n",
      'test/used.test.ts': [
        "import { it } from 'vitest';",
        "import { used } from '../src/used.js';",
        'export function one() { used(); }',
        'export function two() { used(); }',
        "it('same', () => used()); it('same', () => used());",
        '',
      ].join('\n'),
    });
    await scratch.run(['index', '--quiet']);
  });

  it('of callers counts those in tests, which are listed by file', async () => {
    const { results, metadata } = await stage.answer<{
      results: { callers: unknown[]; tests: { callers: number }[] };
      metadata: { total_count: number };
    }>('callers', 'used');
    const inTests = results.tests.reduce((sum, { callers }) => sum + callers, 0);
    expect(inTests).toBeGreaterThan(results.tests.length);
    expect(results.callers.length + inTests).toBe(metadata.total_count);
    const view = await (await stage.view()).open('symbol/used');
    expect(await view.part('Callers').locator('.count').first().textContent()).toBe(
      String(metadata.total_count),
    );
    expect(await view.part('Callers').locator('.more').count()).toBe(0);
    const cases = view.part('Tests').locator('.lines > li');
    expect(await cases.allTextContents()).toEqual(['same', 'same']);
    await view.open('symbol/twice');
    expect(await view.part('Callees').locator('.list > li').count()).toBe(2);
    await expectWholePage(view);
  });

  it('of arrows counts those that are too many for a picture', async () => {
    const view = await (await stage.view()).open('map/src/dense');
    await view.page.locator('svg .arrow').first().waitFor();
    expect(await view.page.locator('svg path.arrow').count()).toBe(300);
    expect(await view.page.locator('main').textContent()).toContain(`the thickest 300 of ${ARROWS} arrows`);
    await expectWholePage(view);
  });
});
