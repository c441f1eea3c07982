/** A place that a stack trace, a log or a person names. */
export interface Frame {
  /** As it is written. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** The function that it is said to be in; null where none is said. */
  readonly name: string | null;
}

/** Frames that are kept: the innermost tell what failed. */
const MOST_FRAMES = 30;
/** `  File "src/app.py", line 12, in handle`. */
const PYTHON = /File "([^"\n]+)", line (\d+)(?:, in ([^\s,]+))?/gu;
/** `at handle (src/app.ts:12:3)`, `src/app.py:12: KeyError`, `src/app.ts:12`. */
const PLACE =
  /(?:\bat (?:async )?(?:new )?([\p{L}_$][\p{L}\p{N}_$.<>]{0,200}) \()?(?:(?<![\p{L}\p{N}_@.~+\\/-])|(?<=:\d{1,7})|(?=\p{L}:))(?:file:\/\/)?((?:\p{L}:)?[\p{L}\p{N}_@.~+\\/-]{1,300}\.\p{L}[\p{L}\p{N}]{0,4}):(\d{1,7})(?::\d+)?/gu;

/** The places that a text names with a line, the innermost of a trace first: Python tells it last, others first. */
export function framesOf(text: string): Frame[] {
  const python = [...text.matchAll(PYTHON)].map(([, path = '', line = '', name]) => frame(path, line, name));
  const others = [...text.matchAll(PLACE)].map(([, name, path = '', line = '']) => frame(path, line, name));
  return [...python.reverse(), ...others].filter(({ line }) => line > 0).slice(0, MOST_FRAMES);
}

function frame(path: string, line: string, name: string | undefined): Frame {
  const last = name?.split('.').at(-1);
  return {
    path: path.replaceAll('\\', '/'),
    line: Number(line),
    name: last && /^[\p{L}_$]/u.test(last) ? last : null,
  };
}
