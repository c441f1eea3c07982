import {
  commandsIn,
  covers,
  type FailingTest,
  type Failure,
  namesTest,
  parseFailure,
  purposeOf,
  showsFailure,
  testKeys,
  type Verification,
  verificationsOf,
} from '../../failures/index.js';
import { LIMITS, type PropsOf, type ToolInvocation, type TraceError } from '../../schema/index.js';
import { isProse, onlySkips, type ToolUse, toolUse, usageOf } from './tool-use.js';

/*
 * What fixed a failure, and whether a task ended with failing checks. A failure stays open until the same
 * action succeeds, or a run that covers it passes; the changes between fixed it. Each failing test is
 * followed by itself.
 */

/** A test by its runner's name, with the file that the output names for it. */
export type TestName = Pick<FailingTest, 'name' | 'file'>;

/** A finished use of a tool, as far as failures and fixes are concerned. */
export interface Action {
  readonly tool: string;
  readonly step: string;
  readonly use: ToolUse;
  /** The tool's name with its parameters: what is the same call again. */
  readonly call: string;
  /** `stopped`: a person interrupted it, so it neither passed nor failed. */
  readonly outcome: 'passed' | 'failed' | 'stopped';
  readonly kind: 'verify' | 'edit' | 'touch' | 'command' | 'inspect' | 'other';
  /** The tests, builds, type checks and lints that it runs; all of them passed if it did. */
  readonly verifications: readonly Verification[];
  /** The runner that a failing output shows; null: unknown. */
  readonly runner: string | null;
  readonly files: readonly string[];
  /** The failing tests. Empty where it names none. */
  readonly tests: readonly TestName[];
  /** Whether the run stopped before all tests ran. */
  readonly isPartial: boolean;
  /** The output of a verification that passed: it may list what passed. */
  readonly output: string;
  readonly errors: readonly string[];
}

/** What fixed a failure. */
export interface Resolution {
  /** Ids of the tool uses that fixed it, in the order of time; never empty. */
  readonly tools: string[];
  readonly step: string;
  /** The same by failing test, where several failed. */
  readonly fixes: Record<string, string[]>;
}

/** A use of a tool as its task knows it. */
export interface UsedTool {
  readonly id: string;
  readonly step: string;
  readonly props: PropsOf<typeof ToolInvocation>;
  readonly files: ReadonlySet<string>;
  /** Ids of the errors that report it. */
  readonly errors: readonly string[];
  readonly role: string | null;
  readonly end: { readonly interrupted: boolean } | null;
}

/** The action that a tool use is. @param reports The errors that report it. */
export function actionOf(used: UsedTool, reports: readonly PropsOf<typeof TraceError>[]): Action {
  const { id: tool, step, props, files, errors, role, end } = used;
  const use = toolUse(props.params_json);
  const verifications = use.command === null ? [] : verificationsOf(use.command);
  const output = [props.stdout, props.stderr].filter((text) => text !== '').join('\n');
  const isHidden = verifications.some(({ piped }) => piped) && showsFailure(output);
  const isFailed = props.success === false || reports.length > 0 || isHidden;
  const parsed = props.failure ?? (isHidden ? parseFailure(output, { isShell: true }) : null);
  const failure = parsed as Failure | null;
  const types = [failure?.type, ...reports.map(({ error_type }) => error_type)];
  const shown = types.includes('test_failure') ? 'test' : types.includes('compile_error') ? 'build' : null;
  const known = kindOf(props.tool_name, use, files.size, role, verifications.length > 0);
  // A failing tool of unknown purpose is the run that its output shows.
  const isRun = isFailed && shown !== null && (known === 'other' || known === 'touch');
  const run = { runner: failure?.tool ?? '', script: false, flags: [], paths: [], names: [], piped: false };
  const kind = isRun ? 'verify' : known;
  const named = isFailed ? [...(failure?.tests ?? []), ...reports.flatMap(testsOf)] : [];
  return {
    ...{ tool, step, use, kind, errors },
    call: `${props.tool_name} ${JSON.stringify(props.params_json)}`,
    verifications: isRun ? [{ kind: shown, ...run }] : verifications,
    runner: failure?.tool ?? null,
    files: [...files],
    outcome: end?.interrupted ? 'stopped' : isFailed ? 'failed' : 'passed',
    tests: [...new Map(named.map((test) => [test.name, test])).values()],
    isPartial: failure?.stopped ?? false,
    output: kind === 'verify' && !isFailed ? output : '',
  };
}

function kindOf(
  tool: string,
  use: ToolUse,
  files: number,
  role: string | null,
  verifies: boolean,
): Action['kind'] {
  if (use.command === null) {
    const usage = usageOf(tool, use, role);
    if (usage !== null) return usage === 'write' ? 'edit' : 'inspect';
    // A client that reports only the files of a tool use may have edited them.
    return files > 0 ? 'touch' : 'other';
  }
  if (verifies) return 'verify';
  return role === 'reading' || purposeOf(use.command) === 'inspect' ? 'inspect' : 'command';
}

/** The tests of an error: those that its client named, with the files that its output names for them. */
export function testsOf({ tests, failure }: PropsOf<typeof TraceError>): TestName[] {
  const parsed = (failure as Failure | null)?.tests ?? [];
  if (tests.length === 0) return parsed;
  return tests.map((name) => parsed.find((one) => one.name === name) ?? { name, file: null });
}

/** An action that may have fixed something, with its place among those that passed. */
type Change = Action & { readonly at: number };

/** One failing thing that was not seen to pass yet: a test, or all of an action that names none. */
interface OpenItem {
  /** Null: the action as a whole. */
  readonly test: TestName | null;
  readonly sources: Set<string>;
  /** Changes since its last failure, and those before that one. */
  since: Change[];
  before: Change[];
}

interface OpenFailure {
  readonly verification: Verification | null;
  readonly runner: string | null;
  items: OpenItem[];
}

/** Follows the actions of a task in the order of their ends. */
export class ResolutionFold {
  readonly #open = new Map<string, OpenFailure>();
  /** By failing tool use or error the changes that fixed it, by test (null: the whole). */
  readonly #fixes = new Map<string, Map<string | null, readonly Change[]>>();
  readonly #changed: Set<string>;
  #changes = 0;
  /** The latest error of no tool use, by its key. */
  #loose: string | null = null;

  /** @param resolved Failures of which an earlier fold knew what fixed them. */
  constructor(resolved: Iterable<string>) {
    this.#changed = new Set(resolved);
  }

  add(action: Action): void {
    if (action.outcome === 'failed') this.#fail(action);
    else if (action.outcome === 'passed') this.#pass(action);
  }

  /** Adds an error that no tool use is known for: a run that names its tests resolves it, or a fix that is reported next. */
  addLoose(error: string, tests: readonly TestName[]): void {
    this.#openItems(error, { verification: null, runner: null }, tests, [error]);
    this.#loose = error;
  }

  /** Whether a verification (tests, build, types, lint) failed and nothing that covers it passed since. */
  get isFailing(): boolean {
    return [...this.#open.values()].some(({ verification }) => verification !== null);
  }

  /** What fixed failing tool uses and errors of which something else may be known since this was last asked; null: nothing. */
  takeChanged(): ReadonlyMap<string, Resolution | null> {
    const changed = [...this.#changed].map((source) => [source, this.#of(source)] as const);
    this.#changed.clear();
    return new Map(changed);
  }

  #of(source: string): Resolution | null {
    const toolsOf = (some: readonly Change[]) => some.map(({ tool }) => tool);
    const byTest = [...(this.#fixes.get(source) ?? [])];
    const all = [...new Set(byTest.flatMap(([, some]) => some))].sort((a, b) => a.at - b.at);
    const named = byTest.flatMap(([test, some]) => (test === null ? [] : [[test, toolsOf(some)]]));
    const step = all.at(-1)?.step;
    const fixes = Object.fromEntries(named.length > 1 ? named : []);
    return step === undefined ? null : { tools: toolsOf(all), step, fixes };
  }

  #fail(action: Action): void {
    const { tool, errors, tests, runner } = action;
    const verification = failedVerification(action);
    const keys = keysOf(action);
    // What failed in an earlier run and does not fail in this one was fixed between them.
    if (verification && tests.length > 0 && !action.isPartial)
      for (const [key, one] of this.#open)
        if (one.verification && (key === keys[0] || covers(verification, one.verification, one.runner)))
          this.#close(key, one, ({ test }) => test !== null && !tests.some(({ name }) => name === test.name));
    for (const key of keys) this.#openItems(key, { verification, runner }, tests, [tool, ...errors]);
  }

  #openItems(
    key: string,
    failed: Omit<OpenFailure, 'items'>,
    tests: readonly TestName[],
    sources: readonly string[],
  ): void {
    const known = this.#open.get(key)?.items ?? [];
    const items = (tests.length > 0 ? tests : [null]).map((test): OpenItem => {
      const item = known.find((one) => one.test?.name === test?.name);
      if (!item) return { test, sources: new Set(sources), since: [], before: [] };
      for (const source of sources) item.sources.add(source);
      if (item.since.length > 0) [item.before, item.since] = [item.since, []];
      return item;
    });
    this.#open.delete(key);
    this.#open.set(key, { ...failed, items: [...known.filter((item) => !items.includes(item)), ...items] });
    // The oldest failures are given up first, so that the state stays bounded.
    for (const [oldest] of this.#open)
      if (this.#open.size > LIMITS.openFailures.max) this.#open.delete(oldest);
  }

  #pass(action: Action): void {
    const { kind } = action;
    const keys = keysOf(action);
    const change: Change = { ...action, at: this.#changes++ };
    const isReport = action.use.reported !== null;
    const reported = isReport && this.#loose !== null ? this.#open.get(this.#loose) : undefined;
    if (reported && this.#loose !== null) {
      for (const item of reported.items) item.since = [{ ...change, kind: 'edit' }];
      this.#close(this.#loose, reported, () => true);
    }
    for (const [key, one] of this.#open) {
      const isSame = keys.includes(key);
      const isOtherwise = !isSame && passesOtherwise(action, key, one);
      for (const item of one.items) {
        // An edit that failed is resolved by the one that succeeded.
        if (isSame && kind === 'edit') item.since = [change];
        // A command that passes with another one in front of it, or in another folder, is fixed by being run like that.
        if (isOtherwise && item.since.length === 0) item.since = [{ ...change, kind: 'command' }];
      }
      const isWhole = isSame || isOtherwise || coversRun(action, one);
      this.#close(key, one, (item) => isWhole || passes(action, item, one.verification));
    }
    if (kind === 'edit' || kind === 'touch' || kind === 'command')
      for (const { items } of this.#open.values()) for (const item of items) item.since.push(change);
  }

  #close(key: string, one: OpenFailure, isResolved: (item: OpenItem) => boolean): void {
    const left: OpenItem[] = [];
    for (const item of one.items) {
      const { test, sources, since, before } = item;
      if (!isResolved(item)) {
        left.push(item);
        continue;
      }
      const isTest = test !== null || one.verification?.kind === 'test';
      const changes = effective(since.length > 0 ? since : before, isTest);
      if (changes.length > 0)
        for (const source of sources) {
          const known = this.#fixes.get(source) ?? new Map();
          this.#fixes.set(source, known.set(test?.name ?? null, changes));
          this.#changed.add(source);
        }
    }
    one.items = left;
    if (left.length === 0) this.#open.delete(key);
  }
}

/**
 * What distinguishes one action from another. Of calls that are neither commands nor edits only runs of tests and
 * compilers are followed.
 */
function keysOf({ use, kind, files, call, outcome }: Action): string[] {
  if (use.command !== null) return [`$ ${use.command.replace(/\s+/gu, ' ').trim()}`];
  if (kind !== 'edit') return kind === 'verify' || outcome === 'passed' ? [`@${call}`] : [];
  return (files.length > 0 ? files : use.file === null ? [] : [use.file]).map((path) => `=${path}`);
}

/** Whether a command that passed holds the one that failed, or is the same run in another folder. */
function passesOtherwise({ use, verifications }: Action, key: string, one: OpenFailure): boolean {
  if (use.command === null) return false;
  const parts = commandsIn(use.command);
  const isWhole = parts.slice(0, -1).every(({ then }) => then === '&&');
  if (parts.length > 1 && isWhole && parts.some(({ words }) => key === `$ ${words.join(' ')}`)) return true;
  const failed = one.verification;
  if (failed === null || one.items.some(({ test }) => test !== null)) return false;
  const plain = ({ runner, paths, names, flags }: Verification) =>
    JSON.stringify([runner.slice(runner.lastIndexOf(';') + 1).trim(), paths, names, flags]);
  return verifications.some((run) => run.runner !== failed.runner && plain(run) === plain(failed));
}

function coversRun({ verifications }: Action, { verification, runner }: OpenFailure): boolean {
  return verification !== null && verifications.some((one) => covers(one, verification, runner));
}

function passes({ verifications, output }: Action, { test }: OpenItem, failed: Verification | null): boolean {
  if (test === null) return false;
  return verifications.some((one) => namesTest(one, test, failed) || isListedAsPassed(output, test));
}

const PASSED = /^\s*(?:[✓✔√]|PASS\b|ok\b)|\b(?:PASSED|ok)\s*(?:\[|\(|$)/u;

function isListedAsPassed(output: string, { name, file }: TestName): boolean {
  const names = [file, testKeys(name, file)?.name].filter((one) => one != null);
  return output.split('\n').some((line) => PASSED.test(line) && names.some((one) => line.includes(one)));
}

function failedVerification({ verifications, runner }: Action): Verification | null {
  const shown = verifications.find((one) => runner !== null && one.runner.endsWith(runner));
  return shown ?? verifications.at(-1) ?? null;
}

/**
 * The changes that count: edits, else whatever touched files, else commands, else prose; without those that
 * were taken back. What makes a test not run fixes nothing.
 */
function effective(changes: readonly Change[], isTest: boolean): Change[] {
  const real = changes.filter(({ use }) => !onlySkips(use));
  const isSkipped = real.length < changes.length;
  const isText = ({ kind, files }: Change) =>
    isTest && kind !== 'command' && files.length > 0 && files.every(isProse);
  for (const kind of isSkipped ? ['edit', 'touch'] : ['edit', 'touch', 'command', 'prose']) {
    const some = real.filter((one) => (isText(one) ? 'prose' : one.kind) === kind);
    const left = some.filter(
      (one, at) =>
        !some.some((other, index) => (index > at ? takesBack(other, one) : index < at && undoes(one, other))),
    );
    if (left.length > 0) return left;
  }
  return [];
}

function linesOf({ use }: Change): [removed: Set<string>, added: Set<string>] {
  const lines = (text: string | null) => (text ?? '').split('\n').map((line) => line.trim());
  return [new Set(lines(use.removed).filter(Boolean)), new Set(lines(use.added).filter(Boolean))];
}

function takesBack(later: Change, earlier: Change): boolean {
  if (earlier.use.added === null || later.use.removed === null) return false;
  if (later.files[0] !== earlier.files[0]) return false;
  const [[gone, put], [before, after]] = [linesOf(later), linesOf(earlier)];
  const own = [...after].filter((line) => !before.has(line));
  return own.length > 0 && own.every((line) => gone.has(line) && !put.has(line));
}

/** Whether an edit takes an earlier one back, and all lines that it changes were so before that. */
function undoes(later: Change, earlier: Change): boolean {
  const [[gone, put], [before, after]] = [linesOf(later), linesOf(earlier)];
  const wasSo = [...put].every((line) => before.has(line) || gone.has(line));
  const isSo = [...gone].every((line) => after.has(line) || put.has(line));
  return takesBack(later, earlier) && wasSo && isSo;
}
