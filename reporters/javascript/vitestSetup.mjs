// Runs in each worker of vitest before the test file.
import { createRequire } from 'node:module';

createRequire(import.meta.url)('./vitestWorker.cjs').watch();
