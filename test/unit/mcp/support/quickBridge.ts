/** The stdio bridge, which waits for a window that was lost for a moment only. */
import { runBridge } from '../../../../src/mcp/stdio/program';

void runBridge(200);
