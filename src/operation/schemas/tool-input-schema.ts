import { z } from 'zod/v3';
import { fieldMetadata, innerSchema, isTextInTools, unwrapModifiers } from '../../schema/field.ts';
import { toolFields } from '../arguments/tool-fields.ts';
import type { ToolField } from '../arguments/tool-reading.ts';
import type { AnyOperation } from '../operation.ts';
import { inputFields, variantsOf } from '../operation-fields.ts';
import { writesAgainIfRepeated } from '../operation-kind.ts';
import { type JsonSchema, jsonSchema } from './json-schema.ts';

/** Some clients refuse these, and all cost tokens. Arguments are validated against them anyway. */
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

  const result: JsonSchema = Object.fromEntries(supported);
  if (items) result.items = withoutUnsupportedKeywords(items);
  if (properties)
    result.properties = Object.fromEntries(
      Object.entries(properties).map(([name, each]) => [name, withoutUnsupportedKeywords(each)]),
    );
  return result;
}

/** Gives the type string to those fields of a list's items that tools take as text. */
function withTextsInItems(result: JsonSchema, schema: z.ZodTypeAny): JsonSchema {
  const list = innerSchema(schema);
  const item = list instanceof z.ZodArray ? innerSchema(list.element) : null;
  if (!(item instanceof z.ZodObject) || result.items?.properties === undefined) return result;

  const shape: z.ZodRawShape = item.shape;
  const properties = Object.entries(result.items.properties).map(([name, each]) => [
    name,
    isTextInTools(fieldMetadata(shape[name]!)) ? { ...each, type: 'string' } : each,
  ]);
  return { ...result, items: { ...result.items, properties: Object.fromEntries(properties) } };
}

function argumentSchema({ schema, metadata }: ToolField, toolDefault: unknown): JsonSchema {
  const description =
    unwrapModifiers(schema).description ?? schema.description ?? innerSchema(schema).description;
  const withDefault =
    toolDefault === undefined ? description : `${description} Default ${toolDefault}.`;
  if (isTextInTools(metadata)) return { type: 'string', description: withDefault };

  const unwrapped = unwrapModifiers(schema);
  const listed = unwrapped instanceof z.ZodUnion ? innerSchema(unwrapped) : unwrapped;
  const supported = withoutUnsupportedKeywords(jsonSchema(listed));
  return { ...withTextsInItems(supported, schema), description: withDefault };
}

/** Adds the fields of other variants: `parcel` stands next to `module`, which comes first. */
function fieldsOfAllVariants(operation: AnyOperation): readonly ToolField[] {
  const [own, ...others] = variantsOf(operation).map((variant) => [
    ...toolFields(variant).byArgument.values(),
  ]);
  const [moduleField, ...ownFields] = own ?? [];
  if (moduleField === undefined) return [];

  const known = new Set(own?.map(({ argument }) => argument));
  const added = others.flat().filter(({ argument }) => {
    const isNew = !known.has(argument);
    known.add(argument);
    return isNew;
  });
  return [moduleField, ...added, ...ownFields];
}

/** Uses only the part of JSON Schema that every client accepts. */
export function toolInputSchema(operation: AnyOperation): JsonSchema {
  const { defaults, computedDefaults } = operation.tool ?? {};
  const variants = variantsOf(operation);
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];

  for (const field of fieldsOfAllVariants(operation)) {
    const { name, argument } = field;
    if (field.metadata.isUnlisted) continue;
    properties[argument] = argumentSchema(field, defaults?.[name]);

    const isOptional = field.schema.isOptional() || computedDefaults?.[name] !== undefined;
    const isInAllVariants = variants.every((variant) => inputFields(variant).has(name));
    if (!isOptional && isInAllVariants) required.push(argument);
  }

  const clearable = new Set(variants.flatMap((variant) => toolFields(variant).clearable));
  const clearableNames = [...clearable].filter((name) => name in properties);
  if (clearableNames.length > 0)
    properties.clear = {
      type: 'array',
      items: { type: 'string' },
      description: 'Arguments to empty.',
    };

  if (writesAgainIfRepeated(operation))
    properties.idempotencyKey = {
      type: 'string',
      description: 'New per order, same on retry.',
    };

  const schema: JsonSchema = { type: 'object', properties };
  if (required.length > 0) schema.required = required;
  return { ...schema, additionalProperties: false };
}
