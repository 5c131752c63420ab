import { strict as assert } from 'node:assert';
import { DebugModel } from '../../../src/debugger/state/debugModel';
import { ExceptionBreakpoints } from '../../../src/debugger/breakpoints/exceptionBreakpoints';
import { LAUNCH_MARK } from '../../../src/debugger/state/launchMark';
import { answered, asked, created } from './events';
import { FakeHost } from './fakeHost';

export const CAPABILITIES = {
  supportsExceptionFilterOptions: true,
  exceptionBreakpointFilters: [
    { filter: 'raised', label: 'Raised' },
    { filter: 'uncaught', label: 'Uncaught', supportsCondition: true },
  ],
};

/** A session of an agent or of the person, whose adapter offers two filters. */
export function setUp(isAgents = true): {
  model: DebugModel;
  host: FakeHost;
  exceptions: ExceptionBreakpoints;
  vsCodeSends: (list: object) => void;
  sent: () => unknown[];
} {
  const model = new DebugModel();
  const host = new FakeHost(model).on('setExceptionBreakpoints', () => ({}));
  const exceptions = new ExceptionBreakpoints(host, model);
  model.observe((event) => exceptions.observe(event), exceptions.observes);
  model.dispatch(created('a', { configuration: isAgents ? { [LAUNCH_MARK]: 'mark' } : {} }));
  model.dispatch(asked(1, 'initialize'));
  model.dispatch(answered(1, 'initialize', CAPABILITIES));
  model.dispatch(asked(2, 'launch'));
  model.dispatch(answered(2, 'launch'));
  let seq = 10;
  return {
    model,
    host,
    exceptions,
    vsCodeSends: (list) => model.dispatch(asked((seq += 1), 'setExceptionBreakpoints', list)),
    sent: () => host.sent('setExceptionBreakpoints').map((each) => each['filters']),
  };
}

export const session = (model: DebugModel) => {
  const found = model.state.sessions.get('a');
  assert.ok(found);
  return found;
};
