import { z } from 'zod';
import { parseOffsetInstant } from '../domain/calendar.ts';
import { LANGS } from '../domain/lang.ts';

/** What an argument is beyond its type: the surfaces render and read it by this. */
export type FieldKind = 'plain' | 'module' | 'parcel' | 'instant' | 'bound' | 'date' | 'point';

/** What a number measures: in minutes, mm or m3. A tool takes it in words too, such as "1h20" or "12 mm". */
export type Quantity = 'time' | 'depth' | 'volume';

export interface FieldMetadata {
  readonly kind: FieldKind;
  /** Name of the argument in a tool; null for the name of the field. */
  readonly argument: string | null;
  /** Error code when the field is missing or malformed; null leaves it to the field's place (body, path, query). */
  readonly code: string | null;
  /** Error code when an id or a name is unknown. A module or parcel without one, and every other id, is not_found. */
  readonly unknownCode: string | null;
  /** What a good value looks like, for the hint of a malformed one. */
  readonly hint: string | null;
  /** Description over REST, where that of the tool speaks of names or plain words. */
  readonly restDescription: string | null;
  /** Only over REST: an alternative spelling, or what only a program can use. */
  readonly restOnly: boolean;
  /** A read without it is about the same things, longer or in other words: left out of requests to a service that does not know it. */
  readonly mayBeDropped: boolean;
  /** The field of the start that an instant is the end of: a time of day alone is the first one after that start. */
  readonly endOf: string | null;
  readonly quantity: Quantity | null;
  /** Last unit of a time of day, or of each in a list, as it travels; a tool takes it with or without seconds. */
  readonly clock: 'minutes' | 'seconds' | null;
  /** Length of a list that the use case checks, for documents. */
  readonly listLength: { readonly min: number; readonly max?: number } | null;
  /** The schema of a row, where each row is checked by itself and the list takes any. */
  readonly row: z.ZodTypeAny | null;
}

const metadataBySchema = new WeakMap<z.ZodTypeAny, FieldMetadata>();
const DEFAULT_METADATA: FieldMetadata = {
  kind: 'plain',
  argument: null,
  code: null,
  unknownCode: null,
  hint: null,
  restDescription: null,
  restOnly: false,
  mayBeDropped: false,
  endOf: null,
  quantity: null,
  clock: null,
  listLength: null,
  row: null,
};

/** Attaches metadata to an argument. Call it last, before `.optional()` or `.nullable()`: other methods make a new schema. */
export function field<S extends z.ZodTypeAny>(schema: S, metadata: Partial<FieldMetadata>): S {
  metadataBySchema.set(schema, { ...DEFAULT_METADATA, ...metadata });
  return schema;
}

/** The schema inside optional, nullable and default wrappings. */
export function unwrapOptional(schema: z.ZodTypeAny): z.ZodTypeAny {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return unwrapOptional(schema.unwrap());
  if (schema instanceof z.ZodDefault) return unwrapOptional(schema.removeDefault());
  return schema;
}

/** The schema inside wrappings and refinements: what its JSON looks like. */
export function innerSchema(schema: z.ZodTypeAny): z.ZodTypeAny {
  const inner = unwrapOptional(schema);
  return inner instanceof z.ZodEffects ? innerSchema(inner.innerType()) : inner;
}

/** Kinds that a tool takes as text, whatever they are on the wire. */
export const isTextInTools = (kind: FieldKind): boolean => kind !== 'plain' && kind !== 'point';

/** The facts of an argument, through its wrappings. */
export const fieldMetadata = (schema: z.ZodTypeAny): FieldMetadata =>
  metadataBySchema.get(unwrapOptional(schema)) ?? DEFAULT_METADATA;

/** Whether the argument takes null, that is, can be emptied. */
export function acceptsNull(schema: z.ZodTypeAny): boolean {
  if (schema instanceof z.ZodNullable) return true;
  if (schema instanceof z.ZodOptional) return acceptsNull(schema.unwrap());
  if (schema instanceof z.ZodDefault) return acceptsNull(schema.removeDefault());
  return false;
}

/** An instant on the wire (ISO 8601 with an offset), read as milliseconds since 1970 UTC. */
const isoInstantSchema = (text: string) =>
  z
    .string()
    .describe(text)
    .transform((value, context) => {
      const at = parseOffsetInstant(value);
      if (Number.isNaN(at)) context.addIssue({ code: 'custom', message: 'an instant in ISO 8601 that exists' });
      return at;
    });

const INSTANT_HINT =
  'Give a date and an hour, never a guess: ISO 8601 ("2026-07-01T06:00"), local time unless it has an offset.';

/** A date and a time of day. */
export const instantField = (text: string, metadata: Partial<FieldMetadata> = {}) =>
  field(isoInstantSchema(text), { kind: 'instant', hint: INSTANT_HINT, ...metadata });

/** A bound of a period: an instant, or a date alone for its local midnight. */
export const periodBoundField = (text: string, metadata: Partial<FieldMetadata> = {}) =>
  field(isoInstantSchema(text), { kind: 'bound', hint: INSTANT_HINT, ...metadata });

/** Query of a period that ends now and lasts so many days unless the caller says otherwise. */
export const periodQuery = (days: number) => ({
  start: periodBoundField(`Start. Default ${days} days before end.`, { code: 'invalid_date' }).optional(),
  end: periodBoundField('End, excluded. Default now.', { code: 'invalid_date' }).optional(),
});

interface ReferenceOptions extends Partial<FieldMetadata> {
  readonly text?: string;
}

export const PROBE_OR_STATION = { text: 'Probe or station: name or id.' };

/** A module: an integer id on the wire, an id or a name in a tool. */
export const moduleRef = ({ text = 'Probe: name or id.', ...metadata }: ReferenceOptions = {}) =>
  field(z.number().int().positive().describe(text), {
    kind: 'module',
    argument: 'module',
    hint: 'See list_modules for names and ids.',
    restDescription: 'Id of the probe or station, from list_modules.',
    ...metadata,
  });

/** A parcel, likewise. */
export const parcelRef = ({ text = 'Name or id.', ...metadata }: ReferenceOptions = {}) =>
  field(z.number().int().positive().describe(text), {
    kind: 'parcel',
    argument: 'parcel',
    hint: 'See list_parcels for names and ids.',
    restDescription: 'Id of the parcel, from list_parcels.',
    ...metadata,
  });

/** Reads the former code `tension` as `tensio`. Source: spec, "Versioning". */
export const acceptTensionAlias = <S extends z.ZodTypeAny>(schema: S) =>
  z.preprocess((value) => (value === 'tension' ? 'tensio' : value), schema);

const INSTANT_OUTPUT = z.string();
const DATE_OUTPUT = z.string();

/** An instant in an answer: one schema for all, by which documents know it. */
export const instantOutput = () => INSTANT_OUTPUT;

/** A civil date in an answer, known likewise. */
export const dateOutput = () => DATE_OUTPUT;

export const langField = () => field(z.enum(LANGS).describe('For labels.'), { mayBeDropped: true });

/** How many rows a list shows: 1 to 200. */
export const limitField = (text = '1 to 200.') =>
  field(z.number().int().min(1).max(200).describe(text), {
    code: 'invalid_limit',
    mayBeDropped: true,
    hint: 'Give a whole number from 1 to 200.',
  });

export const cursorField = () =>
  field(z.string().max(400).describe('next_cursor of the last page.'), {
    code: 'invalid_cursor',
    hint: 'Pass next_cursor of the same list unchanged, or leave cursor out to start from the first page.',
  });

/** A most that a caller with little room sets: a tool's own default keeps its answer short enough for a model. */
export const maxCountField = (text: string) =>
  field(z.number().int().min(1).describe(text), {
    restOnly: true,
    mayBeDropped: true,
    hint: 'Give a whole number from 1 up, or leave it out.',
  });

/** A page of a list. */
export const page = <T extends z.ZodTypeAny>(row: T) =>
  z.strictObject({ data: z.array(row), next_cursor: z.string().nullable() });
