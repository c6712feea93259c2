/** True for an object of names and values, as JSON has them: neither null nor a list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The entries have every name of the type. */
export const recordOf = <Name extends string, Value>(
  entries: readonly (readonly [Name, Value])[],
): Record<Name, Value> => Object.fromEntries(entries) as Record<Name, Value>;

/** An object or a list, whose contents are not known yet. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** The names in an object that has none but those of its type, because our own code made it. */
export const keysOf = <Name extends string>(record: Readonly<Partial<Record<Name, unknown>>>) =>
  Object.keys(record) as Name[];

/** Without the fields that are undefined. */
export const definedFields = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };
