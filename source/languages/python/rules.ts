import { kinds, type LoweringRules } from '../../lower/index.js';
import { FIXTURE } from '../../pytest.js';
import { annotation } from './annotations.js';
import { callAt } from './calls.js';
import { block, classAt, decorated, decorator, functionAt, lambdaAt } from './definitions.js';
import {
  attributeAt,
  booleanAt,
  comprehensionAt,
  conditionalAt,
  dictionaryAt,
  integerAt,
  keywordAt,
  listAt,
  nameAt,
  namedAt,
  parenthesized,
  spreadAt,
  stringAt,
  subscriptAt,
  yieldAt,
} from './expressions.js';
import { importAt, importFrom } from './imports.js';
import { finish } from './module.js';
import {
  assertAt,
  branch,
  caseAt,
  deleteAt,
  exceptAt,
  forAt,
  ifAt,
  outerAt,
  returnAt,
  whileAt,
  withItem,
} from './statements.js';
import { assignment, augmented, typeAlias } from './targets.js';
import { TEST_FILES } from './test-path.js';
import { lines } from './text.js';

/** What Python's syntax means. */
export const rules: LoweringRules = {
  language: 'python',
  comments: ['comment'],
  unread: (
    'pass_statement break_statement continue_statement line_continuation type_conversion string_start string_content ' +
    'string_end escape_sequence escape_interpolation import_prefix'
  ).split(' '),
  spliced: ['expression_statement', 'with_clause', 'interpolation', 'format_specifier', 'format_expression'],
  chains:
    'binary_operator boolean_operator comparison_operator not_operator unary_operator concatenated_string'.split(
      ' ',
    ),
  importsAre: 'names',
  builtinTypes: new Set(),
  access: (name) => ({ exported: false, visibility: name.startsWith('_') ? 'protected' : 'public' }),
  docs: { marks: [], indented: true },
  lines,
  // What pytest and unittest would run: pytest's defaults for `python_files`, `python_functions` and `python_classes`.
  tests: {
    name: /^test/,
    base: /TestCase$/,
    never: FIXTURE,
    collected: {
      path: /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/,
      suite: /^Test/,
      without: '__init__',
    },
    files: TEST_FILES,
  },
  flows: { isBuiltin },
  finish,
  nodes: {
    block,
    decorated_definition: decorated,
    decorator: (to, node) => decorator(to, node),
    function_definition: (to, node) => functionAt(to, node),
    class_definition: (to, node) => classAt(to, node),
    assignment,
    augmented_assignment: augmented,
    type_alias_statement: typeAlias,
    ...kinds('if_statement elif_clause', ifAt),
    ...kinds('else_clause try_statement', branch),
    except_clause: exceptAt,
    for_statement: forAt,
    while_statement: whileAt,
    with_item: withItem,
    case_clause: caseAt,
    assert_statement: assertAt,
    return_statement: returnAt,
    delete_statement: deleteAt,
    ...kinds('global_statement nonlocal_statement', outerAt),
    import_statement: importAt,
    ...kinds('import_from_statement future_import_statement', importFrom),
  },
  expressions: {
    identifier: nameAt,
    attribute: attributeAt,
    call: callAt,
    subscript: subscriptAt,
    parenthesized_expression: parenthesized,
    named_expression: namedAt,
    await: { is: 'await', of: '#0' },
    ...kinds('list tuple set expression_list pattern_list', listAt),
    dictionary: dictionaryAt,
    ...kinds('list_splat dictionary_splat', spreadAt),
    keyword_argument: keywordAt,
    conditional_expression: conditionalAt,
    boolean_operator: booleanAt,
    lambda: lambdaAt,
    ...kinds(
      'list_comprehension set_comprehension dictionary_comprehension generator_expression',
      comprehensionAt,
    ),
    yield: yieldAt,
    ...kinds('string concatenated_string', stringAt),
    integer: integerAt,
    float: { is: 'literal', type: 'float' },
    ...kinds('true false', { is: 'literal', type: 'bool' }),
    none: (to, node) => to.addExpression({ kind: 'nothing', at: to.tree.start(node) }),
    ellipsis: { is: 'literal', type: 'ellipsis' },
    ...kinds('binary_operator comparison_operator not_operator unary_operator', { is: 'unknown' }),
  },
  types: { ...kinds('type type_parameter', annotation) },
  parameters: {},
};

/** Names that Python offers everywhere: as values or types they are no use of the program's own names. */
const BUILTINS: ReadonlySet<string> = new Set(
  `False None True NotImplemented Ellipsis abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr
  classmethod compile complex copyright credits delattr dict dir divmod enumerate eval exec exit filter float format
  frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter len license list locals map max
  memoryview min next object oct open ord pow print property quit range repr reversed round set setattr slice sorted
  staticmethod str sum super tuple type vars zip __import__ __name__ __file__ __doc__ __debug__ __builtins__
  __package__ __spec__ __path__ __loader__ __build_class__
  basestring buffer cmp execfile file intern long raw_input reduce reload unichr unicode xrange`.split(/\s+/),
);

/** Whether an unbound name is Python's own: a builtin, or an exception by its form (`ValueError`). */
function isBuiltin(name: string): boolean {
  return (
    BUILTINS.has(name) ||
    /^(Base)?Exception(Group)?$|^[A-Z]\w*(Error|Warning|Exit|Interrupt|Iteration)$/.test(name)
  );
}
