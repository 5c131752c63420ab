import { strict as assert } from 'node:assert';

/** Skips a test that this machine cannot run, and prints why. CI has everything: there it fails. */
export function skip(context: Mocha.Context, reason: string): never {
  assert.equal(process.env['CI'], undefined, `CI skips nothing: ${reason}`);
  console.log(`      skipped: ${reason}`);
  return context.skip();
}
