import type { Definition } from '../../facts.js';
import { docstringOf } from './docstring.js';
import { child, decoratorOf, dottedPath, lastName } from './expressions.js';
import { bodyOf } from './names.js';
import { parameterFacts } from './parameters.js';
import type { Syntax } from './syntax.js';
import type { SourceText } from './text.js';

/** What a `def` says of itself. */
export type FunctionHead = Pick<
  Definition,
  | 'signature'
  | 'docstring'
  | 'decorators'
  | 'is_async'
  | 'is_generator'
  | 'is_static'
  | 'is_abstract'
  | 'declaration_only'
  | 'parameters'
  | 'return_type'
>;

/** Reads the head of a `function_definition`; `stub` says whether the file is a `.pyi`. */
export function functionHead(
  node: Syntax,
  decorators: readonly Syntax[],
  text: SourceText,
  stub: boolean,
): FunctionHead {
  const body = bodyOf(node);
  const parameters = child(node, 'parameters');
  const type = child(node, 'type');
  const names = decorators.map((one) => decoratorName(one, text));
  const end = type?.end ?? parameters?.end ?? child(node, 'identifier')?.end ?? node.end;
  return {
    signature: text.signature(node.start, end),
    docstring: docstringOf(body, text),
    decorators: decoratorTexts(decorators, text),
    is_async: /^async\b/.test(text.text.slice(node.start, node.start + 6)),
    is_generator:
      body !== undefined && text.text.slice(node.start, node.end).includes('yield') && yields(body),
    is_static: names.some((name) => name === 'staticmethod' || name === 'classmethod'),
    is_abstract: names.some((name) => /^abstract(class|static)?(method|property)$/.test(name)),
    declaration_only: names.includes('overload') || (stub && isEllipsis(body)),
    parameters: parameterFacts(parameters, text),
    return_type: type ? text.of(type) : null,
  };
}

/** The decorators as written, without `@`, white space folded. */
export function decoratorTexts(decorators: readonly Syntax[], text: SourceText): string[] {
  return decorators.flatMap((one) => {
    const [expression] = one.children;
    return expression ? [text.folded(expression.start, expression.end, 300)] : [];
  });
}

function decoratorName(decorator: Syntax, text: SourceText): string {
  const callee = decoratorOf(decorator)?.callee;
  return callee ? lastName(dottedPath(callee, text) ?? '') : '';
}

function isEllipsis(body: Syntax | undefined): boolean {
  return body?.children.every((one) => one.kind === 'ellipsis' || one.kind === 'string') ?? true;
}

/** Whether a body yields itself: what functions and lambdas inside it do is theirs. */
function yields(node: Syntax): boolean {
  return node.children.some(
    (one) =>
      one.kind === 'yield' ||
      (one.kind !== 'function_definition' &&
        one.kind !== 'class_definition' &&
        one.kind !== 'lambda' &&
        yields(one)),
  );
}
