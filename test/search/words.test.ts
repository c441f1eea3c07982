import { expect, test } from 'vitest';
import { Words } from '../../search/index.js';

const words = (text: string) => new Words().of(text);

test('identifiers are split at case and underscores, and stay whole as well', () => {
  expect(words('parseHTTPHeader')).toEqual(['pars', 'http', 'header', 'parsehttpheader']);
  expect(words('max_retry_count')).toEqual(['max', 'retry', 'count', 'max_retry_count']);
  expect(words('$scope')).toEqual(['scop']);
});

test('identifiers are split at digits, but for single letters beside them', () => {
  expect(words('sha256')).toEqual(['sha', '256', 'sha256']);
  expect(words('base64Url')).toEqual(['base', '64', 'url', 'base64url']);
  expect(words('HTTP2Server')).toEqual(['http', 'server', 'http2server']);
  expect(words('i18n x2')).toEqual(['i18n', 'x2']);
});

test('paths and numbers are words too', () => {
  expect(words('src/auth/login.test.ts:42')).toEqual(['src', 'auth', 'login', 'test', 'ts', '42']);
});

test('case, plurals and verb forms make no difference', () => {
  for (const word of ['Fail', 'fails', 'failed', 'FAILING']) expect(words(word)).toEqual(['fail']);
  expect(words('entries entry')).toEqual(['entry', 'entry']);
  expect(words('class bus caches')).toEqual(['class', 'bus', 'cach']);
});

test('words of every text, single letters and encoded data are left out', () => {
  expect(words('the x of a session')).toEqual(['session']);
  expect(words('f'.repeat(65))).toEqual([]);
});

test('other alphabets have words as well; where nothing parts them, pairs of characters', () => {
  expect(words('Größen Ошибка')).toEqual(['größen', 'ошибка']);
  expect(words('注文確定')).toEqual(['注文', '文確', '確定']);
});
