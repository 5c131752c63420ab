'use strict';
/*
 * Loaded first in a run without the debugger. A debugger whose extension starts such a run may attach to it all the
 * same, by a module that it loads into the program and that reads a variable. The program would then wait for the
 * debugger at each exception that the recorder reads.
 */
delete process.env[process.env.AGENT_DEBUGGER_UNSET];
