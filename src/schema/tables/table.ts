import type { Scope } from '../scope.ts';
import type { Column } from './column.ts';

type Columns = Readonly<Record<string, Column>>;

/** How changes record the rows of a table, so that they can be listed and undone. */
interface Recording<Name extends string> {
  /** What a list of changes calls a row; null if it does not list the rows. */
  readonly kind: string | null;
  /** The scope of the operations that read the rows: without it, no answer shows them. */
  readonly readScope: Scope;
  /**
   * The column with the module that a row is about. Rows about nothing change neither a module nor
   * the farm by themselves.
   */
  readonly about: Name | 'farm' | 'nothing';
}

interface TableProperties<Name extends string> {
  /** The columns that tell the rows of a company apart; default `id`. */
  readonly key?: readonly Name[];
  /** False if no answer about a farm depends on the rows. */
  readonly isCounted?: boolean;
  /** The rows say which probes there are, or how their readings are to be understood. */
  readonly describesProbes?: boolean;
  /** False for rows that mean nothing in another store. */
  readonly isCopied?: boolean;
  /** No foreign keys from or to the table, and no unique columns but the key. */
  readonly isStandalone?: boolean;
  readonly isAppendOnly?: boolean;
  /** Rows are deleted or changed when a person is erased. */
  readonly isErased?: boolean;
  /** False for rows about the company itself: they do not keep it from being deleted. */
  readonly keepsCompany?: boolean;
}

export interface Table<
  C extends Columns = Columns,
  R extends Recording<string> | null = Recording<string> | null,
> extends Required<TableProperties<string>> {
  readonly columns: C;
  readonly changes: R;
}

/**
 * `changes` is null for readings, for rows that are computed from others, for rows that no tool
 * writes, and for texts that stay as long as the record of changes refers to them.
 */
export const table = <C extends Columns, const R extends Recording<keyof C & string> | null>(
  columns: C,
  { changes, ...properties }: TableProperties<keyof C & string> & { readonly changes: R },
): Table<C, R> => ({
  columns,
  changes,
  key: ['id'],
  isCounted: true,
  describesProbes: false,
  isCopied: true,
  isStandalone: false,
  isAppendOnly: false,
  isErased: false,
  keepsCompany: true,
  ...properties,
});
