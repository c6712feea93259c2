import { beforeAll, describe, expect, it } from 'vitest';
import { toolArgumentName } from '../../src/operation/input-fields.ts';
import type { AnyOperation } from '../../src/operation/operation.ts';
import { tools as operations, operationsByName } from '../../tools/index.ts';
import { importBaseFarm } from '../base-farm.ts';
import { importReadingsCsv } from '../imported-data.ts';
import { CLOCK } from './program.ts';
import { createTestKey } from './rest-service.ts';
import { type KnownIds, PARITY_CALLS, type ParityCall } from './surface-parity-calls.ts';
import {
  type CallOperation,
  type CallResult,
  mcpHttpSurface,
  restSurface,
  type SurfaceClient,
  serveStore,
  stdioSurface,
  storeForFile,
  TEST_SURFACES,
  type TestSurface,
  type WireFields,
} from './test-surfaces.ts';

const WEEK_MS = 7 * 86_400_000;
const HORIZON_MS = 90 * 86_400_000;
/** No run of this file takes as long, in ms. */
const LONGEST_RUN_MS = 600_000;

const nameOf = ({ operation, what }: ParityCall): string => `${operation}, ${what}`;

/** What each way answered to each call. */
const results = new Map<string, Record<TestSurface, CallResult>>();

/** Two days of readings of "North 1", by the hour; none is a whole number of minutes old. */
const READINGS = [
  'module,type,depth,time,value',
  ...Array.from({ length: 48 }, (_, hour) => {
    const time = new Date(Date.parse(CLOCK) - hour * 3_600_000 - 1_000).toISOString();
    return [10, 20, 30].map((depth) => `North 1,humidity,${depth},${time},${20 + depth / 10 + hour / 24}`).join('\n');
  }),
].join('\n');

async function createFirst(way: SurfaceClient, name: string, wire: WireFields): Promise<CallResult['body']> {
  const { body, refusal } = await way.call(operationsByName.get(name)!, wire);
  if (refusal) throw new Error(`${name}: ${refusal.message}`);
  return body;
}

type FirstIds = Pick<KnownIds, 'line' | 'note' | 'alert'>;

/** The books that all ways begin with: a watering, a schedule, and two drawings, one of which has an alert. */
async function fillFirstStore(db: string): Promise<FirstIds> {
  const way = await stdioSurface(['--db', db]);
  try {
    const startedAt = '2026-06-28T06:00';
    await createFirst(way, 'log_watering', {
      moduleId: 1,
      startedAt,
      inputMode: 'duration',
      durationMin: 40,
      note: 'Valve 3',
    });
    await createFirst(way, 'create_schedule', {
      ...{ targetModuleId: 2, freq: 'weekly', weekdays: [1], startTimes: ['05:30'], timezone: 'Europe/Paris' },
      ...{ startsOn: '2026-07-01', inputMode: 'duration', durationMin: 30 },
    });
    const at = Date.parse('2026-06-15T00:00:00Z');
    const style = { fill: 'threshold2' };
    const line = await createFirst(way, 'create_annotation', { moduleId: 1, type: 'h-line', p1: [at, 14], style });
    const note = await createFirst(way, 'create_annotation', {
      moduleId: 1,
      type: 'text',
      p1: [at, 30],
      text: 'Pluie',
    });
    const [alert] = (await createFirst(way, 'list_alerts', {})).data;
    return { line: line.id, note: note.id, alert: alert.id };
  } finally {
    await way.close();
  }
}

beforeAll(async () => {
  const first = await storeForFile();
  await importBaseFarm(first);
  await importReadingsCsv(first, READINGS);
  const drawn = await fillFirstStore(first);
  const { key } = await createTestKey(first);
  const { key: assistantsKey } = await createTestKey(first, '--surface', 'mcp');
  const copies = new Map<TestSurface, string>();
  for (const way of TEST_SURFACES) copies.set(way, await storeForFile(first));
  const dbOf = (way: TestSurface) => copies.get(way)!;

  const [rest, far, posting, near] = await Promise.all([
    serveStore(dbOf('REST')),
    serveStore(dbOf('remote')),
    serveStore(dbOf('posted')),
    stdioSurface(['--db', dbOf('stdio')]),
  ]);
  const remote = await stdioSurface(['--remote', far], { ACEQUIA_API_KEY: assistantsKey });
  const posted = await mcpHttpSurface(posting, key);
  const asks: Record<TestSurface, CallOperation> = {
    stdio: near.call,
    REST: restSurface(rest, key),
    remote: remote.call,
    posted: posted.call,
  };

  for (const each of PARITY_CALLS) {
    const described = operationsByName.get(each.operation)!;
    const answers = await Promise.all(
      TEST_SURFACES.map(
        async (way) => [way, await asks[way](described, each.argumentsFor(knownTo(way, drawn)))] as const,
      ),
    );
    results.set(nameOf(each), Object.fromEntries(answers) as Record<TestSurface, CallResult>);
  }
});

const knownTo = (way: TestSurface, drawn: FirstIds): KnownIds => ({
  ...drawn,
  cursorOf: (list) => results.get(`${list}, a first page`)![way].body.next_cursor,
  idFrom: (call) => results.get(call)![way].body.id,
});

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Drawings and alerts that a way made, in the order in which it told of them. */
const idsBySurface: Record<TestSurface, Map<string, string>> = Object.fromEntries(
  TEST_SURFACES.map((way) => [way, new Map<string, string>()]),
) as Record<TestSurface, Map<string, string>>;

/** A body without what no two runs share: the source, instants of writing, and ids that are drawn by lot. */
function comparable(body: unknown, way: TestSurface): unknown {
  const made = idsBySurface[way];
  return JSON.parse(JSON.stringify(body ?? null), (key, value) => {
    if (typeof value !== 'string') return value;
    if (key === 'source' && (value === 'api' || value === 'mcp')) return '(by its way)';
    if (INSTANT.test(value)) return withoutTime(value);
    if (UUID.test(value) && !made.has(value)) made.set(value, `(${made.size}. id)`);
    return made.get(value) ?? value;
  });
}

function withoutTime(instant: string): string {
  const since = Date.parse(instant) - Date.parse(CLOCK);
  const isRunningOn = (fromMs: number) => since >= fromMs && since < fromMs + LONGEST_RUN_MS;
  if (isRunningOn(0)) return '(now)';
  if (isRunningOn(WEEK_MS)) return '(in a week)';
  return isRunningOn(HORIZON_MS) ? '(the horizon)' : instant;
}

/** A refusal as any way tells it: REST calls a probe moduleId, a tool module. */
const refusalFields = (operation: AnyOperation, { refusal }: CallResult) =>
  refusal && {
    code: refusal.code,
    status: refusal.status,
    field: refusal.field === undefined ? undefined : toolArgumentName(operation, refusal.field),
  };

describe('the same call on the store, over HTTP, through a remote service and as a tool over HTTP', () => {
  it('is made for every operation there is, answered and refused', () => {
    const lacking = operations.flatMap(({ name }) => {
      const own = PARITY_CALLS.filter(({ operation }) => operation === name);
      const succeeds = own.some(({ refusedWith }) => !refusedWith);
      return succeeds && own.some(({ refusedWith }) => refusedWith) ? [] : [name];
    });
    expect(lacking, 'operations that want a success and a refusal in three-ways-calls.ts').toEqual([]);
  });

  it.each(PARITY_CALLS.map((each) => [nameOf(each), each] as const))(
    'is answered alike: %s',
    (name, { operation: operationName, refusedWith }) => {
      const operation = operationsByName.get(operationName)!;
      const { stdio, ...others } = results.get(name)!;
      expect(stdio.refusal?.code, stdio.text).toBe(refusedWith);
      const body = comparable(stdio.body, 'stdio');
      for (const [way, other] of Object.entries(others)) {
        expect(refusalFields(operation, other), other.text).toEqual(refusalFields(operation, stdio));
        expect(comparable(other.body, way as TestSurface), way).toEqual(body);
      }
    },
  );

  it('names in a refusal the argument as its way calls it', () => {
    for (const each of PARITY_CALLS) {
      const { REST, ...tools } = results.get(nameOf(each))!;
      const field = REST.refusal?.field;
      if (field === undefined) continue;
      const operation = operationsByName.get(each.operation)!;
      const fields = Object.keys(operation.input.shape);
      expect(
        fields.filter((name) => name !== field && toolArgumentName(operation, name) === field),
        nameOf(each),
      ).toEqual([]);
      expect(
        Object.values(tools).map(({ refusal }) => refusal!.field),
        nameOf(each),
      ).toEqual(Array(3).fill(toolArgumentName(operation, field)));
    }
  });

  it('carries the source of the way it came by', () => {
    const logged = results.get('log_watering, with minutes, by the company’s clock')!;
    expect(TEST_SURFACES.map((way) => logged[way].body.event.source)).toEqual(['mcp', 'api', 'mcp', 'mcp']);
  });
});
