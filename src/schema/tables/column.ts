export type ColumnKind =
  | 'integer'
  | 'real'
  | 'text'
  /** An integer: ms since 1970 UTC. */
  | 'instant'
  /** An integer: 0 or 1. */
  | 'flag'
  /** Text. */
  | 'json';

/**
 * Where the value of a new row comes from: from the statement, from a default if the statement has
 * none, from the sequence of the table, or computed from other columns of the row.
 */
export type ColumnOrigin = 'statement' | 'default' | 'sequence' | 'computed';

interface Reference {
  readonly table: string;
  /** A part is deleted with the row to which it refers; other references forbid the deletion. */
  readonly isPart: boolean;
  /** The database refuses a value without a row. Never in tables that are standalone. */
  readonly isEnforced: boolean;
}

export interface ColumnProperties {
  readonly kind: ColumnKind;
  readonly isNullable: boolean;
  readonly origin: ColumnOrigin;
  /** False for values that follow from other rows or columns: changes do not record them. */
  readonly isRecorded: boolean;
  readonly reference: Reference | null;
  /** No two rows have the same, not even of two companies. */
  readonly isUnique: boolean;
  readonly defaultValue: number | null;
  /** The only values; null for any. */
  readonly values: readonly string[] | null;
  /** How answers round or write it. */
  readonly round: ((value: number) => number | string) | null;
}

export const DEFAULT_PROPERTIES: Omit<ColumnProperties, 'kind'> = {
  isNullable: false,
  origin: 'statement',
  isRecorded: true,
  reference: null,
  isUnique: false,
  defaultValue: null,
  values: null,
  round: null,
};

/** A column, the same in SQLite and PostgreSQL. */
export class Column<T = unknown, Origin extends ColumnOrigin = ColumnOrigin> {
  /** For the compiler alone. */
  declare readonly value: T;
  declare readonly valueOrigin: Origin;
  readonly properties: ColumnProperties;

  constructor(properties: ColumnProperties) {
    this.properties = properties;
  }

  get orNull(): Column<T | null, Origin> {
    return new Column({ ...this.properties, isNullable: true });
  }

  orDefault(value: T & number): Column<T, 'default'> {
    return new Column({ ...this.properties, origin: 'default', defaultValue: value });
  }

  get computed(): Column<T, 'computed'> {
    return new Column({ ...this.properties, origin: 'computed', isRecorded: false });
  }

  get unrecorded(): Column<T, Origin> {
    return new Column({ ...this.properties, isRecorded: false });
  }

  get unique(): Column<T, Origin> {
    return new Column({ ...this.properties, isUnique: true });
  }

  /** The program alone sees to it that there is such a row. */
  get unenforced(): Column<T, Origin> {
    const { reference } = this.properties;
    return new Column({
      ...this.properties,
      reference: reference && { ...reference, isEnforced: false },
    });
  }
}

const column = <T>(
  kind: ColumnKind,
  properties: Partial<ColumnProperties> = {},
): Column<T, 'statement'> => new Column({ ...DEFAULT_PROPERTIES, ...properties, kind });

export const integer = column<number>('integer');
export const real = column<number>('real');
export const text = column<string>('text');
export const instant = column<number>('instant');
export const flag = column<0 | 1>('flag');
export const json = column<string>('json');

/** Ids in the order of creation, which are never generated again. */
export const sequence: Column<number, 'sequence'> = new Column({
  ...DEFAULT_PROPERTIES,
  kind: 'integer',
  origin: 'sequence',
});

export const oneOf = <const V extends string>(values: readonly V[]): Column<V, 'statement'> =>
  column<V>('text', { values });

/** The id of a row of another table, which must not be deleted. */
export const referenceTo = (table: string): Column<number, 'statement'> =>
  column('integer', { reference: { table, isPart: false, isEnforced: true } });

/** The id of the row with which this one is deleted. */
export const partOf = (table: string): Column<number, 'statement'> =>
  column('integer', { reference: { table, isPart: true, isEnforced: true } });

/** The same where the id is a text. */
export const partOfText = (table: string): Column<string, 'statement'> =>
  column('text', { reference: { table, isPart: true, isEnforced: true } });
