/** A program in which a line (`marker: writes`) writes a wrong value, which is read later (`marker: wrong`). */
export interface PlantedWrite {
  readonly title: string;
  readonly language: 'Node' | 'Python';
  /** A file in `programs`. */
  readonly file: string;
  /** The wrong value, at the second line. */
  readonly expression: string;
}

type Row = readonly [file: string, expression: string, title: string];

const NODE: readonly Row[] = [
  ['alias', 'DEFAULTS.tax', 'another name of an object'],
  ['assign', 'other.limit', 'Object.assign'],
  ['cache', 'cache', 'key of a cache'],
  ['closure', 'state.count', 'object of a closure'],
  ['computedKey', 'counts', 'computed key'],
  ['defaultList', 'home', 'shared default'],
  ['deleted', 'stock', 'delete'],
  ['loop', 'best', 'branch of a loop'],
  ['moduleRate', 'rate', 'variable of a module'],
  ['patternMember', 'config.depth', 'pattern with members'],
  ['prototypeValue', 'slow.timeout', 'value of a prototype'],
  ['replaced', 'config.retries', 'spread of a patch'],
  ['returned', 'low', 'value of a call'],
  ['reversed', 'events', 'reverse'],
  ['setter', 'order.amount', 'setter'],
  ['shallowCopy', 'ada.address.city', 'shallow copy'],
  ['sharedRows', 'grid[2][1]', 'shared rows'],
  ['sortedInPlace', 'readings', 'sort'],
  ['splice', 'queue', 'splice'],
  ['staticField', 'Basket.items', 'static field'],
  ['swap', 'low', 'destructuring'],
  ['task', 'session.user', 'asynchronous function'],
  ['truncated', 'events', 'length'],
];

const PYTHON: readonly Row[] = [
  ['alias', 'DEFAULTS["tax"]', 'another name of an object'],
  ['cache', 'cache["tea"]', 'key of a cache'],
  ['class_attribute', 'bob.items', 'list of a class'],
  ['class_value', 'slow.timeout', 'value of a class'],
  ['closure', 'state["count"]', 'object of a closure'],
  ['default_list', 'home', 'default argument'],
  ['deleted', 'stock', 'del'],
  ['extended', 'BASE', 'augmented assignment'],
  ['global_rate', 'rate', 'global'],
  ['inserted', 'scores', 'insort'],
  ['loop', 'best', 'branch of a loop'],
  ['popped', 'history', 'pop'],
  ['returned', 'low', 'value of a call'],
  ['setattr', 'other.limit', 'setattr'],
  ['setter', 'order._total', 'setter'],
  ['shared_rows', 'grid[2][1]', 'shared rows'],
  ['slice', 'queue', 'slice assignment'],
  ['sorted_in_place', 'readings', 'sort'],
  ['swap', 'low', 'destructuring'],
  ['task', 'session.user', 'asynchronous function'],
  ['update', 'options["retries"]', 'dict.update'],
  ['vars_update', 'config.depth', 'vars().update'],
];

const of =
  (language: PlantedWrite['language'], ending: string) =>
  ([file, expression, title]: Row): PlantedWrite => ({
    ...{ title, language, expression },
    file: `${language.toLowerCase()}/${file}.${ending}`,
  });

export const PLANTED_WRITES: readonly PlantedWrite[] = [
  ...NODE.map(of('Node', 'js')),
  ...PYTHON.map(of('Python', 'py')),
];
