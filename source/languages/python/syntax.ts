import type { Language as Grammar, Tree } from 'web-tree-sitter';
import { TreeWalk } from '../../tree-memory.js';
import type { ParsedFile } from '../language.js';

/**
 * One node of the tree as JavaScript data. Punctuation, comments and wrappers that say nothing are left out, so
 * that children are found by kind and order: `call` is [callee, arguments], `assignment` is [target, type?,
 * value?]. Offsets are UTF-16 units; `end` is exclusive. Statements that hold others, and lists of parts, have no
 * offsets (both 0): each one costs a crossing into WebAssembly, and nothing asks for theirs.
 */
export interface Syntax {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly children: readonly Syntax[];
}

/** Where a node begins; statements that hold others have no offsets of their own. */
export function startOf(node: Syntax): number {
  const [first] = node.children;
  return node.end > 0 || !first ? node.start : startOf(first);
}

/** Where a node ends. */
export function endOf(node: Syntax): number {
  const last = node.children[node.children.length - 1];
  return node.end > 0 || !last ? node.end : endOf(last);
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
 * the outermost; `pair`: two parts and no more, of which the first begins and the last ends it; `text`: a leaf unless it holds expressions; `bare`: a node without offsets; `name`: a leaf whose
 * end is read off the text.
 */
type Treat =
  | 'skip'
  | 'leaf'
  | 'name'
  | 'node'
  | 'bare'
  | 'splice'
  | 'single'
  | 'operator'
  | 'pair'
  | 'text'
  | 'comment';

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
  attribute: 'pair',
  call: 'pair',
  identifier: 'name',
  ...each('bare', 'block if_statement elif_clause else_clause for_statement while_statement try_statement'),
  ...each('bare', 'except_clause finally_clause with_statement with_item match_statement case_clause'),
  ...each('bare', 'return_statement raise_statement assert_statement delete_statement augmented_assignment'),
  ...each('bare', 'global_statement nonlocal_statement print_statement exec_statement decorator yield'),
  ...each('bare', 'keyword_argument default_parameter typed_parameter typed_default_parameter'),
  ...each('bare', 'expression_list pattern_list pair slice for_in_clause if_clause as_pattern'),
  ...each('bare', 'as_pattern_target list_splat_pattern dictionary_splat_pattern'),
  ...each('leaf', 'integer float true false none ellipsis dotted_name relative_import'),
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

/** A node whose children are still being read. */
interface Frame extends Syntax {
  start: number;
  end: number;
  readonly children: Syntax[];
}

/** Reads the whole tree in one walk of the cursor: crossing into WebAssembly costs more than all that follows. */
export function readSyntax(file: ParsedFile): SyntaxTree {
  const { text, tree } = file;
  const treats = treatsOf(tree.language);
  const kinds = tree.language.types;
  const comments: Syntax[] = [];
  const root: Frame = { kind: 'module', start: 0, end: text.length, children: [] };
  // One entry for each level of the cursor; a spliced level repeats the frame that its children go to.
  const frames: Frame[] = [root];
  const levels: Treat[] = ['node'];
  let frame = root;
  let level: Treat = 'node';
  let depth = 0;
  // Where the node that was just entered begins, when its first part begins there too.
  let begun = -1;
  // Among errors a pair may hold more than two.
  const sound = !tree.rootNode.hasError;
  const walk = new TreeWalk(tree);
  let more = walk.toFirstChild();
  while (more) {
    const id = walk.type;
    const treat = treats[id] ?? 'node';
    const inherited = begun;
    begun = -1;
    let entered = false;
    if (treat !== 'skip') {
      const splice = treat === 'splice' || (treat === 'operator' && level === 'operator');
      const placed = !splice && treat !== 'bare' && treat !== 'single';
      const start = !placed ? 0 : inherited >= 0 ? inherited : walk.start;
      const leaf =
        treat === 'leaf' ||
        treat === 'name' ||
        treat === 'comment' ||
        // Spliced levels do not deepen what the passes see, so they do not count.
        (depth >= DEEPEST && !splice) ||
        (treat === 'text' && !holdsExpressions.test(text.slice(start, start + 3)));
      const late = treat === 'pair' && !leaf;
      const end = treat === 'name' ? endOfName(text, start, walk) : placed && !late ? walk.end : 0;
      entered = !leaf && walk.toFirstChild();
      if (entered) {
        if (treat === 'operator' || treat === 'pair') begun = splice ? inherited : start;
        if (!splice) {
          frame = { kind: kinds[id] ?? 'ERROR', start, end, children: [] };
          level = treat;
          depth += 1;
        }
        frames.push(frame);
        levels.push(level);
      } else if (!splice)
        (treat === 'comment' ? comments : frame.children).push({
          kind: kinds[id] ?? 'ERROR',
          start,
          end,
          children: none,
        });
    }
    more = entered || (!isWhole(frame, level, sound) && walk.toNextSibling());
    while (!more && frames.length > 1) {
      walk.toParent();
      const closed = frame;
      const treated = level;
      frames.pop();
      levels.pop();
      frame = frames[frames.length - 1] ?? root;
      level = levels[levels.length - 1] ?? 'node';
      if (closed !== frame) {
        depth -= 1;
        // Nothing in it tells where it is: `return` alone.
        if (treated === 'bare' && closed.children.length === 0) {
          closed.start = walk.start;
          closed.end = walk.end;
        }
        if (treated === 'pair') closed.end = closed.children[closed.children.length - 1]?.end ?? closed.start;
        const only = treated === 'single' && closed.children.length === 1 ? closed.children[0] : undefined;
        frame.children.push(only ?? closed);
      }
      more = !isWhole(frame, level, sound) && walk.toNextSibling();
    }
  }
  walk.close();
  return { root, comments, errors: sound ? [] : errorsOf(tree) };
}

/** Whether a pair has both parts: then there is no need to ask for a third. */
function isWhole(frame: Frame, level: Treat, sound: boolean): boolean {
  return sound && level === 'pair' && frame.children.length === 2;
}

/** A grammar never changes, and asking which of its kinds are punctuation takes as long as a small file. */
const treatsByGrammar = new WeakMap<Grammar, readonly Treat[]>();

function treatsOf(grammar: Grammar): readonly Treat[] {
  const known = treatsByGrammar.get(grammar);
  if (known) return known;
  const treats = grammar.types.map((kind, id) =>
    grammar.nodeTypeIsNamed(id) ? (treatments[kind] ?? 'node') : 'skip',
  );
  treatsByGrammar.set(grammar, treats);
  return treats;
}

/** The end of an identifier: asking for it would be one crossing more for every third node. */
function endOfName(text: string, start: number, walk: TreeWalk): number {
  for (let at = start; ; at += 1) {
    const unit = text.charCodeAt(at);
    // Which other letters a name may hold is the grammar's to say.
    if (unit > 127) return walk.end;
    const letter = (unit >= 97 && unit <= 122) || unit === 95 || (unit >= 65 && unit <= 90);
    if (!letter && !(unit >= 48 && unit <= 57)) return at;
  }
}

/** Walks again, for files with errors only: asking every node would make each file pay. */
function errorsOf(tree: Tree): number[] {
  const found: number[] = [];
  const cursor = tree.walk();
  let entered = true;
  for (;;) {
    if (entered) {
      const node = cursor.currentNode;
      if (node.isError || node.isMissing) found.push(node.startIndex);
      if (node.hasError && cursor.gotoFirstChild()) continue;
    }
    entered = cursor.gotoNextSibling();
    if (!entered && !cursor.gotoParent()) break;
  }
  cursor.delete();
  return found;
}
