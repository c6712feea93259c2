type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

/** A row with its columns named in camelCase. */
export type CamelRow<Row> = {
  readonly [Column in keyof Row & string as Camel<Column>]: Row[Column];
};

const camelNames = new Map<string, string>();

export function toCamel(column: string): string {
  const known = camelNames.get(column);
  if (known !== undefined) return known;
  const name = column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  camelNames.set(column, name);
  return name;
}

export function camelRow<Row extends object>(row: Row): CamelRow<Row> {
  const renamed: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) renamed[toCamel(column)] = value;
  return renamed as CamelRow<Row>;
}
