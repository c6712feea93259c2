import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod/v3';
import { entryOf } from '../../src/domain/items.ts';
import { handlersFor } from '../../src/mcp/request-handlers.ts';
import { toolFields } from '../../src/operation/arguments/tool-fields.ts';
import type { AnyOperation } from '../../src/operation/operation.ts';
import { argumentLocation, pathParameters } from '../../src/operation/operation-fields.ts';
import { isWrite } from '../../src/operation/operation-kind.ts';
import { conformResponse, ShapeError } from '../../src/remote/service/response-shape.ts';
import { innerSchema } from '../../src/schema/field.ts';
import { operations, toolsByName } from '../../tools/index.ts';
import { callsOfOperation, type FarmRows, UNKNOWN_UUID } from '../operation-calls.ts';
import { isDeepRun, propertyRuns } from '../property-runs.ts';
import { RemoteTools } from './remote-tools.ts';
import { sampleBody, type ValuePath, valuePaths, withoutPart, withPart } from './sample-body.ts';
import { jsonReaction, STUB_COMPANY } from './stub-service.ts';

const remote = new RemoteTools({});

const ROWS: FarmRows = {
  module: 1,
  parcel: 1,
  event: 1,
  parcelEvent: 1,
  schedule: 1,
  rain: 1,
  version: 1,
  marker: 'Marked',
  line: UNKNOWN_UUID,
  alert: UNKNOWN_UUID,
  notes: [UNKNOWN_UUID],
  depthMm: 9,
  moisture: 21,
  height: 12,
  imei: '35693803564380',
};

const validBody = ({ output }: Pick<AnyOperation, 'output'>): unknown =>
  sampleBody(output, { fixed: { next_cursor: null, timezone: 'Europe/Paris' } });

const wireOf = ({ name }: AnyOperation): Record<string, unknown> =>
  callsOfOperation(name).valid(ROWS, 0);

function toolArgumentsOf(operation: AnyOperation): Record<string, unknown> {
  const { byName } = toolFields(operation);
  const entries = Object.entries(wireOf(operation)).map(([name, value]): [string, unknown] => {
    const { argument, metadata } = entryOf(byName, name);
    const isReference = metadata.kind === 'module' || metadata.kind === 'parcel';
    return [argument, isReference ? `#${value}` : value];
  });
  return Object.fromEntries(entries);
}

function pathOf(operation: AnyOperation): string {
  const wire = wireOf(operation);
  const path = pathParameters(operation.endpoint).reduce(
    (text, name) => text.replace(`{${name}}`, String(wire[name])),
    operation.endpoint.path,
  );
  return `${operation.endpoint.method} /v1${path}`;
}

const documentOf = (listed: readonly AnyOperation[]) => {
  const paths: Record<string, Record<string, object>> = {};
  for (const { endpoint, input } of listed) {
    const parameters = Object.keys(input.shape).map((name) => ({
      name,
      in: argumentLocation(endpoint, name),
    }));
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: { parameters },
    };
  }
  return { openapi: '3.1.0', paths };
};

/** Everything that the service answers is valid, until a test changes it. */
function serveValidBodies(listed: readonly AnyOperation[] = operations): void {
  remote.stub.on('GET /v1/openapi.json', jsonReaction(documentOf(listed)));
  for (const each of listed)
    remote.stub.on(pathOf(each), jsonReaction(validBody(each), each.endpoint.status));
  remote.stub.on('GET /v1/company', jsonReaction(STUB_COMPANY));
}

interface Outcome {
  readonly code: string | undefined;
  readonly text: string;
  /** The errors that would have been logged as unexpected failures. */
  readonly unexpected: readonly unknown[];
}

async function callTool(operation: AnyOperation): Promise<Outcome> {
  const unexpected: unknown[] = [];
  const handlers = handlersFor(remote.runner, {
    report: async (error) => {
      unexpected.push(error);
      return 'reference';
    },
  });
  const tool = operation.tool?.name ?? operation.name;
  const result = await handlers.callTool(tool, toolArgumentsOf(operation), {
    askPerson: async () => null,
  });
  const error = result._meta?.['acequia/error'] as { code: string } | undefined;
  const texts = result.content.map((part) => (part.type === 'text' ? part.text : ''));
  return { code: error?.code, text: texts.join(' '), unexpected };
}

function answerWith(operation: AnyOperation, body: unknown): void {
  remote.stub.on(pathOf(operation), jsonReaction(body, operation.endpoint.status));
  // Its tool tries another operation first, which then knows no such row.
  const first = operations.find(({ tool }) => tool?.otherKind === operation);
  if (first !== undefined) remote.stub.on(pathOf(first), jsonReaction(NO_SUCH_EVENT, 404));
}

const NO_SUCH_EVENT = { code: 'EVENT_NOT_FOUND', message: 'There is none.' };

const callable = operations.filter((each) => toolsByName.has(each.tool?.name ?? each.name));
/** A picture is always composed here, of answers to other operations. */
const requested = callable.filter(
  (each) => each.render === undefined && each.page?.audience !== 'app-entry',
);
/** A deep run tries every operation. */
const named = (list: readonly AnyOperation[]) =>
  list.filter((_, index) => isDeepRun || index % 3 === 0).map((each) => [each.name, each] as const);

const OTHER_BODY = { waterings: 3, mood: 'good', list: [{ id: 1 }] };

describe('an answer that is something else', () => {
  it.each(named(requested))('is REMOTE_INVALID with the endpoint: %s', async (_, operation) => {
    serveValidBodies();
    expect(await callTool(operation)).toMatchObject({ code: undefined, unexpected: [] });
    const isNullable = operation.output.isNullable();
    const bodies = [
      isNullable ? 0 : null,
      [],
      'text',
      5,
      true,
      {},
      OTHER_BODY,
      '{"nested":"text"}',
    ];
    for (const body of bodies) {
      answerWith(operation, body);
      const { code, text, unexpected } = await callTool(operation);
      expect([code, unexpected], JSON.stringify(body)).toEqual(['REMOTE_INVALID', []]);
      expect(text).toContain(
        `${operation.endpoint.method} ${operation.endpoint.path} (${operation.name})`,
      );
      if (isWrite(operation))
        expect(text).toContain('it may have been written: look before you repeat it');
      expect(text).not.toContain('Nothing was written');
    }
  });

  it('is the body of a company where that of an undone change is expected', async () => {
    serveValidBodies();
    const undo = operations.find(({ name }) => name === 'undo')!;
    answerWith(undo, STUB_COMPANY);
    expect(await callTool(undo)).toMatchObject({ code: 'REMOTE_INVALID', unexpected: [] });
  });
});

/** The path at which the answer is refused; null if it is passed on. */
function refusedAt(schema: z.ZodTypeAny, body: unknown): string | null {
  try {
    conformResponse(schema, body);
    return null;
  } catch (error) {
    if (error instanceof ShapeError) return error.path;
    throw error;
  }
}

const isRecord = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const hasOptionalFieldsAlone = (schema: z.ZodTypeAny): boolean => {
  const inner = innerSchema(schema);
  const fields = inner instanceof z.ZodObject ? Object.values<z.ZodTypeAny>(inner.shape) : null;
  return fields?.every((each) => each.isOptional() || each.isNullable()) ?? false;
};

describe('each part of an answer', () => {
  it.each(named(operations))('of another type is refused: %s', (_, operation) => {
    const body = validBody(operation);
    for (const { path, schema } of valuePaths(operation.output)) {
      const accepted = [
        ...(schema.isNullable() ? [null] : []),
        ...(schema.isOptional() ? [undefined] : []),
      ];
      for (const other of [null, 5.5, true, 'text', [5.5], { a: 5.5 }]) {
        if (accepted.includes(other as null) || schema.safeParse(other).success) continue;
        // An object without required fields may have unknown ones alone.
        if (isRecord(other) && hasOptionalFieldsAlone(schema)) continue;
        const changed = withPart(body, path, other);
        const error = refusedAt(operation.output, changed);
        // A code that is unknown here is passed on, and named in the summary.
        if (error === null)
          expect(conformResponse(operation.output, changed).mismatches).toEqual([path.join('.')]);
        else
          expect(path.join('.').startsWith(error) || error.startsWith(path.join('.'))).toBe(true);
      }
    }
  });

  it.each(named(operations))(
    'that is missing is refused, or named as missing: %s',
    (_, operation) => {
      const body = validBody(operation);
      for (const { path, isRequired } of valuePaths(operation.output)) {
        if (!isRequired || path.length === 0 || typeof path.at(-1) === 'number') continue;
        const shorter = withoutPart(body, path);
        if (refusedAt(operation.output, shorter) !== null) continue;
        expect(conformResponse(operation.output, shorter).mismatches).toEqual([path.join('.')]);
      }
    },
  );
});

const VALUES = [
  null,
  [],
  {},
  '',
  'text',
  0,
  -1,
  1e308,
  true,
  '+275760-09-13T00:00:00.000Z',
  '0000-01-01',
  'x'.repeat(5_000),
];

/** One part of the body has another value, or is missing. */
const changedBody = ({ output }: AnyOperation): fc.Arbitrary<unknown> => {
  const body = validBody({ output });
  const paths: readonly ValuePath[] = valuePaths(output);
  return fc
    .tuple(fc.constantFrom(...paths), fc.constantFrom<unknown>(undefined, ...VALUES))
    .map(([{ path }, value]) =>
      value === undefined ? withoutPart(body, path) : withPart(body, path, value),
    );
};

describe('a call of a tool', () => {
  it('never fails unexpectedly whatever one part of the answer is', async () => {
    serveValidBodies();
    const operationAndBody = fc
      .constantFrom(...requested)
      .chain((operation) => changedBody(operation).map((body) => [operation, body] as const));
    const property = fc.asyncProperty(operationAndBody, async ([operation, body]) => {
      answerWith(operation, body);
      const { code, unexpected } = await callTool(operation);
      answerWith(operation, validBody(operation));
      expect([code ?? 'REMOTE_INVALID', unexpected]).toEqual(['REMOTE_INVALID', []]);
    });
    await fc.assert(property, { numRuns: propertyRuns(1_000) });
  });

  it('never fails unexpectedly whatever one part of the answers is that it is composed of', async () => {
    const single = operations.filter(({ facts }) => !facts);
    const composed = callable.filter(({ facts }) => facts);
    const parts = single.filter(({ effect }) => effect === 'read');
    const calls = fc
      .tuple(fc.constantFrom(...composed), fc.constantFrom(...parts))
      .chain(([operation, part]) =>
        changedBody(part).map((body) => [operation, part, body] as const),
      );
    const property = fc.asyncProperty(calls, async ([operation, part, body]) => {
      remote.connect();
      serveValidBodies(single);
      answerWith(part, body);
      const { code, unexpected } = await callTool(operation);
      expect([code ?? 'REMOTE_INVALID', unexpected]).toEqual(['REMOTE_INVALID', []]);
    });
    await fc.assert(property, { numRuns: propertyRuns(100) });
  });
});

describe('a text of a service', () => {
  const getCompany = operations.find(({ name }) => name === 'get_company')!;
  const listModules = operations.find(({ name }) => name === 'list_modules')!;
  const LONG = 'x'.repeat(7_000_000);

  it('of seven megabytes is cut to its documented length before a model reads it', async () => {
    serveValidBodies();
    answerWith(getCompany, { ...STUB_COMPANY, name: LONG, city: LONG.slice(0, 90_000) });
    const { body } = await remote.call('get_company');
    expect(body).toMatchObject({ name: 'x'.repeat(200), city: 'x'.repeat(2_000) });
  });

  it('is cut in the list of names, too', async () => {
    serveValidBodies();
    const [row] = (validBody(listModules) as { data: object[] }).data;
    answerWith(listModules, { data: [{ ...row, name: LONG }], next_cursor: null });
    const names = await (await remote.runner.directory()).modules();
    expect(names.map(({ name }) => name)).toEqual(['x'.repeat(200)]);
  });

  it.each(named(operations))('is cut wherever it is: %s', (_, { output }) => {
    for (const { path, schema } of valuePaths(output)) {
      const changed = withPart(validBody({ output }), path, LONG);
      if (!schema.safeParse(LONG.slice(0, 2_000)).success || refusedAt(output, changed) !== null)
        continue;
      expect(JSON.stringify(conformResponse(output, changed).body).length).toBeLessThan(100_000);
    }
  });

  it('in values of open form is cut, and so are their names', () => {
    const undo = operations.find(({ name }) => name === 'undo')!;
    const body = validBody(undo);
    const rows = [
      { kind: 'watering', id: '1', before: null, after: { note: LONG, [LONG]: [LONG] } },
    ];
    const { body: read } = conformResponse(
      undo.output,
      withPart(body, ['undone', 'effects', 'rows'], rows),
    );
    expect(JSON.stringify(read).length).toBeLessThan(10_000);
  });

  it('of too many levels is refused', () => {
    const undo = operations.find(({ name }) => name === 'undo')!;
    const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`);
    const rows = [{ kind: 'watering', id: '1', before: null, after: { note: deep } }];
    expect(
      refusedAt(undo.output, withPart(validBody(undo), ['undone', 'effects', 'rows'], rows)),
    ).toMatch(/rows/);
  });
});
