/** Words that are no type and no attribute of what stands behind them. */
const WORDS = new Set(
  'static extern inline const volatile register typedef return else case goto sizeof do if while switch new delete throw using'.split(
    ' ',
  ),
);

const blank = (text: string) => text.replace(/[^\n]/g, ' ');

/**
 * The text without what macros in front of declarations say, which a grammar takes for types: `API void f(void)`,
 * `API(char *) f(void)`, `int CALL f(void)`, `class API Name`. Macros are written in upper case.
 */
export function readable(text: string): string {
  return (
    text
      // `extern "C" {` for C++ alone, and its end.
      .replace(/^[ \t]*#[ \t]*ifdef[ \t]+__cplusplus\b[^\n]*\n(?:[ \t]*(?:extern[ \t]+"C"[ \t\n]*)?[{}][^\n]*\n)+[ \t]*#[ \t]*endif/gm, blank)
      .replace(/^[ \t]*#[ \t]*if(?:n?def|[ \t])[^\n]*\n[ \t]*(?:extern[ \t]+"C"[ \t\n]*\{|\})[^\n]*\n[ \t]*#[ \t]*endif/gm, blank)
      // `API(char *) name(`, `DEPRECATED("…") void name(`.
      .replace(/^((?:static|extern|inline)[ \t]+)*([A-Z][A-Z\d_]{2,}[ \t]*\()([^()\n]*)(\)\s*)(?=[\w*\s]+\()/gm, (whole, first = '', head: string, inner: string, end: string, at: number) => {
        const rest = text.slice(at + whole.length).match(/^[\w*\s]+/)?.[0] ?? '';
        // What stands in front of nothing but a name holds the type.
        const isType = /^\**\s*\w+\s*$/.test(rest) && /^[\w\s*]+$/.test(inner);
        if (!isType && !/\w\s*[\s*]\s*\w/.test(rest)) return whole;
        return `${first}${blank(head)}${isType ? inner : blank(inner)}${blank(end)}`;
      })
      // `API int name`, `static INLINE int name`.
      .replace(/^((?:(?:static|extern|inline|const|typedef)[ \t]+)*)([A-Z][A-Z\d_]{2,})(?=\s+(?:(?:const|unsigned|signed|struct|enum|union|static|inline|extern|[A-Za-z_]\w*)[\s*&]+)+[\w:~]+\s*[(;=[])/gm, (_, first: string, name: string) => first + blank(name))
      // `int CALL name(`, `void * CALL name(`.
      .replace(/([\w>]+|\*)([ \t]+)([A-Z][A-Z\d_]{2,})(?=[ \t]+[\w:~]+\s*\()/g, (whole, before: string, gap: string, name: string) =>
        WORDS.has(before) || /^\d/.test(before) ? whole : before + gap + blank(name),
      )
      // `void (CALL *name)(`.
      .replace(/(\(\s*)([A-Z][A-Z\d_]{2,})(?=\s*\*\s*\w*\s*\)\s*\()/g, (_, open: string, name: string) => open + blank(name))
      // `class API Name {`.
      .replace(/\b((?:class|struct|union)[ \t]+)([A-Z][A-Z\d_]{2,}(?:\([^()\n]*\))?)(?=[ \t]+\w+\s*(?:final\s*)?(?:[:{]))/g, (_, word: string, name: string) => word + blank(name))
  );
}

/** The text with one branch of each condition of the preprocessor alone; null where there is none to leave out. */
export function withoutOtherBranches(text: string): string | null {
  if (!/^[ \t]*#[ \t]*(?:else|elif)/m.test(text)) return null;
  // Of each open condition whether its branch is left out.
  const open: { isOut: boolean; isFirst: boolean }[] = [];
  const lines = text.split('\n');
  for (const [at, line] of lines.entries()) {
    const word = /^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|else|endif)\b/.exec(line)?.[1];
    const isOut = open.some((one) => one.isOut);
    if (word === undefined) {
      if (isOut) lines[at] = blank(line);
      continue;
    }
    const last = open[open.length - 1];
    if (word.startsWith('if')) {
      const isNever = /^[ \t]*#[ \t]*if[ \t]+0\b/.test(line);
      open.push({ isOut: isNever, isFirst: !isNever });
    } else if (word === 'endif') open.pop();
    else if (last) {
      last.isOut = last.isFirst;
      if (!last.isOut) last.isFirst = true;
    }
    lines[at] = blank(line);
  }
  return lines.join('\n');
}
