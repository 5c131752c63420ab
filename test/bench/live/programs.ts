import { NODE_PROGRAMS } from './nodePrograms';
import { PYTHON_PROGRAMS } from './pythonPrograms';
import type { LiveProgram } from './liveProgram';

export const LIVE_PROGRAMS: readonly LiveProgram[] = [...NODE_PROGRAMS, ...PYTHON_PROGRAMS];
