import { dottedPath } from './expressions.js';
import type { FoundReferences } from './found-references.js';
import type { Scope } from './scopes.js';
import type { Syntax } from './syntax.js';
import type { SourceText } from './text.js';

/** Strings in annotations that are read as types: a dotted name, or one as an argument or alternative. */
const dottedName = /^[\p{ID_Start}_][\p{ID_Continue}]*(\.[\p{ID_Start}_][\p{ID_Continue}]*)*$/u;

/** Reads annotations. */
export class AnnotationReader {
  /** `visitValue` reads what is no type: calls, the metadata of `Annotated`. */
  constructor(
    private readonly text: SourceText,
    private readonly found: FoundReferences,
    private readonly visitValue: (node: Syntax, scope: Scope) => void,
  ) {}

  /** A type: every name in it, those in strings too. */
  read(node: Syntax, scope: Scope): void {
    if (node.kind === 'identifier') {
      this.found.name(node, scope, 'type');
      return;
    }
    if (node.kind === 'string') {
      this.#readString(node, scope);
      return;
    }
    const path = node.kind === 'attribute' ? dottedPath(node, this.text) : null;
    if (path !== null) {
      this.found.path('type', node, path, scope);
      return;
    }
    if (node.kind === 'call' || node.kind === 'lambda') {
      this.visitValue(node, scope);
      return;
    }
    const [generic, ...inside] = node.children;
    const name = generic && dottedPath(generic, this.text);
    if (generic && name && /(^|\.)Literal$/.test(name)) {
      this.read(generic, scope);
      return;
    }
    if (generic && name && /(^|\.)Annotated$/.test(name) && inside.length > 0) {
      const [type, ...metadata] = inside.flatMap((one) =>
        one.kind === 'type_parameter' ? one.children : [one],
      );
      this.read(generic, scope);
      if (type) this.read(type, scope);
      // The grammar makes types of metadata too; what is inside is a value.
      for (const one of metadata)
        for (const value of one.kind === 'type' ? one.children : [one]) this.visitValue(value, scope);
      return;
    }
    for (const one of node.children) this.read(one, scope);
  }

  #readString(node: Syntax, scope: Scope): void {
    const literal = this.text.of(node);
    const [, quote, inside] = /^[ru]?("""|'''|"|')([\s\S]*)\1$/i.exec(literal) ?? [];
    if (quote === undefined || inside === undefined || !dottedName.test(inside)) return;
    const start = node.start + literal.indexOf(quote) + quote.length;
    this.found.path(
      'type',
      { kind: 'identifier', start, end: start + inside.length, children: [] },
      inside,
      scope,
    );
  }
}
