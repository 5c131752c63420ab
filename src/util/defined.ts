/** The same properties, except that properties that may be undefined are optional instead. */
export type Defined<T> = {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
} & { [K in keyof T as undefined extends T[K] ? never : K]: T[K] };

/**
 * Leaves out the properties that are undefined. It is used for results, in which a missing property is clearer than
 * `undefined`.
 */
export function defined<const T extends object>(properties: T): Defined<T>;
export function defined(properties: object): object {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined));
}
