import { z } from 'zod/v3';
import { innerSchema } from '../../src/schema/field.ts';
import { timeFormatOf } from '../../src/schema/shared-fields.ts';

export const STUB_INSTANT = '2026-07-01T04:00:00.000Z';
export const STUB_DAY = '2026-07-01';

/** Formats that output schemas ask of a text; the first that fits is taken. */
const TEXTS = [
  'text',
  '20',
  STUB_INSTANT,
  STUB_DAY,
  '07-01',
  '08:00',
  '08:00:00',
  '00000000-0000-4000-8000-000000000001',
];

interface SampleTexts {
  /** Replaces each text of which the schema asks no format. */
  readonly text?: string;
  readonly fixed?: Readonly<Record<string, unknown>>;
}

/** A body that the schema permits, with every optional field. */
export function sampleBody(schema: z.ZodTypeAny, options: SampleTexts = {}): unknown {
  const { text, fixed = {} } = options;
  const sample = (inner: z.ZodTypeAny): unknown => sampleBody(inner, options);
  const timeFormat = timeFormatOf(schema._def);
  if (timeFormat !== undefined) return timeFormat === 'date' ? STUB_DAY : STUB_INSTANT;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return sample(schema.unwrap());
  if (schema instanceof z.ZodEffects) {
    const inner = sample(schema.innerType());
    return schema.safeParse(inner).success || typeof inner !== 'string'
      ? inner
      : TEXTS.find((each) => schema.safeParse(each).success);
  }
  if (schema instanceof z.ZodReadonly) return sample(schema.unwrap());
  if (schema instanceof z.ZodArray) return [sample(schema.element)];
  if (schema instanceof z.ZodRecord) return {};
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(
      Object.entries<z.ZodTypeAny>(schema.shape).map(([name, each]) => [
        name,
        Object.hasOwn(fixed, name) ? fixed[name] : sample(each),
      ]),
    );
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodNumber)
    return [1, 0.5, 24].find((each) => schema.safeParse(each).success);
  if (schema instanceof z.ZodNull) return null;
  if (schema instanceof z.ZodBoolean) return true;
  return [...(text === undefined ? [] : [text]), ...TEXTS].find(
    (each) => schema.safeParse(each).success,
  );
}

export interface ValuePath {
  readonly path: readonly (string | number)[];
  readonly schema: z.ZodTypeAny;
  readonly isRequired: boolean;
}

/** The path of each value in the sample of a schema, itself included. */
export function valuePaths(schema: z.ZodTypeAny, path: ValuePath['path'] = []): ValuePath[] {
  const inner = innerSchema(schema);
  const own: ValuePath = { path, schema, isRequired: !schema.isOptional() && !schema.isNullable() };
  if (inner instanceof z.ZodArray) return [own, ...valuePaths(inner.element, [...path, 0])];
  if (!(inner instanceof z.ZodObject)) return [own];
  const fields = Object.entries<z.ZodTypeAny>(inner.shape);
  return [own, ...fields.flatMap(([name, each]) => valuePaths(each, [...path, name]))];
}

/** A copy with another value at the path. */
export function withPart(body: unknown, path: ValuePath['path'], value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  const copy = structuredClone(body) as Record<string | number, unknown>;
  copy[first] = withPart(copy[first], rest, value);
  return copy;
}

export function withoutPart(body: unknown, path: ValuePath['path']): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return {};
  const copy = structuredClone(body) as Record<string | number, unknown>;
  if (rest.length > 0) copy[first] = withoutPart(copy[first], rest);
  else if (Array.isArray(copy)) copy.splice(Number(first), 1);
  else delete copy[first];
  return copy;
}
