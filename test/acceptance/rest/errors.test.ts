import { STATUS_CODES } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { inputFields, pathParameters } from '../../../src/operation/operation-fields.ts';
import { operations, operationsByName } from '../../../tools/index.ts';
import { callsOfOperation, type WireFields } from '../../operation-calls.ts';
import { expectRecorded } from '../../recorded/recording.ts';
import { connectOverHttp, mcpUrl } from '../mcp/http/mcp-http-client.ts';
import type { Json } from '../program.ts';
import {
  type ErrorsFarm,
  errorCases,
  errorPairs,
  saidByTools,
  serveErrorsFarm,
} from './errors-farm.ts';
import {
  ERROR_ENDPOINTS,
  ERROR_ROWS,
  FOREIGN_MODULE,
  FOREIGN_PARCEL,
  ROWS,
  UNKNOWN,
} from './errors-table.ts';

let farm: ErrorsFarm;
beforeAll(async () => {
  farm = await serveErrorsFarm();
});

const request: ErrorsFarm['request'] = (...args) => farm.request(...args);
const validRequest = (endpoint: string): WireFields => farm.validRequest(endpoint);

/** But not the path of an endpoint, such as /ingest. */
const TOOL_NAME = new RegExp(`(?<!/)\\b(${operations.map(({ name }) => name).join('|')})\\b(?!:)`);

async function problemOf(answer: Response): Promise<Json> {
  const text = await answer.text();
  expect(answer.headers.get('content-type'), text).toBe('application/problem+json');
  const problem = JSON.parse(text);
  const { field: _, ...always } = problem;
  expect(always).toEqual({
    type: 'about:blank',
    title: STATUS_CODES[answer.status],
    status: answer.status,
    detail: expect.stringMatching(/^\S.*\.$/),
    code: expect.stringMatching(/^\w+$/),
    hint: expect.stringMatching(/^\S.*\.$/),
  });
  expect(`${problem.detail} ${problem.hint}`).not.toMatch(TOOL_NAME);
  expect(text).not.toMatch(/\bat \S+ \(|\.[tj]s:\d|node_modules|SQLITE|ZodError/);
  return problem;
}

describe('the errors of the specification, over HTTP', () => {
  it('are all in the table: 82 codes in 21 rows', () => {
    // Counted row by row in "Errors" of the spec; a row that refers to another includes its codes.
    expect(ERROR_ROWS.map(({ codes }) => Object.keys(codes).length)).toEqual([
      10, 9, 1, 1, 12, 11, 1, 19, 1, 1, 4, 1, 1, 1, 1, 1, 1, 2, 2, 1, 1,
    ]);
    expect(errorPairs).toHaveLength(82);
  });

  it('are those of existing operations', () => {
    expect(
      Object.values(ERROR_ENDPOINTS).filter(({ operation }) => !operationsByName.has(operation)),
    ).toEqual([]);
    expect(new Set(errorPairs.map(({ endpoint }) => endpoint))).toEqual(
      new Set(Object.keys(ERROR_ENDPOINTS)),
    );
  });

  it('can all occur, except the ends of waterings in a schedule', () => {
    const never = errorPairs
      .filter(({ how }) => 'reason' in how)
      .map(({ endpoint, code }) => `${endpoint} ${code}`);
    expect(never).toEqual(['POST schedule INVALID_ENDED_AT', 'POST schedule ENDED_BEFORE_STARTED']);
  });

  it('include a module of another company', async () => {
    const answer = await request('get_module', { moduleId: FOREIGN_MODULE });
    expect(await problemOf(answer)).toMatchObject({ status: 403, code: 'forbidden_resource' });
  });

  it.each(errorCases)('%s', async (_, endpoint, status, code, { change, quotes, holder }) => {
    const answer = await request(
      ERROR_ENDPOINTS[endpoint]!.operation,
      { ...validRequest(endpoint), ...change },
      holder,
    );
    expect(answer.status).toBe(status);
    const problem = await problemOf(answer);
    expect(problem.code).toBe(code);
    if (quotes !== null) expect(problem.detail).toContain(quotes);
    if (status === 400 && code !== 'THRESHOLD_REQUIRES_VWC' && quotes !== null)
      expect(Object.keys(change), problem.detail).toContain(problem.field);
  });

  it.each(['2026-07-02T06:30', '2026-07-01T05:00'])(
    'do not include an end in a schedule: endedAt %s is an unknown field',
    async (endedAt) => {
      const answer = await request('create_schedule', {
        ...validRequest('POST schedule'),
        endedAt,
      });
      expect(await problemOf(answer)).toMatchObject({
        status: 400,
        code: 'invalid_body',
        field: 'endedAt',
      });
    },
  );

  it('are problems for unknown paths and methods, too', async () => {
    const response = await fetch(`${farm.base}/nowhere`, {
      headers: { 'x-api-key': farm.keys.owner },
    });
    expect(await problemOf(response)).toMatchObject({ status: 404, code: 'not_found' });
    const company = operations.find(({ endpoint }) => endpoint.path === '/company')!;
    const wrong = await fetch(`${farm.base}${company.endpoint.path}`, { method: 'DELETE' });
    expect(await problemOf(wrong)).toMatchObject({ status: 405, code: 'method_not_allowed' });
  });
});

const places = operations.flatMap((operation) =>
  [...inputFields(operation).values()].flatMap(
    ({ name, metadata }): [tool: string, name: string, unknownCode: string | null][] => {
      const { kind, unknownCode } = metadata;
      return kind === 'module' || kind === 'parcel' ? [[operation.name, name, unknownCode]] : [];
    },
  ),
);

describe('a module or parcel that is not of the company', () => {
  it('is MODULE_NOT_OWNED only where the specification says so, and where what it says is previewed', () => {
    expect(
      places.filter(([, , code]) => code === 'MODULE_NOT_OWNED').map(([name]) => name),
    ).toEqual([
      ...['log_watering', 'create_schedule', 'set_module_installation', 'preview_watering'],
    ]);
  });

  it.each(places)(
    '%s, %s: has the code of the specification, else 403 or 404',
    async (tool, name, unknownCode) => {
      const others = Object.fromEntries(
        places.filter(([each]) => each === tool).map(([, other]) => [other, undefined]),
      );
      const inPath = pathParameters(operationsByName.get(tool)!.endpoint);
      const valid = callsOfOperation(tool).valid(ROWS, 0);
      const refusalOf = async (id: number) => {
        const kept = Object.entries(valid).filter(
          ([each]) => inPath.includes(each) || !Object.hasOwn(others, each),
        );
        const { status, code } = await problemOf(
          await request(tool, { ...Object.fromEntries(kept), [name]: id }),
        );
        return [status, code];
      };
      const foreign = name.toLowerCase().endsWith('parcelid') ? FOREIGN_PARCEL : FOREIGN_MODULE;
      if (unknownCode === 'MODULE_NOT_OWNED') {
        expect(await refusalOf(UNKNOWN)).toEqual([400, unknownCode]);
        expect(await refusalOf(foreign)).toEqual([400, unknownCode]);
      } else {
        expect(await refusalOf(UNKNOWN)).toEqual([404, unknownCode ?? 'not_found']);
        expect(await refusalOf(foreign)).toEqual([403, 'forbidden_resource']);
      }
    },
  );
});

describe('a hint over REST', () => {
  it('names the endpoint that lists what exists', async () => {
    const { detail, hint } = await problemOf(await request('get_module', { moduleId: UNKNOWN }));
    expect(`${detail} ${hint}`).toBe(
      'There is no such module (#99). See GET /modules for names and ids.',
    );
  });

  it.each([
    ['log_watering', 'idempotencyKey', 'Send it in the header Idempotency-Key.'],
    ['log_watering', 'idempotency_key', 'Send it in the header Idempotency-Key.'],
    ['delete_annotation', 'Idempotency-Key', 'Send it in the header Idempotency-Key.'],
    ['log_watering', 'key', /^It takes startedAt, /],
    ['ingest', 'timezon', /^It takes readings, .*timezone/],
  ])('on %s says where %s goes', async (tool, name, hint) => {
    const answer = await request(tool, { ...callsOfOperation(tool).valid(ROWS, 0), [name]: 'a' });
    const problem = await problemOf(answer);
    expect(problem).toMatchObject({ status: 400, field: name });
    expect(problem.hint).toEqual(hint instanceof RegExp ? expect.stringMatching(hint) : hint);
    const { endpoint } = operationsByName.get(tool)!;
    expect(problem.detail).toContain(`of ${endpoint.method} ${endpoint.path}.`);
  });
});

describe('what the errors say', () => {
  it('comes with its parts for clients that request them, and is otherwise the same', async () => {
    const problemFor = async (headers: Record<string, string>): Promise<Json> => {
      const path = `${farm.base}/modules/${UNKNOWN}`;
      return (await fetch(path, { headers: { ...headers, 'x-api-key': farm.keys.owner } })).json();
    };
    const { texts, ...problem } = await problemFor({ 'acequia-error-texts': '1' });
    expect(problem).toEqual(await problemFor({}));
    expect(texts.hint.parts).toContainEqual({ kind: 'operation', tool: 'list_modules' });
  });

  it('over REST is what was recorded', async () => {
    const said: Record<string, Json> = {};
    for (const [name, endpoint, , , { change, holder }] of errorCases) {
      const { operation } = ERROR_ENDPOINTS[endpoint]!;
      const answer = await request(operation, { ...validRequest(endpoint), ...change }, holder);
      said[`REST, ${name}`] = await answer.json();
    }
    await expectRecorded('errors', said, 'REST, ');
  });

  it('as tools is what was recorded', async () => {
    const said = await saidByTools(farm, 'MCP', (key) =>
      connectOverHttp(mcpUrl(farm.base), { 'x-api-key': key }),
    );
    await expectRecorded('errors', said, 'MCP, ');
  });
});
