import assert from 'node:assert';
import test, { describe as group } from 'node:test';
import { it as local } from './runner';
import { it } from './runner';
import { add } from './add';

// Imported from a framework: a test in any file.
test('twice', async () => assert.equal(add(1, 1), 2));
test('twice', () => {});
test.describe('a suite', () => {
  test.describe.serial('of Playwright', () => {
    test('a   long\n title', { timeout: 5 }, async ({ page }) => page.open());
  });
});
Deno.test('of Deno', () => {});
Deno.test({ name: 'in an object', fn() {} });
test('', () => {});

// Of another module, in a file whose path says nothing of tests: none of these.
it('passed on', () => {});
local('renamed', () => {});
describe('a global', () => {
  specify('is nothing here', () => {});
});
/it/.test('x', add);
