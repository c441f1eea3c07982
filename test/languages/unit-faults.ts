import type { FileFacts } from '../../source/facts.js';
import { readUnit, UNIT_TABLES } from '../../source/ir/index.js';

/** The table whose rows a field names. */
const POINTS_AT: Readonly<Record<string, keyof typeof UNIT_TABLES>> = {
  'scopes.parent': 'scopes',
  'scopes.symbol': 'symbols',
  'symbols.scope': 'scopes',
  'symbols.body': 'scopes',
  'symbols.type': 'types',
  'symbols.receiver': 'types',
  'symbols.value': 'expressions',
  'bases.symbol': 'symbols',
  'bases.type': 'types',
  'bindings.scope': 'scopes',
  'bindings.type': 'types',
  'bindings.value': 'expressions',
  'types.base': 'types',
  'types.scope': 'scopes',
  'expressions.base': 'expressions',
  'expressions.type': 'types',
  'expressions.scope': 'scopes',
  'names.expression': 'expressions',
  'names.type': 'types',
  'returns.symbol': 'symbols',
  'returns.value': 'expressions',
  'flows.target': 'expressions',
  'flows.value': 'expressions',
  'flows.scope': 'scopes',
  'flows.symbol': 'symbols',
  'flows.branch': 'extents',
  'flows.loop': 'extents',
  'flows.within': 'extents',
  'decorators.symbol': 'symbols',
  'decorators.expression': 'expressions',
};

/** What is wrong with a file's unit by itself: rows that do not exist, tables that are not in step with the facts. */
export function unitFaults({ unit: bytes, definitions, references, imports }: FileFacts): string[] {
  if (!bytes) return [];
  const unit = readUnit(bytes);
  const faults: string[] = [];
  const counts: [string, number, number][] = [
    ['symbols', unit.symbols.length, definitions.length],
    ['names', unit.names.length, references.length],
    ['bases', unit.bases.length, definitions.reduce((sum, { bases }) => sum + bases.length, 0)],
    ['file', unit.file.length, 1],
  ];
  for (const [table, rows, facts] of counts)
    if (rows !== facts) faults.push(`${rows} ${table} for ${facts}`);
  for (const [path, target] of Object.entries(POINTS_AT)) {
    const [table = '', field = ''] = path.split('.');
    const column = (unit as unknown as Record<string, Record<string, Int32Array>>)[table]?.[field] ?? [];
    for (const [row, value] of [...column].entries())
      if (value < -1 || value >= unit[target].length) faults.push(`${path} of ${row} is ${value}`);
  }
  for (const value of unit.bindings.import) if (value >= imports.length) faults.push(`import ${value}`);
  for (const table of ['types', 'expressions'] as const)
    for (let row = 0; row < unit[table].length; row += 1)
      if ((unit[table].first[row] ?? 0) + (unit[table].count[row] ?? 0) > unit.items.length)
        faults.push(`items of ${table} ${row}`);
  for (const [row, { name }] of definitions.entries())
    // A type may be found by how many type parameters it has, too, a member by the interface that it is of.
    if (unit.text(unit.symbols.name[row] ?? 0).replace(/`\d+$|^.*(?:\.|::)/g, '') !== name)
      faults.push(`symbol ${row} is not ${name}`);
  return faults;
}
