import { z } from 'zod/v3';
import { acceptsNull, fieldMetadata, innerSchema, isInstantKind } from '../field.ts';
import {
  type FieldOrigin,
  isGroup,
  type ResourceField,
  type ResourceFields,
  type ResourceGroup,
} from '../resource.ts';
import {
  Column,
  type ColumnKind,
  type ColumnOrigin,
  type ColumnProperties,
  DEFAULT_PROPERTIES,
} from './column.ts';

// The columns of a resource follow from the description of its fields.

/** Lists and objects are JSON text. */
type Cell<Value> = Value extends boolean ? 0 | 1 : Value extends object ? string : Value;

/** Where a group is absent, flags are 0 and other columns null. */
type GroupCell<Value> = Value extends boolean ? 0 | 1 : Cell<Value> | null;

export type OutputOf<Field> = Field extends { readonly schema: infer S extends z.ZodTypeAny }
  ? z.output<S>
  : never;

const COLUMN_ORIGINS = {
  id: 'sequence',
  generated: 'computed',
  entered: 'statement',
  computed: 'statement',
  internal: 'statement',
} as const satisfies Record<FieldOrigin, ColumnOrigin>;

type ColumnsOfField<Field> =
  Field extends ResourceGroup<infer Fields>
    ? {
        [Name in keyof Fields as Fields[Name]['column']]: Column<
          GroupCell<OutputOf<Fields[Name]>>,
          'statement'
        >;
      }
    : Field extends ResourceField<z.ZodTypeAny, infer Name, infer Origin>
      ? { [ColumnName in Name]: Column<Cell<OutputOf<Field>>, (typeof COLUMN_ORIGINS)[Origin]> }
      : never;

type Intersection<Union> = (Union extends unknown ? (part: Union) => void : never) extends (
  whole: infer Whole,
) => void
  ? { [Name in keyof Whole]: Whole[Name] }
  : never;

export type ColumnsOf<Fields> = Intersection<
  { [Name in keyof Fields]: ColumnsOfField<Fields[Name]> }[keyof Fields]
>;

function kindOf(schema: z.ZodTypeAny): ColumnKind {
  if (isInstantKind(fieldMetadata(schema).kind)) return 'instant';

  const inner = innerSchema(schema);
  if (inner instanceof z.ZodBoolean) return 'flag';
  if (inner instanceof z.ZodNumber) return inner.isInt ? 'integer' : 'real';
  return inner instanceof z.ZodArray || inner instanceof z.ZodObject ? 'json' : 'text';
}

export function columnPropertiesOf({
  schema,
  origin,
  round,
  isIdAsText = false,
}: ResourceField): ColumnProperties {
  const inner = innerSchema(schema);
  return {
    ...DEFAULT_PROPERTIES,
    kind: isIdAsText ? 'integer' : kindOf(schema),
    isNullable: acceptsNull(schema),
    origin: COLUMN_ORIGINS[origin],
    isRecorded: origin !== 'generated',
    values: inner instanceof z.ZodEnum ? inner.options : null,
    round: isIdAsText ? String : (round ?? null),
  };
}

export const columnsOf = <Fields extends ResourceFields>(fields: Fields): ColumnsOf<Fields> =>
  // The cast restores the type of each column, which `Object.fromEntries` loses.
  Object.fromEntries(
    Object.values(fields).flatMap((field) =>
      isGroup(field) ? Object.values(field.fields).map(groupColumn) : [columnEntry(field)],
    ),
  ) as ColumnsOf<Fields>;

const columnEntry = (field: ResourceField): [string, Column] => [
  field.column,
  new Column(columnPropertiesOf(field)),
];

function groupColumn(field: ResourceField): [string, Column] {
  const properties = columnPropertiesOf(field);
  return [field.column, new Column({ ...properties, isNullable: properties.kind !== 'flag' })];
}
