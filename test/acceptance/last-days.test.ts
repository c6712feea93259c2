import { beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod/v3';
import { fieldMetadata } from '../../src/schema/field.ts';
import { operations, operationsByName } from '../../tools/index.ts';
import { baseFarmForFile } from '../base-farm.ts';
import { importReadingsCsv } from '../imported-data.ts';
import type { WireFields } from '../operation-calls.ts';
import { CLOCK } from './program.ts';
import { createTestKey } from './rest-service.ts';
import {
  type CallOperation,
  remoteToolSurface,
  restSurface,
  serveStore,
  toolSurface,
} from './test-surfaces.ts';

const HOUR_MS = 3_600_000;
const SURFACES = ['the tools', 'REST', 'remote'] as const;

/** Each hour of the last three days, so that every day has its own. */
const READINGS = [
  'module,type,depth,time,value',
  ...Array.from({ length: 72 }, (_, hour) => {
    const time = new Date(Date.parse(CLOCK) - hour * HOUR_MS).toISOString();
    return `North 1,humidity,10,${time},${20 + (hour % 7)}`;
  }),
].join('\n');

/** 22:00 of 30 June in Paris. */
const LATE = '2026-06-30T20:00:00Z';
const WATERING = { moduleId: 1, startedAt: LATE, inputMode: 'duration', durationMin: 40 };

/** The operations that take a period, with the names of its bounds and their other arguments. */
const PERIODS: Record<string, readonly [start: string, end: string, others: WireFields]> = {
  get_moisture_series: ['start', 'end', { moduleId: 1 }],
  chart_moisture: ['start', 'end', { moduleId: 1 }],
  review_waterings: ['start', 'end', { moduleId: 1 }],
  backtest_alert: ['start', 'end', { moduleId: 1, threshold: 22 }],
  list_waterings: ['from', 'to', {}],
  list_rain: ['from', 'to', {}],
  list_changes: ['from', 'to', {}],
};

const callOn = new Map<string, CallOperation>();

beforeAll(async () => {
  const db = await baseFarmForFile();
  await importReadingsCsv(db, READINGS);
  const { key } = await createTestKey(db, '--surface', 'mcp');
  const base = await serveStore(db);
  const tools = await toolSurface(db);
  const remote = await remoteToolSurface(base, key);
  callOn.set('the tools', tools).set('remote', remote).set('REST', restSurface(base, key));

  await tools(operationsByName.get('log_watering')!, WATERING);
  await tools(operationsByName.get('log_rain')!, { mm: 8, when: '2026-06-30T20:00Z' });
});

describe.each(Object.entries(PERIODS))('%s', (name, [start, end, others]) => {
  const operation = operationsByName.get(name)!;

  it.each(SURFACES)('includes a last day without an hour, over %s', async (surface) => {
    const answerTo = async (last: string) => {
      const asked = { ...others, [start]: '2026-06-30', [end]: last };
      const { body, refusal } = await callOn.get(surface)!(operation, asked);
      expect(refusal).toBeUndefined();
      return body;
    };

    const ofDay = await answerTo('2026-06-30');
    expect(ofDay).toEqual(await answerTo('2026-07-01T00:00'));
    if (Array.isArray(ofDay.data)) expect(ofDay.data.length > 0).toBe(name !== 'list_changes');
    if (Array.isArray(ofDay.waterings)) expect(ofDay.waterings).toHaveLength(1);
  });
});

it('names every operation with an excluded end', () => {
  const taking = operations.filter(({ input, rest }) =>
    Object.values<z.ZodTypeAny>(input.shape).some(
      (schema) => fieldMetadata(schema).kind === 'periodEnd' && !rest?.isRestOnly,
    ),
  );
  expect(
    taking
      .map(({ name }) => name)
      .filter((name) => name !== 'show_moisture')
      .sort(),
  ).toEqual(Object.keys(PERIODS).sort());
});

it.each(SURFACES)('reads an end by its hour as excluded, over %s', async (surface) => {
  const listed = (to: string) =>
    callOn.get(surface)!(operationsByName.get('list_waterings')!, { from: '2026-06-30', to });
  expect((await listed(LATE)).body.data).toEqual([]);
  expect((await listed('2026-06-30T20:01:00Z')).body.data).toHaveLength(1);
});
