import { z } from 'zod';
import { parseOffsetInstant } from '../domain/calendar.ts';
import { LANGS } from '../domain/lang.ts';

/** What an argument is beyond its type: the surfaces render and read it by this. */
export type FieldKind = 'plain' | 'module' | 'parcel' | 'instant' | 'bound' | 'date' | 'point';

export interface FieldMetadata {
  readonly kind: FieldKind;
  /** Code of the refusal when the field is missing or malformed; null leaves it to the field's place (body, path, query). */
  readonly code: string | null;
  /** The field of the start that an instant is the end of: its hour alone is the first one after that start. */
  readonly endOf: string | null;
  /** What a good value looks like, said in the refusal's hint. */
  readonly hint: string | null;
  /** What a row of a list is, where each is judged by itself and the list takes any. */
  readonly row: z.ZodTypeAny | null;
  /** Left out of the tool: what REST says in more than one way, or what a program alone can use. */
  readonly restOnly: boolean;
  /** Without it an answer is about the same things: longer, or in other words. Not sent to a service that does not take it. */
  readonly mayBeDropped: boolean;
}

const metadataBySchema = new WeakMap<z.ZodTypeAny, FieldMetadata>();
const DEFAULT_METADATA: FieldMetadata = {
  kind: 'plain',
  code: null,
  endOf: null,
  hint: null,
  row: null,
  restOnly: false,
  mayBeDropped: false,
};

/** Notes the facts of an argument. Call it last, before `.optional()` or `.nullable()`: other methods make a new schema. */
export function field<S extends z.ZodTypeAny>(schema: S, facts: Partial<FieldMetadata>): S {
  metadataBySchema.set(schema, { ...DEFAULT_METADATA, ...facts });
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
  'Give date and hour, never a guess: ISO 8601 ("2026-07-01T06:00"), local time unless it carries an offset.';

/** A date and an hour. */
export const instantField = (text: string, code: string | null = null) =>
  field(isoInstantSchema(text), { kind: 'instant', code, hint: INSTANT_HINT });

/** The end of what begins at another field's instant. */
export const endInstantField = (text: string, endOf: string, code: string | null = null) =>
  field(isoInstantSchema(text), { kind: 'instant', code, endOf, hint: INSTANT_HINT });

/** A bound of a period: as an instant, and a date alone is its local midnight. */
export const periodBoundField = (text: string, code: string | null = null) =>
  field(isoInstantSchema(text), { kind: 'bound', code, hint: INSTANT_HINT });

/** Query of a period: to now, over so many days, where nothing else is asked. */
export const periodQuery = (days: number) => ({
  start: periodBoundField(`Start. Default ${days} days before end.`, 'invalid_date').optional(),
  end: periodBoundField('End, excluded. Default now.', 'invalid_date').optional(),
});

export const PROBE_OR_STATION_DESCRIPTION = 'Probe or station: name or id.';

/** The module an operation is about: an integer id on the wire, id or name in a tool. */
export const moduleRef = (text = 'Probe: name or id.') =>
  field(z.number().int().positive().describe(text), { kind: 'module', hint: 'See list_modules for names and ids.' });

export const parcelRef = (text = 'Name or id.') =>
  field(z.number().int().positive().describe(text), { kind: 'parcel', hint: 'See list_parcels for names and ids.' });

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
    hint: 'Give a whole number from 1 to 200.',
    mayBeDropped: true,
  });

export const cursorField = () =>
  field(z.string().max(400).describe('The last next_cursor.'), {
    code: 'invalid_cursor',
    hint: 'Pass next_cursor of the same list unchanged, or leave cursor out to begin anew.',
  });

/** A page of a list. */
export const page = <T extends z.ZodTypeAny>(row: T) =>
  z.strictObject({ data: z.array(row), next_cursor: z.string().nullable() });
