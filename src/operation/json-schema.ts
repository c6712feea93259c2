import { z } from 'zod/v3';
import { ignoreOverride, type OverrideCallback, zodToJsonSchema } from 'zod-to-json-schema';
import { firstOf, itemAt } from '../domain/items.ts';
import {
  dateOutput,
  fieldMetadata,
  innerSchema,
  instantOutput,
  isTextInTools,
  unwrapModifiers,
} from '../schema/field.ts';
import type { AnyOperation } from './operation.ts';
import { clearableFields, inputField, toolFields } from './operation-fields.ts';
import { isWrite } from './operation-kind.ts';

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
  return nullableAsType(plain);
}

const FORMATS = new Map<z.ZodTypeDef, string>([
  [instantOutput()._def, 'date-time'],
  [dateOutput()._def, 'date'],
]);

/**
 * Nested named schemas become references. A nullable type becomes a type array, except for a
 * reference.
 */
export function documentSchema(
  schema: z.ZodTypeAny,
  referenceTo: (def: z.ZodTypeDef) => string | undefined,
): JsonSchema {
  const override: OverrideCallback = (def, { currentPath }) => {
    const $ref = currentPath.length > 1 ? referenceTo(def) : undefined;
    if ($ref) return { $ref };

    const { typeName, innerType } = def as z.ZodNullableDef;
    const isNullable = String(typeName) === 'ZodNullable';
    const format = FORMATS.get(isNullable ? innerType._def : def);
    if (!format) return ignoreOverride;

    return {
      type: isNullable ? ['string', 'null'] : 'string',
      format,
    } as ReturnType<OverrideCallback>;
  };

  const { $schema: _, ...plain } = zodToJsonSchema(schema, {
    $refStrategy: 'none',
    override,
  }) as JsonSchema;

  return nullableAsType(plain);
}

/** Some clients refuse `anyOf` with null. */
function nullableAsType(schema: JsonSchema): JsonSchema {
  const plain: JsonSchema = { ...schema };
  if (plain.properties)
    plain.properties = Object.fromEntries(
      Object.entries(plain.properties).map(([name, each]) => [name, nullableAsType(each)]),
    );

  if (plain.items) plain.items = nullableAsType(plain.items);
  if (
    plain.anyOf?.length === 2 &&
    itemAt(plain.anyOf, 1).type === 'null' &&
    !firstOf(plain.anyOf).$ref
  ) {
    const { anyOf, ...rest } = plain;
    const inner = nullableAsType(firstOf(anyOf));
    const type = Array.isArray(inner.type) ? inner.type : [inner.type as string];
    return {
      ...inner,
      ...rest,
      type: [...type, 'null'],
      ...(inner.enum && { enum: [...inner.enum, null] }),
    };
  }

  if (
    Array.isArray(plain.type) &&
    plain.type.includes('null') &&
    plain.enum &&
    !plain.enum.includes(null)
  )
    plain.enum = [...plain.enum, null];

  return plain;
}

/** Some clients refuse these keywords, and all of them cost tokens. Validation checks them here. */
const UNSUPPORTED_KEYWORDS = [
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minimum',
  'maximum',
  'format',
  'pattern',
  'default',
  'maxLength',
  'minLength',
  'maxItems',
];

function withoutUnsupportedKeywords({ items, properties, ...schema }: JsonSchema): JsonSchema {
  const supported = Object.entries(schema).filter(
    ([keyword, value]) =>
      !UNSUPPORTED_KEYWORDS.includes(keyword) &&
      !(keyword === 'additionalProperties' && value === true),
  );

  return {
    ...Object.fromEntries(supported),
    ...(items && { items: withoutUnsupportedKeywords(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, each]) => [name, withoutUnsupportedKeywords(each)]),
      ),
    }),
  };
}

/** Gives type string to fields of list rows that tools take as text. */
function withTextsInRows(schema: JsonSchema, described: z.ZodTypeAny): JsonSchema {
  const list = innerSchema(described);
  const row = list instanceof z.ZodArray ? innerSchema(list.element) : null;
  if (!(row instanceof z.ZodObject) || schema.items?.properties === undefined) return schema;
  const shape: z.ZodRawShape = row.shape;
  const properties = Object.entries(schema.items.properties).map(([name, each]) => [
    name,
    isTextInTools(fieldMetadata(shape[name]!).kind) ? { ...each, type: 'string' } : each,
  ]);
  return { ...schema, items: { ...schema.items, properties: Object.fromEntries(properties) } };
}

function argumentSchema(schema: z.ZodTypeAny, toolDefault: unknown): JsonSchema {
  const { kind } = fieldMetadata(schema);
  const description =
    unwrapModifiers(schema).description ?? schema.description ?? innerSchema(schema).description;
  if (isTextInTools(kind)) return { type: 'string', description };

  const supported = withTextsInRows(
    withoutUnsupportedKeywords(jsonSchema(unwrapModifiers(schema))),
    schema,
  );
  const text = toolDefault === undefined ? description : `${description} Default ${toolDefault}.`;

  return { ...supported, description: text };
}

/** Lists `module` and `parcel` next to each other for a tool that takes either. */
function fieldsOfTool(operation: AnyOperation): [name: string, schema: z.ZodTypeAny][] {
  const parcelVariant = operation.tool?.parcelVariant;
  const [target, ...others] = toolFields(operation);
  if (parcelVariant === undefined || target === undefined) return toolFields(operation);
  return [
    target,
    ...toolFields(parcelVariant).filter(([name]) => !inputField(operation, name)),
    ...others,
  ];
}

/** Uses only the part of JSON Schema that every client accepts. */
export function toolInputSchema(operation: AnyOperation): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  const { parcelVariant } = operation.tool ?? {};
  const variants = parcelVariant ? [operation, parcelVariant] : [operation];

  for (const [name, schema] of fieldsOfTool(operation)) {
    const { isUnlisted, argument } = fieldMetadata(schema);
    if (isUnlisted) continue;
    properties[argument ?? name] = argumentSchema(schema, operation.tool?.defaults?.[name]);
    const isOptional =
      schema.isOptional() || operation.tool?.computedDefaults?.[name] !== undefined;
    if (!isOptional && variants.every((each) => inputField(each, name)))
      required.push(argument ?? name);
  }

  const clearableNames = clearableFields(operation).filter((name) => name in properties);
  if (clearableNames.length > 0)
    properties.clear = {
      type: 'array',
      items: { type: 'string' },
      description: 'Fields to empty.',
    };

  if (isWrite(operation))
    properties.idempotencyKey = {
      type: 'string',
      description: 'New for each write.',
    };

  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** Levels of objects listed below the answer. What a write returns can be read again in full. */
const LISTED_LEVELS = { read: 1, write: 0 } as const;

/**
 * A summary, then the fields of the body. A body that may be null is nested under a name. Only
 * names and types are listed, because a concise answer has to match too, and every client reads
 * this list at its start. Some clients warn about type arrays, so a value that may be null has no
 * type.
 */
export function toolOutputSchema(operation: AnyOperation): JsonSchema {
  const { output, tool: { wrapBodyAs, parcelVariant } = {} } = operation;
  const ofModule = jsonSchema(output);
  const body = parcelVariant
    ? {
        ...ofModule,
        properties: {
          ...withoutNestedFields(jsonSchema(parcelVariant.output)),
          ...ofModule.properties,
        },
      }
    : ofModule;

  const answer: JsonSchema =
    wrapBodyAs === undefined ? body : { type: 'object', properties: { [wrapBodyAs]: body } };
  const properties = {
    summary: { type: 'string' },
    ...(isWrite(operation) && !operation.answerIsSecret && { changeId: { type: 'integer' } }),
    ...answer.properties,
  };

  const levels = LISTED_LEVELS[isWrite(operation) ? 'write' : 'read'];
  return shapeOf({ ...answer, properties }, levels, []);
}

/** Lists nested objects without their fields. */
const withoutNestedFields = ({ properties = {} }: JsonSchema): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [name, shapeOf(each, -1, [])]),
  );

/**
 * Lists the fields of a shape once: not again if it is repeated, or is repeated with one or two
 * more fields.
 */
function shapeOf(
  { type, properties, items }: JsonSchema,
  levels: number,
  listed: string[][],
): JsonSchema {
  if (Array.isArray(type) || type === 'null') {
    const shape = properties ? shapeOf({ type: 'object', properties }, levels, listed) : {};
    return shape.properties ? { anyOf: [shape, { type: 'null' }] } : {};
  }

  if (properties) {
    const names = Object.keys(properties);
    const isRepeated = listed.some(
      (fields) => names.length - fields.length <= 2 && fields.every((each) => names.includes(each)),
    );
    if (levels < 0 || isRepeated) return { type: 'object' };

    listed.push(names);
    const shapes = Object.entries(properties).map(([name, each]) => [
      name,
      shapeOf(each, levels - 1, listed),
    ]);

    return { type: 'object', properties: Object.fromEntries(shapes) };
  }

  if (items === undefined) return type === undefined ? {} : { type };
  const shape = shapeOf(items, levels, listed);
  const isListed = shape.properties || (levels >= 0 && shape.type && shape.type !== 'object');

  return isListed ? { type, items: shape } : { type };
}
