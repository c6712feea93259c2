import { z } from 'zod/v3';
import { isIsoDate, parseOffsetInstant } from '../domain/calendar.ts';
import { LANGS } from '../domain/lang.ts';

/** The fields of a request after validation. */
export type FieldsOf<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

/** A module, a parcel and a texture are ids on the wire; in a tool they may also be names. */
export type FieldKind =
  | 'plain'
  | 'module'
  | 'parcel'
  | 'texture'
  | 'instant'
  /** An instant, which may be a date alone: the start of that day. */
  | 'periodBound'
  /** The instant from which something applies, which may be a date alone. */
  | 'effectiveStart'
  /** See LocalPeriod. */
  | 'period'
  | 'date'
  /** Latitude and longitude. */
  | 'point';

/** In minutes, mm or m3. A tool also accepts words ("1h20", "12 mm"). */
export type Quantity = 'time' | 'depth' | 'volume';

export interface FieldMetadata {
  readonly kind: FieldKind;
  /** The name of the field in tools, if it is another one. */
  readonly argument: string | null;
  /** A parcel that may be passed in place of the module. */
  readonly replacesModule: boolean;
  /** Error code for a missing or malformed value; null: chosen by location (body, path, query). */
  readonly code: string | null;
  /** Error code for an unknown id or name; null: not_found. */
  readonly unknownCode: string | null;
  readonly hint: string | null;
  readonly restDescription: string | null;
  /** Hidden from tools: an alternative spelling, or useful only to programs. */
  readonly isRestOnly: boolean;
  /** REST requires it, although the schema and tools leave it optional. */
  readonly isRequiredInRest: boolean;
  /** A tool accepts it without listing it: listed fields say the same in plainer words. */
  readonly isUnlisted: boolean;
  /** Affects only length or wording: left out of requests to a service that does not know it. */
  readonly mayBeDropped: boolean;
  /** A field of answers that the specification lacks, so that other services leave it out. */
  readonly isExtension: boolean;
  /**
   * The field of the start that belongs to this end: a bare time of day is the first one after it.
   */
  readonly endOf: string | null;
  readonly quantity: Quantity | null;
  /** Precision on the wire; a tool accepts times with or without seconds. */
  readonly clock: 'minutes' | 'seconds' | null;
  /** Serves documents only; the use case checks it. */
  readonly listLength: { readonly min: number; readonly max: number } | null;
  /** Schema of one row. Rows are validated one by one; the list itself accepts anything. */
  readonly row: z.ZodTypeAny | null;
}

const metadataBySchema = new WeakMap<z.ZodTypeAny, FieldMetadata>();
const DEFAULT_METADATA: FieldMetadata = {
  kind: 'plain',
  argument: null,
  replacesModule: false,
  code: null,
  unknownCode: null,
  hint: null,
  restDescription: null,
  isRestOnly: false,
  isRequiredInRest: false,
  isUnlisted: false,
  mayBeDropped: false,
  isExtension: false,
  endOf: null,
  quantity: null,
  clock: null,
  listLength: null,
  row: null,
};

/**
 * To be called last, before `.optional()` or `.nullable()`: other methods return a new schema
 * without the metadata.
 */
export function field<S extends z.ZodTypeAny>(schema: S, metadata: Partial<FieldMetadata>): S {
  metadataBySchema.set(schema, { ...DEFAULT_METADATA, ...metadata });
  return schema;
}

export function unwrapModifiers(schema: z.ZodTypeAny): z.ZodTypeAny {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return unwrapModifiers(schema.unwrap());
  if (schema instanceof z.ZodDefault) return unwrapModifiers(schema.removeDefault());
  return schema;
}

export function innerSchema(schema: z.ZodTypeAny): z.ZodTypeAny {
  const inner = unwrapModifiers(schema);
  return inner instanceof z.ZodEffects ? innerSchema(inner.innerType()) : inner;
}

export const isInstantKind = (kind: FieldKind): boolean =>
  kind === 'instant' || kind === 'periodBound' || kind === 'effectiveStart';

export const isTextInTools = (kind: FieldKind): boolean => kind !== 'plain' && kind !== 'point';

export const fieldMetadata = (schema: z.ZodTypeAny): FieldMetadata =>
  metadataBySchema.get(unwrapModifiers(schema)) ?? DEFAULT_METADATA;

export function acceptsNull(schema: z.ZodTypeAny): boolean {
  if (schema instanceof z.ZodNullable) return true;
  if (schema instanceof z.ZodOptional) return acceptsNull(schema.unwrap());
  if (schema instanceof z.ZodDefault) return acceptsNull(schema.removeDefault());
  return false;
}

/** ISO 8601 with an offset, read as ms since 1970 UTC. */
const isoInstantSchema = (description: string) =>
  z
    .string()
    .describe(description)
    .transform((value, context) => {
      const at = parseOffsetInstant(value);
      if (Number.isNaN(at))
        context.addIssue({ code: 'custom', message: 'an instant in ISO 8601 that exists' });
      return at;
    });

const INSTANT_HINT =
  'Give a date and an hour, never a guess: ISO 8601 ("2026-07-01T06:00"), local time unless it has an offset.';

export const instantField = (description: string, metadata: Partial<FieldMetadata> = {}) =>
  field(isoInstantSchema(description), { kind: 'instant', hint: INSTANT_HINT, ...metadata });

export const periodBoundField = (description: string, metadata: Partial<FieldMetadata> = {}) =>
  field(isoInstantSchema(description), { kind: 'periodBound', hint: INSTANT_HINT, ...metadata });

/**
 * When something took effect. A day alone means the start of the day, because people rarely know
 * the hour.
 */
export const effectiveStartField = (description: string, metadata: Partial<FieldMetadata> = {}) =>
  field(isoInstantSchema(description), {
    kind: 'effectiveStart',
    hint: 'Give the day ("2026-07-01"), or the day and the hour, in local time unless it has an offset.',
    ...metadata,
  });

/** A local day ("2026-07-01"), an instant, or two with a slash between them (ISO 8601-1, 5.5). */
export interface LocalPeriod {
  readonly localDay: string | null;
  /** In ms; null for a whole day. */
  readonly startedAt: number | null;
  readonly endedAt: number | null;
}

export const localPeriodField = (description: string, metadata: Partial<FieldMetadata> = {}) =>
  field(
    z
      .string()
      .describe(description)
      .transform((value, context): LocalPeriod => {
        if (isIsoDate(value)) return { localDay: value, startedAt: null, endedAt: null };

        const [startedAt = Number.NaN, endedAt = null, ...more] = value
          .split('/')
          .map(parseOffsetInstant);
        if (Number.isNaN(startedAt) || Number.isNaN(endedAt ?? 0) || more.length > 0)
          context.addIssue({
            code: 'custom',
            message: 'a day, an instant or a period in ISO 8601',
          });

        return { localDay: null, startedAt, endedAt };
      }),
    { kind: 'period', ...metadata },
  );

export const periodQuery = (days: number) => ({
  start: periodBoundField(`Start. Default ${days} days before end.`, {
    code: 'invalid_date',
  }).optional(),
  end: periodBoundField('End. Default now.', { code: 'invalid_date' }).optional(),
});

interface ReferenceOptions extends Partial<FieldMetadata> {
  readonly description?: string;
}

export const moduleRef = ({ description = 'Name or id.', ...metadata }: ReferenceOptions = {}) =>
  field(z.number().int().positive().describe(description), {
    kind: 'module',
    argument: 'module',
    hint: 'See list_modules for names and ids.',
    restDescription: 'Id of the probe or station, from list_modules.',
    ...metadata,
  });

export const parcelRef = ({ description = 'Name or id.', ...metadata }: ReferenceOptions = {}) =>
  field(z.number().int().positive().describe(description), {
    kind: 'parcel',
    argument: 'parcel',
    replacesModule: true,
    hint: 'See list_parcels for names and ids.',
    restDescription: 'Id of the parcel, from list_parcels.',
    ...metadata,
  });

/** The former code is `tension`. Source: spec, "Versioning". */
export const acceptTensionAlias = <S extends z.ZodTypeAny>(schema: S) =>
  z.preprocess((value) => (value === 'tension' ? 'tensio' : value), schema);

export const MAX_STORED_NAME_LENGTH = 200;

/** The name of a company, a member, a parcel or a module. */
export const nameOutput = () => z.string().max(MAX_STORED_NAME_LENGTH);

const INSTANT_OUTPUT = z.string();
const DATE_OUTPUT = z.string();

export const instantOutput = () => INSTANT_OUTPUT;

export const dateOutput = () => DATE_OUTPUT;

/** Tools write labels in the language of the session. */
export const langField = () =>
  field(z.enum(LANGS).describe('Language of the labels.'), {
    isUnlisted: true,
    mayBeDropped: true,
  });

export const noteField = () => z.string().max(2000).describe('A remark.');

const DETAIL_LEVELS = ['concise', 'full'] as const;
export type DetailLevel = (typeof DETAIL_LEVELS)[number];

export const detailField = (metadata: Partial<FieldMetadata> = {}) =>
  field(z.enum(DETAIL_LEVELS).describe('full: every field.'), { mayBeDropped: true, ...metadata });

/** For answers of which a tool always gives the concise form. */
export const restDetailField = () => detailField({ isRestOnly: true }).default('full');

export const limitField = (description = 'Rows at most.') =>
  field(z.number().int().min(1).max(200).describe(description), {
    code: 'invalid_limit',
    mayBeDropped: true,
    hint: 'Give a whole number from 1 to 200.',
    restDescription: 'Rows at most, 1 to 200.',
  });

const LIST_TOTALS = ['none', 'first_page'] as const;
export type ListTotals = (typeof LIST_TOTALS)[number];

/** Totals cost more than a page where many rows match. */
export const totalsField = () =>
  field(
    z
      .enum(LIST_TOTALS)
      .describe('first_page: the first page has totals of all pages. none: no totals.'),
    {
      isRestOnly: true,
      mayBeDropped: true,
    },
  );

export const CURSOR_HINT =
  'Pass next_cursor of the same list unchanged, or leave cursor out to start from the first page.';

export const cursorField = () =>
  field(z.string().max(400).describe('next_cursor of the page before.'), {
    code: 'invalid_cursor',
    hint: CURSOR_HINT,
  });

/** A tool's default keeps its answer short enough for a model. */
export const maxCountField = (description: string) =>
  field(z.number().int().min(1).describe(description), {
    isRestOnly: true,
    mayBeDropped: true,
    hint: 'Give a whole number from 1 up, or leave it out.',
  });

export const listOf = <T extends z.ZodTypeAny>(row: T) => z.strictObject({ data: z.array(row) });

export const page = <T extends z.ZodTypeAny>(row: T) =>
  z.strictObject({ data: z.array(row), next_cursor: z.string().nullable() });

const schemas = new Map<string, z.ZodTypeAny>();
const names = new Map<z.ZodTypeDef, string>();

export function namedSchema<S extends z.ZodTypeAny>(name: string, schema: S): S {
  schemas.set(name, schema);
  names.set(schema._def, name);
  return schema;
}

export const schemaNamed = (name: string): z.ZodTypeAny | undefined => schemas.get(name);

export const nameOfSchema = (definition: z.ZodTypeDef): string | undefined => names.get(definition);

export const effectiveFromField = (description: string, restDescription: string | null = null) =>
  effectiveStartField(description, { code: 'INVALID_EFFECTIVE_FROM', restDescription });
