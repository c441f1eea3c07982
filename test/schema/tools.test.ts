import { describe, expect, it } from 'vitest';
import { isListed, type PROFILES, TOOLS, toolEntry } from '../../schema/index.js';

const listed = (profile: keyof typeof PROFILES) =>
  TOOLS.filter((tool) => isListed(tool.walker, profile)).map((tool) => tool.walker);

describe('table T', () => {
  it('lists ten tools in the profile core (C-11)', () => {
    expect(listed('core')).toEqual([
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
  });

  it('includes core in query and memory, and everything with a tool in all', () => {
    for (const profile of ['query', 'memory', 'all'] as const)
      expect(listed(profile)).toEqual(expect.arrayContaining(listed('core')));
    expect(listed('all')).toEqual(TOOLS.filter((tool) => tool.set !== null).map((tool) => tool.walker));
    expect(listed('memory')).not.toContain('memory_stats');
  });

  it('lists no tool for what is a command only', () => {
    const none = TOOLS.filter((tool) => tool.set === null);
    expect(none.flatMap(({ command }) => command ?? [])).toEqual([
      'memory export',
      'memory import',
      'export',
      'import-scip',
      'tasks',
      'show',
      'errors',
      'explain',
    ]);
  });

  it('gives every walker one name, one command, and upstream names of its own', () => {
    const names = TOOLS.flatMap((tool) => [tool.walker, ...tool.aliases]);
    const commands = TOOLS.map((tool) => tool.command).filter((command) => command !== null);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(commands).size).toBe(commands.length);
    expect(toolEntry('hybrid_search')?.walker).toBe('search_code');
  });

  it("always lists a user's own walker", () => {
    expect(toolEntry('count_lines')).toBeUndefined();
    expect(isListed('count_lines', 'core')).toBe(true);
  });
});
