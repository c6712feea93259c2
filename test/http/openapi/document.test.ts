import { readFile } from 'node:fs/promises';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import type { SummaryContext } from '../../../src/language/summary-context.ts';
import { pathParameters } from '../../../src/operation/operation-fields.ts';
import { isWrite } from '../../../src/operation/operation-kind.ts';
import { operations, operationsByName } from '../../../tools/index.ts';
import {
  type DocumentedOperation,
  documentAjv,
  documentedOperations,
  renderDocument,
  schemaValidators,
  stories,
} from './rendered-document.ts';

const document = renderDocument();
const documented = documentedOperations(document).filter((each) => each['x-scope'] !== undefined);
const named = documented.map((each) => [each.operationId, each] as const);
const validatorOf = schemaValidators(document);
const ajv = documentAjv();
const isPicture = (name: string) => operationsByName.get(name)!.render !== undefined;
const successOf = (each: DocumentedOperation) =>
  each.responses[operationsByName.get(each.operationId)!.endpoint.status]!;

it('is valid OpenAPI 3.1 by an independent validator', async () => {
  const validator = new Validator();
  const result = await validator.validate(
    structuredClone<unknown>(document) as Record<string, unknown>,
  );
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
  expect(validator.version).toBe('3.1');
});

it('is part of the package as rendered', async () => {
  const built = await readFile(new URL('../../../dist/openapi.json', import.meta.url), 'utf8');
  expect(JSON.parse(built)).toEqual(document);
});

it('describes every operation at its endpoint, with its scope and success status', () => {
  const documentedNames = documented.map((each) => [
    each.operationId,
    `${each.method.toUpperCase()} ${each.path}`,
    each['x-scope'],
  ]);
  expect(documentedNames.sort()).toEqual(
    operations
      .map(({ name, endpoint, scope }) => [name, `${endpoint.method} ${endpoint.path}`, scope])
      .sort(),
  );
  for (const each of documented)
    expect(Object.keys(each.responses), each.operationId).toContain(
      String(operationsByName.get(each.operationId)!.endpoint.status),
    );
});

it('requires a key for every operation, and none for the health checks', () => {
  const open = documentedOperations(document).filter(
    (each) => (each as { security?: unknown[] }).security?.length === 0,
  );
  expect(open.map(({ path }) => path).sort()).toEqual(['/health', '/ready']);
});

it.each(named)('describes every argument of %s at its location', (name, each) => {
  const { input, endpoint } = operationsByName.get(name)!;
  const parameters = each.parameters!.filter((parameter) => parameter.in !== 'header');
  const body = each.requestBody?.content['application/json']?.schema.properties ?? {};
  // Fields of a batch are query parameters too.
  const documentedNames = new Set([
    ...parameters.map((parameter) => parameter.name),
    ...Object.keys(body),
  ]);
  expect([...documentedNames].sort()).toEqual(Object.keys(input.shape).sort());
  const inPath = parameters
    .filter((parameter) => parameter.in === 'path')
    .map((parameter) => parameter.name);
  expect(inPath.sort()).toEqual(pathParameters(endpoint).toSorted());
});

it('names endpoints where tools are named in a conversation', () => {
  const names = operations.flatMap(({ name, rest }) => (rest?.isRestOnly ? [] : [name]));
  const descriptions: string[] = [];
  JSON.stringify(document, (key, value) => {
    if (key === 'description' && typeof value === 'string') descriptions.push(value);
    return value;
  });
  // The path of an endpoint may hold the name of its tool: /changes/{changeId}/undo.
  const toolName = new RegExp(`(?<!/)\\b(?:${names.join('|')})\\b`);
  expect(descriptions.filter((text) => toolName.test(text))).toEqual([]);
  expect(descriptions).toContain('Id of the probe or station, from GET /modules.');
});

it('describes every argument', () => {
  const silent = documented.flatMap(({ operationId, parameters, requestBody }) => {
    const fields = Object.entries(
      requestBody?.content['application/json']?.schema.properties ?? {},
    );
    const all = [...parameters!.map((each) => [each.name, each] as const), ...fields];
    return all
      .filter(([, each]) => !/\w/.test((each as { description?: string }).description ?? ''))
      .map(([field]) => `${operationId}.${field}`);
  });
  expect(silent).toEqual([]);
});

it('accepts an Idempotency-Key on writes only', () => {
  const taking = documented.filter(({ parameters }) =>
    parameters!.some((each) => each.name === 'Idempotency-Key'),
  );
  expect(taking.map((each) => each.operationId).sort()).toEqual(
    operations
      .filter(isWrite)
      .map((each) => each.name)
      .sort(),
  );
});

it('answers with a picture for an operation that draws, and with JSON otherwise', () => {
  for (const [name, each] of named)
    expect(Object.keys(successOf(each).content), name).toEqual([
      isPicture(name) ? 'image/png' : 'application/json',
    ]);
  expect(named.map(([name]) => name).filter(isPicture)).toEqual(['chart_moisture']);
});

it('allows instants with and without an offset, and days where a bound may be one', () => {
  const schemaOf = (name: string, field: string): object => {
    const { parameters, requestBody } = documented.find(({ operationId }) => operationId === name)!;
    const fields = (requestBody?.content['application/json']?.schema.properties ?? {}) as Record<
      string,
      object
    >;
    return fields[field] ?? parameters!.find((each) => each.name === field)!.schema;
  };
  const allowed = (name: string, field: string): string[] =>
    [
      '2026-07-01',
      '2026-07-01T06:00',
      '2026-07-01T06:00:30.5',
      '2026-07-01T06:00+02:00',
      '2026-07-01T04:00:00Z',
    ]
      .concat('yesterday 6:00', '22/11/2026', '2026-07-01T6:00', '')
      .filter((text) => ajv.validate(schemaOf(name, field), text));
  expect(allowed('log_watering', 'startedAt')).toEqual([
    ...[
      '2026-07-01T06:00',
      '2026-07-01T06:00:30.5',
      '2026-07-01T06:00+02:00',
      '2026-07-01T04:00:00Z',
    ],
  ]);
  expect(allowed('list_waterings', 'from')).toEqual([
    '2026-07-01',
    ...allowed('log_watering', 'startedAt'),
  ]);
});

it('allows an empty list of soil layers, which closes the profile', () => {
  const { schema } = documented.find(({ operationId }) => operationId === 'set_soil_profile')!
    .requestBody!.content['application/json']!;
  expect(validatorOf(schema)({ layers: [], closeOthers: true })).toBe(true);
});

it('has schemas that compile and are all used', () => {
  const schemas = Object.entries(document.components.schemas!);
  for (const [name, schema] of schemas) expect(() => validatorOf(schema), name).not.toThrow();
  const text = JSON.stringify(document);
  expect(
    schemas
      .filter(([name]) => !text.includes(`"#/components/schemas/${name}"`))
      .map(([name]) => name),
  ).toEqual([]);
  expect(schemas.length).toBeGreaterThan(20);
});

describe('the examples', () => {
  it('tell stories of operations and of nothing else', () => {
    const names = operations.map((each) => each.name);
    expect([...stories.keys()].filter((name) => !names.includes(name))).toEqual([]);
  });

  it.each(named)('show a request of %s that its schemas allow', (_, each) => {
    for (const { name, required, schema, example } of each.parameters!.filter(
      (parameter) => parameter.in !== 'header',
    )) {
      if (required || example !== undefined)
        expect(ajv.validate(schema, example), `${name}: ${example}`).toBe(true);
    }
    if (!each.requestBody) return;
    const { schema, example } = each.requestBody.content['application/json']!;
    const validate = validatorOf(schema);
    expect(validate(example), JSON.stringify(validate.errors)).toBe(true);
  });

  it.each(named)('show a request of %s that the operation reads', (name, each) => {
    const sent = Object.fromEntries(
      each
        .parameters!.filter(({ example }) => example !== undefined)
        .map((one) => [one.name, one.example]),
    );
    const body = each.requestBody?.content['application/json']?.example as object | undefined;
    expect(
      operationsByName.get(name)!.input.safeParse({ ...sent, ...body }).error?.issues,
    ).toBeUndefined();
  });

  it.each(named.filter(([name]) => !isPicture(name)))(
    'show an answer of %s that its schema allows',
    (_, each) => {
      const { schema, example } = successOf(each).content['application/json']!;
      const validate = validatorOf(schema);
      expect(validate(example), JSON.stringify(validate.errors)).toBe(true);
    },
  );

  it.each(named.filter(([name]) => operationsByName.get(name)!.concise))(
    'show an answer of %s whose concise form its schema allows, and not every object',
    (name, each) => {
      const { schema, example } = successOf(each).content['application/json']!;
      const validate = validatorOf(schema);
      const context = { zone: 'Europe/Paris' } as SummaryContext;
      expect(
        validate(operationsByName.get(name)!.concise!(example, context)),
        JSON.stringify(validate.errors),
      ).toBe(true);
      expect(validate({ other: 1 })).toBe(false);
    },
  );

  it('show errors that their schemas allow', () => {
    const refusals = documented.flatMap((each) =>
      Object.entries(each.responses).flatMap(([status, { content }]) => {
        const refusal = content['application/problem+json'];
        return refusal ? [[`${each.operationId} ${status}`, refusal] as const] : [];
      }),
    );
    for (const [name, { schema, example }] of refusals)
      expect(validatorOf(schema)(example), name).toBe(true);
    expect(refusals.length).toBeGreaterThan(operations.length * 5);
  });
});
