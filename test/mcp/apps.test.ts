import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Scratch } from '../cli/scratch.js';
import { connect, errorOf, textOf } from './client.js';

const scratch = new Scratch();
const PAGE = 'ui://codewalk/explorer';
let client: Awaited<ReturnType<typeof connect>>;
beforeAll(async () => {
  await scratch.run(['index', '--quiet']);
  client = await connect(scratch, ['--apps'], { showsPages: true });
});
afterAll(async () => {
  await client.close();
  await scratch.remove();
});

describe('codewalk mcp --apps', () => {
  it('says that it has pages, and which tool shows them', async () => {
    expect(client.getServerCapabilities()).toMatchObject({
      extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
    });
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'explore_view')?._meta).toEqual({
      ui: { resourceUri: PAGE, visibility: ['model', 'app'] },
    });
    const { resources } = await client.listResources();
    expect(resources).toMatchObject([{ uri: PAGE, mimeType: 'text/html;profile=mcp-app' }]);
  });

  it('gives the page as one file that loads nothing', async () => {
    const { contents } = await client.readResource({ uri: PAGE });
    const [{ text = '', mimeType } = {}] = contents as { text?: string; mimeType?: string }[];
    expect(mimeType).toBe('text/html;profile=mcp-app');
    expect(text).toMatch(/^<!doctype html>/u);
    expect(text).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)=/u);
    await expect(client.readResource({ uri: 'ui://codewalk/other' })).rejects.toThrow('there is no resource');
  });

  it('answers with the view for the page, and a line for the model', async () => {
    const shown = await client.callTool({ name: 'explore_view', arguments: { view: 'symbol/tax' } });
    expect(textOf(shown)).toBe('The person sees symbol/tax.');
    expect(shown.structuredContent).toMatchObject({
      path: 'symbol/tax',
      answer: { view: 'symbol', parts: { code: { body: { node: { name: 'tax' } } }, callers: { body: {} } } },
    });
    const none = await client.callTool({
      name: 'explore_view',
      arguments: { view: 'symbol/nowhere_at_all' },
    });
    expect(textOf(none)).toMatch(/^The person sees symbol\/nowhere_at_all\.\n.*nowhere_at_all/u);
    const wrong = await client.callTool({ name: 'explore_view', arguments: { view: 'nonsense/1' } });
    expect(errorOf(wrong)).toBe("INVALID_INPUT: there is no view 'nonsense'");
    expect(errorOf(await client.callTool({ name: 'explore_view', arguments: {} }))).toMatch(
      /^INVALID_INPUT/u,
    );
  });
});

it('a client that shows no pages has no tool for them', async () => {
  const plain = await connect(scratch, ['--apps']);
  expect((await plain.listTools()).tools.map(({ name }) => name)).not.toContain('explore_view');
  const called = await plain.callTool({ name: 'explore_view', arguments: { view: 'tasks' } });
  expect(errorOf(called)).toMatch(/^WALKER_NOT_FOUND/u);
  await plain.close();
});

it('without --apps there are neither pages nor their tool', async () => {
  const plain = await connect(scratch, []);
  expect(plain.getServerCapabilities()?.resources).toBeUndefined();
  expect((await plain.listTools()).tools.map(({ name }) => name)).not.toContain('explore_view');
  const called = await plain.callTool({ name: 'explore_view', arguments: { view: 'tasks' } });
  expect(errorOf(called)).toMatch(/^WALKER_NOT_FOUND/u);
  await plain.close();
});
