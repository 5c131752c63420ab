import type { RunnerId } from '../project';
import { goTest } from './goTest';
import { jest, vitest } from './jest';
import { mocha } from './mocha';
import { nodeTest } from './nodeTest';
import { pytest, unittest } from './python';
import type { Runner } from './runner';

export const RUNNERS: Partial<Record<RunnerId, Runner>> = {
  pytest,
  unittest,
  node_test: nodeTest,
  mocha,
  jest,
  vitest,
  go_test: goTest,
};

export function runnerOf(id: RunnerId): Runner {
  const runner = RUNNERS[id];
  if (runner === undefined) throw new Error(`the campaign has no runner ${id}`);
  return runner;
}
