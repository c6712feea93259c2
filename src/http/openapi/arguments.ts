import type { z } from 'zod';
import { type JsonSchema, jsonSchema } from '../../operation/json-schema.ts';
import { type AnyOperation, argumentLocation } from '../../operation/operation.ts';
import { acceptsNull, fieldMetadata, innerSchema, unwrapOptional } from '../../schema/field.ts';

/** Words for arguments whose text in a tool speaks of names and plain words, which REST does not take; of one operation alone where its name stands before. */
const REST_DESCRIPTIONS: Readonly<Record<string, string>> = {
  moduleId: 'Id of the probe or station, from list_modules.',
  parcelId: 'Id of the parcel, from list_parcels.',
  targetModuleId: 'Id of the probe; exclusive with targetParcelId.',
  targetParcelId: 'Id of the parcel; exclusive with targetModuleId.',
  startedAt: 'Start of the watering.',
  from: 'Start of the period (included).',
  content: 'Style and text together; replaces both.',
  'create_alert.moduleId': 'Id of the probe to watch, from list_modules; without one nothing is watched.',
  'create_alert.parcelId': 'Id of a parcel to note with it, from list_parcels.',
};

const INSTANT_SENTENCE = 'ISO 8601; without an offset, local time of the company.';

/** What a kind of field says beyond its type. */
const KEYWORDS_BY_KIND: Readonly<Record<string, JsonSchema>> = {
  instant: { format: 'date-time' },
  bound: { format: 'date-time' },
  date: { format: 'date' },
  point: { minItems: 2, maxItems: 2 },
};

/** Lengths of lists, which the use cases check. Source: spec, "Limits". */
const LIST_LENGTHS: Readonly<Record<string, JsonSchema>> = {
  startTimes: { minItems: 1, maxItems: 12 },
  layers: { minItems: 1 },
};

function argumentDescription(name: string, schema: z.ZodTypeAny, operation: AnyOperation): string {
  const { kind } = fieldMetadata(schema);
  const own = unwrapOptional(schema).description ?? schema.description ?? innerSchema(schema).description;
  return [
    REST_DESCRIPTIONS[`${operation.name}.${name}`] ?? REST_DESCRIPTIONS[name] ?? own,
    ...(kind === 'instant' || kind === 'bound' ? [INSTANT_SENTENCE] : []),
    ...(operation.effect === 'update' && acceptsNull(schema) ? ['null empties it.'] : []),
  ].join(' ');
}

/** One argument as it travels over HTTP: null where it can be emptied, and what stands for it where it is left out. */
function argumentSchema(name: string, schema: z.ZodTypeAny, operation: AnyOperation): JsonSchema {
  const inner = unwrapOptional(schema);
  const { description: _, ...plain } = jsonSchema(acceptsNull(schema) ? inner.nullable() : inner);
  const defaultValue = schema.safeParse(undefined);
  const { row } = fieldMetadata(schema);
  return {
    ...plain,
    ...(row && { items: jsonSchema(row) }),
    ...(defaultValue.data !== undefined && { default: defaultValue.data }),
    ...KEYWORDS_BY_KIND[fieldMetadata(schema).kind],
    ...LIST_LENGTHS[name],
    description: argumentDescription(name, schema, operation),
  };
}

const argumentsIn = (operation: AnyOperation, location: 'path' | 'query' | 'body') =>
  Object.entries(operation.input.shape as z.ZodRawShape)
    .filter(([name]) => argumentLocation(operation.endpoint, name) === location)
    .map(([name, schema]) => ({ name, schema, isRequired: !schema.isOptional() }));

/** Parameters of path and query. */
export const operationParameters = (operation: AnyOperation) =>
  (['path', 'query'] as const).flatMap((location) =>
    argumentsIn(operation, location).map(({ name, schema, isRequired }) => {
      const { description, ...rest } = argumentSchema(name, schema, operation);
      return { name, in: location, required: location === 'path' || isRequired, description, schema: rest };
    }),
  );

/** What a body of CSV leaves unsaid, which then comes in the query. */
export const csvQueryParameters = (operation: AnyOperation) =>
  operation.batch === undefined
    ? []
    : argumentsIn(operation, 'body')
        .filter(({ name, schema }) => name !== operation.batch!.csv && fieldMetadata(schema).row === null)
        .map(({ name, schema }) => {
          const { description, ...rest } = argumentSchema(name, schema, operation);
          return {
            name,
            in: 'query',
            required: false,
            description: `Beside a body of CSV. ${description}`,
            schema: rest,
          };
        });

/** The body that an operation takes, or null where it takes none. */
export function requestBodySchema(operation: AnyOperation): JsonSchema | null {
  const fields = argumentsIn(operation, 'body');
  if (fields.length === 0) return null;
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, argumentSchema(name, schema, operation)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}
