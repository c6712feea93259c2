import { z } from 'zod/v3';
import { acceptsNull, fieldMetadata, innerSchema, withExample } from './field.ts';
import { namedSchema } from './named-schema.ts';
import { dateOutput, instantOutput } from './shared-fields.ts';

// A resource is described once, as fields by their names on the wire. From the description follow
// the types of its columns, the schemas of what is sent and answered, and, through
// store/queries/resource-mapper.ts, the rows and bodies.

/**
 * Who gives a field its value: a person, the service, or the database on insert (`id`) or at each
 * write (`generated`). Answers leave out what is `internal`.
 */
export type FieldOrigin = 'entered' | 'computed' | 'internal' | 'id' | 'generated';

interface FieldProperties {
  readonly example?: unknown;
  /** In the document of answers; the description of the schema is for who enters the field. */
  readonly description?: string;
  /** A number in the store, and a text in bodies. */
  readonly isIdAsText?: boolean;
  /** What a column without a value means. */
  readonly valueIfNull?: unknown;
  /** How answers round it. */
  readonly round?: (value: number) => number;
  /** False if the concise form leaves it out. */
  readonly isConcise?: boolean;
}

/** `z.input` of the schema is the value on the wire, `z.output` the one in the program. */
export interface ResourceField<
  S extends z.ZodTypeAny = z.ZodTypeAny,
  Column extends string = string,
  Origin extends FieldOrigin = FieldOrigin,
> extends FieldProperties {
  readonly schema: S;
  readonly column: Column;
  readonly origin: Origin;
}

const fieldOf =
  <Origin extends FieldOrigin>(origin: Origin) =>
  <const Column extends string, S extends z.ZodTypeAny>(
    column: Column,
    schema: S,
    properties: FieldProperties = {},
  ): ResourceField<S, Column, Origin> => {
    if (properties.example !== undefined) withExample(schema, properties.example);
    return { schema, column, origin, ...properties };
  };

export const entered = fieldOf('entered');
export const computed = fieldOf('computed');
export const internal = fieldOf('internal');
export const userReference = <const Column extends string>(column: Column) =>
  computed(column, z.string().transform(Number), { isIdAsText: true, example: '1' });
export const generated = fieldOf('generated');
export const generatedId = (example = 1) => fieldOf('id')('id', z.number().int(), { example });

interface PlainFields {
  readonly [name: string]: ResourceField;
}

/** An object on the wire and in the program, with a column for each of its fields. */
export interface ResourceGroup<
  Fields extends PlainFields = PlainFields,
  S extends z.ZodTypeAny = z.ZodTypeAny,
> {
  readonly fields: Fields;
  /** The object is null if one of these fields is. */
  readonly presentIf: readonly string[];
  readonly schema: S;
  readonly isConcise: boolean;
}

interface GroupProperties<Fields> {
  /** The name of its schema in documents. */
  readonly name: string;
  readonly presentIf: readonly (keyof Fields & string)[];
  readonly isConcise: boolean;
}

export const group = <Fields extends PlainFields>(
  { name, ...properties }: GroupProperties<Fields>,
  fields: Fields,
) => ({
  ...properties,
  fields,
  schema: namedSchema(name, z.strictObject(answerShape(fields))).nullable(),
});

export interface ResourceFields {
  readonly [name: string]: ResourceField | ResourceGroup;
}

export const isGroup = (field: ResourceField | ResourceGroup): field is ResourceGroup =>
  'presentIf' in field;

export type AnsweredName<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { readonly origin: 'internal' } ? never : Name;
}[keyof Fields];

/** The type of the field in bodies. */
export type Wire<Field> = Field extends { readonly schema: infer S extends z.ZodTypeAny }
  ? z.input<S>
  : never;

type AnswerShape<Fields> = {
  [Name in AnsweredName<Fields>]: z.ZodType<Wire<Fields[Name]>>;
};

/** Without bounds and descriptions: what is stored is valid, whatever its source. */
export const answerShape = <Fields extends ResourceFields>(fields: Fields): AnswerShape<Fields> =>
  // The cast restores the names of the fields, which `Object.fromEntries` loses.
  Object.fromEntries(
    answeredFields(fields).map(([name, field]) => [
      name,
      isGroup(field) ? field.schema : answerField(field),
    ]),
  ) as AnswerShape<Fields>;

const answeredFields = <Field extends ResourceField | ResourceGroup>(
  fields: Readonly<Record<string, Field>>,
): [string, Field][] =>
  Object.entries(fields).filter(([, field]) => isGroup(field) || field.origin !== 'internal');

type AnswerShapeByColumn<Fields extends PlainFields> = {
  [Name in AnsweredName<Fields> as Fields[Name]['column']]: z.ZodType<Wire<Fields[Name]>>;
};

/** For a resource whose bodies name fields by their columns. */
export const answerShapeByColumn = <Fields extends PlainFields>(
  fields: Fields,
): AnswerShapeByColumn<Fields> =>
  Object.fromEntries(
    answeredFields(fields).map(([, field]) => [field.column, answerField(field)]),
  ) as AnswerShapeByColumn<Fields>;

function answerField({ schema, example, description }: ResourceField): z.ZodTypeAny {
  const undescribed = plainSchema(schema);
  const bare = description === undefined ? undescribed : undescribed.describe(description);
  const plain = example === undefined ? bare : withExample(bare, example);
  return acceptsNull(schema) ? plain.nullable() : plain;
}

function plainSchema(schema: z.ZodTypeAny): z.ZodTypeAny {
  const { kind } = fieldMetadata(schema);
  if (kind === 'instant') return instantOutput();
  if (kind === 'date') return dateOutput();

  const inner = innerSchema(schema);
  if (inner instanceof z.ZodNumber) return inner.isInt ? z.number().int() : z.number();
  if (inner instanceof z.ZodEnum) return z.enum(inner.options);
  if (inner instanceof z.ZodArray) return z.array(plainSchema(inner.element));
  return inner instanceof z.ZodString ? z.string() : inner;
}

type EnteredName<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { readonly origin: 'entered' } ? Name : never;
}[keyof Fields];

type EntrySchema<Field> = Field extends { readonly schema: infer S extends z.ZodTypeAny }
  ? S extends z.ZodNullable<z.ZodTypeAny>
    ? z.ZodOptional<S>
    : S
  : never;

type EntryShape<Fields> = { [Name in EnteredName<Fields>]: EntrySchema<Fields[Name]> };

/** The shape of what a person may send. A field that may be null may be left out. */
export function entryShape<Fields extends ResourceFields>(fields: Fields): EntryShape<Fields> {
  const shape: z.ZodRawShape = {};
  for (const [name, field] of Object.entries(fields))
    if (!isGroup(field) && field.origin === 'entered')
      shape[name] = acceptsNull(field.schema) ? field.schema.optional() : field.schema;
  return shape as EntryShape<Fields>;
}

type EnteredValues<Fields extends PlainFields> = {
  [Name in keyof Fields]: z.output<Fields[Name]['schema']>;
};

/** Sent fields replace stored ones; null where neither has a value. */
export const enteredValues = <Fields extends PlainFields>(
  fields: Fields,
  sent: Partial<EnteredValues<Fields>>,
  stored: Partial<EnteredValues<Fields>> = {},
): EnteredValues<Fields> =>
  Object.fromEntries(
    Object.keys(fields).map((name) => [
      name,
      sent[name] === undefined ? (stored[name] ?? null) : sent[name],
    ]),
  ) as EnteredValues<Fields>;

/** The fields that `others` lacks. */
export const fieldsWithout = <Fields extends ResourceFields, Others extends ResourceFields>(
  fields: Fields,
  others: Others,
): Omit<Fields, keyof Others> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !(name in others))) as Omit<
    Fields,
    keyof Others
  >;
