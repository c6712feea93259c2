import type { z } from 'zod/v3';

const schemas = new Map<string, z.ZodTypeAny>();
const names = new Map<z.ZodTypeDef, string>();

export function namedSchema<S extends z.ZodTypeAny>(name: string, schema: S): S {
  schemas.set(name, schema);
  names.set(schema._def, name);
  return schema;
}

export const schemaNamed = (name: string): z.ZodTypeAny | undefined => schemas.get(name);

export const nameOfSchema = (definition: z.ZodTypeDef): string | undefined => names.get(definition);
