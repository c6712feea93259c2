import type { z } from 'zod/v3';
import type { AnyOperation } from '../../operation/operation.ts';
import {
  type ArgumentLocation,
  inputFields,
  type OperationField,
} from '../../operation/operation-fields.ts';
import {
  documentSchema,
  type JsonSchema,
  jsonSchema,
} from '../../operation/schemas/json-schema.ts';
import {
  acceptsNull,
  type FieldKind,
  innerSchema,
  isInstantKind,
  unwrapModifiers,
} from '../../schema/field.ts';
import { nameOfSchema, schemaNamed } from '../../schema/named-schema.ts';

const INSTANT_SENTENCE = 'ISO 8601; without an offset, local time of the company.';

/** The time in an ISO 8601 instant, with an offset or without. */
const TIME = 'T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:\\d{2})?';

const DATE_OR_INSTANT = { pattern: `^\\d{4}-\\d{2}-\\d{2}(${TIME})?$` };

/** Instants have a pattern, because the format date-time requires an offset. */
const KEYWORDS_BY_KIND: Readonly<Partial<Record<FieldKind, JsonSchema>>> = {
  instant: { pattern: `^\\d{4}-\\d{2}-\\d{2}${TIME}$` },
  periodBound: DATE_OR_INSTANT,
  periodEnd: DATE_OR_INSTANT,
  date: { format: 'date' },
  point: { minItems: 2, maxItems: 2 },
};

function argumentDescription(
  { schema, metadata }: OperationField,
  { effect }: AnyOperation,
): string {
  const { kind, restDescription } = metadata;
  const description =
    unwrapModifiers(schema).description ?? schema.description ?? innerSchema(schema).description;

  const sentences = [restDescription ?? description];
  if (isInstantKind(kind)) sentences.push(INSTANT_SENTENCE);
  if (effect === 'update' && acceptsNull(schema)) sentences.push('null clears the value.');
  return sentences.join(' ');
}

function argumentSchema(field: OperationField, operation: AnyOperation): JsonSchema {
  const { schema } = field;
  const inner = unwrapModifiers(schema);
  const typeSchema = acceptsNull(schema) ? inner.nullable() : inner;
  const { description: _, ...plain } = jsonSchema(typeSchema);
  const defaultValue = schema.safeParse(undefined);
  const { kind, row, listLength } = field.metadata;

  const keywords: Record<string, unknown> = { ...plain };
  if (row) keywords.items = jsonSchema(row);
  if (defaultValue.data !== undefined) keywords.default = defaultValue.data;
  Object.assign(keywords, KEYWORDS_BY_KIND[kind]);
  if (listLength) Object.assign(keywords, { minItems: listLength.min, maxItems: listLength.max });

  return { ...keywords, description: argumentDescription(field, operation) };
}

const fieldsIn = (operation: AnyOperation, location: ArgumentLocation): OperationField[] =>
  [...inputFields(operation).values()].filter((field) => field.location === location);

const isRequired = ({ schema, metadata }: OperationField): boolean =>
  !schema.isOptional() || metadata.isRequiredInRest;

export const operationParameters = (operation: AnyOperation) =>
  (['path', 'query'] as const).flatMap((location) =>
    fieldsIn(operation, location).map((field) => {
      const { description, ...rest } = argumentSchema(field, operation);
      return {
        name: field.name,
        in: location,
        required: location === 'path' || isRequired(field),
        description,
        schema: rest,
      };
    }),
  );

/** The fields of a batch other than its rows may also be in the query. */
export function batchQueryParameters(operation: AnyOperation) {
  const csv = operation.batch?.csv;
  if (!csv) return [];

  return fieldsIn(operation, 'body')
    .filter(({ name, metadata }) => name !== csv && metadata.row === null)
    .map((field) => {
      const { description, ...rest } = argumentSchema(field, operation);
      return {
        name: field.name,
        in: 'query',
        required: false,
        description: `${description} In place of the field of a JSON body.`,
        schema: rest,
      };
    });
}

export function requestBodySchema(operation: AnyOperation): JsonSchema | null {
  const fields = fieldsIn(operation, 'body');
  if (fields.length === 0) return null;

  const required = fields.filter(isRequired).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map((field) => [field.name, argumentSchema(field, operation)]),
    ),
    required: required.length > 0 ? required : undefined,
    additionalProperties: false,
  };
}

export const componentRef = (name: string): JsonSchema => ({
  $ref: `#/components/schemas/${name}`,
});

/** Undefined for a schema that has no name. */
const componentPath = (definition: z.ZodTypeDef): string | undefined => {
  const name = nameOfSchema(definition);
  return name && componentRef(name).$ref;
};

export function responseSchema(schema: z.ZodTypeAny): JsonSchema {
  const $ref = componentPath(schema._def);
  return $ref ? { $ref } : documentSchema(schema, componentPath);
}

/** With `detail` concise, an answer has fewer fields, and a local day is a date. */
export const conciseSchema = (schema: z.ZodTypeAny): JsonSchema => ({
  ...looseSchema(documentSchema(schema, () => undefined)),
  description: 'With detail concise: fields are left out.',
});

/** Leaves out what a concise answer may break: required fields and the formats of instants. */
const looseSchema = (schema: JsonSchema): JsonSchema =>
  JSON.parse(
    JSON.stringify(schema, (key, value) =>
      key === 'required' || key === 'format' ? undefined : value,
    ),
  );

/** The schemas to which the document refers, and those to which these refer, by name. */
export function referencedSchemas(document: unknown): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {};

  const collect = (from: unknown): void => {
    for (const [, name = ''] of JSON.stringify(from).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const schema = schemaNamed(name);
      if (!schema || schemas[name]) continue;
      schemas[name] = documentSchema(schema, componentPath);
      collect(schemas[name]);
    }
  };

  collect(document);
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => a.localeCompare(b)));
}
