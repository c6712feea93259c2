import { z } from 'zod';
import { dateOut, instantOut } from '../schema/field.ts';

/** An answer in the shape that its operation declares. */
export interface Shaped {
  readonly body: unknown;
  /** What a service of another age leaves out, or says with a code that is not known here; paths such as "data.0.status". */
  readonly strange: readonly string[];
}

/** A value of another type than declared, or a date that does not exist: the answer cannot be used. */
export class Misshapen extends Error {
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
export function shaped(schema: z.ZodTypeAny, answer: unknown): Shaped {
  const strange: string[] = [];
  const body = conformed(schema, answer, [], strange);
  return { body, strange };
}

type Path = readonly (string | number)[];

function conformed(schema: z.ZodTypeAny, value: unknown, path: Path, strange: string[]): unknown {
  if (schema instanceof z.ZodOptional)
    return value === undefined || (value === null && !schema.unwrap().isNullable())
      ? undefined
      : conformed(schema.unwrap(), value, path, strange);
  if (schema instanceof z.ZodNullable)
    return value === undefined || value === null ? null : conformed(schema.unwrap(), value, path, strange);
  if (schema instanceof z.ZodNull) return null;
  if (value === undefined) {
    strange.push(path.join('.'));
    return undefined;
  }
  if (schema instanceof z.ZodObject) return conformedObject(schema, value, path, strange);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((each, index) => conformed(schema.element, each, [...path, index], strange));
  if (schema instanceof z.ZodEnum && typeof value === 'string') {
    if (!schema.options.includes(value)) strange.push(path.join('.'));
    return value;
  }
  const isTime = schema === instantOut() || schema === dateOut();
  if (schema.safeParse(value).success && !(isTime && Number.isNaN(Date.parse(value as string)))) return value;
  throw new Misshapen(path.join('.'));
}

function conformedObject(
  schema: z.AnyZodObject,
  value: unknown,
  path: Path,
  strange: string[],
): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Misshapen(path.join('.'));
  const sent = value as Record<string, unknown>;
  const fields = Object.entries(schema.shape as z.ZodRawShape).map(([name, inner]): [string, unknown] => [
    name,
    conformed(inner, Object.hasOwn(sent, name) ? sent[name] : undefined, [...path, name], strange),
  ]);
  return Object.fromEntries(fields.filter(([, each]) => each !== undefined));
}
