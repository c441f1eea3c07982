import type { CommentTag } from '../../facts.js';

/** The doc comment that ends right before an offset, without its marks; null when there is none. */
export function docBefore(text: string, offset: number): string | null {
  const end = text.slice(Math.max(0, offset - 4000), offset).trimEnd();
  if (!end.endsWith('*/')) return null;
  const close = offset - (Math.min(4000, offset) - end.length) - 2;
  const open = text.lastIndexOf('/**', close - 1);
  // Another comment's end in between: what ends here is a plain comment or the end of a regular expression.
  if (open < 0 || open + 3 > close || text.slice(open + 3, close).includes('*/')) return null;
  return docText(text.slice(open + 3, close));
}

/**
 * The doc comment at the head of a file; null when there is none or when it belongs to the first statement,
 * that is when a declaration follows it without an empty line and it has no tag that says otherwise.
 */
export function docOfFile(text: string): string | null {
  const head =
    /^(?:#![^\n]*\n)?(?=((?:\s|\/\/[^\n]*\n|\/\*(?!\*(?!\/))[\s\S]*?\*\/)*))\1\/\*\*(?!\/)([\s\S]*?)\*\/([ \t]*\r?\n)?([ \t]*\r?\n)?/.exec(
      text,
    );
  const body = head?.[2];
  if (head === null || body === undefined) return null;
  const tagged = /@(module|fileoverview|file|packageDocumentation)\b/.test(body);
  const next = text.slice(head[0].length).trimStart();
  const detached = head[4] !== undefined || next === '' || /^(import\b|\/\*|\/\/|['"]use )/.test(next);
  return tagged || detached ? docText(body) : null;
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

/** A tagged comment and its offset. */
export interface FoundTag extends Pick<CommentTag, 'tag' | 'text' | 'reference'> {
  offset: number;
}

/** Whether looking for comments is worth it: nearly every file holds no tag at all. */
export function mayHoldTags(text: string): boolean {
  return (
    TAGS.some((tag) => text.includes(tag)) &&
    /\b(?:TODO|FIXME|HACK|XXX)\b(?<=(?:\/\/|\/\*|^)[\s/*!#<-]*@?\w+)/m.test(text)
  );
}

const TAGS: readonly CommentTag['tag'][] = ['TODO', 'FIXME', 'HACK', 'XXX'];

/** The TODO, FIXME, HACK and XXX at the beginning of the lines of one comment. */
export function tagsOf(comment: string, offset: number): FoundTag[] {
  const found: FoundTag[] = [];
  const pattern =
    /^(?:[/*!#<-]|[^\S\n\r\u2028\u2029])*@?(TODO|FIXME|HACK|XXX)\b(?:\(([^)\n]*)\))?[:\s-]*([^\n]*)/gm;
  for (const match of comment.matchAll(pattern)) {
    const tag = match[1];
    if (tag !== 'TODO' && tag !== 'FIXME' && tag !== 'HACK' && tag !== 'XXX') continue;
    const reference = (match[2] ?? '').trim().slice(0, 200);
    const text = (match[3] ?? '')
      .trimEnd()
      .replace(/(?:\*\/|-->)$/, '')
      .trimEnd()
      .slice(0, 200);
    found.push({ tag, text, reference, offset: offset + match.index + match[0].indexOf(tag) });
  }
  return found;
}
