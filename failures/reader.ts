import { isTestFile, nextText, sectionEnd } from './output.js';

/** One failure that an output shows, with the lines that are its own. */
export interface Sighting {
  /** What failed: a test as its runner names it, a file that could not be loaded, or a place; null: not named. */
  readonly name: string | null;
  /** The test's file, as the output spells it; null: no name in it says. */
  readonly file: string | null;
  /** In one line; empty: not shown. */
  readonly reason: string;
  /** Its own lines: from the first to the one after the last. */
  readonly from: number;
  readonly to: number;
  /** False: of a file that could not be loaded or compiled, or of a program. */
  readonly isTest: boolean;
}

/** Finds the failures that one runner or compiler prints; empty where the lines are none of its own. */
export interface Reader {
  /** The runner's or compiler's id, as `Failure.tool`; null: the lines do not say, or each finding says its own. */
  readonly tool: string | null;
  readonly read: (lines: readonly string[]) => readonly Sighting[];
  /** Whether the outermost call stands first in its stack traces. */
  readonly outermostFirst?: true;
}

/** A failing test: see {@link Sighting}. */
export function testSighting(
  { name, file = null, reason }: { name: string; file?: string | null | undefined; reason: string },
  [from, to]: readonly [from: number, to: number],
): Sighting {
  return { name, file, reason, from, to, isTest: true };
}

/** How a runner prints failing tests one after another: a heading with the name, below it why. */
interface Sections {
  readonly tool: string;
  /** With groups `name` and perhaps `file`. */
  readonly heading: RegExp;
  /** The first line that belongs to no test any more. */
  readonly end: RegExp;
  /** Why, from the lines below the heading; null: this is no section of this runner. */
  readonly reason: (body: readonly string[]) => string | null;
  readonly nameOf?: (name: string) => string;
  /** Reads names that other lines give, where no section is left. */
  readonly brief?: RegExp;
}

/** A reader of {@link Sections}. */
export function sections({ tool, heading, end, reason, nameOf = (name) => name, brief }: Sections): Reader {
  const stop = { test: (line: string) => heading.test(line) || end.test(line) };
  return {
    tool,
    read(lines) {
      const found = lines.flatMap((line, from) => {
        const { name, file } = heading.exec(line)?.groups ?? {};
        if (name === undefined) return [];
        const to = sectionEnd(lines, from + 1, stop);
        const why = reason(lines.slice(from + 1, to));
        return why === null
          ? []
          : [testSighting({ name: nameOf(name.trim()), file, reason: why }, [from, to])];
      });
      if (found.length > 0 || !brief) return found;
      return lines.flatMap((line, at) => {
        const { name, reason: why = '' } = brief.exec(line)?.groups ?? {};
        return name === undefined ? [] : [testSighting({ name: nameOf(name), reason: why }, [at, at + 1])];
      });
    },
  };
}

/** The first line with text. */
export const firstText = (body: readonly string[]): string => nextText(body, 0, body.length);

/** A message followed by the values that runners print below it: `Expected: 3`, `actual  : 2`. */
export function withValues(message: string, body: readonly string[]): string {
  const values = body
    .map((line) => line.trim())
    .filter((line) => /^(?:expected|received|actual|got|left|right)\b[^:]{0,20}: /iu.test(line));
  return [message, ...values.slice(0, 2)].filter((part) => part !== '').join(' ');
}

/** The file of a test from the places in its section: the last one that looks like a test's. */
export function testFileOf(files: readonly string[]): string | null {
  return files.findLast(isTestFile) ?? null;
}
