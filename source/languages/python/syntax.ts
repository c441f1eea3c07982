import type { Language as Grammar, TreeCursor } from 'web-tree-sitter';
import type { ParsedFile } from '../language.js';

/**
 * One node of the tree as JavaScript data. Punctuation, comments and wrappers that say nothing are left out, so
 * that children are found by kind and order: `call` is [callee, arguments], `assignment` is [target, type?,
 * value?]. Offsets are UTF-16 units; `end` is exclusive.
 */
export interface Syntax {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly children: readonly Syntax[];
}

/** A file's tree, read once. */
export interface SyntaxTree {
  readonly root: Syntax;
  readonly comments: readonly Syntax[];
  /** Offsets where the grammar gave up or missed a token, ascending. */
  readonly errors: readonly number[];
}

/**
 * Nodes below this depth are dropped. The language itself gives up at 200 nested parentheses and 100 indents;
 * what is deeper is generated or hostile, and passes over the tree recurse.
 */
const DEEPEST = 400;

/**
 * How the reader treats a kind of node. `splice`: its children stand in its place; `single`: it stands aside when
 * it holds one child; `operator`: a chain of operators nests as deep as it is long, so nested ones are spliced into
 * the outermost; `text`: a leaf unless it holds expressions.
 */
type Treat = 'skip' | 'leaf' | 'node' | 'splice' | 'single' | 'operator' | 'text' | 'comment';

const treatments: Readonly<Record<string, Treat>> = {
  binary_operator: 'operator',
  boolean_operator: 'operator',
  comparison_operator: 'operator',
  not_operator: 'operator',
  unary_operator: 'operator',
  expression_statement: 'single',
  with_clause: 'splice',
  interpolation: 'splice',
  format_specifier: 'splice',
  format_expression: 'splice',
  string: 'text',
  comment: 'comment',
  ...each('leaf', 'identifier integer float true false none ellipsis dotted_name relative_import'),
  ...each('leaf', 'wildcard_import'),
  ...each('skip', 'pass_statement break_statement continue_statement line_continuation type_conversion'),
  ...each('skip', 'keyword_separator positional_separator string_start string_content string_end'),
  ...each('skip', 'escape_sequence escape_interpolation import_prefix'),
};

function each(treat: Treat, kinds: string): Record<string, Treat> {
  return Object.fromEntries(kinds.split(' ').map((kind) => [kind, treat]));
}

/** A string whose text may hold expressions: `f'…'`, `rf'…'`, `t'…'`. */
const holdsExpressions = /^[a-z]*[ft]/i;
const none: readonly Syntax[] = [];

interface Frame {
  readonly kind: string;
  readonly treat: Treat;
  readonly start: number;
  readonly end: number;
  readonly depth: number;
  readonly children: Syntax[];
}

/** Reads the whole tree in one walk of the cursor: crossing into WebAssembly costs more than all that follows. */
export function readSyntax(file: ParsedFile): SyntaxTree {
  const { text, tree } = file;
  const treats = treatsOf(tree.language);
  const kinds = tree.language.types;
  const comments: Syntax[] = [];
  const cursor = tree.walk();
  const root: Frame = { kind: 'module', treat: 'node', start: 0, end: text.length, depth: 0, children: [] };
  const frames: Frame[] = [root];
  let frame = root;
  let more = cursor.gotoFirstChild();
  while (more) {
    const id = cursor.nodeTypeId;
    const treat = treats[id] ?? 'node';
    let entered = false;
    if (treat !== 'skip') {
      const kind = kinds[id] ?? 'ERROR';
      const start = cursor.startIndex;
      const end = cursor.endIndex;
      if (treat === 'comment') comments.push({ kind, start, end, children: none });
      else {
        const splice = treat === 'splice' || (treat === 'operator' && frame.treat === 'operator');
        const descend =
          treat !== 'leaf' &&
          // Spliced levels do not deepen what the passes see, so they do not count.
          (splice || frame.depth < DEEPEST) &&
          (treat !== 'text' || holdsExpressions.test(text.slice(start, start + 3)));
        entered = descend && cursor.gotoFirstChild();
        if (entered)
          frame = splice
            ? { kind, treat: frame.treat, start, end, depth: frame.depth, children: frame.children }
            : { kind, treat, start, end, depth: frame.depth + 1, children: [] };
        else if (!splice) frame.children.push({ kind, start, end, children: none });
        if (entered) frames.push(frame);
      }
    }
    more = entered || cursor.gotoNextSibling();
    while (!more && frames.length > 1) {
      cursor.gotoParent();
      frame = close(frames);
      more = cursor.gotoNextSibling();
    }
  }
  const errors = tree.rootNode.hasError ? errorsOf(cursor) : [];
  cursor.delete();
  return { root, comments, errors };
}

function close(frames: Frame[]): Frame {
  const closed = frames.pop();
  const outer = frames[frames.length - 1];
  if (!closed || !outer) throw new Error('The root of a syntax tree cannot be closed.');
  if (closed.children === outer.children) return outer;
  const [only] = closed.children;
  if (closed.treat === 'single' && only && closed.children.length === 1) outer.children.push(only);
  else {
    const { kind, start, end, children } = closed;
    outer.children.push({ kind, start, end, children });
  }
  return outer;
}

function treatsOf(grammar: Grammar): readonly Treat[] {
  return grammar.types.map((kind, id) =>
    grammar.nodeTypeIsNamed(id) ? (treatments[kind] ?? 'node') : 'skip',
  );
}

/** Walks again, for files with errors only: asking every node would make each file pay. */
function errorsOf(cursor: TreeCursor): number[] {
  const found: number[] = [];
  while (cursor.gotoParent());
  let entered = true;
  for (;;) {
    if (entered) {
      const node = cursor.currentNode;
      if (node.isError || node.isMissing) found.push(node.startIndex);
      if (node.hasError && cursor.gotoFirstChild()) continue;
    }
    entered = cursor.gotoNextSibling();
    if (!entered && !cursor.gotoParent()) return found;
  }
}
