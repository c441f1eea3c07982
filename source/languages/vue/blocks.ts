import { attributeOf, commentEnd, type Tag, tagAt } from './tags.js';

/** One block at the top of a single-file component: `<script setup lang="ts">…</script>`. */
export interface Block {
  readonly kind: 'script' | 'template' | 'other';
  readonly tag: Tag;
  /** What its content spans. */
  readonly from: number;
  readonly to: number;
  /** Where the text goes on behind it. */
  readonly end: number;
  /** The language that it says; null when it says none. */
  readonly lang: string | null;
  /** Where its content is, in another file; null when it is here. */
  readonly src: string | null;
  readonly isSetup: boolean;
}

/**
 * The blocks of a single-file component, in source order. As in HTML the first `</script` ends a script, whatever
 * stands around it; a template ends with the end tag that belongs to it. A block that never ends takes the rest.
 */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  for (let at = text.indexOf('<'); at >= 0; ) {
    const behind = commentEnd(text, at);
    const tag = behind === null ? tagAt(text, at) : null;
    if (tag === null || tag.isEnd) {
      at = text.indexOf('<', behind ?? tag?.end ?? at + 1);
      continue;
    }
    const block = blockOf(text, tag);
    blocks.push(block);
    at = text.indexOf('<', block.end);
  }
  return blocks;
}

function blockOf(text: string, tag: Tag): Block {
  const name = tag.name.toLowerCase();
  const lang = attributeOf(text, tag, 'lang');
  const isMarkup = name === 'template' && (lang === null || lang === 'html');
  const to = tag.isSelfClosing
    ? tag.end
    : isMarkup
      ? templateEnd(text, tag.end)
      : rawEnd(text, tag.end, name);
  const close = text.indexOf('>', to);
  return {
    kind: name === 'script' ? 'script' : isMarkup ? 'template' : 'other',
    tag,
    from: tag.end,
    to,
    end: tag.isSelfClosing ? tag.end : close < 0 ? text.length : close + 1,
    lang,
    src: attributeOf(text, tag, 'src'),
    isSetup: name === 'script' && tag.attributes.some((one) => one.name === 'setup'),
  };
}

function rawEnd(text: string, from: number, name: string): number {
  const close = new RegExp(`</${name.replace(/[^\w-]/g, '\\$&')}(?=[\\s/>])`, 'gi');
  close.lastIndex = from;
  return close.exec(text)?.index ?? text.length;
}

function templateEnd(text: string, from: number): number {
  let depth = 1;
  for (let at = text.indexOf('<', from); at >= 0; ) {
    const behind = commentEnd(text, at);
    const tag = behind === null ? tagAt(text, at) : null;
    if (tag?.name.toLowerCase() === 'template') {
      if (tag.isEnd) depth -= 1;
      else if (!tag.isSelfClosing) depth += 1;
      if (depth === 0) return at;
    }
    at = text.indexOf('<', behind ?? tag?.end ?? at + 1);
  }
  return text.length;
}
