import type { FileFacts, Reference } from '../facts.js';
import { CONFIDENCE, foundTarget } from './found-target.js';
import { definitionMeaning, type Meaning } from './meaning.js';
import type { Program } from './program.js';
import { foundReference, writtenConstructor } from './reference.js';
import type {
  Candidate,
  DefinitionTarget,
  Evidence,
  ResolvedReceiver,
  ResolvedReference,
} from './resolution.js';
import { keyMeanings } from './script/index.js';

const NONE: readonly DefinitionTarget[] = [];

/**
 * The references of a file with what they refer to.
 *
 * @param receivers Gets the definitions that stand in the receivers of the references.
 */
export function resolvedReferences(
  program: Program,
  file: string,
  facts: FileFacts,
  receivers: ResolvedReceiver[],
): ResolvedReference[] {
  const byName: ResolvedReference[] = [];
  const keys = new Map<number, readonly Meaning[]>();
  for (const [index, reference] of facts.references.entries()) {
    if (reference.receiver === '') {
      if (!keys.has(index)) keysFrom(program, file, facts.references, index, keys);
      for (const meaning of keys.get(index) ?? [])
        byName.push(resolved(program, file, reference, index, meaning, NONE));
      continue;
    }
    // A receiver that is more than a path is visited by extraction: its names are references of their own.
    const listener = (meaning: Meaning, step: number) => {
      const { target, resolution, confidence } = foundTarget(meaning, '');
      if ('definition' in target)
        receivers.push({
          reference: index,
          target,
          resolution,
          confidence,
          evidence: partOf(reference, step),
        });
    };
    const { meaning, held, candidates } = foundReference(
      program,
      file,
      reference,
      isPath(reference) ? listener : undefined,
    );
    // A property that is read of one of several types is used of each.
    if (!isCall(reference) && reference.kind !== 'jsx' && candidates.length > 0 && !meaning) {
      for (const { file: of, definition } of candidates)
        byName.push(
          resolved(program, file, reference, index, definitionMeaning(of, definition, 'type'), NONE),
        );
      continue;
    }
    if (meaning?.kind === 'definition' || held === null)
      byName.push(resolved(program, file, reference, index, meaning, candidates));
    if (held !== null) byName.push(resolved(program, file, reference, index, held, NONE));
  }
  return byName;
}

/** Finds what a key and those that stand with it mean; `meanings` gets each. Keys of one literal are close together. */
function keysFrom(
  program: Program,
  file: string,
  references: readonly Reference[],
  index: number,
  meanings: Map<number, readonly Meaning[]>,
): void {
  const on = references[index]?.on;
  const together: number[] = [];
  for (let at = index; at < references.length && at < index + MOST_BETWEEN; at++)
    if (at === index || (typeof on === 'object' && references[at]?.on === on)) together.push(at);
  const found = keyMeanings(
    program,
    file,
    together.flatMap((at) => references[at] ?? []),
  );
  together.forEach((at, of) => {
    meanings.set(at, found[of] ?? []);
  });
}

/** References from the first key of a literal on among which the others are looked for. */
const MOST_BETWEEN = 256;

/** Whether a receiver is a dotted path of names. */
function isPath({ receiver, receiver_form: form }: Reference): boolean {
  return receiver !== null && (form === 'path' || form === 'this');
}

/** Where a step of a receiver stands. */
function partOf({ line, column, receiver }: Reference, step: number): Evidence {
  return { line, column, expression: (receiver ?? '').split('.', step + 1).join('.') };
}

function resolved(
  program: Program,
  file: string,
  reference: Reference,
  index: number,
  meaning: Meaning | null,
  candidates: readonly DefinitionTarget[],
): ResolvedReference {
  const constructs = meaning?.kind === 'definition' && isCall(reference);
  const { target, resolution, confidence } = foundTarget(meaning, reference.name);
  return {
    file,
    reference: index,
    target,
    constructor_method: constructs ? constructorOf(program, meaning) : null,
    resolution,
    confidence,
    candidates: candidates.length === 0 ? undefined : alternatives(candidates),
    // A reference says where it stands and how it is written: it is its own evidence.
    evidence: reference,
  };
}

/** The more alternatives, the less sure each one is. */
function alternatives(targets: readonly DefinitionTarget[]): Candidate[] {
  const confidence = CONFIDENCE.type / (targets.length + 1);
  return targets.map(({ file, definition }) => ({ file, definition, confidence }));
}

function constructorOf(program: Program, { file, definition }: DefinitionTarget): DefinitionTarget | null {
  const written = writtenConstructor(program, definitionMeaning(file, definition, 'exact'));
  return written === null ? null : { file, definition: written };
}

function isCall({ kind }: Reference): boolean {
  return kind === 'call' || kind === 'new';
}
