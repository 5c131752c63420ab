import { strict as assert } from 'node:assert';
import { z } from 'zod';
import { defineTool } from '../../../src/tools/defineTool';
import { runTool } from '../../../src/tools/run';
import { bench, paused } from '../support/services';

describe('a tool that requires a capability', () => {
  const memory = defineTool({
    name: 'read_memory',
    set: 'advanced',
    effect: 'read',
    title: '',
    userDescription: '',
    modelDescription: '',
    icon: '',
    input: z.strictObject({ address: z.string() }),
    output: z.object({ status: z.string() }),
    needs: 'thread',
    capability: 'supportsReadMemoryRequest',
    doing: () => '',
    run: async ({ input, target }) => ({
      status: 'success',
      read: `${input.address} of ${target.session.id}/${target.threadId}`,
    }),
  });

  it('has the parameters of its target in addition to its own', () => {
    assert.deepEqual(Object.keys(memory.input.shape), ['thread_id', 'session_id', 'address']);
    assert.throws(() => memory.check({ address: '0', frame_id: 1 }), {
      message: /frame_id/,
      hint: /thread_id, session_id, address/,
    });
  });

  it('is refused, with the adapter’s name, in a session whose adapter does not report the capability', async () => {
    const on = paused(bench());
    const answer = await runTool(memory, { address: '0' }, on.services, on.call);
    assert.deepEqual([answer['code'], on.host.requests.length], ['not_supported', 0]);
    assert.match(String(answer['message']), /“test” does not support read_memory/);
    assert.match(String(answer['hint']), /supportsReadMemoryRequest/);
  });

  it('runs in a session whose adapter reports the capability, with a typed target', async () => {
    const on = paused(bench());
    on.host.emit('capabilities', { capabilities: { supportsReadMemoryRequest: true } });
    const answer = await runTool(memory, { address: '0x10' }, on.services, on.call);
    assert.deepEqual([answer.status, answer['read']], ['success', '0x10 of s1/1']);
  });
});
