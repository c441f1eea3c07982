import { createRequire } from 'node:module';
import { Language, type Node, Parser } from 'web-tree-sitter';
import type { SourceFile } from '../sources.js';

/** A regular expression in the code: a literal, or the call that makes one. */
export interface WrittenExpression {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** As it is written. */
  readonly text: string;
  /** Null: it is made while the program runs. */
  readonly literal: RegExp | null;
}

/** Imports, and comments that begin a line: what has no slash beside them needs no parser. */
const WITHOUT = /^ *(?:\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/.*)| from '[^'\n]*';$/gmu;

/** Every regular expression that files write, read by the grammar of the language. */
export async function expressionsIn(files: readonly SourceFile[]): Promise<WrittenExpression[]> {
  const { resolve } = createRequire(import.meta.url);
  await Parser.init();
  const grammar = resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter-typescript.wasm');
  const parser = new Parser();
  parser.setLanguage(await Language.load(grammar));
  const found = files.flatMap(({ path, text }) => {
    if (!text.replaceAll(WITHOUT, '').match(/\/|RegExp/u)) return [];
    const tree = parser.parse(text);
    const nodes = tree ? expressionNodes(tree.rootNode) : [];
    const written = nodes.map((node) => ({
      path,
      line: node.startPosition.row + 1,
      text: node.text,
      literal: node.type === 'regex' ? literalOf(node.text) : null,
    }));
    tree?.delete();
    return written;
  });
  parser.delete();
  return found;
}

function expressionNodes(root: Node): Node[] {
  return root.descendantsOfType(['regex', 'new_expression', 'call_expression']).filter((node) => {
    if (node?.type === 'regex') return true;
    const called = node?.childForFieldName('constructor') ?? node?.childForFieldName('function');
    return called?.text === 'RegExp';
  });
}

function literalOf(written: string): RegExp {
  const end = written.lastIndexOf('/');
  return new RegExp(written.slice(1, end), written.slice(end + 1));
}
