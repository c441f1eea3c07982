import { describe, expect, it } from 'vitest';
import {
  EDGE_ARCHETYPES,
  ERROR_TYPES,
  EVENT_PAYLOADS,
  edgeArchetype,
  GROUP_OF_RELATION,
  MEMORY_RELATION_GROUPS,
  MEMORY_RELATION_SHAPE,
  MEMORY_RELATIONS,
  MEMORY_TYPE_ALIASES,
  MEMORY_TYPES,
  Memory,
  MemoryContent,
  MemoryVersion,
  memoryVersionId,
  STEP_ROLES,
  TASK_STATUSES,
} from '../../schema/index.js';

const NOW = '2026-01-02T03:04:05.000Z';

describe('the trace', () => {
  it('has the enums of S3-25 to S3-29', () => {
    expect(TASK_STATUSES).toEqual(['planned', 'running', 'success', 'failed', 'aborted']);
    expect(STEP_ROLES).toEqual(['planning', 'reading', 'editing', 'testing', 'refactoring', 'docs']);
    expect(ERROR_TYPES).toEqual(['test_failure', 'compile_error', 'tool_error', 'runtime_error']);
  });

  it('has the eight edges of S3-30, durable, unique per pair whatever the order of arrival (C-02)', () => {
    for (const name of [
      'task_has_step',
      'step_invokes_tool',
      'tool_touches_file',
      'step_has_checkpoint',
      'step_has_error',
      'step_depends_on_step',
      'task_related_to_concept',
      'similar_step',
    ])
      expect([edgeArchetype(name)?.layer, edgeArchetype(name)?.order]).toEqual(['durable', 'canonical']);
    expect(edgeArchetype('task_has_step')?.inline).toContain('order');
  });
});

describe('event payloads', () => {
  it.each([
    ['task_start', 'user_prompt'],
    ['step', 'order'],
    ['tool_start', 'tool_name'],
    ['tool_end', 'tool_name'],
    ['tool_end', 'success'],
    ['checkpoint', 'checkpoint_file'],
    ['error', 'error_type'],
    ['error', 'message'],
    ['task_end', 'status'],
  ] as const)('of %s name the missing field %s (S3-40)', (kind, field) => {
    const issues = EVENT_PAYLOADS[kind].safeParse({}).error?.issues ?? [];
    expect(issues.map((issue) => issue.path.join('.'))).toContain(field);
  });

  it('keep fields that nobody knows (S3-40)', () => {
    expect(EVENT_PAYLOADS.task_end.parse({ status: 'success', mood: 'good' })).toEqual({
      status: 'success',
      mood: 'good',
    });
  });

  it('accept a role or status that no enum has (X-13)', () => {
    expect(EVENT_PAYLOADS.step.parse({ order: 1, role: 'dreaming' }).role).toBe('dreaming');
  });
});

describe('memories', () => {
  const memory = {
    type: 'fix',
    title: ' Retry ',
    content: 'Retry twice.',
    created_at: NOW,
    updated_at: NOW,
  } as const;

  it('are of 14 types, one of which has another word', () => {
    expect(MEMORY_TYPES).toHaveLength(14);
    expect(MEMORY_TYPES).toContain('decision');
    expect(MEMORY_TYPE_ALIASES).toEqual({ pattern: 'code_pattern' });
  });

  it('are trimmed, tagged in lower case, and given the usual scores (S4-07, S4-08, S4-32)', () => {
    expect(Memory({ ...memory, tags: [' HTTP '] }).props).toMatchObject({
      title: 'Retry',
      tags: ['http'],
      importance: 0.5,
      confidence: 0.8,
      effectiveness: null,
      usage_count: 0,
    });
  });

  it.each([{ importance: 1.1 }, { confidence: -0.1 }, { title: '  ' }, { content: '' }, { type: 'mood' }])(
    'are refused with %j (S4-15)',
    (wrong) => {
      expect(() => Reflect.apply(Memory, undefined, [{ ...memory, ...wrong }])).toThrow(
        Object.keys(wrong)[0],
      );
    },
  );

  it('keep what was said before as versions that say all that a memory says', () => {
    const { created_at: said_at, updated_at: replaced_at, ...said } = memory;
    const id = memoryVersionId('mem:1', 1);
    const { props } = MemoryVersion(
      { ...said, memory_id: 'mem:1', version: 1, said_at, replaced_at },
      { id },
    );
    expect(id).toBe('mem:1@1');
    expect(props).toMatchObject(MemoryContent.parse(said));
  });

  it('are joined by 35 relations in seven groups of five, stored under mem. (S4-16 to S4-22, X-15)', () => {
    const groups = Object.values(MEMORY_RELATION_GROUPS);
    expect(groups.map((names) => names.length)).toEqual([5, 5, 5, 5, 5, 5, 5]);
    expect(Object.keys(MEMORY_RELATIONS)).toEqual(groups.flat());
    expect(MEMORY_RELATIONS.CAUSES.name).toBe('mem.CAUSES');
    expect(GROUP_OF_RELATION.get('BLOCKS')).toBe('workflow');
    expect(EDGE_ARCHETYPES).toEqual(expect.arrayContaining(Object.values(MEMORY_RELATIONS)));
  });

  it('have the ten properties of S4-23 on each relation, and whether it is only proposed', () => {
    expect(Object.keys(MEMORY_RELATION_SHAPE)).toHaveLength(11);
    const draft = MEMORY_RELATIONS.SOLVES({ relation_id: 'r1', created_at: NOW });
    expect(draft.props).toMatchObject({
      strength: 0.5,
      confidence: 0.8,
      evidence_count: 0,
      success_rate: null,
    });
  });
});
