import { expect, it } from 'vitest';
import { connect } from '../mcp/client.js';
import { inBrowser, Stage } from './browser.js';

/** What a host does for a page in a frame without an origin: it greets it, gives it the tool's answer, and asks for it. */
const HOST = `(html, first) => {
  const frame = document.querySelector('iframe');
  const send = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
  window.addEventListener('message', async ({ data: { id, method, params } }) => {
    if (method === 'ui/initialize')
      send({ id, result: { protocolVersion: '2026-01-26', hostInfo: { name: 'host', version: '1' }, hostCapabilities: { serverTools: {} }, hostContext: {} } });
    if (method === 'ui/notifications/initialized') send({ method: 'ui/notifications/tool-result', params: first });
    if (method === 'ui/notifications/size-changed') window.heights = [...(window.heights ?? []), params.height];
    if (method === 'tools/call') send({ id, result: await window.callTool(params) });
  });
  frame.srcdoc = html;
}`;

inBrowser('the page inside a chat', () => {
  const stage = new Stage();

  it('shows what the tool answered, and asks its host for what a reader follows', async () => {
    const client = await connect(stage.scratch, ['--apps'], { showsPages: true });
    const { contents } = await client.readResource({ uri: 'ui://codewalk/explorer' });
    const [{ text = '' } = {}] = contents as { text?: string }[];
    const first = await client.callTool({ name: 'explore_view', arguments: { view: 'symbol/Basket.total' } });
    const { page, faults } = await stage.view();
    await page.exposeFunction('callTool', (params: { name: string }) => client.callTool(params));
    await page.setContent('<iframe sandbox="allow-scripts" width="1200" height="800"></iframe>');
    await page.evaluate(
      `(${HOST})(${JSON.stringify(text).replaceAll('<', '\\u003c')}, ${JSON.stringify(first)})`,
    );
    const frame = page.frameLocator('iframe');
    await frame.getByRole('heading', { name: 'Callers', exact: true }).waitFor();
    expect(await frame.locator('h1').textContent()).toContain('total');
    await frame.locator('section', { hasText: 'Callees' }).getByRole('link', { name: 'tax' }).first().click();
    await frame.locator('h1', { hasText: 'tax' }).waitFor();
    await frame.locator('main[aria-busy="false"]').waitFor();
    expect(await frame.locator('section.callers a[href^="#/symbol/"]').count()).toBe(1);
    expect(await page.evaluate('window.heights.length')).toBeGreaterThan(0);
    expect(faults).toEqual([]);
    await client.close();
  });
});
