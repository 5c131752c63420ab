import { strict as assert } from 'node:assert';

/** Skips a test that this machine cannot run, and prints why. In CI, which has all requirements, the test fails. */
export function skip(context: Mocha.Context, reason: string): never {
  assert.equal(process.env['CI'], undefined, `CI skips nothing: ${reason}`);
  console.log(`      skipped: ${reason}`);
  return context.skip();
}
