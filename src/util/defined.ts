/** A property that may be undefined is left out then. */
export type Defined<T> = {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
} & { [K in keyof T as undefined extends T[K] ? never : K]: T[K] };

/** Leaves out the properties that are undefined: for results, where a missing property says more than `undefined`. */
export function defined<const T extends object>(properties: T): Defined<T>;
export function defined(properties: object): object {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined));
}
