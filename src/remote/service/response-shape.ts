import { z } from 'zod/v3';
import { firstOf } from '../../domain/items.ts';
import { isRecord } from '../../domain/records.ts';
import { fieldMetadata, innerSchema } from '../../schema/field.ts';
import { timeFormatOf } from '../../schema/shared-fields.ts';

export interface ConformedResponse {
  readonly body: unknown;
  /**
   * Paths, such as "data.0.status", of fields that the service leaves out and of codes that are
   * unknown here.
   */
  readonly mismatches: readonly string[];
}

/** The answer is of another shape than the declared one, or has a date that does not exist. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
  readonly path: string;

  constructor(path: Path) {
    super(`does not match at ${path.join('.')}`);
    this.path = path.join('.');
  }
}

type Path = readonly (string | number)[];

/**
 * In characters, of a text whose schema states no length: that of the longest note that can be
 * entered.
 */
const MAX_TEXT_LENGTH = 2_000;

/** In characters, of a code, or of the name of a field that the schema does not state. */
const MAX_CODE_LENGTH = 200;

/** Levels of values whose form the schema leaves open, such as outlines and styles. */
const MAX_DEPTH = 32;

/**
 * The specification lets a service leave out single values, which then count as mismatches. Unknown
 * fields are removed, and texts are cut to their length, so that nothing reads more of them.
 */
export function conformResponse(schema: z.ZodTypeAny, answer: unknown): ConformedResponse {
  const mismatches: string[] = [];
  return { body: conformValue(schema, answer, [], mismatches), mismatches };
}

function conformValue(
  schema: z.ZodTypeAny,
  value: unknown,
  path: Path,
  mismatches: string[],
): unknown {
  if (schema instanceof z.ZodOptional && value === undefined) return undefined;
  if (schema instanceof z.ZodNullable && (value === undefined || value === null)) return null;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return conformValue(schema.unwrap(), value, path, mismatches);

  if (value === undefined) {
    mismatches.push(path.join('.'));
    return undefined;
  }

  return conformPresentValue(schema, value, path, mismatches);
}

function conformPresentValue(
  schema: z.ZodTypeAny,
  value: unknown,
  path: Path,
  mismatches: string[],
): unknown {
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((item, index) =>
      conformValue(schema.element, item, [...path, index], mismatches),
    );
  if (schema instanceof z.ZodObject && isRecord(value))
    return conformObject(schema, value, path, mismatches);

  const isUnknownCode = schema instanceof z.ZodEnum && !schema.options.includes(value);
  if (isUnknownCode && typeof value === 'string') {
    mismatches.push(path.join('.'));
    return cutText(value, MAX_CODE_LENGTH);
  }

  return conformLeaf(schema, value, path);
}

/** Throws ShapeError for a value of another type, and for an invalid instant or date. */
function conformLeaf(schema: z.ZodTypeAny, value: unknown, path: Path): unknown {
  const bounded =
    schema instanceof z.ZodString && typeof value === 'string'
      ? cutText(value, schema.maxLength ?? MAX_TEXT_LENGTH)
      : boundedValue(value, path, MAX_DEPTH);
  if (!schema.safeParse(bounded).success) throw new ShapeError(path);

  const isTime = timeFormatOf(schema._def) !== undefined;
  if (isTime && Number.isNaN(Date.parse(String(bounded)))) throw new ShapeError(path);

  return bounded;
}

function conformObject(
  schema: z.AnyZodObject,
  value: object,
  path: Path,
  mismatches: string[],
): object {
  const received = new Map<string, unknown>(Object.entries(value));
  const shape = Object.entries<z.ZodTypeAny>(schema.shape);
  assertSameResource(shape, received, path);

  const fields = shape.map(([name, inner]): [string, unknown] => [
    name,
    conformValue(inner, received.get(name), [...path, name], mismatches),
  ]);
  return Object.fromEntries(fields.filter(([, each]) => each !== undefined));
}

/**
 * Without one of its lists or objects, or without most of its values, an answer is about something
 * else.
 */
function assertSameResource(
  shape: readonly [name: string, schema: z.ZodTypeAny][],
  received: ReadonlyMap<string, unknown>,
  path: Path,
): void {
  const required = shape.filter(([, inner]) => !inner.isOptional() && !inner.isNullable());
  const missing = required.filter(([name]) => received.get(name) === undefined);
  const missingPart = missing.find(
    ([, inner]) => hasParts(inner) && !fieldMetadata(inner).isExtension,
  );
  if (missingPart !== undefined) throw new ShapeError([...path, missingPart[0]]);

  if (2 * missing.length > required.length) throw new ShapeError([...path, firstOf(missing)[0]]);
}

function hasParts(schema: z.ZodTypeAny): boolean {
  const inner = innerSchema(schema);
  return (
    inner instanceof z.ZodObject || inner instanceof z.ZodArray || inner instanceof z.ZodRecord
  );
}

const cutText = (text: string, maxLength: number): string =>
  text.length > maxLength ? text.slice(0, maxLength).toWellFormed() : text;

/**
 * JSON can nest deeper than any function can follow, and has numbers beyond those of JavaScript.
 */
function boundedValue(value: unknown, path: Path, depth: number): unknown {
  if (typeof value === 'string') return cutText(value, MAX_TEXT_LENGTH);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new ShapeError(path);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) throw new ShapeError(path);

  if (Array.isArray(value)) return value.map((each) => boundedValue(each, path, depth - 1));

  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      cutText(name, MAX_CODE_LENGTH),
      boundedValue(each, path, depth - 1),
    ]),
  );
}
