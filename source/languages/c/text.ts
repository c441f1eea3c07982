const STATEMENTS = new Set(
  'return else case goto sizeof do if while switch new delete throw using'.split(' '),
);
/** Words that are no type of what stands behind them. */
const WORDS = new Set([...STATEMENTS, ...'static extern inline const volatile register typedef'.split(' ')]);

const blank = (text: string) => text.replace(/[^\n]/g, ' ');

/** `extern "C" {` for C++ alone, and its end. */
const FOR_CPP = [
  /^[ \t]*#[ \t]*ifdef[ \t]+__cplusplus\b[^\n]*\n(?:[ \t]*(?:extern[ \t]+"C"[ \t\n]*)?[{}][^\n]*\n)+[ \t]*#[ \t]*endif/gm,
  /^[ \t]*#[ \t]*if(?:n?def|[ \t])[^\n]*\n[ \t]*(?:extern[ \t]+"C"[ \t\n]*\{|\})[^\n]*\n[ \t]*#[ \t]*endif/gm,
];
/** A macro of several lines: grammars let it end at a comment. */
const LONG_MACRO = /^[ \t]*#[ \t]*define\b[^\n]*\\\n(?:[^\n]*\\\n)*[^\n]*/gm;
const COMMENT = /\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)/g;
/** `API(char *) name(`, `DEPRECATED("…") void name(`. */
const WITH_TYPE =
  /^((?:(?:static|extern|inline)[ \t]+){0,3})([A-Z][A-Z\d_]{2,}[ \t]{0,4}\()([^()\n]*)(\)\s{0,8})(?=(\w[\w*\s]{0,120})\(|(\*[\w*\s]{0,120})\()/gm;
/** `API int name`, `static INLINE int name`, `DEPRECATED("why")` on a line of its own above `int name`. */
const IN_FRONT =
  /^([ \t]{0,80}(?:(?:static|extern|inline|const|typedef)[ \t]{1,8}){0,4})([A-Z][A-Z\d_]{2,80}(?:\((?:[^()"\n]|"(?:[^"\\\n]|\\.){0,400}"){0,200}\))?)(?=\s{1,80}(?:((?:[A-Za-z_][\w:]{0,80}(?:<[^<>\n]{0,120}(?:<[^<>\n]{0,80}>[^<>\n]{0,40})?>)?[\s*&]{1,40}){1,6})(?:\w{1,80}<[^<>\n]{0,80}>::)?(?:operator[^\w\s(]{1,3}|[\w:~]{1,160})\s{0,8}[(;=[]|(?:\w{1,80}(?:<[^<>\n]{0,80}>)?::){1,6}(?:operator[^(){};\n]{1,60}|~?\w{1,80}\s{0,8})\())/gm;
/** `int CALL name(`, `void *CALL name(`. */
const BEHIND = /(?<![\w>])([\w>]+[ \t]+|\*[ \t]*)([A-Z][A-Z\d_]{2,})(?=[ \t]+[\w:~]+\s*\()/g;
/** The line of a macro: what stands in front of its name is no type. */
const DEFINE = /#[ \t]{0,20}(?:define|undef)[ \t]{1,20}$/;
/** `#` alone, or in front of a comment. */
const NULL_DIRECTIVE = /^[ \t]*#(?=[ \t]*(?:\/\/|\r?$))/gm;
/** `void (CALL *name)(`. */
const OF_POINTER = /(\([ \t]{0,8})([A-Z][A-Z\d_]{2,})(?=\s{0,8}\*\s{0,8}\w*\s{0,8}\)\s{0,8}\()/g;
/** `(ATTRIBUTE const char *`. */
const OF_TYPE = /\b[A-Z][A-Z\d_]{2,}(?=[ \t]+const\s+(?:struct|unsigned|char|void|int|[A-Z][A-Z\d_]+)\b)/g;
/** `void f(int a) ATTRIBUTE((1)) OTHER;`, `void f() const ATTRIBUTE {`. */
const AT_END =
  /\)((?:\s{0,40}(?:const|override|final|noexcept)\b){0,4})\s{0,80}((?:[A-Z][A-Z\d_]{2,80}(?:\((?:[^()\n]|\([^()\n]{0,200}\)){0,200}\))?\s{0,40}){1,3})(?=[;{:]|=\s{0,8}(?:default|delete|0)\b)/g;
/** `BEGIN_NAMESPACE`, `Q_OBJECT`: alone on a line between others, behind the end of something. */
const ALONE =
  /(^|[;{}>:]|\n[ \t]{0,40}(?:#|\/\/)[^\n]{0,200}|\*\/)([ \t]{0,20}\n\s{0,80})([A-Z][A-Z\d_]{3,80})(?=[ \t]{0,20}\n\s{0,80}[A-Za-z#/~[\n])/g;
/** `FLAG(int, size, 8, "text");` outside of all functions: no call takes a type. */
const TYPED_CALL =
  /^[A-Z][A-Z\d_]{2,}\((?=[^;{}]{0,80}?\b(?:int|bool|unsigned|char|short|long|double|float|void|u?int\d+_t|std::string)\b\s{0,8}[,)])(?:[^;{}"]|"(?:[^"\\\n]|\\.){0,400}"){0,400};/gm;
/** `new Type *[count]` */
const NEW_POINTERS = /\bnew([ \t]+)(const[ \t]+)?([\w:]+)([ \t]*\*[ \t*]*)(?=\[)/g;
/** `int total GUARDED_BY(lock);` */
const OF_FIELD =
  /([\w>][ \t*&]{1,20}\w{1,120}[ \t]{1,20})([A-Z][A-Z\d_]{2,80}\([^()\n]{0,200}\))(?=\s{0,20}[;={])/g;
/** `class API Name {`. */
const OF_CLASS =
  /\b((?:class|struct|union)[ \t]{1,8})([A-Z][A-Z\d_]{2,}(?:\([^()\n]*\))?)(?=[ \t]{1,8}\w+\s{0,80}(?:final\s{0,80})?[:{])/g;

/** A macro that defines a function by a title: `TEST_CASE("adds", "[cart]") {`. */
const TITLED =
  /^([A-Z][A-Z\d_]{2,80}\()([^"(){};]{0,200}"(?:[^"\\\n]|\\.){0,400}"[^{};]{0,400}?)(?=\)\s{0,80}\{)/gm;

/**
 * The text without what macros in front of declarations say, which a grammar takes for types: `API void f(void)`,
 * `API(char *) f(void)`, `int CALL f(void)`, `class API Name`. Macros are written in upper case.
 */
export function readable(text: string): string {
  let plain = text;
  for (const pattern of FOR_CPP) plain = plain.replace(pattern, blank);
  plain = plain.replace(LONG_MACRO, (macro) => macro.replace(COMMENT, blank)).replace(NULL_DIRECTIVE, blank);
  if (/\\\r?\n/.test(plain)) plain = withClosedStrings(plain);
  // Where the grammar wants a type the lowering reads the title.
  plain = plain.replace(TITLED, (_, head: string, given: string) => `${head}T${blank(given.slice(1))}`);
  return plain
    .replace(WITH_TYPE, (whole, first: string, head: string, inner: string, end: string, rest = '*') => {
      // What stands in front of nothing but a name holds the type.
      const isType = /^\**\s*\w+\s*$/.test(rest) && /^[\w\s*]+$/.test(inner);
      if (!isType && !/\w[\s*]+\w/.test(rest)) return whole;
      return `${first}${blank(head)}${isType ? inner : blank(inner)}${blank(end)}`;
    })
    .replace(IN_FRONT, (whole, first: string, name: string, rest: string = '') =>
      rest.split(/[\s*&]+/).some((word: string) => STATEMENTS.has(word)) ? whole : first + blank(name),
    )
    .replace(BEHIND, (whole, before: string, name: string, at: number, all: string) =>
      WORDS.has(before.trim()) ||
      /^\d/.test(before) ||
      DEFINE.test(all.slice(Math.max(0, at - 30), at + before.length))
        ? whole
        : before + blank(name),
    )
    .replace(AT_END, (whole, _, name: string, at: number, all: string) =>
      isHead(all, at) ? whole.slice(0, whole.length - name.length) + blank(name) : whole,
    )
    .replace(ALONE, (_, before: string, gap: string, name: string) => before + gap + blank(name))
    .replace(OF_FIELD, (whole, before: string, name: string, at: number, all: string) =>
      WORDS.has(/\w{0,40}$/.exec(all.slice(Math.max(0, at - 40), at + 1))?.[0] ?? '')
        ? whole
        : before + blank(name),
    )
    .replace(OF_POINTER, (_, before: string, name: string) => before + blank(name))
    .replace(OF_TYPE, blank)
    .replace(OF_CLASS, (_, before: string, name: string) => before + blank(name));
}

/** Characters, comments and strings of a line, the last of which may not end on it. */
const TOKENS = /'(?:[^'\\]|\\.)'|\/\/.*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)|"(?:[^"\\]|\\.)*(?:"|\\?\r?$)/g;

/** The text with strings that go on behind a `\\` as one string a line: grammars let them end with their line. */
function withClosedStrings(text: string): string {
  const lines = text.split('\n');
  let isMacro = false;
  for (const [at, line] of lines.entries()) {
    const next = lines[at + 1];
    isMacro = isMacro || /^[ \t]*#/.test(line);
    if (!/\\\r?$/.test(line) || next === undefined) isMacro = false;
    else if (!isMacro && /^[ \t]/.test(next) && goesOn(line)) {
      lines[at] = line.replace(/\\(\r?)$/, '"$1');
      lines[at + 1] = `"${next.slice(1)}`;
    }
  }
  return lines.join('\n');
}

/** Whether a line that ends with a `\\` ends within a string. */
function goesOn(line: string): boolean {
  const last = line.match(TOKENS)?.pop() ?? '';
  return last.startsWith('"') && last.trimEnd().endsWith('\\');
}

/** Whether a bracket closes the parameters of what is declared: a name stands in front of them, and no macro's. */
function isHead(text: string, close: number): boolean {
  let open = close;
  for (let depth = 0; open >= 0 && close - open < LONGEST; open -= 1) {
    const character = text[open];
    if (character === ')') depth += 1;
    if (character === '(') depth -= 1;
    if (depth === 0) break;
  }
  const head =
    text
      .slice(Math.max(0, open - 200), open)
      .split(/[;{}]/)
      .pop() ?? '';
  const words = head.trim().split(/[\s*&]+/);
  const [name = '', type = ''] = words.reverse();
  if (STATEMENTS.has(type) || STATEMENTS.has(name) || name === 'for') return false;
  return /^[\w:~]+$/.test(name) && (type !== '' || !/^[A-Z\d_]+$/.test(name));
}

/** Characters of a list of parameters. */
const LONGEST = 4000;

/** What `#ifdef __cplusplus` has, up to its end. */
const IN_CPP = /^[ \t]*#[ \t]*if(?:def[ \t]+|[ \t]+defined[ \t(]*)__cplusplus\b[^#]*/gm;
const PLAIN_TEXT = /\/\/[^\n]*|"(?:[^"\\\n]|\\.)*(?:"|\\?$)/gm;
const SIGNS =
  /^[ \t]*(?:class|namespace|template|using)\b(?=[ \t]*[\w<{:])|^[ \t]*(?:public|private|protected)[ \t]*:|\w::\w|^[ \t]*#[ \t]*include[ \t]*<\w+>|\b(?:nullptr|constexpr|noexcept|static_cast|reinterpret_cast|typename|virtual|decltype)\b|\boperator[ \t]*[=<>!+*[(]/m;

/** Whether a header is one of C++: by what only that has, outside of what is for both. */
export function isCpp(text: string): boolean {
  return SIGNS.test(text.replace(COMMENT, '').replace(PLAIN_TEXT, '').replace(IN_CPP, ''));
}

/** `A::A() = default;`, which the grammar takes for an assignment where it does not stand in a class. */
const DEFAULTED = /(\)[ \t]{0,20}(?:noexcept)?[ \t]{0,20})=([ \t]{0,8})default(?=[ \t]{0,8};)/g;

/** `object.*member`, `pointer->*member`: the grammar knows neither. */
const BY_MEMBER_POINTER = /(?<=[\w)\]])(->|\.)\*(?=[\w(])/g;

/** As {@link readable}, for C++. */
export function readableCpp(text: string): string {
  const plain = readable(text)
    .replace(TYPED_CALL, blank)
    .replace(
      NEW_POINTERS,
      (_, gap: string, word = '', name: string, stars: string) =>
        `new${gap}${blank(word)}${name}${blank(stars)}`,
    );
  return plain
    .replace(BY_MEMBER_POINTER, (_, arrow: string) => `+${' '.repeat(arrow.length)}`)
    .replace(DEFAULTED, (_, head: string, gap: string) => `${head}{${gap}${' '.repeat(6)}}`);
}

/** A macro that defines a function: `TEST(Group, name) {`. */
const DEFINING = /^([A-Z][A-Z\d_]{2,})(?=\([^(){};]{0,400}\)\s{0,80}\{)/gm;

/** As {@link readable}; what a macro defines has the rest of its name for its own, behind a type of one letter. */
export function readableC(text: string): string {
  return readable(text).replace(DEFINING, (name) => `${name[0]} ${name.slice(2)}`);
}

/** A condition of the preprocessor: the lines of its directives, the last of which ends it. */
interface Condition {
  readonly lines: number[];
  readonly isNever: boolean;
}

/**
 * The text with one branch of each condition of the preprocessor alone, and without those that open or close a block
 * alone: both cannot hold, and the grammar reads all of them. Null where there is none.
 */
export function withoutOtherBranches(text: string): string | null {
  const lines = text.split('\n');
  const open: Condition[] = [];
  const conditions: Condition[] = [];
  for (const [at, line] of lines.entries()) {
    const word = /^[ \t]*#[ \t]*(if|elif|else|endif)/.exec(line)?.[1];
    if (word === 'if') open.push({ lines: [at], isNever: /^[ \t]*#[ \t]*if[ \t]+0\b/.test(line) });
    else if (word !== undefined) open[open.length - 1]?.lines.push(at);
    if (word === 'endif') conditions.push(...open.splice(-1));
  }
  if (conditions.length === 0) return null;
  const drop = (from: number, to: number) => {
    for (let at = from; at < to; at += 1) lines[at] = blank(lines[at] ?? '');
  };
  // Those inside of others end first.
  for (const { lines: marks, isNever } of conditions) {
    const [first = 0, second = 0] = marks;
    const last = marks[marks.length - 1] ?? 0;
    const kept = lines.slice(first + 1, second).join('\n');
    const isShort = marks.length === 2 && second - first < MOST_LINES;
    const isOpen = isShort && count(kept, '{') !== count(kept, '}');
    if (isNever || isOpen) drop(first, second);
    if (isNever && marks.length > 2) drop(second, second + 1);
    else drop(second, last);
    for (const at of marks) {
      let end = at + 1;
      while (lines[end - 1]?.trimEnd().endsWith('\\')) end += 1;
      drop(at, end);
    }
  }
  return lines.join('\n');
}

/** Lines of a condition that opens a block or closes one. */
const MOST_LINES = 40;
const QUOTED = /"(?:[^"\\\n]|\\.)*(?:"|\\?$)|'(?:[^'\\\n]|\\.)*(?:'|\\?$)/gm;

function count(text: string, character: string): number {
  return text.replace(QUOTED, '').split(character).length - 1;
}
