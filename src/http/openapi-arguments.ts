import type { z } from 'zod';
import { type JsonSchema, jsonSchema } from '../operation/json-schema.ts';
import { type AnyOperation, placeOf } from '../operation/operation.ts';
import { bare, factsOf, innermost, takesNull } from '../schema/field.ts';

/** Words for arguments whose text in a tool speaks of names and plain words, which REST does not take; of one operation alone where its name stands before. */
const TEXTS: Readonly<Record<string, string>> = {
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

const INSTANT = 'ISO 8601; without an offset, local time of the company.';

/** What a kind of field says beyond its type. */
const KEYWORDS: Readonly<Record<string, JsonSchema>> = {
  instant: { format: 'date-time' },
  bound: { format: 'date-time' },
  date: { format: 'date' },
  point: { minItems: 2, maxItems: 2 },
};

/** Lengths of lists, which the use cases check. Source: spec, "Limits". */
const LENGTHS: Readonly<Record<string, JsonSchema>> = {
  startTimes: { minItems: 1, maxItems: 12 },
  layers: { minItems: 1 },
};

function textOf(name: string, schema: z.ZodTypeAny, described: AnyOperation): string {
  const { kind } = factsOf(schema);
  const own = innermost(schema).description ?? schema.description ?? bare(schema).description;
  return [
    TEXTS[`${described.name}.${name}`] ?? TEXTS[name] ?? own,
    ...(kind === 'instant' || kind === 'bound' ? [INSTANT] : []),
    ...(described.effect === 'update' && takesNull(schema) ? ['null empties it.'] : []),
  ].join(' ');
}

/** One argument as it travels over HTTP: null where it can be emptied, and what stands for it where it is left out. */
function argumentSchema(name: string, schema: z.ZodTypeAny, described: AnyOperation): JsonSchema {
  const inner = innermost(schema);
  const { description: _, ...plain } = jsonSchema(takesNull(schema) ? inner.nullable() : inner);
  const leftOut = schema.safeParse(undefined);
  const { row } = factsOf(schema);
  return {
    ...plain,
    ...(row && { items: jsonSchema(row) }),
    ...(leftOut.data !== undefined && { default: leftOut.data }),
    ...KEYWORDS[factsOf(schema).kind],
    ...LENGTHS[name],
    description: textOf(name, schema, described),
  };
}

const argumentsIn = (described: AnyOperation, place: 'path' | 'query' | 'body') =>
  Object.entries(described.input.shape as z.ZodRawShape)
    .filter(([name]) => placeOf(described.endpoint, name) === place)
    .map(([name, schema]) => ({ name, schema, isRequired: !schema.isOptional() }));

/** Parameters of path and query. */
export const parametersOf = (described: AnyOperation) =>
  (['path', 'query'] as const).flatMap((place) =>
    argumentsIn(described, place).map(({ name, schema, isRequired }) => {
      const { description, ...rest } = argumentSchema(name, schema, described);
      return { name, in: place, required: place === 'path' || isRequired, description, schema: rest };
    }),
  );

/** What a body of CSV leaves unsaid, which then comes in the query. */
export const besideCsv = (described: AnyOperation) =>
  described.batch === undefined
    ? []
    : argumentsIn(described, 'body')
        .filter(({ name, schema }) => name !== described.batch!.csv && factsOf(schema).row === null)
        .map(({ name, schema }) => {
          const { description, ...rest } = argumentSchema(name, schema, described);
          return {
            name,
            in: 'query',
            required: false,
            description: `Beside a body of CSV. ${description}`,
            schema: rest,
          };
        });

/** The body that an operation takes, or null where it takes none. */
export function bodySchema(described: AnyOperation): JsonSchema | null {
  const fields = argumentsIn(described, 'body');
  if (fields.length === 0) return null;
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, argumentSchema(name, schema, described)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}
