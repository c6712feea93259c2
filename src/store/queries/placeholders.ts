import type { CompiledQuery } from 'kysely';

/** Stands for the value with this index while a query is built and compiled. */
export class ParameterPlaceholder {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }
}

/** Stands in the only row of an insert for the values that its rows have in one column. */
export class ColumnPlaceholder extends ParameterPlaceholder {}

/**
 * Placeholders for the values from the index `start` on. They stand for values of any type while a
 * query is built, so the caller chooses the type.
 */
export const parameterPlaceholders = <Values extends readonly unknown[] = never[]>(
  count: number,
  start = 0,
): Values =>
  Array.from(
    { length: count },
    (_, index) => new ParameterPlaceholder(start + index),
  ) as readonly unknown[] as Values;

/** A parameter that is an array may consist of placeholders. */
export function withValues<Query extends CompiledQuery>(
  query: Query,
  values: readonly unknown[],
): Query {
  const withValue = (parameter: unknown): unknown => {
    if (parameter instanceof ParameterPlaceholder) return values[parameter.index];
    return Array.isArray(parameter) ? parameter.map(withValue) : parameter;
  };
  return { ...query, parameters: query.parameters.map(withValue) };
}
