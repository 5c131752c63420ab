/** The stdio bridge with a wait of only 200 ms for a lost window. */
import { runBridge } from '../../../../src/mcp/stdio/program';

void runBridge(200);
