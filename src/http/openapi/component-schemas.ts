import type { z } from 'zod/v3';
import { documentSchema, type JsonSchema } from '../../operation/json-schema.ts';
import { nameOfSchema, schemaNamed } from '../../schema/field.ts';

export const componentRef = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const componentReference = (definition: z.ZodTypeDef): string | undefined => {
  const name = nameOfSchema(definition);
  return name && componentRef(name).$ref;
};

export function responseSchema(schema: z.ZodTypeAny): JsonSchema {
  const $ref = componentReference(schema._def);
  return $ref ? { $ref } : documentSchema(schema, componentReference);
}

/** With `detail` concise, an answer has fewer fields, and names a local day by its date. */
export const conciseSchema = (schema: z.ZodTypeAny): JsonSchema => ({
  ...looseSchema(documentSchema(schema, () => undefined)),
  description: 'With detail concise: fields are left out.',
});

const looseSchema = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema, (key, value) => (key === 'required' || key === 'format' ? undefined : value)));

export function referencedSchemas(document: unknown): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {};
  const collect = (from: unknown): void => {
    for (const [, name = ''] of JSON.stringify(from).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const schema = schemaNamed(name);
      if (!schema || schemas[name]) continue;
      schemas[name] = documentSchema(schema, componentReference);
      collect(schemas[name]);
    }
  };
  collect(document);
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => a.localeCompare(b)));
}
