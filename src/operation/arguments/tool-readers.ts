import { z } from 'zod/v3';
import { firstOf } from '../../domain/items.ts';
import { isRecord } from '../../domain/records.ts';
import { argument } from '../../domain/text/program-names.ts';
import { commaSeparated, quotedName, say, verbatim } from '../../domain/text/say.ts';
import { parseFigure } from '../../language/words/amounts/amount.ts';
import { findTextures } from '../../language/words/farming-terms.ts';
import { invalidInputError } from '../../schema/error.ts';
import { type FieldKind, fieldMetadata, innerSchema } from '../../schema/field.ts';
import { assertNestingDepth, assertNestingDepthOfJson } from './argument-validation.ts';
import {
  readAmount,
  readFlowOverArea,
  readWidthOverDistance,
  withDepthInCm,
} from './tool-amounts.ts';
import type { NameArgument, ValuePlace } from './tool-reading.ts';
import {
  readClock,
  readDate,
  readDayOfYear,
  readInstant,
  readPastPeriod,
  readPoint,
  readStart,
} from './tool-times.ts';

/** How a tool takes a value of a kind, whether it is a field or inside one. */
interface ToolReader {
  /** The value of a JSON text, since some clients send every argument as text. */
  decode(value: unknown, schema: z.ZodTypeAny): unknown;
  /** Reads the words of a person. */
  read(value: unknown, place: ValuePlace): unknown;
}

export const TOOL_READERS: Readonly<Record<FieldKind, ToolReader>> = {
  plain: { decode: decodePlain, read: readPlain },
  module: { decode: decodeReference, read: nameReader({ isEntry: false }) },
  parcel: { decode: decodeReference, read: nameReader({ isEntry: false }) },
  texture: textReader(readTexture),
  instant: textReader(readInstant),
  periodBound: textReader(readInstant),
  periodEnd: textReader(readInstant),
  effectiveStart: textReader(readStart),
  period: textReader(readPastPeriod),
  date: textReader(readDate),
  dayOfYear: textReader(readDayOfYear),
  point: {
    decode: decodePoint,
    read: (value, place) => readPoint(readPlain(value, place), place),
  },
};

/** A value that is no text is left to validation. */
function textReader(read: (text: string, place: ValuePlace) => unknown): ToolReader {
  return {
    decode: decodeText,
    read: (value, place) => (typeof value === 'string' ? read(value, place) : value),
  };
}

export const decodeValue = (value: unknown, schema: z.ZodTypeAny): unknown =>
  TOOL_READERS[fieldMetadata(schema).kind].decode(value, schema);

function decodeText(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

/** A number is an id; digits in a text may also be a name. */
function decodeReference(value: unknown): unknown {
  const isId = Number.isSafeInteger(value) && Number(value) >= 0;
  return isId ? `#${value}` : decodeText(value);
}

/** One number is no point, and an error should quote it as it was sent. */
function decodePoint(value: unknown, schema: z.ZodTypeAny): unknown {
  const list = listFromJsonText(value);
  const isLoneItem = Array.isArray(list) && list.length === 1 && !Array.isArray(value);
  return isLoneItem ? value : mapMembers(list, schema, decodeValue);
}

/** A value that is of another type stays as it is. */
function decodePlain(value: unknown, schema: z.ZodTypeAny): unknown {
  // A figure in a text may be in another unit than a number is.
  if (fieldMetadata(schema).unit !== null && typeof value === 'string') return value;

  const inner = innerSchema(schema);
  if (inner instanceof z.ZodArray) return mapMembers(listFromJsonText(value), schema, decodeValue);
  if (inner instanceof z.ZodObject)
    return mapMembers(fromJsonText(value, 'object'), schema, decodeValue);
  if (inner instanceof z.ZodNumber) return fromJsonText(value, 'number');
  return inner instanceof z.ZodBoolean ? fromJsonText(value, 'boolean') : decodeText(value);
}

function fromJsonText(value: unknown, type: 'number' | 'boolean' | 'object'): unknown {
  if (typeof value !== 'string' || value.trim() === '') return value;
  const parsed = parseJsonOrKeep(value.trim());
  return typeof parsed === type ? parsed : value;
}

/** A list may be sent as JSON text, and a list of one item as that item. */
export function listFromJsonText(value: unknown): unknown {
  if (value === undefined || value === null) return value;
  const items = typeof value === 'string' ? parseJsonOrKeep(value.trim()) : value;
  return Array.isArray(items) ? items : [items];
}

/** The text itself if it is not JSON. */
export function parseJsonOrKeep(text: string): unknown {
  assertNestingDepthOfJson(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  assertNestingDepth(value);
  return value;
}

/** Changes the items of a list, and those fields of an object that its schema has. */
function mapMembers(
  value: unknown,
  schema: z.ZodTypeAny,
  change: (member: unknown, schema: z.ZodTypeAny, key: string | number) => unknown,
): unknown {
  const inner = innerSchema(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value))
    return value.map((item, index) => change(item, inner.element, index));
  if (!(inner instanceof z.ZodObject) || !isRecord(value)) return value;

  const schemas = new Map<string, z.ZodTypeAny>(Object.entries(inner.shape));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const memberSchema = schemas.get(name);
      return [name, memberSchema === undefined ? member : change(member, memberSchema, name)];
    }),
  );
}

/** Amounts, figures and times of day, also in lists and objects. */
function readPlain(value: unknown, place: ValuePlace): unknown {
  const { schema, metadata } = place;
  if (metadata.clock !== null) return readClock(value, metadata.clock, place);
  if (metadata.namesDepths && Array.isArray(value))
    return value.map((text) => (typeof text === 'string' ? withDepthInCm(text) : text));

  const inner = innerSchema(schema);
  if (inner instanceof z.ZodArray || inner instanceof z.ZodObject)
    return mapMembers(value, schema, (member, memberSchema, key) =>
      readMember(member, memberSchema, { ...place, path: [...place.path, key] }),
    );

  if (metadata.unit !== null)
    return (
      readFlowOverArea(value, place) ??
      readWidthOverDistance(value, place) ??
      readAmount(value, metadata.unit, place)
    );
  const isFigure = typeof value === 'string' && inner instanceof z.ZodNumber;
  return isFigure ? (parseFigure(value, metadata) ?? value) : value;
}

function readMember(member: unknown, schema: z.ZodTypeAny, place: ValuePlace): unknown {
  const metadata = fieldMetadata(schema);
  return TOOL_READERS[metadata.kind].read(member, { ...place, schema, metadata });
}

/** Reads the name of a probe or parcel: that of an entry is what the call changes or adds. */
function nameReader({ isEntry }: Pick<NameArgument, 'isEntry'>): ToolReader['read'] {
  return (value, { field, reading }) => {
    if (typeof value === 'string' && value.trim() !== '')
      reading.names.push({ field, text: value, isEntry });
    return value;
  };
}

export const readEntryName = nameReader({ isEntry: true });

/** The code of a texture class, or its name in any language. */
function readTexture(text: string): unknown {
  if (text.trim() === '') return text;
  if (/^#?\d+$/.test(text.trim())) return Number(text.trim().replace('#', ''));

  const found = findTextures(text);
  if (found.length === 1 && firstOf(found).isExact) return firstOf(found).horizon.id;

  const candidates = commaSeparated(
    found.map(({ name, horizon }) => say`${verbatim(name)} (${horizon.id})`),
  );
  const isAmbiguous = found.some(({ isExact }) => isExact);
  throw invalidInputError(
    'invalid_body',
    say`${quotedName(text)} ${isAmbiguous ? say`can mean several texture classes` : say`is not the name of a texture class`}.`,
    {
      hint: say`Ask which is meant: ${candidates}. Pass its name or code as ${argument('soilHorizonId')}.`,
      field: 'layers',
    },
  );
}
