// Rows of answers, as they follow from an export.

/** The row of a symbol or module that calls or is called, in the fields that no budget takes. */
export function functionRow(node) {
  const isFile = node.kind === 'file';
  return {
    kind: isFile ? 'module' : (node.subkind ?? node.symbol_kind ?? node.kind),
    qualified_name: node.qualified_name || node.path,
    name: isFile ? moduleName(node) : node.name,
    file_path: node.path,
    line_start: isFile ? 1 : node.start_line,
    line_end: isFile ? (node.line_count ?? 1) : node.end_line,
    ...(node.class_name ? { class_name: node.class_name } : {}),
  };
}

/** The row of a module or package. */
export function moduleRow(node) {
  const isFile = node.kind === 'file';
  return {
    kind: isFile ? 'module' : 'package',
    qualified_name: node.qualified_name || node.path || node.name,
    name: isFile ? moduleName(node) : node.name,
    path: isFile ? node.path : node.stdlib ? '<stdlib>' : '<external>',
    extension: isFile ? node.extension : '',
  };
}

/** The last part of a module's qualified name. */
function moduleName({ name, qualified_name, extracted }) {
  if (!extracted) return name;
  const stem = name.slice(0, name.lastIndexOf('.'));
  return qualified_name.endsWith(stem) ? stem : qualified_name.split(/[./:]/).at(-1);
}

/**
 * What is wrong with the rows of an answer: they are the first of those expected, as many as the tool shows, or as fit
 * where it says that fewer do; and the figures say so.
 */
export function wrongRows(body, rows, expected, cap) {
  const wrong = [];
  const { metadata, state } = body;
  const most = Math.min(expected.length, cap);
  if (rows.length < most && !state.cut.some((one) => /\bfit: max_tokens/.test(one)))
    wrong.push(`${rows.length} rows instead of ${most}`);
  if (rows.length > most) wrong.push(`${rows.length} rows instead of ${most}`);
  for (const [at, row] of rows.entries()) {
    const { id: _id, decorators: _decorators, calls: _calls, ...told } = row;
    if (!same(told, expected[at])) wrong.push(`row ${at}: ${text(told)} instead of ${text(expected[at])}`);
  }
  const figures = {
    row_count: rows.length,
    total_count: expected.length,
    truncated: rows.length < expected.length,
  };
  for (const [name, value] of Object.entries(figures))
    if (metadata[name] !== value) wrong.push(`${name} is ${metadata[name]} instead of ${value}`);
  return wrong;
}

/** What is wrong with a value. */
export function wrongValue(name, value, expected) {
  return same(value, expected) ? [] : [`${name} is ${text(value)} instead of ${text(expected)}`];
}

/** Whether two values are equal, whatever the order of their fields. */
export function same(a, b) {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

function text(value) {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 300);
}
