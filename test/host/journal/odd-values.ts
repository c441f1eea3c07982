const deep = (levels: number) => `${'{"a":['.repeat(levels / 2)}1${']}'.repeat(levels / 2)}`;

/** Texts of JSON values that some code takes for more than values, or cannot hold. */
export const ODD_VALUES: readonly string[] = [
  '{"__proto__":{"x":1}}',
  '{"a":{"__proto__":{"x":1},"b":2}}',
  '{"a":[{"__proto__":[{"__proto__":null}]}]}',
  '{"constructor":{"prototype":{"x":1}},"toString":"x","hasOwnProperty":1,"valueOf":0,"toJSON":"x","then":1,"length":-1}',
  '["__proto__","constructor","toString","hasOwnProperty"]',
  '{"\\ud800":"\\udc00","b":["x\\ud83dy"]}',
  `"${'\\ud800'.repeat(300)}"`,
  '{"a":1e400,"b":-1e400,"c":-0,"d":123456789012345678901234567890,"e":9007199254740993,"f":5e-324}',
  '{"k":1,"k":{"k":2}}',
  '{"":{"":""}}',
  '{"a\\u0000b":"c\\u0000d"}',
  `{"${'k'.repeat(70_000)}":1}`,
  `[${'0,'.repeat(5000)}0]`,
  `[${'{},'.repeat(2000)}[]]`,
  ...[18, 30, 98, 102, 4000, 20_000].map(deep),
  ...['null', 'true', '0', '""', '[]', '{}'],
];
