import { type Lowering, NONE, type NodeId } from '../../lower/index.js';

/** Names of methods that run a part of a test: `test("…") { … }`, and between a title and what it runs `"…" in { … }`. */
export const TEST_CALLS = 'test it they describe feature scenario property Scenario Feature testAsync';
/** The same between a title and a block. */
export const TEST_WORDS = 'in should when must can ignore >> taggedAs -';

/**
 * Takes note of what may run a part of a test.
 * @param of What is called, or what stands in front of the word.
 * @param word The word between; none of a call.
 */
export function testOf(to: Lowering, node: NodeId, of: NodeId, body: NodeId, word: NodeId = NONE): void {
  const { tree } = to;
  if (!/^(?:block|indented_block|colon_argument|case_block)$/.test(tree.kind(body))) return;
  const isTitled = tree.kind(of) === 'call_expression';
  const inner = isTitled ? to.part(of, 'function') : NONE;
  const said = isTitled ? tree.first(to.part(of, 'arguments')) : NONE;
  const called = tree.textOf(inner).split(/[\s.]/, 1)[0] ?? '';
  // `test("…") { … }` and `test("…") - { … }`
  if (isTitled && TEST_CALLS.split(' ').includes(called) && isText(to, said)) {
    if (word === NONE || tree.textOf(word) === '-') note(to, node, inner, said, body, titleOf(to, said));
    return;
  }
  if (word === NONE || !TEST_WORDS.split(' ').includes(tree.textOf(word)) || tree.textOf(word) === '-')
    return;
  const title = titleOf(to, of);
  if (title !== '') note(to, node, word, of, body, title);
}

function note(to: Lowering, node: NodeId, name: NodeId, title: NodeId, body: NodeId, said: string): void {
  if (!to.isWatched(to.tree.textOf(name))) return;
  to.called({ node, name, receiver: -1, row: -1, arguments: [], given: [title, body], title: said });
}

function isText(to: Lowering, node: NodeId): boolean {
  return /^(?:string|interpolated_string_expression)$/.test(to.tree.kind(node));
}

/** `"A stack" should "be empty"`: the texts and words in their order; nothing where something else stands among them. */
function titleOf(to: Lowering, node: NodeId): string {
  const { tree } = to;
  if (isText(to, node)) return tree.textOf(node).replace(/^\w*"+|"+$/g, '');
  if (tree.kind(node) === 'infix_expression') {
    const [left, right] = [titleOf(to, to.part(node, 'left')), titleOf(to, to.part(node, 'right'))];
    const word = tree.textOf(to.part(node, 'operator'));
    return left === '' || right === '' ? '' : `${left} ${word} ${right}`;
  }
  return /^(?:it|they|ignore)$/.test(tree.textOf(node)) ? tree.textOf(node) : '';
}
