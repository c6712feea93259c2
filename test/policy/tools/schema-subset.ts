/** The subset of JSON Schema for listed tools that every client accepts. */

export type JsonSchemaNode = Readonly<Record<string, unknown>>;

const PRIMITIVES = ['string', 'number', 'integer', 'boolean'];

/** 2^53 - 1: no real bound, and too large for some clients. */
const UNBOUNDED = Number.MAX_SAFE_INTEGER;

const INPUT_KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: ['type', 'description', 'enum'],
  number: ['type', 'description', 'minimum', 'maximum'],
  integer: ['type', 'description', 'minimum', 'maximum'],
  boolean: ['type', 'description'],
  array: ['type', 'description', 'items', 'minItems', 'maxItems'],
  object: ['type', 'description', 'properties', 'required', 'additionalProperties'],
};

const isSchema = (value: unknown): value is JsonSchemaNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const propertiesOf = (schema: JsonSchemaNode): [string, unknown][] =>
  isSchema(schema.properties) ? Object.entries(schema.properties) : [];

function* keywordFaults(schema: JsonSchemaNode, at: string): Generator<string> {
  const { type } = schema;
  const allowed = typeof type === 'string' ? INPUT_KEYWORDS[type] : undefined;
  if (!allowed) {
    yield `${at}: type is ${JSON.stringify(type)}`;
    return;
  }
  for (const keyword of Object.keys(schema))
    if (!allowed.includes(keyword)) yield `${at}: ${keyword} stands at a ${type as string}`;
  for (const bound of ['minimum', 'maximum'])
    if (Math.abs(Number(schema[bound] ?? 0)) >= UNBOUNDED) yield `${at}: ${bound} is no bound`;
  if (
    schema.enum !== undefined &&
    !(schema.enum as unknown[]).every((value) => typeof value === 'string')
  )
    yield `${at}: enum holds something else than text`;
}

function* argumentFaults(schema: unknown, at: string, depth: number): Generator<string> {
  if (!isSchema(schema)) {
    yield `${at}: no schema`;
    return;
  }
  yield* keywordFaults(schema, at);
  if (schema.type === 'array') {
    const items = isSchema(schema.items) ? schema.items : {};
    if (items.type === 'array') yield `${at}: an array of arrays`;
    yield* argumentFaults(items, `${at}[]`, depth);
  }
  if (schema.type === 'object') {
    if (depth > 0) yield `${at}: objects within objects`;
    yield* objectFaults(schema, at, depth + 1);
  }
}

function* objectFaults(schema: JsonSchemaNode, at: string, depth: number): Generator<string> {
  if (depth === 0 && schema.additionalProperties !== false)
    yield `${at}: additionalProperties is not false`;
  const names = propertiesOf(schema).map(([name]) => name);
  for (const name of (schema.required as string[] | undefined) ?? [])
    if (!names.includes(name)) yield `${at}: ${name} is required and not described`;
  for (const [name, each] of propertiesOf(schema)) {
    yield* argumentFaults(each, `${at}.${name}`, depth);
    if (isSchema(each) && !String(each.description ?? '').trim())
      yield `${at}.${name}: no description`;
  }
}

export function inputFaults(schema: JsonSchemaNode): string[] {
  if (schema.type !== 'object') return ['the root is no object'];
  return [...keywordFaults(schema, 'root'), ...objectFaults(schema, 'root', 0)];
}

const OUTPUT_KEYWORDS = ['type', 'items', 'properties'];

const isNull = (schema: unknown): boolean => isSchema(schema) && schema.type === 'null';

/**
 * A value that may be null has no type, or is an object or null. Some clients warn of type arrays.
 */
export function outputFaults(schema: unknown, at = 'root'): string[] {
  if (!isSchema(schema)) return [`${at}: no schema`];
  if (at === 'root' && schema.type !== 'object') return ['the root is no object'];
  if (schema.anyOf !== undefined) {
    const [shape, other, ...more] = schema.anyOf as unknown[];
    const isObjectOrNull =
      isSchema(shape) && shape.type === 'object' && isNull(other) && more.length === 0;
    return isObjectOrNull ? outputFaults(shape, at) : [`${at}: anyOf`];
  }
  const faults = Object.keys(schema)
    .filter((keyword) => !OUTPUT_KEYWORDS.includes(keyword))
    .map((keyword) => `${at}: ${keyword}`);
  if (
    schema.type !== undefined &&
    ![...PRIMITIVES, 'array', 'object'].includes(schema.type as string)
  )
    faults.push(`${at}: type is ${JSON.stringify(schema.type)}`);
  for (const [name, each] of propertiesOf(schema))
    faults.push(...outputFaults(each, `${at}.${name}`));
  if (schema.items !== undefined) faults.push(...outputFaults(schema.items, `${at}[]`));
  return faults;
}
