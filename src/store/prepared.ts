import type { Compilable, Kysely } from 'kysely';
import type { OwnedTables } from './tables.ts';

/** Stands in a statement for a value that is given when it runs. */
class SlotParameter {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }
}

/** Places for values that are given later. Kysely takes them for values of any column. */
export const slotParameters = (count: number): never[] =>
  Array.from({ length: count }, (_, index) => new SlotParameter(index) as never);

/** Compiles a statement with slot parameters once, to be run with many values. */
export function prepared(
  db: Kysely<OwnedTables>,
  build: () => Compilable<unknown>,
): (values: readonly unknown[]) => Promise<void> {
  const query = build().compile();
  return async (values) => {
    await db.executeQuery({
      ...query,
      parameters: query.parameters.map((value) => (value instanceof SlotParameter ? values[value.index] : value)),
    });
  };
}
