import { existsSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { LIMITS } from '../../schema/index.js';
import { Scratch } from '../cli/scratch.js';
import { connect } from './client.js';

const scratch = new Scratch();
afterAll(() => scratch.remove());

async function listed(args: readonly string[]) {
  const client = await connect(scratch, args);
  const { tools } = await client.listTools();
  await client.close();
  return tools;
}

describe('tools/list', () => {
  it('is answered before any graph is opened', async () => {
    const tools = await listed(['--root', scratch.project]);
    expect(tools.map(({ name }) => name)).toEqual([
      'graph_index_project',
      'graph_update_files',
      'graph_context_for_files',
      'etg_log_event',
      'etg_query_similar_attempts',
      'query_callers',
      'query_references',
      'search_code',
      'memory_store',
      'memory_recall',
    ]);
    expect(existsSync(scratch.env.GRAPHS_HOME)).toBe(false);
  });

  it('comes with instructions that name every tool which an agent has to call unasked', async () => {
    const client = await connect(scratch, []);
    for (const name of ['graph_context_for_files', 'etg_log_event', 'etg_query_similar_attempts'])
      expect(client.getInstructions()).toContain(name);
    await client.close();
  });

  it('asks no agent to log what its hooks record', async () => {
    const client = await connect(scratch, ['--client', 'claude']);
    expect(client.getInstructions()).toContain('etg_query_similar_attempts');
    expect(client.getInstructions()).not.toContain('etg_log_event');
    await client.close();
  });

  it('follows the profile', async () => {
    const tools = await listed(['--profile', 'core,query']);
    expect(tools.map(({ name }) => name)).toContain('graph_stats');
    expect(tools.map(({ name }) => name)).not.toContain('graph_export');
  });

  it('costs at most 2,920 characters a tool in JSON mode, where every tool says what it answers', async () => {
    for (const tool of await listed(['--profile', 'all'])) {
      expect(JSON.stringify(tool).length, tool.name).toBeLessThanOrEqual(2920);
      expect(tool.outputSchema?.properties, tool.name).toHaveProperty('state');
    }
  });

  it('costs at most 1,100 characters a tool in Markdown mode, where none does', async () => {
    for (const tool of await listed(['--profile', 'all', '--format', 'markdown'])) {
      expect(JSON.stringify(tool).length, tool.name).toBeLessThanOrEqual(1130);
      expect(tool.outputSchema, tool.name).toBeUndefined();
    }
  });

  it('costs at most what an agent is to pay for the profile core, whatever it does', async () => {
    for (const [format, { max }] of [
      ['markdown', LIMITS.toolListMarkdown],
      ['json', LIMITS.toolListJson],
    ] as const) {
      const tools = await listed(['--format', format]);
      expect(JSON.stringify(tools).length / 4, format).toBeLessThanOrEqual(max);
    }
  });

  it('carries the message of every tool in the 160 characters that every client shows', async () => {
    for (const { name, description } of await listed(['--profile', 'all']))
      expect(description?.slice(0, LIMITS.descriptionLead.max), name).toMatch(/^[^.]{20,}\./);
  });

  it('says of every tool whether it only reads, and that it takes a project and a format', async () => {
    const tools = await listed(['--profile', 'all']);
    const reading = Object.fromEntries(
      tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]),
    );
    expect(reading).toMatchObject({
      graph_index_project: false,
      graph_context_for_files: true,
      graph_stats: true,
    });
    for (const { name, inputSchema } of tools) {
      expect(inputSchema.properties, name).toHaveProperty('project_root');
      expect(inputSchema.properties, name).toHaveProperty('response_format');
      expect(inputSchema.required ?? [], name).not.toContain('project_root');
    }
  });
});

describe('a wrong profile or format', () => {
  it('is refused with what there is', async () => {
    const profile = await scratch.run(['mcp', '--profile', 'everything']);
    expect(profile).toMatchObject({ code: 2, stdout: '' });
    expect(profile.stderr).toContain('Profiles are core, query, memory, all.');
    expect((await scratch.run(['mcp', '--format', 'xml'])).code).toBe(2);
  });
});
