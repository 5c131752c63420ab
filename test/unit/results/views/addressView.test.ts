import { strict as assert } from 'node:assert';
import type { AddressBreakpoint } from '../../../../src/debugger/breakpoints/addressBreakpoint';
import { addressView } from '../../../../src/results/views/addressView';

const breakpoint = (more: Partial<AddressBreakpoint> = {}): AddressBreakpoint => ({
  id: 4,
  sessionKey: 'a',
  requested: { kind: 'data', reference: 'count' },
  verified: true,
  message: undefined,
  adapterId: 9,
  boundTo: undefined,
  hits: 0,
  ...more,
});
const own = { id: 4, verified: true, enabled: true, owner: 'agent', session_id: 's1' };

describe('the view of a breakpoint at an address', () => {
  it('names the data of a data breakpoint', () => {
    const requested = {
      kind: 'data',
      reference: 'count',
      accessType: 'write',
      description: 'cart.count',
    } as const;
    assert.deepEqual(addressView(breakpoint({ requested }), { id: 's1' }), {
      ...own,
      kind: 'data',
      data_id: 'count',
      description: 'cart.count',
      access_type: 'write',
    });
  });

  it('names the address of an instruction breakpoint, and an offset that is not 0', () => {
    for (const [offset, shown] of [
      [8, { offset: 8 }],
      [0, {}],
    ] as const) {
      const requested = { kind: 'instruction', reference: '0x10', offset } as const;
      assert.deepEqual(addressView(breakpoint({ requested, boundTo: '0x18' }), { id: 's1' }), {
        ...own,
        kind: 'instruction',
        instruction_reference: '0x10',
        bound_to: '0x18',
        ...shown,
      });
    }
  });

  it('shows the hits, the conditions and the adapter’s message', () => {
    const view = addressView(
      breakpoint({
        requested: { kind: 'data', reference: 'x', condition: 'x > 1', hitCondition: '3' },
        verified: false,
        message: 'no such data',
        hits: 2,
      }),
      undefined,
    );
    assert.deepEqual(view, {
      id: 4,
      kind: 'data',
      data_id: 'x',
      verified: false,
      condition: 'x > 1',
      hit_condition: '3',
      enabled: true,
      owner: 'agent',
      hits: 2,
      message: 'no such data',
    });
  });
});
