import { ALL_BUT_UNEQUAL, plainFilter, type Adapter } from './adapter';

/** Microsoft's debugger for Python. */
export const debugpy: Adapter = {
  name: 'debugpy',
  types: ['debugpy', 'python'],
  seenIn: 'debugpy 1.6.6',
  languages: ['python'],

  exceptionFilters: [
    plainFilter('raised', 'Raised Exceptions'),
    plainFilter('uncaught', 'Uncaught Exceptions'),
    plainFilter('userUnhandled', 'User Uncaught Exceptions'),
  ],
  // It traces only frames that are entered while `raised` or `userUnhandled` is on.
  appliesFiltersLate: true,
  hitConditions: ALL_BUT_UNEQUAL,
  hidesFailedConditions: true,
  evaluatesBracesOnly: true,

  // Its `variables` calls `getattr` for every name, which runs properties.
  runsCodeToListMembers: true,

  // What a function returned is shown only where that is asked for.
  launch: () => ({ showReturnValue: true }),
  testStops: { filters: ['userUnhandled'] },
};
