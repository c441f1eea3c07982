/** One step of a receiver: `.name`, or `.name(…)` when it is called. */
export interface Step {
  name: string;
  called: boolean;
}

/**
 * The steps of a receiver as written: `Server(x).router` is `Server` called, then `router`. Null for what is no chain
 * of names and calls, and for a text that was cut.
 */
export function receiverSteps(receiver: string): Step[] | null {
  let text = receiver.trim();
  for (;;) {
    const inner = /^\((.*)\)$/s.exec(text)?.[1];
    if (inner !== undefined && closing(text, 0) === text.length - 1) text = inner.trim();
    else if (/^await\s/.test(text)) text = text.replace(/^await\s+/, '');
    else break;
  }
  const steps: Step[] = [];
  let at = 0;
  while (at < text.length) {
    const name = /^[\p{ID_Start}_$][\p{ID_Continue}$]*/u.exec(text.slice(at))?.[0];
    if (name === undefined) return null;
    at += name.length;
    const step = { name, called: false };
    if (text[at] === '(') {
      const end = closing(text, at);
      if (end === null) return null;
      step.called = true;
      at = end + 1;
    }
    steps.push(step);
    if (at === text.length) return steps;
    if (text[at] !== '.') return null;
    at++;
  }
  return null;
}

const PAIRS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Where the bracket that opens at `start` closes; null when it does not. Strings are passed over. */
function closing(text: string, start: number): number | null {
  const open: string[] = [];
  for (let at = start; at < text.length; at++) {
    const character = text[at] ?? '';
    if (`'"\``.includes(character)) {
      let end = at + 1;
      while (end < text.length && text[end] !== character) end += text[end] === '\\' ? 2 : 1;
      at = end;
    } else if ('([{'.includes(character)) open.push(PAIRS[character] ?? '');
    else if (character === open[open.length - 1]) {
      open.pop();
      if (open.length === 0) return at;
    }
  }
  return null;
}
