import { type Bench } from './services';

export const containerOf = (on: Bench): number =>
  on.services.inspector.handles.variables(on.services.inspector.placeOf(on.session(), 1), 7, 10, {
    indexedVariables: undefined,
    namedVariables: undefined,
  });
