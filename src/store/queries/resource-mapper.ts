import { entryOf } from '../../domain/items.ts';
import {
  type FieldOrigin,
  isGroup,
  type ResourceField,
  type ResourceFields,
  type ResourceGroup,
} from '../../schema/resource.ts';
import type { ColumnProperties } from '../../schema/tables/column.ts';
import { columnPropertiesOf } from '../../schema/tables/resource-columns.ts';
import { bodyOfValue, cellOfValue, valueOfCell } from './cells.ts';
import type {
  AnsweredValue,
  BodyByColumn,
  BodyOf,
  RowOf,
  ValueOf,
  WithoutOrigin,
} from './resource-types.ts';

type Values = Readonly<Record<string, unknown>>;

interface PartMapper {
  readonly fields: readonly FieldMapper[];
  read(row: Values): unknown;
  write(row: Record<string, unknown>, value: unknown): void;
  toBody(value: unknown): unknown;
}

class FieldMapper implements PartMapper {
  readonly column: string;
  readonly #properties: ColumnProperties;
  readonly #valueIfNull: unknown;

  constructor(field: ResourceField) {
    this.column = field.column;
    this.#valueIfNull = field.valueIfNull ?? null;
    this.#properties = columnPropertiesOf(field);
  }

  get fields(): readonly FieldMapper[] {
    return [this];
  }

  read(row: Values): unknown {
    return valueOfCell(this.#properties, row[this.column]) ?? this.#valueIfNull;
  }

  write(row: Record<string, unknown>, value: unknown): void {
    row[this.column] = cellOfValue(this.#properties, value);
  }

  toBody(value: unknown): unknown {
    return bodyOfValue(this.#properties, value);
  }
}

type NamedPart = readonly [name: string, part: PartMapper];

class GroupMapper implements PartMapper {
  readonly fields: readonly FieldMapper[];
  readonly #fields: readonly (readonly [name: string, field: FieldMapper])[];
  readonly #requiredColumns: readonly string[];

  constructor({ fields, presentIf }: ResourceGroup) {
    this.#fields = Object.entries(fields).map(([name, field]) => [name, new FieldMapper(field)]);
    this.fields = this.#fields.map(([, field]) => field);
    const fieldsByName = new Map(this.#fields);
    this.#requiredColumns = presentIf.map((name) => entryOf(fieldsByName, name).column);
  }

  read(row: Values): unknown {
    const isPresent = this.#requiredColumns.every((column) => row[column] !== null);
    return isPresent ? readParts(this.#fields, row) : null;
  }

  write(row: Record<string, unknown>, group: Values | null): void {
    for (const [name, field] of this.#fields) field.write(row, group?.[name] ?? null);
  }

  toBody(group: Values | null): unknown {
    return group === null ? null : bodyOfParts(this.#fields, group);
  }
}

function readParts(parts: readonly NamedPart[], row: Values): Values {
  const value: Record<string, unknown> = {};
  for (const [name, part] of parts) value[name] = part.read(row);
  return value;
}

function bodyOfParts(parts: readonly NamedPart[], value: Values): Values {
  const body: Record<string, unknown> = {};
  for (const [name, part] of parts) body[name] = part.toBody(value[name]);
  return body;
}

const originOf = (field: ResourceField | ResourceGroup): FieldOrigin =>
  isGroup(field) ? 'computed' : field.origin;

/** Its methods cast their results, because loops over fields lose the type of each. */
export class ResourceMapper<Fields extends ResourceFields> {
  /** The columns from which a value is read. */
  readonly columns: readonly (keyof RowOf<WithoutOrigin<Fields, 'generated'>> & string)[];
  readonly #kept: readonly NamedPart[];
  readonly #written: readonly NamedPart[];
  readonly #answered: readonly NamedPart[];
  readonly #omittedIfConcise: ReadonlySet<string>;

  constructor(fields: Fields) {
    const withoutOrigins = (...origins: readonly FieldOrigin[]): NamedPart[] =>
      Object.entries(fields)
        .filter(([, field]) => !origins.includes(originOf(field)))
        .map(([name, field]) => [
          name,
          isGroup(field) ? new GroupMapper(field) : new FieldMapper(field),
        ]);

    this.#kept = withoutOrigins('generated');
    this.#written = withoutOrigins('generated', 'id');
    this.#answered = withoutOrigins('internal');
    const keptFields = this.#kept.flatMap(([, part]) => part.fields);
    this.columns = keptFields.map(({ column }) => column) as unknown as typeof this.columns;
    this.#omittedIfConcise = new Set(
      Object.keys(fields).filter((name) => fields[name]?.isConcise === false),
    );
  }

  toValue(row: RowOf<WithoutOrigin<Fields, 'generated'>>): ValueOf<Fields> {
    return readParts(this.#kept, row as Values) as ValueOf<Fields>;
  }

  /** The columns of the fields that `value` has. A field that is undefined is left out. */
  toColumns<Value extends Partial<ValueOf<Fields>>>(
    value: Value,
  ): RowOf<WithoutOrigin<Pick<Fields, keyof Fields & keyof Value>, 'id' | 'generated'>> {
    const row: Record<string, unknown> = {};
    const values = value as Values;
    for (const [name, part] of this.#written)
      if (values[name] !== undefined) part.write(row, values[name]);
    return row as ReturnType<typeof this.toColumns<Value>>;
  }

  toBody(value: AnsweredValue<Fields>): BodyOf<Fields> {
    return bodyOfParts(this.#answered, value) as BodyOf<Fields>;
  }

  /** For a resource without groups whose bodies name fields by their columns. */
  toBodyByColumn(value: AnsweredValue<Fields>): BodyByColumn<Fields> {
    const body: Record<string, unknown> = {};
    for (const [name, part] of this.#answered)
      for (const { column } of part.fields) body[column] = part.toBody((value as Values)[name]);
    return body as BodyByColumn<Fields>;
  }

  /** Leaves out what has no value, flags that are false, and fields that are not concise. */
  toConcise(body: object): object {
    return Object.fromEntries(
      Object.entries(body).filter(
        ([name, value]) => value !== null && value !== false && !this.#omittedIfConcise.has(name),
      ),
    );
  }
}
