import type { RunnerId } from '../project';
import { cargoTest } from './cargoTest';
import { googleTest } from './googleTest';
import { goTest } from './goTest';
import { jest, vitest } from './jest';
import { junit } from './junit';
import { mocha } from './mocha';
import { nodeTest } from './nodeTest';
import { pytest, unittest } from './python';
import type { Runner } from './runner';

export const RUNNERS: Readonly<Record<RunnerId, Runner>> = {
  pytest,
  unittest,
  node_test: nodeTest,
  mocha,
  jest,
  vitest,
  go_test: goTest,
  cargo_test: cargoTest,
  googletest: googleTest,
  junit4: junit,
  junit5: junit,
};

export function runnerOf(id: RunnerId): Runner {
  return RUNNERS[id];
}
