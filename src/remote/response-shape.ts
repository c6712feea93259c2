import { z } from 'zod';
import { dateOutput, instantOutput } from '../schema/field.ts';

export interface ConformedResponse {
  readonly body: unknown;
  /** Paths such as "data.0.status" of fields that the service leaves out, as the specification may, and of unknown codes. */
  readonly gaps: readonly string[];
}

/** A field has another type than declared, or is a date that does not exist. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
  readonly path: string;

  constructor(path: string) {
    super(`does not match at ${path}`);
    this.path = path;
  }
}

export function conformResponse(schema: z.ZodTypeAny, answer: unknown): ConformedResponse {
  const gaps: string[] = [];
  return { body: conformValue(schema, answer, [], gaps), gaps };
}

type Path = readonly (string | number)[];

function conformValue(schema: z.ZodTypeAny, value: unknown, path: Path, gaps: string[]): unknown {
  if (schema instanceof z.ZodOptional)
    return value === undefined ? undefined : conformValue(schema.unwrap(), value, path, gaps);
  if (schema instanceof z.ZodNullable)
    return value === undefined || value === null ? null : conformValue(schema.unwrap(), value, path, gaps);
  if (value === undefined) {
    gaps.push(path.join('.'));
    return undefined;
  }
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((each, index) => conformValue(schema.element, each, [...path, index], gaps));
  if (schema instanceof z.ZodObject && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const received = new Map(Object.entries(value));
    const fields = Object.entries<z.ZodTypeAny>(schema.shape).map(([name, inner]): [string, unknown] => [
      name,
      conformValue(inner, received.get(name), [...path, name], gaps),
    ]);
    return Object.fromEntries(fields.filter(([, each]) => each !== undefined));
  }
  if (schema instanceof z.ZodEnum && typeof value === 'string') {
    if (!schema.options.includes(value)) gaps.push(path.join('.'));
    return value;
  }
  const isTime = schema === instantOutput() || schema === dateOutput();
  if (schema.safeParse(value).success && !(isTime && Number.isNaN(Date.parse(String(value))))) return value;
  throw new ShapeError(path.join('.'));
}
