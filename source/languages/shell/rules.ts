import {
  callOf,
  type FunctionRule,
  kinds,
  type Lowering,
  type LoweringRules,
  NONE,
  type NodeId,
  nameAt,
  type Use,
} from '../../lower/index.js';

const FUNCTION: FunctionRule = { does: 'function', kind: 'function', name: 'name', body: 'body' };

/** What may stand for a command: no path, no expansion, nothing in quotes. */
const COMMAND_NAME = /^[\p{L}_][\p{L}\p{N}_:.+-]*$/u;
/** Words in front of a command that run it. */
const RUNNERS: ReadonlySet<string> = new Set(['command', 'builtin', 'exec', 'time', 'nohup', 'sudo', 'env']);

/** What the syntax of shells means, as Bash reads it. */
export const rules: LoweringRules = {
  language: 'shell',
  comments: ['comment'],
  tokens: 'local declare typeset export readonly'.split(' '),
  unread: [
    'string_content',
    'raw_string',
    'ansi_c_string',
    'heredoc_content',
    'heredoc_start',
    'heredoc_end',
    'regex',
  ],
  importsAre: 'names',
  builtinTypes: new Set(),
  access: (name) =>
    name.startsWith('_')
      ? { exported: true, visibility: 'private' }
      : { exported: true, visibility: 'public' },
  docs: { marks: ['#'], directive: /^#(?:!|\s*shellcheck\b|\s*vim?:|\s*-\*-)/ },
  tests: { path: /(?:^|\/)(?:tests?[_-][^/]*|[^/]*[_-]tests?)\.\w+$/, name: /^test/ },
  nodes: {
    function_definition: FUNCTION,
    command: (to, node) => void commandAt(to, node),
    declaration_command: declaration,
    variable_assignment: assignment,
    for_statement: loop,
  },
  expressions: {
    command: commandAt,
    variable_name: variableRead,
    ...kinds('word number string raw_string ansi_c_string translated_string concatenation', {
      is: 'literal',
      type: 'string',
    }),
    array: { is: 'list' },
    ...kinds('command_substitution process_substitution subshell arithmetic_expansion simple_expansion', {
      is: 'literal',
      type: 'string',
    }),
    expansion: { is: 'literal', type: 'string' },
  },
  types: {},
  parameters: {},
};

/** `name argument…`: the call of a function or a program; `source file`: an import. @returns the row of the call. */
function commandAt(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const words = tree.children(node).filter((one) => tree.field(one) === 'argument');
  for (const one of tree.children(node)) if (tree.field(one) === '') to.visit(one);
  let name = tree.first(to.part(node, 'name'));
  while (name !== NONE && RUNNERS.has(tree.textOf(name)) && tree.kind(words[0] ?? NONE) === 'word')
    name = words.shift() ?? NONE;
  if (name === NONE) return to.unknown;
  const written = tree.textOf(name);
  const [first = NONE] = words;
  if ((written === 'source' || written === '.') && first !== NONE) return sourced(to, node, words);
  // `trap cleanup EXIT` runs it later.
  if (written === 'trap' && tree.kind(first) === 'word' && COMMAND_NAME.test(tree.textOf(first)))
    nameAt(to, first, 'pass');
  if (tree.kind(name) === 'word' && COMMAND_NAME.test(written)) {
    const base = nameAt(to, name, 'callee');
    return callOf(to, node, { base, name, receiver: NONE, given: words });
  }
  to.visit(name);
  for (const one of words) to.expression(one, 'pass');
  return to.unknown;
}

/** `$name`; what a function was given, `$1`, is no name. */
function variableRead(to: Lowering, node: NodeId, use: Use): number {
  return /^\d/.test(to.tree.textOf(node)) ? to.unknown : nameAt(to, node, use);
}

/** `source ./lib.sh`: what the file defines is there from then on. Of `"$HERE/lib.sh"` the end is known. */
function sourced(to: Lowering, node: NodeId, words: readonly NodeId[]): number {
  const { tree } = to;
  for (const one of words) to.expression(one);
  const [file = NONE] = words;
  const written = tree.textOf(file).replace(/["'\\]/g, '');
  const tail = written.replace(/^.*[)}]|^\$\w+/s, '');
  // What an expansion stands for is a folder, most often the script's own.
  const path = tail === written ? written : tail.replace(/^\/+/, '');
  if (/^[\w.+-][\w./+-]*$/.test(path)) to.import({ node, module: path, names: [], kind: 'import' });
  return to.unknown;
}

/** `local a=1 b`, `export FOO=bar`, `readonly X`. */
function declaration(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const word = /^\w+/.exec(tree.text.slice(tree.start(node), tree.end(node)))?.[0] ?? '';
  const isConstant = word === 'readonly' || /^\w+\s+-\w*r/.test(tree.textOf(node));
  for (const one of tree.children(node)) {
    const kind = tree.kind(one);
    if (kind === 'variable_assignment') variable(to, one, { isLocal: word === 'local', isConstant });
    else if (kind === 'variable_name' && to.inFunction && word !== 'export')
      to.bind('local', one, { from: tree.end(one) });
    else to.visit(one);
  }
}

function assignment(to: Lowering, node: NodeId): void {
  variable(to, node, { isLocal: false, isConstant: false });
}

/** The first assignment outside of functions defines a variable; those in functions write what is there, or are local. */
function variable(
  to: Lowering,
  node: NodeId,
  { isLocal, isConstant }: { readonly isLocal: boolean; readonly isConstant: boolean },
): void {
  const { tree } = to;
  const [name, value] = [to.part(node, 'name'), to.part(node, 'value')];
  const isPlain = tree.kind(name) === 'variable_name';
  if (to.inFunction && isLocal && isPlain) {
    if (value !== NONE) to.expression(value);
    to.bind('local', name, { from: tree.end(node) });
  } else if (to.inFunction || !isPlain || to.has(tree.textOf(name))) {
    to.expression(isPlain ? name : tree.first(name), 'write');
    if (value !== NONE) to.expression(value);
  } else {
    const isLong = value !== NONE && to.text.line(tree.start(value)) !== to.text.line(tree.end(value));
    const definition = to.define({
      kind: isConstant ? 'constant' : 'variable',
      name,
      start: tree.start(node),
      end: tree.end(node),
      ...(isLong ? { headEnd: tree.end(name) } : {}),
      isConstant,
    });
    if (value !== NONE) to.ownedBy(definition, () => to.expression(value));
  }
}

/** `for name in …`: the name is not worth a symbol. */
function loop(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const name = to.part(node, 'variable');
  for (const one of tree.children(node)) {
    if (one !== name) to.visit(one);
    else to.bind('local', name, { from: tree.end(name) });
  }
}
