import { beforeAll, describe, expect, it } from 'vitest';
import { toolFields } from '../../src/operation/arguments/tool-fields.ts';
import type { AnyOperation } from '../../src/operation/operation.ts';
import type { ProblemJson } from '../../src/schema/error.ts';
import { operationsByName } from '../../tools/index.ts';
import { importBaseFarm } from '../base-farm.ts';
import { importReadingsCsv } from '../imported-data.ts';
import type { FarmRows, WireFields } from '../operation-calls.ts';
import { isDeepRun } from '../property-runs.ts';
import { CLOCK } from './program.ts';
import { createTestKey } from './rest-service.ts';
import { type KnownRows, PARITY_CALLS, type ParityCall } from './surface-parity-calls.ts';
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
} from './test-surfaces.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const HORIZON_MS = 90 * 86_400_000;
const LONGEST_RUN_MS = 600_000;

/** A deep run asks every surface. */
const COMPARED: readonly TestSurface[] = isDeepRun ? TEST_SURFACES : ['stdio', 'REST'];

const nameOf = ({ operation, what }: ParityCall): string => `${operation}, ${what}`;

const results = new Map<string, Readonly<Partial<Record<TestSurface, CallResult>>>>();

const resultOf = (call: string, surface: TestSurface): CallResult => {
  const result = results.get(call)?.[surface];
  if (!result) throw new Error(`${surface} was not asked for ${call}`);
  return result;
};

/** None is a whole number of minutes old. */
const READINGS = [
  'module,type,depth,time,value',
  ...Array.from({ length: 48 }, (_, hour) => {
    const time = new Date(Date.parse(CLOCK) - hour * 3_600_000 - 1_000).toISOString();
    return [10, 20, 30]
      .map((depth) => `North 1,humidity,${depth},${time},${20 + depth / 10 + hour / 24}`)
      .join('\n');
  }),
].join('\n');

async function createFirst(
  surface: SurfaceClient,
  name: string,
  wire: WireFields,
): Promise<CallResult['body']> {
  const { body, refusal } = await surface.call(operationsByName.get(name)!, wire);
  if (refusal) throw new Error(`${name}: ${refusal.message}`);
  return body;
}

async function fillFirstStore(db: string): Promise<FarmRows> {
  const surface = await stdioSurface(['--db', db]);
  try {
    const watering = {
      startedAt: '2026-06-28T06:00',
      inputMode: 'duration',
      durationMin: 40,
    };
    const { event } = await createFirst(surface, 'log_watering', {
      ...watering,
      moduleId: 1,
      note: 'Valve 3',
    });
    const schedule = await createFirst(surface, 'create_schedule', {
      targetModuleId: 2,
      freq: 'weekly',
      weekdays: [1],
      startTimes: ['05:30'],
      timezone: 'Europe/Paris',
      startsOn: '2026-07-01',
      inputMode: 'duration',
      durationMin: 30,
    });
    const { parcel: fallow } = await createFirst(surface, 'set_parcel', { name: 'Fallow' });
    const { ofParcel } = await createFirst(surface, 'log_parcel_watering', {
      ...watering,
      parcelId: fallow.id,
    });
    const { rain } = await createFirst(surface, 'log_rain', { mm: 8, when: '2026-06-27' });
    const at = Date.parse('2026-06-15T00:00:00Z');
    const style = { fill: 'threshold2' };
    const line = await createFirst(surface, 'create_annotation', {
      moduleId: 1,
      type: 'h-line',
      p1: [at, 14],
      style,
    });
    const text = { moduleId: 1, type: 'text', p1: [at, 30], text: 'Pluie' };
    const note = await createFirst(surface, 'create_annotation', text);
    const [alert] = (await createFirst(surface, 'list_alerts', {})).data;
    return {
      module: 1,
      parcel: 1,
      event: event.id,
      parcelEvent: ofParcel.event.id,
      schedule: schedule.id,
      rain: rain.id,
      version: 1,
      line: line.id,
      alert: alert.id,
      notes: [note.id],
      marker: 'North',
      depthMm: 12.5,
      moisture: 25,
      height: 16.5,
      imei: '35693803564380',
    };
  } finally {
    await surface.close();
  }
}

beforeAll(async () => {
  const first = await storeForFile();
  await importBaseFarm(first);
  await importReadingsCsv(first, READINGS);
  const rows = await fillFirstStore(first);
  const { key } = await createTestKey(first);
  const { key: assistantsKey } = await createTestKey(first, '--surface', 'mcp');
  const connect: Record<TestSurface, (db: string) => Promise<CallOperation>> = {
    stdio: async (db) => toolCaller(await stdioSurface(['--db', db])),
    REST: async (db) => restSurface(await serveStore(db), key),
    remote: async (db) =>
      toolCaller(
        await stdioSurface(['--remote', await serveStore(db)], { ACEQUIA_API_KEY: assistantsKey }),
      ),
    posted: async (db) => toolCaller(await mcpHttpSurface(await serveStore(db), key)),
  };
  const asked = await Promise.all(
    COMPARED.map(async (surface) => {
      const ask = await connect[surface](await storeForFile(first));
      return { surface, ask };
    }),
  );

  for (const each of PARITY_CALLS) {
    const operation = operationsByName.get(each.operation)!;
    const answers = await Promise.all(
      asked.map(
        async ({ surface, ask }) =>
          [surface, await ask(operation, each.argumentsFor(knownTo(surface, rows)))] as const,
      ),
    );
    results.set(nameOf(each), Object.fromEntries(answers));
  }
});

/** The client checks each result against the output schema of its tool once it has the list. */
async function toolCaller({ client, call }: SurfaceClient): Promise<CallOperation> {
  await client.listTools();
  return call;
}

const knownTo = (surface: TestSurface, rows: FarmRows): KnownRows => ({
  ...rows,
  cursorOf: (call) => resultOf(call, surface).body.next_cursor,
  idFrom: (call) => resultOf(call, surface).body.id,
});

const LINK = /\/sign-in#acequia_link_[\w-]{43}$/;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

const idsBySurface: Record<TestSurface, Map<string, string>> = Object.fromEntries(
  TEST_SURFACES.map((surface) => [surface, new Map<string, string>()]),
) as Record<TestSurface, Map<string, string>>;

/** Replaces what differs between runs: the source, instants of writing and random ids. */
function comparable(body: unknown, surface: TestSurface): unknown {
  const labels = idsBySurface[surface];
  return JSON.parse(JSON.stringify(body ?? null), (key, value) => {
    if (typeof value !== 'string') return value;
    // A change lists it only if both doses were not computed in the same millisecond.
    if (key === 'doseComputedAt') return undefined;
    if ((key === 'source' || key === 'surface') && (value === 'api' || value === 'mcp'))
      return '(by its surface)';
    if (LINK.test(value)) return '(a link)';
    if (INSTANT.test(value)) return withoutTime(value);
    if (UUID.test(value) && !labels.has(value)) labels.set(value, `(${labels.size}. id)`);
    return labels.get(value) ?? value;
  });
}

function withoutTime(instant: string): string {
  const since = Date.parse(instant) - Date.parse(CLOCK);
  const isRunningOn = (fromMs: number) => since >= fromMs && since < fromMs + LONGEST_RUN_MS;
  if (isRunningOn(0)) return '(now)';
  if (isRunningOn(HOUR_MS)) return '(in an hour)';
  if (isRunningOn(DAY_MS)) return '(in a day)';
  if (isRunningOn(WEEK_MS)) return '(in a week)';
  return isRunningOn(HORIZON_MS) ? '(the horizon)' : instant;
}

/** REST names a probe moduleId, a tool module. */
const refusalFields = (operation: AnyOperation, { refusal }: CallResult) =>
  refusal && {
    code: refusal.code,
    status: refusal.status,
    field: refusal.field === undefined ? undefined : argumentOf(operation, refusal.field),
  };

/** An error may also name a header. */
const argumentOf = (operation: AnyOperation, field: string): string =>
  toolFields(operation).byName.get(field)?.argument ?? field;

function expectReadableRefusal({ code, message, hint = '', status }: ProblemJson): void {
  const text = `${code}: ${message} ${hint}`;
  expect(message).toMatch(/^\S.{8,}[.]$/s);
  expect(hint).toMatch(/^[A-Z"].{8,}[.)]$/s);
  expect(text).not.toMatch(/\n|undefined|NaN|\[object|Zod| at .*:\d+|SQLITE|Error:/);
  expect(text.length).toBeLessThan(600);
  expect(Math.floor(status / 100)).toBe(4);
}

describe(`the same call by ${COMPARED.join(', ')}`, () => {
  it.each(PARITY_CALLS.map((each) => [nameOf(each), each] as const))(
    'has the same answer: %s',
    (name, { operation: operationName, refusedWith }) => {
      const operation = operationsByName.get(operationName)!;
      const stdio = resultOf(name, 'stdio');
      expect(stdio.refusal?.code, stdio.text).toBe(refusedWith);
      if (stdio.refusal) expectReadableRefusal(stdio.refusal);
      const body = comparable(stdio.body, 'stdio');
      for (const surface of COMPARED.slice(1)) {
        const other = resultOf(name, surface);
        expect(refusalFields(operation, other), other.text).toEqual(
          refusalFields(operation, stdio),
        );
        expect(comparable(other.body, surface), surface).toEqual(body);
      }
    },
  );

  it('names the argument of an error as its surface does', () => {
    for (const each of PARITY_CALLS) {
      const field = resultOf(nameOf(each), 'REST').refusal?.field;
      if (field === undefined) continue;
      const operation = operationsByName.get(each.operation)!;
      const fields = Object.keys(operation.input.shape);
      expect(
        fields.filter((name) => name !== field && argumentOf(operation, name) === field),
        nameOf(each),
      ).toEqual([]);
      for (const surface of COMPARED.filter((name) => name !== 'REST'))
        expect(resultOf(nameOf(each), surface).refusal?.field, nameOf(each)).toBe(
          argumentOf(operation, field),
        );
    }
  });

  it('stores the source of its surface', () => {
    for (const surface of COMPARED)
      expect(resultOf('log_watering, valid', surface).body.event.source, surface).toBe(
        surface === 'REST' ? 'api' : 'mcp',
      );
  });
});
