'use strict';
/*
 * Loaded first in a run without debugging. The debugger's extension may attach to such a run all the same, by a module
 * that it loads before. The program would then wait for the debugger at each exception that the recorder reads.
 */
require('node:inspector').close();
