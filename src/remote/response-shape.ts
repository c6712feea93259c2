import { z } from 'zod';
import { dateOutput, instantOutput } from '../schema/field.ts';

/** An answer in the shape that its operation declares. */
export interface ConformedResponse {
  readonly body: unknown;
  /** What a service of another age leaves out, or says with a code that is not known here; paths such as "data.0.status". */
  readonly missingPaths: readonly string[];
}

/** A value of another type than declared, or a date that does not exist: the answer cannot be used. */
export class ShapeError extends Error {
  override readonly name = 'Misshapen';
  readonly path: string;

  constructor(path: string) {
    super(`misshapen at ${path}`);
    this.path = path;
  }
}

/**
 * Brings an answer into the shape of a schema: fields it does not name are left out, nullable ones that were not sent are
 * null. Throws Misshapen where a value is of another type.
 */
export function conformResponse(schema: z.ZodTypeAny, answer: unknown): ConformedResponse {
  const missingPaths: string[] = [];
  const body = conformValue(schema, answer, [], missingPaths);
  return { body, missingPaths };
}

type Path = readonly (string | number)[];

function conformValue(schema: z.ZodTypeAny, value: unknown, path: Path, missingPaths: string[]): unknown {
  if (schema instanceof z.ZodOptional)
    return value === undefined || (value === null && !schema.unwrap().isNullable())
      ? undefined
      : conformValue(schema.unwrap(), value, path, missingPaths);
  if (schema instanceof z.ZodNullable)
    return value === undefined || value === null ? null : conformValue(schema.unwrap(), value, path, missingPaths);
  if (schema instanceof z.ZodNull) return null;
  if (value === undefined) {
    missingPaths.push(path.join('.'));
    return undefined;
  }
  if (schema instanceof z.ZodObject) return conformObject(schema, value, path, missingPaths);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((each, index) => conformValue(schema.element, each, [...path, index], missingPaths));
  if (schema instanceof z.ZodEnum && typeof value === 'string') {
    if (!schema.options.includes(value)) missingPaths.push(path.join('.'));
    return value;
  }
  const isTime = schema === instantOutput() || schema === dateOutput();
  if (schema.safeParse(value).success && !(isTime && Number.isNaN(Date.parse(value as string)))) return value;
  throw new ShapeError(path.join('.'));
}

function conformObject(
  schema: z.AnyZodObject,
  value: unknown,
  path: Path,
  missingPaths: string[],
): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ShapeError(path.join('.'));
  const received = value as Record<string, unknown>;
  const fields = Object.entries(schema.shape as z.ZodRawShape).map(([name, inner]): [string, unknown] => [
    name,
    conformValue(inner, Object.hasOwn(received, name) ? received[name] : undefined, [...path, name], missingPaths),
  ]);
  return Object.fromEntries(fields.filter(([, each]) => each !== undefined));
}
