/** Kinds of node that hold statements of the same scope. */
export const compound: ReadonlySet<string> = new Set([
  'block',
  'if_statement',
  'elif_clause',
  'else_clause',
  'for_statement',
  'while_statement',
  'try_statement',
  'except_clause',
  'finally_clause',
  'with_statement',
  'match_statement',
  'case_clause',
  'ERROR',
]);

/** Statements, and parts of them, whose blocks may be passed over. */
export const branching: ReadonlySet<string> = new Set([
  'if_statement',
  'elif_clause',
  'else_clause',
  'for_statement',
  'while_statement',
  'try_statement',
  'except_clause',
  'case_clause',
]);
