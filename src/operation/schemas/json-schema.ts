import type { z } from 'zod/v3';
import { ignoreOverride, type OverrideCallback, zodToJsonSchema } from 'zod-to-json-schema';
import { timeFormatOf } from '../../schema/shared-fields.ts';

export interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  required?: string[];
  description?: string;
  $ref?: string;
  [keyword: string]: unknown;
}

export function jsonSchema(schema: z.ZodTypeAny): JsonSchema {
  const { $schema: _, ...plain } = zodToJsonSchema(schema, { $refStrategy: 'none' }) as JsonSchema;
  return withNullAsType(plain);
}

/** A schema of the OpenAPI document: nested schemas that it names become references. */
export function documentSchema(
  schema: z.ZodTypeAny,
  referenceTo: (def: z.ZodTypeDef) => string | undefined,
): JsonSchema {
  const override: OverrideCallback = (def, { currentPath }) => {
    const $ref = currentPath.length > 1 ? referenceTo(def) : undefined;
    if ($ref) return { $ref };

    const { typeName, innerType } = def as z.ZodNullableDef;
    const isNullable = String(typeName) === 'ZodNullable';
    const format = timeFormatOf(isNullable ? innerType._def : def);
    if (!format) return ignoreOverride;

    return {
      type: isNullable ? ['string', 'null'] : 'string',
      format,
    };
  };

  const { $schema: _, ...plain } = zodToJsonSchema(schema, {
    $refStrategy: 'none',
    override,
  }) as JsonSchema;

  return withNullAsType(plain);
}

/** Replaces `anyOf` with null by a type array, because some clients refuse it. */
function withNullAsType(schema: JsonSchema): JsonSchema {
  const result: JsonSchema = { ...schema };
  if (result.properties)
    result.properties = Object.fromEntries(
      Object.entries(result.properties).map(([name, each]) => [name, withNullAsType(each)]),
    );
  if (result.items) result.items = withNullAsType(result.items);

  const nullable = nullableSchemaIn(result);
  if (nullable) {
    const { anyOf: _, ...keywords } = result;
    return { ...allowingNull(withNullAsType(nullable)), ...keywords };
  }

  const isNullable = Array.isArray(result.type) && result.type.includes('null');
  if (isNullable && result.enum && !result.enum.includes(null))
    result.enum = [...result.enum, null];

  return result;
}

/** The other schema of an `anyOf` with null; null for a reference, which has no type of its own. */
function nullableSchemaIn({ anyOf = [] }: JsonSchema): JsonSchema | null {
  const [schema, alternative] = anyOf;
  const isNullable = anyOf.length === 2 && alternative?.type === 'null';
  return schema && isNullable && !schema.$ref ? schema : null;
}

function allowingNull(schema: JsonSchema): JsonSchema {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type as string];
  const result: JsonSchema = { ...schema, type: [...types, 'null'] };
  if (schema.enum) result.enum = [...schema.enum, null];
  return result;
}
