import fc from 'fast-check';
import type {
  DocumentedOperation,
  DocumentedParameter,
  DocumentSchema,
} from '../../http/openapi/rendered-document.ts';
import { invalidValue, validBody, validValue } from './fuzzed-values.ts';

export interface FuzzedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

const parameterText = (value: unknown): string =>
  (typeof value === 'object' ? JSON.stringify(value) : String(value)).toWellFormed();

/** Neither empty nor a dot segment, which would change the path. */
const asSegment = (value: unknown): string => {
  const text = encodeURIComponent(parameterText(value).slice(0, 200).toWellFormed());
  return /^(\.{0,2}|%2e)$/i.test(text) ? '%20' : text;
};

const mostlyValid = (good: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 3, arbitrary: good }, { weight: 1, arbitrary: invalidValue });

type Query = readonly (readonly [string, unknown])[];

function queries(
  parameters: readonly DocumentedParameter[],
  value: (each: DocumentedParameter) => fc.Arbitrary<unknown>,
  isSound: boolean,
) {
  const pairs = parameters.map((each) =>
    fc.option(
      value(each).map((one) => [each.name, one] as const),
      { nil: null, freq: each.required ? 50 : 2 },
    ),
  );
  const anyQuery = fc.tuple(...pairs).map((each): Query => each.filter((one) => one !== null));
  const unexpectedText = isSound
    ? fc.constant<Query>([])
    : fc.oneof(
        { weight: 4, arbitrary: fc.constant<Query>([]) },
        {
          weight: 1,
          arbitrary: fc
            .tuple(fc.constantFrom('limit', 'summary', '__proto__', ''), invalidValue)
            .map((one) => [one]),
        },
      );
  return fc
    .tuple(fc.oneof(anyQuery, changedExample(parameters, anyQuery)), unexpectedText)
    .map((each) => each.flat());
}

/** Few random values fit together. */
function changedExample(
  parameters: readonly DocumentedParameter[],
  anyQuery: fc.Arbitrary<Query>,
): fc.Arbitrary<Query> {
  const example: Query = parameters.flatMap(({ name, example }) =>
    example === undefined ? [] : [[name, example]],
  );
  const changed = fc.tuple(
    anyQuery,
    fc.subarray([...parameters], { maxLength: Math.min(2, parameters.length) }),
  );
  return changed.map(([query, chosen]) => {
    const changes = query.filter(([name]) => chosen.some((each) => each.name === name));
    return [...new Map([...example, ...changes])];
  });
}

function goodBodies(
  schema: DocumentSchema,
  example: unknown,
): fc.Arbitrary<Record<string, unknown>> {
  const any = validBody(schema);
  const names = Object.keys((schema.properties ?? {}) as object);
  const changed = fc.subarray(names, { maxLength: Math.min(2, names.length) });
  const changedBody = fc.tuple(any, changed).map(([body, chosen]) => ({
    ...(example as object),
    ...Object.fromEntries(Object.entries(body).filter(([name]) => chosen.includes(name))),
  }));
  return fc.oneof(any, { weight: 2, arbitrary: changedBody });
}

function bodies(schema: DocumentSchema, example: unknown, isSound: boolean): fc.Arbitrary<string> {
  const good = goodBodies(schema, example);
  if (isSound) return good.map((body) => JSON.stringify(body));
  const names = [
    ...Object.keys((schema.properties ?? {}) as object),
    'idempotencyKey',
    'summary',
    '__proto__',
  ];
  const invalidBody = fc
    .tuple(
      good,
      fc.array(fc.tuple(fc.constantFrom(...names), invalidValue), { minLength: 1, maxLength: 3 }),
    )
    .map(([body, changes]) => JSON.stringify({ ...body, ...Object.fromEntries(changes) }));
  const incompleteBody = fc
    .tuple(good, fc.constantFrom(...names))
    .map(([body, left]) => JSON.stringify({ ...body, [left]: undefined }));
  const strange = fc.oneof(
    invalidValue.map((value) => JSON.stringify(value) ?? 'undefined'),
    fc.string({ unit: 'binary', maxLength: 60 }).map((text) => text.toWellFormed()),
    fc.constantFrom(
      '',
      '{',
      '{"a":',
      'null',
      '[]',
      `${'['.repeat(40)}${']'.repeat(40)}`,
      '{"a":1}{"b":2}',
      '\ufeff{}',
    ),
  );
  return fc.oneof(
    { weight: 5, arbitrary: invalidBody },
    { weight: 2, arbitrary: incompleteBody },
    { weight: 2, arbitrary: strange },
  );
}

const TYPES = [
  ...['application/json', 'application/json; charset=utf-8', 'text/plain', 'application/xml', ''],
  ...['application/json; charset=latin1', 'multipart/form-data; boundary=x'],
];

function headersFor(
  keys: readonly string[],
  hasBody: boolean,
  isSound: boolean,
): fc.Arbitrary<Record<string, string>> {
  const key = isSound
    ? fc.constant(keys[0]!)
    : fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...keys) },
        { weight: 1, arbitrary: fc.constantFrom('', 'acequia_x') },
      );
  const type = isSound
    ? fc.constant(TYPES[0]!)
    : fc.oneof(
        { weight: 6, arbitrary: fc.constant(TYPES[0]!) },
        { weight: 1, arbitrary: fc.constantFrom(...TYPES) },
      );
  const idempotencyKey = fc.option(
    isSound
      ? fc.uuid()
      : fc.oneof(fc.constantFrom('a', 'b', ' ', '\t', 'é', 'x'.repeat(256)), fc.uuid()),
    { nil: null, freq: 2 },
  );
  return fc.tuple(key, type, idempotencyKey).map(([apiKey, contentType, key]) => ({
    ...(apiKey === '' ? {} : { 'x-api-key': apiKey }),
    ...(hasBody && contentType !== '' ? { 'content-type': contentType } : {}),
    ...(key === null ? {} : { 'idempotency-key': key }),
  }));
}

interface FuzzInputs {
  readonly keys: readonly string[];
  readonly values: Readonly<Record<string, readonly unknown[]>>;
}

export function fuzzedRequests(
  operation: DocumentedOperation,
  { keys, values }: FuzzInputs,
): fc.Arbitrary<FuzzedRequest> {
  const inPlace = (place: DocumentedParameter['in']) =>
    operation.parameters!.filter((each) => each.in === place);
  const content = operation.requestBody?.content['application/json'];
  const requests = (isSound: boolean): fc.Arbitrary<FuzzedRequest> => {
    const value = ({ name, schema }: DocumentedParameter) => {
      const good = values[name] ? fc.constantFrom(...values[name]) : validValue(name, schema);
      return isSound ? good : mostlyValid(good);
    };
    const segments = fc.tuple(
      ...inPlace('path').map((each) => value(each).map((one) => [each.name, one] as const)),
    );
    const body = content ? bodies(content.schema, content.example, isSound) : fc.constant(null);
    const headers = headersFor(keys, content !== undefined, isSound);
    return fc
      .tuple(segments, queries(inPlace('query'), value, isSound), body, headers)
      .map(([path, query, text, headers]) => ({
        path: pathOf(operation.path, path, query),
        headers: headers,
        body: text,
      }));
  };
  return fc.oneof(requests(true), requests(false));
}

function pathOf(
  template: string,
  segments: readonly (readonly [string, unknown])[],
  query: Query,
): string {
  const filled = segments.reduce(
    (path, [name, value]) => path.replace(`{${name}}`, () => asSegment(value)),
    template,
  );
  const searchParams = new URLSearchParams(
    query.map(([name, value]): [string, string] => [name, parameterText(value)]),
  ).toString();
  return searchParams === '' ? filled : `${filled}?${searchParams}`;
}
