import { createRequire } from 'node:module';
import { createContext, Script } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { Language, Parser } from 'web-tree-sitter';
import { type Attack, attacksOn } from './attacks.js';
import { houseFiles, type SourceFile } from './sources.js';

/** Characters of a text that an expression is tried on: the square takes several times as long as it may. */
const LENGTH = 16_000;
/** Milliseconds of processor time that it may take for one: 50 for 100,000 characters. */
const MOST = 15;
/** Milliseconds that no busy machine makes of so few: an expression that takes them is not tried again. */
const SURE = 60;
/** Milliseconds after which an expression that does not end is interrupted. */
const HANGS = 100;
/** What may stand behind a pump so that nothing fits. */
const ENDS = ['\n', '\0'];
/** Attacks that are tried on one expression. */
const MOST_ATTACKS = 200;
/** Texts that are tried in one go. */
const TOGETHER = 120;

/** Expressions that are not linear, with the longest text that they ever see. */
const BOUNDED: readonly { path: string; begins: string; longest: number; by: string }[] = [
  {
    path: 'hooks/agents/qwen.ts',
    begins: '/\\nError: (',
    longest: 4001,
    by: 'only the last TAIL characters are looked at',
  },
];

/** Expressions that are made while the program runs, each as one that is made so. */
const MADE: readonly { path: string; begins: string; made: RegExp }[] = [
  {
    path: 'mcp/stdio-transport.ts',
    begins: 'new RegExp(`,\\\\s*$',
    made: /,\s*"id"\s*:\s*(-?\d+(?=\s*[,}])|"[^"\\\p{Cc}]*")\s*\}\s*$/u,
  },
  { path: 'source/languages/config/dotenv-keys.ts', begins: 'new RegExp(ASSIGNMENT)', made: /a copy/ },
  {
    path: 'source/languages/vue/blocks.ts',
    begins: 'new RegExp(`</$',
    made: /<\/a-a(?=[\s/>])/gi,
  },
  {
    path: 'source/secrets/plain-view.ts',
    begins: 'new RegExp(\n  [\n    String.raw`(?:\\\\{1,7}',
    made: /(?:\\{1,7}(?:u001b|033|e)|\^\[)\[[0-9;?]{0,20}[A-Za-z]|\\{1,7}(?:[nrt]|u[0-9a-f]{4})|%[2-7][0-9a-f]/gi,
  },
  { path: 'source/secrets/token-shapes.ts', begins: "new RegExp(rest, 'dy')", made: /[\w-]{20,}={0,2}/dy },
  {
    path: 'walkers/trace/trace-forget.ts',
    begins: 'new RegExp(`$',
    made: /(?:(?<![\w-])|(?<=\\[bfnrt]|\\u[\da-fA-F]{4}|\[[\d;]{0,20}m))a(?:\/|\\{1,4})a(?![\w-])/u,
  },
];

let written: readonly WrittenExpression[];

beforeAll(async () => {
  written = await expressionsIn(houseFiles());
});

describe('regular expressions', () => {
  it('of the product are linear: what is not, or is made while the program runs, is listed', () => {
    expect(written.length).toBeGreaterThan(500);
    const slow = written.flatMap((one) => {
      const expression = one.literal ?? MADE.find((made) => isAt(one, made))?.made;
      if (expression === undefined) return [`${placeOf(one)} is made while the program runs`];
      const attack = slowest(expression, BOUNDED.find((bound) => isAt(one, bound))?.longest);
      return attack === null ? [] : [`${placeOf(one)} is slow: ${JSON.stringify(attack)}`];
    });
    expect(slow).toEqual([]);
  }, 600_000);

  it('that are listed are there, and would not be linear', () => {
    const stale = [...BOUNDED, ...MADE].filter((listed) => !written.some((one) => isAt(one, listed)));
    expect(stale).toEqual([]);
    const linear = BOUNDED.filter((bound) => {
      const literal = written.find((one) => isAt(one, bound))?.literal;
      return literal && slowest(literal) === null;
    });
    expect(linear).toEqual([]);
  });

  it.each([
    /(?:a+)+b/,
    /(?:a|a)*b/,
    /\s+$/,
    /x*y/g,
    /^.*a.*b.*c$/,
    /\d+\.?\d*x/,
    /"(?:[^"\\]|\\.)*"/g,
    /\bat [^)]*\)/,
    /(\w+)@\1x/,
    /(?<=\w+)x/,
    /(?=.*x)y/,
    /^\s+x/m,
    /^(?:FAILED|ERROR) (.*\.\w+(?:::.*)?)$/u,
    /-----BEGIN KEY-----(?:(?:\s|[-+])*[A-Za-z-]{3,30}: [^\n]{0,100}){0,5}x/,
  ])('like %s are found', (expression) => {
    expect(slowest(expression)).not.toBeNull();
  });

  it.each([
    /^\s*x/,
    /(?<!\s)\s+$/,
    /[^a]*/,
    /^(?:a|b)*$/,
    /^a*b*c*$/,
    /\w+/g,
    /^.*x$/,
    /x\s*y/,
    /^(?:\w+\.)*\w+$/,
    /"[^"\n]*"/g,
    /^[^\S\n]*x/gm,
    /a{3,5}b/,
    /(?<!\d)\d+(?:[.,]\d+)?x/,
  ])('like %s are not', (expression) => {
    expect(slowest(expression)).toBeNull();
  });
});

/** A regular expression in the code: a literal, or the call that makes one. */
interface WrittenExpression {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  /** Null: it is made while the program runs. */
  readonly literal: RegExp | null;
}

/** Imports, and comments that begin a line: what has no slash beside them needs no parser. */
const WITHOUT = /^ *(?:\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/.*)| from '[^'\n]*';$/gmu;

/** Every regular expression that files write, read by the grammar of the language. */
async function expressionsIn(files: readonly SourceFile[]): Promise<WrittenExpression[]> {
  await Parser.init();
  const grammar = '@vscode/tree-sitter-wasm/wasm/tree-sitter-typescript.wasm';
  const parser = new Parser();
  parser.setLanguage(await Language.load(createRequire(import.meta.url).resolve(grammar)));
  const found = files.flatMap(({ path, text: code }) => {
    const tree = /\/|RegExp/u.test(code.replaceAll(WITHOUT, '')) ? parser.parse(code) : null;
    const nodes = tree?.rootNode.descendantsOfType(['regex', 'new_expression', 'call_expression']) ?? [];
    const written = nodes.flatMap((node) => {
      const called = node.childForFieldName('constructor') ?? node.childForFieldName('function');
      if (node.type !== 'regex' && called?.text !== 'RegExp') return [];
      const { text } = node;
      const end = text.lastIndexOf('/');
      const literal = node.type === 'regex' ? new RegExp(text.slice(1, end), text.slice(end + 1)) : null;
      return [{ path, line: node.startPosition.row + 1, text, literal }];
    });
    tree?.delete();
    return written;
  });
  parser.delete();
  return found;
}

function isAt({ path, text }: WrittenExpression, listed: { path: string; begins: string }): boolean {
  return path === listed.path && text.startsWith(listed.begins);
}

function placeOf({ path, line, text }: WrittenExpression): string {
  return `${path}:${line} ${text}`;
}

/** The first attack under which an expression takes more time than it may; null: none. */
function slowest(expression: RegExp, longest = Number.POSITIVE_INFINITY): (Attack & { end: string }) | null {
  const tried = attacksOn(expression)
    .slice(0, MOST_ATTACKS)
    .flatMap((attack) =>
      ENDS.map((end) => {
        const pumps = Math.ceil(Math.min(LENGTH, longest) / attack.pump.length);
        return { attack: { ...attack, end }, text: attack.prefix + attack.pump.repeat(pumps) + end };
      }),
    );
  for (let at = 0; at < tried.length; at += TOGETHER) {
    const some = tried.slice(at, at + TOGETHER);
    // All together in the time of one: then each of them.
    const { time, hasEnded } = timeOf(expression, ...some.map(({ text }) => text));
    if (hasEnded && time <= MOST) continue;
    for (const { attack, text } of some) if (isSlow(expression, text)) return attack;
  }
  return null;
}

function isSlow(expression: RegExp, text: string): boolean {
  // A busy machine may be slow once; what it gave no processor to says nothing.
  for (let slow = 0; slow < 3; ) {
    const { time, hasEnded } = timeOf(expression, text);
    if (time >= SURE) break;
    if (time > MOST) slow++;
    else if (hasEnded) return false;
  }
  return true;
}

const box = createContext({ match: null });
const script = new Script('match()');

/** Milliseconds of processor time that matching texts takes, one after the other: each watched run starts a thread. */
function timeOf(expression: RegExp, ...texts: readonly string[]): { time: number; hasEnded: boolean } {
  box.match = () => {
    for (const text of texts) {
      const matcher = new RegExp(expression);
      if (matcher.global) for (const _ of text.matchAll(matcher));
      else matcher.test(text);
    }
  };
  const before = process.cpuUsage();
  let hasEnded = true;
  try {
    script.runInContext(box, { timeout: HANGS });
  } catch {
    hasEnded = false;
  }
  const { user, system } = process.cpuUsage(before);
  return { time: (user + system) / 1000, hasEnded };
}
