import { z } from 'zod/v3';
import type { Text } from '../domain/text/text.ts';
import type { UnitOfText } from '../domain/text/units-of-text.ts';
import type { EnteredUnit } from '../domain/units.ts';

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
  /** The excluded end of a period, which may be a date alone: that day is included. */
  | 'periodEnd'
  /** The instant from which something applies, which may be a date alone. */
  | 'effectiveStart'
  /** See LocalPeriod. */
  | 'period'
  | 'date'
  /** A day and a month, every year. */
  | 'dayOfYear'
  /** Latitude and longitude. */
  | 'point';

/** How a tool completes words for a date, or for an instant, that leave something open. */
interface DateMeaning {
  /** The tense of a weekday and of a date without a year. Null: the date has to be unambiguous. */
  readonly tense: 'past' | 'coming' | null;
  /** The day of a month for which its name stands. Null: a month is no date. */
  readonly dayOfMonth: 'first' | 'last' | null;
  /** The list of times to which an hour after the date belongs; null if an hour is refused. */
  readonly clockField: string | null;
}

export interface FieldMetadata {
  readonly kind: FieldKind;
  /** The name of the field in tools, if it is another one. */
  readonly argument: string | null;
  /**
   * What people call it, where that is not its name in words: "start" for startedAt.
   */
  readonly words: string | null;
  /** A parcel that may be passed in place of the module. */
  readonly replacesModule: boolean;
  /** Error code for a missing or malformed value; null: chosen by location (body, path, query). */
  readonly code: string | null;
  /** Error code for an unknown id or name; null: not_found. */
  readonly unknownCode: string | null;
  readonly hint: Text | null;
  readonly restDescription: string | null;
  /** Hidden from tools: an alternative spelling, or useful only to programs. */
  readonly isRestOnly: boolean;
  /** REST requires it, although the schema and tools leave it optional. */
  readonly isRequiredInRest: boolean;
  /** A tool refuses to run without it or what replaces it, although the schema leaves it optional. */
  readonly isRequiredInTools: boolean;
  /** A tool accepts it without listing it: listed fields say the same in plainer words. */
  readonly isUnlisted: boolean;
  /** REST takes null as if it were left out: nothing is stored that could be emptied. */
  readonly isAbsentIfNull: boolean;
  /** Any of these groups of fields, sent whole, makes this one ignored, whatever its value. */
  readonly ignoredIfSent: readonly (readonly string[])[];
  /** Affects only length or wording: left out of requests to a service that does not know it. */
  readonly mayBeDropped: boolean;
  /** A field of answers that the specification lacks, so that other services leave it out. */
  readonly isExtension: boolean;
  /**
   * The name of the field with the start of this end: a time of day alone means the first such time
   * after that start.
   */
  readonly endOf: string | null;
  readonly date: DateMeaning;
  /**
   * The unit of a number on the wire. Tools list the field as a text and also accept other units
   * and words ("1h20", "1/2 inch").
   */
  readonly unit: EnteredUnit | null;
  /** The unit of a number that is sent without it, and never in another unit. */
  readonly plainUnit: UnitOfText | null;
  /** A depth of rain, which people also count in litres (per square metre). */
  readonly isRain: boolean;
  /** The field with the area over which a flow is spread that is sent in place of the rate. */
  readonly flowOver: string | null;
  /** The field with the distance by which a width, sent in place of the share, is divided. */
  readonly widthOver: string | null;
  /** A percentage, which tools also accept as a text: "el 40 por ciento". */
  readonly isPercent: boolean;
  /**
   * Each text of the list names a depth in cm, alone or after a word: "20: 0.5", "humidity 20: top".
   * Tools also accept it in another unit of length.
   */
  readonly namesDepths: boolean;
  /** Precision on the wire; a tool accepts times with or without seconds. */
  readonly clock: 'minutes' | 'seconds' | null;
  /** Serves documents only; the use case checks it. */
  readonly listLength: { readonly min: number; readonly max: number } | null;
  /** Schema of one row. Rows are validated one by one; the list itself accepts anything. */
  readonly row: z.ZodTypeAny | null;
  /** A value on the wire, for documents. Undefined: composed from the fields inside. */
  readonly example: unknown;
}

const metadataBySchema = new WeakMap<z.ZodTypeAny, FieldMetadata>();
const DEFAULT_METADATA: FieldMetadata = {
  kind: 'plain',
  argument: null,
  words: null,
  replacesModule: false,
  code: null,
  unknownCode: null,
  hint: null,
  restDescription: null,
  isRestOnly: false,
  isRequiredInRest: false,
  isRequiredInTools: false,
  isUnlisted: false,
  isAbsentIfNull: false,
  ignoredIfSent: [],
  mayBeDropped: false,
  isExtension: false,
  endOf: null,
  date: { tense: null, dayOfMonth: null, clockField: null },
  unit: null,
  plainUnit: null,
  isRain: false,
  flowOver: null,
  widthOver: null,
  isPercent: false,
  namesDepths: false,
  clock: null,
  listLength: null,
  row: null,
  example: undefined,
};

/**
 * To be called last, before `.optional()` or `.nullable()`: other methods return a new schema
 * without the metadata.
 */
export function field<S extends z.ZodTypeAny>(schema: S, metadata: Partial<FieldMetadata>): S {
  metadataBySchema.set(schema, { ...DEFAULT_METADATA, ...metadata });
  return schema;
}

/** Keeps the other metadata of the field. */
export function withExample<S extends z.ZodTypeAny>(schema: S, example: unknown): S {
  metadataBySchema.set(unwrapModifiers(schema), { ...fieldMetadata(schema), example });
  return schema;
}

export function unwrapModifiers(schema: z.ZodTypeAny): z.ZodTypeAny {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return unwrapModifiers(schema.unwrap());
  if (schema instanceof z.ZodDefault) return unwrapModifiers(schema.removeDefault());
  return schema;
}

/**
 * The schema of the number for a number or a word, such as an id or `latest`: tools list and
 * convert the field as a number.
 */
export function innerSchema(schema: z.ZodTypeAny): z.ZodTypeAny {
  const inner = unwrapModifiers(schema);
  if (inner instanceof z.ZodUnion) return innerSchema(inner.options[0]);
  if (inner instanceof z.ZodReadonly) return innerSchema(inner.unwrap());
  return inner instanceof z.ZodEffects ? innerSchema(inner.innerType()) : inner;
}

/** A number in REST, a name or an id in a tool. */
export const isReferenceKind = (kind: FieldKind): boolean => kind === 'module' || kind === 'parcel';

export const isInstantKind = (kind: FieldKind): boolean =>
  kind === 'instant' || kind === 'periodBound' || kind === 'periodEnd' || kind === 'effectiveStart';

/** How the start or end of a period reads a date alone. */
export const DATE_ALONE: Readonly<Partial<Record<FieldKind, 'start' | 'end'>>> = {
  periodBound: 'start',
  periodEnd: 'end',
};

/** Tools list it as a text, because people say it in words. */
export const isTextInTools = ({ kind, unit }: Pick<FieldMetadata, 'kind' | 'unit'>): boolean =>
  (kind !== 'plain' && kind !== 'point') || unit !== null;

export function fieldMetadata(schema: z.ZodTypeAny): FieldMetadata {
  const known = metadataBySchema.get(schema);
  if (known) return known;

  const metadata = metadataBySchema.get(unwrapModifiers(schema)) ?? DEFAULT_METADATA;
  metadataBySchema.set(schema, metadata);
  return metadata;
}

export function acceptsNull(schema: z.ZodTypeAny): boolean {
  if (schema instanceof z.ZodNullable) return true;
  if (schema instanceof z.ZodOptional) return acceptsNull(schema.unwrap());
  if (schema instanceof z.ZodDefault) return acceptsNull(schema.removeDefault());
  return false;
}

/** Leaves out fields that have no effect, before they are read or checked. */
export function withoutIgnoredFields(
  sent: Readonly<Record<string, unknown>>,
  metadataOf: (name: string) => FieldMetadata | undefined,
): Record<string, unknown> {
  const isSent = (name: string): boolean => sent[name] !== undefined && sent[name] !== null;
  const isIgnored = (name: string): boolean => {
    const metadata = metadataOf(name);
    if (metadata === undefined) return false;
    const { ignoredIfSent, isAbsentIfNull } = metadata;
    return (
      (isAbsentIfNull && sent[name] === null) || ignoredIfSent.some((group) => group.every(isSent))
    );
  };
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !isIgnored(name)));
}
