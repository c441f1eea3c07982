/** The doc comment that ends right before an offset, without its marks; null when there is none. */
export function docBefore(text: string, offset: number): string | null {
  const end = text.slice(Math.max(0, offset - 4000), offset).trimEnd();
  if (!end.endsWith('*/')) return null;
  const close = offset - (Math.min(4000, offset) - end.length) - 2;
  for (let open = close - 1; open >= 0; open -= 1) {
    if (text.charCodeAt(open) !== SLASH) continue;
    if (text.startsWith('/**', open)) return open + 3 > close ? null : docText(text.slice(open + 3, close));
    // Another comment's end in between: what ends here is a plain comment or the end of a regular expression.
    if (text[open - 1] === '*' && open < close) return null;
  }
  return null;
}

const SLASH = 47;

/**
 * The doc comment at the head of a file; null when there is none or when it belongs to the first statement,
 * that is when a declaration follows it without an empty line and it has no tag that says otherwise.
 */
export function docOfFile(text: string): string | null {
  let start = text.startsWith('#!') ? lineEnd(text, 0) : 0;
  let end = 0;
  for (;;) {
    start = behindBlanks(text, start);
    if (text.startsWith('//', start)) {
      start = lineEnd(text, start);
      continue;
    }
    if (!text.startsWith('/*', start)) return null;
    end = text.indexOf('*/', start + 2) + 2;
    if (end < 2) return null;
    if (text[start + 2] === '*' && text[start + 3] !== '/') break;
    start = end;
  }
  const body = text.slice(start + 3, end - 2);
  const tagged = /@(module|fileoverview|file|packageDocumentation)\b/.test(body);
  const next = behindBlanks(text, end);
  const isDetached = EMPTY_LINE.test(text.slice(end, next)) || next === text.length;
  const detached = isDetached || /^(import\b|\/\*|\/\/|['"]use )/.test(text.slice(next, next + 10));
  return tagged || detached ? docText(body) : null;
}

const EMPTY_LINE = /^[ \t]*\r?\n[ \t]*\r?\n/;

/** Where the line of an offset ends, its line feed included. */
function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}

function behindBlanks(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && (text[at] ?? '').trim() === '') at += 1;
  return at;
}

/** Where code goes on after an offset: between decorators and what they decorate there may be comments. */
export function behindComments(text: string, offset: number): number {
  BLANKS.lastIndex = offset;
  BLANKS.test(text);
  return BLANKS.lastIndex;
}

const BLANKS = /(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*\n)*/y;

function docText(body: string): string | null {
  const lines = body.split('\n').map((line) => line.replace(/^\s*\* ?/, '').trimEnd());
  const text = lines
    .join('\n')
    .replace(/^[ \t]+/, '')
    .trim();
  return text === '' ? null : text;
}
