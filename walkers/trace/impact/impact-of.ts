import { firstLine, plural, shownLine } from '../../../present/index.js';
import { compareText, type NodeRef } from '../../../runtime/index.js';
import { CodeSymbol, isA, parseId } from '../../../schema/index.js';
import { shownMessage } from '../find-traced.js';
import { failedTests } from '../rows.js';
import type { ImpactFound } from './impact-found.js';
import { stepsOf as stepsIn } from './impact-found.js';
import type { CallerRow, ImpactOutput, TestRow, TouchedRow } from './impact-rows.js';

/** Characters of a prompt, a summary and a message. */
const SHOWN = 200;
/** How a file was used: what says most first. */
const USES = ['write', null, 'named', 'read'] as const;

/** What a walk found, as rows. @param memories What is remembered of it. */
export function impactOf(found: ImpactFound, memories: ImpactOutput['memories']): ImpactOutput {
  const [callers, tests] = [callersOf(found), testsOf(found)];
  const rows = {
    tasks: [...found.tasks.values()]
      .map(({ id, status, created_at, user_prompt }) => ({
        task_id: id,
        status,
        created_at,
        prompt: firstLine(user_prompt, SHOWN),
      }))
      .sort((a, b) => compareText(b.created_at, a.created_at) || compareText(a.task_id, b.task_id)),
    errors: [...found.errors.values()]
      .map(({ id, error_type, fingerprint, message, failure, created_at }) => ({
        error_id: id,
        error_type,
        fingerprint,
        message: shownLine(shownMessage({ message, failure }), SHOWN),
        created_at,
      }))
      .sort(byTime),
    steps: stepsOf(found),
    files: filesOf(found),
    symbols: touchedOf(found, callers, tests),
    callers,
    tests,
    memories,
  };
  return { ...rows, summary: summaryOf(rows) };
}

function stepsOf({ steps }: ImpactFound): ImpactOutput['steps'] {
  const byStart = [...steps.values()].sort(
    ({ step: a }, { step: b }) =>
      compareText(a.started_at ?? '', b.started_at ?? '') || a.order - b.order || compareText(a.id, b.id),
  );
  return byStart.map(({ step, task, met, mended }) => ({
    step_id: step.id,
    task_id: task,
    order: step.order,
    role: step.role,
    summary: firstLine(step.llm_summary, SHOWN),
    met: [...met],
    mended: [...mended],
  }));
}

function filesOf({ files }: ImpactFound): ImpactOutput['files'] {
  const rows = [...files].map(([id, file]) => {
    const use = USES.find((one) => stepsIn(file, one).length > 0) ?? null;
    return {
      path: parseId(id)?.path ?? id,
      use,
      step_ids: stepsIn(file, use),
      there: file.node !== undefined,
    };
  });
  const rank = ({ use }: (typeof rows)[number]) => (use === 'read' ? 2 : use === 'named' ? 1 : 0);
  return rows.sort((a, b) => rank(a) - rank(b) || compareText(a.path, b.path));
}

function touchedOf(
  { touched, code }: ImpactFound,
  callers: readonly CallerRow[],
  tests: readonly TestRow[],
): TouchedRow[] {
  const [called, tested] = [
    countOf(callers.flatMap(({ calls }) => calls)),
    countOf(tests.flatMap((row) => row.tests)),
  ];
  const rows = [...touched].flatMap(([id, named]): TouchedRow[] => {
    const place = placeOf(code.get(id));
    return place ? [{ ...place, named, callers: called.get(id) ?? 0, tests: tested.get(id) ?? 0 }] : [];
  });
  const weight = (row: TouchedRow) => row.callers + row.tests;
  return rows.sort(
    (a, b) => Number(b.named) - Number(a.named) || weight(b) - weight(a) || compareText(a.id, b.id),
  );
}

/** What was worked on itself is no caller of it, and a test is told of as one. */
function callersOf({ callers, touched, tests, code }: ImpactFound): CallerRow[] {
  const rows = [...callers].flatMap(([id, { distance, calls }]): CallerRow[] => {
    const place = touched.has(id) || tests.has(id) ? undefined : placeOf(code.get(id));
    return place ? [{ ...place, calls: [...calls].sort(compareText), distance }] : [];
  });
  return rows.sort(
    (a, b) => a.distance - b.distance || b.calls.length - a.calls.length || compareText(a.id, b.id),
  );
}

/** Those that the errors say failed stand first. */
function testsOf({ tests: found, errors, code }: ImpactFound): TestRow[] {
  const failing = [...errors.values()].flatMap(failedTests).map(dotted);
  const rows = [...found].flatMap(([id, { via, distance, tests }]): TestRow[] => {
    const place = placeOf(code.get(id));
    if (!place) return [];
    const failed = failing.some((name) => endsWith(place.name, name) || endsWith(name, place.name));
    return [{ ...place, tests: [...tests].sort(compareText), via, distance, failed }];
  });
  return rows.sort(
    (a, b) =>
      Number(b.failed) - Number(a.failed) ||
      a.distance - b.distance ||
      b.tests.length - a.tests.length ||
      compareText(a.id, b.id),
  );
}

/** A test's name as the graph spells it: suites and case joined by dots, without the parameters of a case. */
function dotted(name: string): string {
  return name.replaceAll(' > ', '.').replaceAll('::', '.').replace(/\[.*$/su, '');
}

function endsWith(name: string, last: string): boolean {
  return name === last || name.endsWith(`.${last}`);
}

/** A symbol's place, or a file's: what calls from no function calls from its file. */
function placeOf(node: ReturnType<ImpactFound['code']['get']>) {
  if (!node) return undefined;
  const { id, name, path } = node;
  return isSymbol(node)
    ? { id, name: parseId(id)?.name ?? name, kind: node.kind, path, line: node.start_line }
    : { id, name, kind: 'file', path, line: 1 };
}

function isSymbol(node: NodeRef): node is NodeRef<typeof CodeSymbol> {
  return isA(node.archetype, CodeSymbol);
}

function summaryOf({
  tasks,
  errors,
  steps,
  files,
  symbols,
  callers,
  tests,
  memories,
}: Omit<ImpactOutput, 'summary'>): string {
  const failures = new Set(errors.map((error) => error.fingerprint ?? error.message)).size;
  const counts = [
    `${plural(errors.length, 'error')}${errors.length > 1 && failures === 1 ? ' of one failure' : ''}`,
    plural(tasks.length, 'task'),
    plural(steps.length, 'step'),
    plural(files.length, 'file'),
  ];
  const code = [
    `${plural(symbols.length, 'symbol')} worked on`,
    plural(callers.length, 'caller'),
    plural(tests.length, 'test'),
    ...(memories.length > 0 ? [`${memories.length} remembered`] : []),
  ];
  return `${counts.join(', ')}; ${code.join(', ')}.`;
}

function countOf(ids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

function byTime(a: { created_at: string | null; error_id: string }, b: typeof a): number {
  return compareText(a.created_at ?? '', b.created_at ?? '') || compareText(a.error_id, b.error_id);
}
