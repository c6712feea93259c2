import { z } from 'zod/v3';
import { isRecord } from '../../domain/records.ts';
import { fieldMetadata, innerSchema, isTextInTools } from '../../schema/field.ts';
import { assertNestingDepth } from './argument-validation.ts';
import { readToolTexture } from './tool-values.ts';

type JsonType = 'string' | 'number' | 'boolean' | 'array' | 'object';

/** The type in which a tool takes a value of the schema: a name or an instant as text. */
function jsonTypeOf(schema: z.ZodTypeAny): JsonType {
  if (isTextInTools(fieldMetadata(schema).kind)) return 'string';
  const inner = innerSchema(schema);
  if (inner instanceof z.ZodNumber) return 'number';
  if (inner instanceof z.ZodBoolean) return 'boolean';
  if (inner instanceof z.ZodArray) return 'array';
  return inner instanceof z.ZodObject ? 'object' : 'string';
}

/** The text itself if it is not JSON. */
export function parseJsonOrKeep(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  assertNestingDepth(value);
  return value;
}

/** Some clients send every argument as text. A value that is of another type stays as it is. */
function valueFromJsonText(value: unknown, type: Exclude<JsonType, 'array'>): unknown {
  if (type === 'string')
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
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

/** Reads the fields of objects and the items of lists, too. */
export function fromJsonText(sentValue: unknown, schema: z.ZodTypeAny): unknown {
  const type = jsonTypeOf(schema);
  const value = type === 'array' ? listFromJsonText(sentValue) : valueFromJsonText(sentValue, type);

  const { kind } = fieldMetadata(schema);
  if (kind === 'texture') return readToolTexture(value);
  // One number is no point, and an error should quote it as it was sent.
  const isLoneItem = Array.isArray(value) && value.length === 1 && !Array.isArray(sentValue);
  if (kind === 'point' && isLoneItem) return sentValue;

  const inner = innerSchema(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value))
    return value.map((item) => fromJsonText(item, inner.element));
  if (inner instanceof z.ZodObject && isRecord(value))
    return fieldsFromJsonText(value, inner.shape);
  return value;
}

function fieldsFromJsonText(object: object, shape: z.ZodRawShape): object {
  const schemas = new Map(Object.entries(shape));
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => {
      const schema = schemas.get(name);
      return [name, schema === undefined ? value : fromJsonText(value, schema)];
    }),
  );
}
