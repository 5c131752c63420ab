import { createRequire } from 'node:module';
import path from 'node:path';
import { insideExtension } from '../host/support/client';
import type { Report } from './report';

/** Measures the cost of the extension for those who do not use it. */
export async function activation(report: Report): Promise<void> {
  report.part('activation');
  const { activationMilliseconds } = await insideExtension();
  const file = path.resolve(__dirname, '../../../dist/extension.js');
  const load = createRequire(__filename);
  // Loads the bundle again, as VS Code does: it is read, compiled and run.
  Reflect.deleteProperty(load.cache, file);
  const started = performance.now();
  load(file);
  const loading = performance.now() - started;
  report.text('Activation, in milliseconds.');
  report.table(
    ['', 'ms'],
    [
      ['loading the bundle', loading],
      ['`activate()`', activationMilliseconds],
    ],
  );
}
