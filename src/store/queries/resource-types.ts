import type { AnsweredName, FieldOrigin, ResourceGroup, Wire } from '../../schema/resource.ts';
import type { Column } from '../../schema/tables/column.ts';
import type { ColumnsOf, OutputOf } from '../../schema/tables/resource-columns.ts';

// The types that follow from the description of a resource.

type Cells<Columns> = {
  [Name in keyof Columns]: Columns[Name] extends Column<infer Value> ? Value : never;
};

export type RowOf<Fields> = Cells<ColumnsOf<Fields>>;

type NameOf<Fields, Origin extends FieldOrigin> = {
  [Name in keyof Fields]: Fields[Name] extends { readonly origin: Origin } ? Name : never;
}[keyof Fields];

export type WithoutOrigin<Fields, Origin extends FieldOrigin> = Omit<
  Fields,
  NameOf<Fields, Origin>
>;

type Immutable<Value> = Value extends (infer Item)[] ? readonly Item[] : Value;

type ProgramValue<Field> =
  Field extends ResourceGroup<infer Fields>
    ? { readonly [Name in keyof Fields]: OutputOf<Fields[Name]> } | null
    : Immutable<OutputOf<Field>>;

/** The program does not keep what the database computes from it at each write. */
export type ValueOf<Fields> = {
  readonly [Name in keyof WithoutOrigin<Fields, 'generated'>]: ProgramValue<
    WithoutOrigin<Fields, 'generated'>[Name]
  >;
};

export type AnsweredValue<Fields> = {
  readonly [Name in AnsweredName<Fields>]: ProgramValue<Fields[Name]>;
};

export type BodyByColumn<Fields> = {
  [Name in AnsweredName<Fields> as ColumnName<Fields[Name]>]: Wire<Fields[Name]>;
};

type ColumnName<Field> = Field extends { readonly column: infer Name extends string }
  ? Name
  : never;

export type BodyOf<Fields> = { [Name in AnsweredName<Fields>]: Wire<Fields[Name]> };
