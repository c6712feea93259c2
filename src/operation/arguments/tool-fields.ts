import { z } from 'zod/v3';
import { entryOf } from '../../domain/items.ts';
import { isRecord } from '../../domain/records.ts';
import { argument, argumentNames } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import { parseFigure } from '../../language/words/amounts/amount.ts';
import { type AcequiaError, invalidInputError } from '../../schema/error.ts';
import {
  fieldMetadata,
  innerSchema,
  isTextInTools,
  withoutIgnoredFields,
} from '../../schema/field.ts';
import type { AnyOperation } from '../operation.ts';
import {
  clearableFields,
  defaultErrorCode,
  fieldNamesByArgument,
  knownToolField,
  toolArgumentName,
} from '../operation-fields.ts';
import { isWrite } from '../operation-kind.ts';
import { assertLengths } from './argument-lengths.ts';
import { assertNestingDepth, quotedValue } from './argument-validation.ts';
import { readToolTexture } from './tool-values.ts';
import { unknownArgumentError } from './unknown-argument.ts';

/** Some clients send all arguments as one JSON text. */
export function argumentsObject(rawArguments: unknown): Record<string, unknown> {
  const value =
    typeof rawArguments === 'string' ? parseJsonOrKeep(rawArguments) : (rawArguments ?? {});
  assertNestingDepth(value);
  if (value === null || value === '') return {};
  if (!isRecord(value))
    throw invalidInputError('invalid_body', say`The arguments are not an object.`, {
      hint: say`Send the arguments as one JSON object of names and values.`,
    });

  return { ...value };
}

type FieldValues = Record<string, unknown>;

/** What a tool was sent, by the name of the field. */
export interface SentFields {
  /** Before words in it were read. */
  readonly sent: FieldValues;
  /** The fields in `clear` are null. */
  readonly fields: FieldValues;
}

export function readToolFields(
  operation: AnyOperation,
  rawArguments: Record<string, unknown>,
): SentFields {
  const fieldNames = fieldNamesByArgument(operation);
  const clearable = clearableFields(operation);
  assertKnownArguments(operation, rawArguments, [
    ...fieldNames.keys(),
    ...(clearable.length > 0 ? ['clear'] : []),
    ...(isWrite(operation) ? ['idempotencyKey'] : []),
  ]);

  const values: FieldValues = {};
  for (const [argument, value] of Object.entries(rawArguments)) {
    const name = fieldNames.get(argument);
    if (name === undefined || value === undefined) continue;
    if (value !== null) values[name] = value;
    // Some clients send null for whatever they leave out.
    else if (clearable.includes(argument)) throw nullError(operation, name, argument);
  }

  const judged = withoutIgnoredFields(operation.input.shape, values);
  const sent = decodeTexts(operation, judged);
  const fields = readWords(operation, sent);
  for (const argument of readClearedArguments(rawArguments.clear, clearable)) {
    const name = entryOf(fieldNames, argument);
    if (fields[name] !== undefined) throw setAndClearedError(operation, name, argument);
    fields[name] = null;
  }

  return { sent, fields: { ...operation.tool?.defaults, ...fields } };
}

/** The values that JSON texts stand for. Nothing reads a value that is longer than it may be. */
function decodeTexts(operation: AnyOperation, sent: FieldValues): FieldValues {
  const argumentOf = (name: string): string => toolArgumentName(operation, name);
  assertLengths(operation, sent, argumentOf);
  const decoded = mapFields(operation, sent, fromJsonText);
  assertLengths(operation, decoded, argumentOf);
  return decoded;
}

const readWords = (operation: AnyOperation, fields: FieldValues): FieldValues =>
  mapFields(operation, fields, readFieldWords);

const mapFields = (
  operation: AnyOperation,
  fields: FieldValues,
  change: (value: unknown, schema: z.ZodTypeAny) => unknown,
): FieldValues =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      change(value, knownToolField(operation, name)),
    ]),
  );

function assertKnownArguments(
  operation: AnyOperation,
  rawArguments: Record<string, unknown>,
  known: readonly string[],
): void {
  for (const argument of Object.keys(rawArguments))
    if (!known.includes(argument)) throw unknownArgumentError(operation, argument, known);
}

const nullError = (operation: AnyOperation, name: string, sent: string): AcequiaError =>
  invalidInputError(defaultErrorCode(operation, name), say`${argument(sent)} is null.`, {
    hint: say`Leave ${argument(sent)} out to keep it, or name it in ${argument('clear')} to empty it.`,
    field: sent,
  });

const setAndClearedError = (operation: AnyOperation, name: string, sent: string) =>
  invalidInputError(
    defaultErrorCode(operation, name),
    say`${argument(sent)} is both set and in clear.`,
    {
      hint: say`Either set it or clear it.`,
      field: sent,
    },
  );

function readClearedArguments(clear: unknown, clearable: readonly string[]): ReadonlySet<string> {
  if (clear === undefined || clear === null || clearable.length === 0) return new Set();

  const items = listFromJsonText(clear);
  const names = Array.isArray(items) ? items : [items];
  const wrong = names.findIndex((name) => !clearable.includes(name));
  if (wrong === -1) return new Set<string>(names);

  throw invalidInputError('invalid_body', say`${quotedValue(names[wrong])} cannot be emptied.`, {
    hint: say`${argument('clear')} takes an array of: ${argumentNames(clearable)}.`,
    field: 'clear',
  });
}

type JsonType = 'string' | 'number' | 'boolean' | 'array' | 'object';

/** The type in which a tool takes a value of the schema: a name or an instant as text. */
function jsonTypeOf(schema: z.ZodTypeAny): JsonType {
  const { kind } = fieldMetadata(schema);
  if (isTextInTools({ kind, unit: null })) return 'string';
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

/** Decodes the fields of objects and the items of lists, too. */
export function fromJsonText(sentValue: unknown, schema: z.ZodTypeAny): unknown {
  const { kind, unit } = fieldMetadata(schema);
  // A figure in a text may be in another unit than a number is.
  if (unit !== null && typeof sentValue === 'string') return sentValue;

  const isReference = kind === 'module' || kind === 'parcel';
  // Digits in a text may also be a name.
  if (isReference && Number.isSafeInteger(sentValue) && Number(sentValue) >= 0)
    return `#${sentValue}`;

  const type = jsonTypeOf(schema);
  const value = type === 'array' ? listFromJsonText(sentValue) : valueFromJsonText(sentValue, type);
  // One number is no point, and an error should quote it as it was sent.
  const isLoneItem = Array.isArray(value) && value.length === 1 && !Array.isArray(sentValue);
  if (kind === 'point' && isLoneItem) return sentValue;

  return mapMembers(value, schema, fromJsonText);
}

/** Reads figures and textures in words, also in lists and objects. */
function readFieldWords(value: unknown, schema: z.ZodTypeAny): unknown {
  const { kind, unit, isPercent } = fieldMetadata(schema);
  if (kind === 'texture') return readToolTexture(value);

  const isFigure = unit === null && typeof value === 'string' && jsonTypeOf(schema) === 'number';
  if (isFigure) return parseFigure(value, { isPercent }) ?? value;
  return mapMembers(value, schema, readFieldWords);
}

/** Changes the items of a list, and those fields of an object that its schema has. */
function mapMembers(
  value: unknown,
  schema: z.ZodTypeAny,
  change: (value: unknown, schema: z.ZodTypeAny) => unknown,
): unknown {
  const inner = innerSchema(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value))
    return value.map((item) => change(item, inner.element));
  if (!(inner instanceof z.ZodObject) || !isRecord(value)) return value;

  const schemas = new Map<string, z.ZodTypeAny>(Object.entries(inner.shape as z.ZodRawShape));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const memberSchema = schemas.get(name);
      return [name, memberSchema === undefined ? member : change(member, memberSchema)];
    }),
  );
}
