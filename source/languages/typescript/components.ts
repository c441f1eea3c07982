import type { ImportFact } from '../../facts.js';
import type { Findings } from './findings.js';
import { calleeOf, isFunction, unwrapped } from './literals.js';
import type { Place } from './place.js';
import type { SyntaxNode, SyntaxSource } from './syntax.js';

/*
 * Which functions, classes and variables are components of a user interface: by what they give or extend. A name in
 * lower case is never one, since an element of that name is the platform's; what has no name may be one.
 */

/** Whether a name can be that of a component. */
export function isComponentName(name: string): boolean {
  return /^(?:[^a-z_$]|default$)/.test(name);
}

/** Whether a function, or something that returns functions, is a component: it gives elements on some path. */
export function isComponentFunction(name: string, node: SyntaxNode, found: Findings): boolean {
  return isComponentName(name) && mayMakeElements(found) && givesElements(node, found);
}

/** Whether a variable holds a component: what a known wrapper makes, or what is made of a function that gives elements. */
export function isComponentValue(name: string, value: SyntaxNode, at: Place, found: Findings): boolean {
  return isComponentName(name) && isMadeComponent(value, at, found);
}

function isMadeComponent(value: SyntaxNode, at: Place, found: Findings): boolean {
  if (value.type !== 'call_expression') return false;
  const given = argumentsOf(value);
  const [first] = given;
  if (calleeOf(value)?.text === 'Object.assign')
    return first !== undefined && (isMadeComponent(first, at, found) || isGiven(first, found));
  const wrapper = calledName(value, at, found);
  if (isWrapper(value, at, found) || (wrapper !== null && MAKERS.has(wrapper))) return true;
  return isOfMaker(value, at, found) || given.some((one) => isFunction(one) && isGiven(one, found));
}

/** A function that gives elements, or the name of a component above. */
function isGiven(node: SyntaxNode, found: Findings): boolean {
  if (isFunction(node)) return mayMakeElements(found) && givesElements(node, found);
  if (node.type !== 'identifier') return false;
  const name = node.text;
  return found.hasComponent(name);
}

/** `styled.button`…``, `styled(Button).attrs({})`…``, `dynamic(() => import('./chart'))`: by the package of the first name. */
function isOfMaker(call: SyntaxNode, at: Place, found: Findings): boolean {
  const root = /^[\w$]+/.exec(calleeOf(call)?.text.slice(0, 100) ?? '')?.[0];
  if (root === undefined || at.scope.lookup(root) !== 'import') return false;
  return found.importsOf(root).some((fact) => MAKER_PACKAGES.test(fact.module) && isMaker(fact, root));
}

/** Of what these packages offer the makers themselves, not `css` or `keyframes`. */
function isMaker({ names }: ImportFact, root: string): boolean {
  return names.some(
    ({ imported, local }) => local === root && (imported === 'default' || imported === 'styled'),
  );
}

const MAKER_PACKAGES =
  /^(?:styled-components|@emotion\/styled|@linaria\/react|goober|next\/dynamic|@loadable\/component)$/;

/**
 * The function or the name of one that a known wrapper (`memo`, `forwardRef`) makes a component of, at any depth:
 * what is rendered is that. Null for anything else.
 */
export function wrappedComponent(value: SyntaxNode, at: Place, found: Findings): SyntaxNode | null {
  let held = unwrapped(value);
  for (let depth = 0; depth < 8; depth += 1) {
    if (held.type !== 'call_expression' || !isWrapper(held, at, found)) return null;
    const inner = argumentsOf(held)[0];
    if (inner === undefined) return null;
    if (isFunction(inner) || inner.type === 'identifier') return inner;
    held = inner;
  }
  return null;
}

/** Wrappers whose component renders what they are given. */
const WRAPPERS: ReadonlySet<string> = new Set([
  'memo',
  'forwardRef',
  'observer',
  'defineComponent',
  'withRouter',
  'withTheme',
]);
/** What makes wrappers of that kind: `connect(select)(List)`. */
const WRAPPER_MAKERS: ReadonlySet<string> = new Set([
  'connect',
  'inject',
  'reduxForm',
  'withStyles',
  'withTranslation',
]);
/** What else makes components. */
const MAKERS: ReadonlySet<string> = new Set(['lazy', 'defineAsyncComponent', 'createReactClass']);

function isWrapper(call: SyntaxNode, at: Place, found: Findings): boolean {
  const callee = calleeOf(call);
  if (callee?.type === 'call_expression') return WRAPPER_MAKERS.has(calledName(callee, at, found) ?? '');
  return WRAPPERS.has(calledName(call, at, found) ?? '');
}

/** What of a package a call calls, by its name there: `memo` of `React.memo(…)` and `memo(…)`; null for others. */
function calledName(call: SyntaxNode, at: Place, found: Findings): string | null {
  const callee = calleeOf(call);
  if (callee?.type === 'identifier') {
    const name = callee.text;
    return importOf(name, at, found);
  }
  if (callee?.type !== 'member_expression' || callee.first?.type !== 'identifier') return null;
  const isLibrary = callee.first.text === 'React' || importOf(callee.first.text, at, found) !== null;
  return isLibrary ? (callee.last?.text ?? null) : null;
}

/** What a name is called where it is imported from a package; null when it is not. Imports stand above what uses them. */
function importOf(local: string, at: Place, found: Findings): string | null {
  if (at.scope.lookup(local) !== 'import') return null;
  const fact = found.importsOf(local).find(({ module }) => !module.startsWith('.'));
  return fact?.names.find((name) => name.local === local)?.imported ?? null;
}

/** Whether a class is a component: it extends the library's, or renders elements and extends something. */
export function isComponentClass(name: string, node: SyntaxNode, at: Place, found: Findings): boolean {
  if (!isComponentName(name)) return false;
  const heritage = node.child('class_heritage');
  const clause = heritage?.child('extends_clause') ?? heritage;
  const base = clause?.first ?? null;
  if (base === null || base.type === 'implements_clause') return false;
  return isLibraryBase(base, at, found) || (mayMakeElements(found) && rendersElements(node, found));
}

function isLibraryBase(base: SyntaxNode, at: Place, found: Findings): boolean {
  const [root = '', member] = base.text.replace(/\s+/g, '').split('.');
  if (!BASES.has(member ?? root) && !BASES.has(importOf(root, at, found) ?? '')) return false;
  if (member !== undefined && root === 'React') return true;
  return found.imports.some(
    ({ fact }) => LIBRARIES.test(fact.module) && fact.names.some(({ local }) => local === root),
  );
}

const BASES: ReadonlySet<string> = new Set(['Component', 'PureComponent']);
const LIBRARIES = /^(?:react|preact|inferno|nervjs|@tarojs\/taro)(?:\/|$)/;

function rendersElements(node: SyntaxNode, found: Findings): boolean {
  const render = node
    .child('class_body')
    ?.children.find(
      (one) => one.type === 'method_definition' && one.child('property_identifier')?.text === 'render',
    );
  return render !== undefined && givesElements(render, found);
}

/** Whether there is anything in the file that an element could be made with. */
function mayMakeElements({ source }: Findings): boolean {
  const known = making.get(source);
  if (known !== undefined) return known;
  const may = MAKING.test(source.text);
  making.set(source, may);
  return may;
}

/** Asked of every function whose name could be a component's, of files that may be long. */
const making = new WeakMap<SyntaxSource, boolean>();

const MAKING = /\/>|<\/|createElement/;

/** Whether a function-like node gives elements on some path, itself or through a variable of its own. */
function givesElements(node: SyntaxNode, found: Findings, depth = 0): boolean {
  const body = node.last;
  if (body === null) return false;
  const elements = new Set<string>();
  if (body.type !== 'statement_block') return isElement(body, elements, found, depth);
  const returned: SyntaxNode[] = [];
  const open: SyntaxNode[] = [...body.children].reverse();
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (one.type === 'return_statement') {
      if (one.first !== null) returned.push(one.first);
    } else if (one.type === 'variable_declarator' || one.type === 'assignment_expression') {
      const { first, last } = one;
      if (first?.type === 'identifier' && last !== null && isElement(last, elements, found, depth))
        elements.add(first.text);
    } else if (STATEMENTS.test(one.type)) for (const child of [...one.children].reverse()) open.push(child);
  }
  return returned.some((one) => isElement(one, elements, found, depth));
}

/** What may hold a statement of the same function. */
const STATEMENTS =
  /^(?:statement_block|.*_statement|.*_clause|(?:lexical|variable)_declaration|switch_body|switch_(?:case|default))$/;

/** Whether an expression is an element, may be one, or is a list of them. */
function isElement(node: SyntaxNode, elements: ReadonlySet<string>, found: Findings, depth = 0): boolean {
  if (depth > 40) return false;
  const inner = (one: SyntaxNode | null | undefined): boolean =>
    one !== null && one !== undefined && isElement(one, elements, found, depth + 1);
  const { first, last } = node;
  switch (node.type) {
    case 'jsx_element':
    case 'jsx_self_closing_element':
    case 'jsx_fragment':
      return true;
    case 'identifier':
      return elements.has(node.text);
    case 'parenthesized_expression':
    case 'as_expression':
    case 'satisfies_expression':
    case 'non_null_expression':
      return inner(first);
    case 'ternary_expression':
      return node.children.slice(1).some(inner);
    case 'binary_expression':
      return inner(last) || inner(first);
    case 'sequence_expression':
      return inner(last);
    case 'array':
      return node.children.some(inner);
    case 'call_expression':
      return makesElements(node, inner, found, depth);
    default:
      return false;
  }
}

function makesElements(
  call: SyntaxNode,
  inner: (one: SyntaxNode | undefined) => boolean,
  found: Findings,
  depth: number,
): boolean {
  const name = /(?:^|\.)([\w$]+)$/.exec(calleeOf(call)?.text.slice(-40) ?? '')?.[1] ?? '';
  if (name === 'createElement') return !/\bdocument\b/.test(calleeOf(call)?.text ?? '');
  const [given] = argumentsOf(call);
  if (name === 'createPortal' || name === 'cloneElement') return inner(given);
  if (name !== 'map' && name !== 'flatMap') return false;
  return given !== undefined && isFunction(given) && givesElements(given, found, depth + 1);
}

function argumentsOf(call: SyntaxNode): SyntaxNode[] {
  const list = call.last;
  return list?.type === 'arguments' ? list.children.map(unwrapped) : [];
}
