import type { Generated, GeneratedAlways } from 'kysely';
import type { z } from 'zod/v3';
import type {
  AnsweredName,
  FieldOrigin,
  ResourceField,
  ResourceGroup,
  Wire,
} from '../../schema/resource.ts';

// The types that follow from the description of a resource.

type Flag = 0 | 1;

/** Lists and objects are JSON text. */
type Cell<Value> = Value extends boolean ? Flag : Value extends object ? string : Value;

/** Where a group is absent, flags are 0 and other columns null. */
type GroupCell<Value> = Value extends boolean ? Flag : Cell<Value> | null;

type OutputOf<Field> = Field extends { readonly schema: infer S extends z.ZodTypeAny }
  ? z.output<S>
  : never;

type ColumnsOf<Field> =
  Field extends ResourceGroup<infer Fields>
    ? { [Name in keyof Fields as Fields[Name]['column']]: GroupCell<OutputOf<Fields[Name]>> }
    : Field extends ResourceField<z.ZodTypeAny, infer Column>
      ? { [Name in Column]: Cell<OutputOf<Field>> }
      : never;

type Intersection<Union> = (Union extends unknown ? (part: Union) => void : never) extends (
  whole: infer Whole,
) => void
  ? { [Name in keyof Whole]: Whole[Name] }
  : never;

export type RowOf<Fields> = Intersection<
  { [Name in keyof Fields]: ColumnsOf<Fields[Name]> }[keyof Fields]
>;

type NameOf<Fields, Origin extends FieldOrigin> = {
  [Name in keyof Fields]: Fields[Name] extends { readonly origin: Origin } ? Name : never;
}[keyof Fields];

export type WithoutOrigin<Fields, Origin extends FieldOrigin> = Omit<
  Fields,
  NameOf<Fields, Origin>
>;

/** The type of the table, for Kysely. */
export type TableOf<Fields> = RowOf<WithoutOrigin<Fields, 'id' | 'generated'>> & {
  [Name in NameOf<Fields, 'id'> & string]: Generated<OutputOf<Fields[Name]>>;
} & {
  [Name in NameOf<Fields, 'generated'> as Fields[Name] extends ResourceField<
    z.ZodTypeAny,
    infer Column
  >
    ? Column
    : never]: GeneratedAlways<OutputOf<Fields[Name]>>;
};

type ProgramValue<Field> =
  Field extends ResourceGroup<infer Fields>
    ? { readonly [Name in keyof Fields]: OutputOf<Fields[Name]> } | null
    : OutputOf<Field>;

/** The program does not keep what the database computes from it at each write. */
export type ValueOf<Fields> = {
  readonly [Name in keyof WithoutOrigin<Fields, 'generated'>]: ProgramValue<
    WithoutOrigin<Fields, 'generated'>[Name]
  >;
};

export type AnsweredValue<Fields> = {
  readonly [Name in AnsweredName<Fields>]: ProgramValue<Fields[Name]>;
};

export type BodyOf<Fields> = { [Name in AnsweredName<Fields>]: Wire<Fields[Name]> };
