import { describe, expect, it } from 'vitest';
import {
  collectRestArguments,
  type RestParameters,
  readRestArguments,
} from '../../../src/operation/arguments/rest-arguments.ts';
import { operationsByName } from '../../../tools/index.ts';

const NOW = Date.UTC(2026, 6, 1, 10);
const PARIS = {
  zone: 'Europe/Paris',
  countryCode: null,
  units: 'metric',
  now: NOW,
  lang: 'en',
  directory: { modules: never, parcels: never },
  runRead: never,
} as const;

/** Names are not looked up over REST. */
async function never(): Promise<never> {
  throw new Error('looked up');
}

async function readRest(
  name: string,
  sent: { path?: RestParameters['path']; query?: string; body?: unknown } = {},
) {
  const operation = operationsByName.get(name)!;
  const { path = {}, query = '', body } = sent;
  const collected = collectRestArguments(operation, {
    path,
    query: new URLSearchParams(query),
    body,
  });
  return readRestArguments(operation, collected, PARIS);
}

const refusal = (code: string, field?: string) =>
  expect.objectContaining({ code, ...(field ? { field } : {}) });

const WATERING = { startedAt: '2026-07-01T06:00:00Z', inputMode: 'duration', durationMin: 30 };
const log = (body: Record<string, unknown>, path = { moduleId: '7' }) =>
  readRest('log_watering', { path, body: { ...WATERING, ...body } });

describe('lists', () => {
  /** A list of this length, which counts how often its items are read. */
  function counted(length: number) {
    const looks = { count: 0 };
    const list = new Proxy(Array(length), {
      get(target, name) {
        if (/^\d+$/.test(String(name))) looks.count++;
        return Reflect.get(target, name);
      },
    });
    return { looks, list };
  }

  it.each([
    ['readings', 200_001],
    ['gateways', 10_001],
    ['readings', 8_400_000],
  ])('%s of %i are refused before one of them is read', async (name, length) => {
    const { looks, list } = counted(length);
    await expect(readRest('ingest', { body: { [name]: list } })).rejects.toThrow(
      refusal('invalid_body', name),
    );
    expect(looks.count).toBe(0);
  });

  it('of the maximum length are accepted', async () => {
    const { input } = await readRest('ingest', { body: { gateways: Array(10_000).fill(0) } });
    expect(input.gateways).toHaveLength(10_000);
  });
});

describe('ids', () => {
  it('are whole numbers in the path', async () => {
    expect((await log({})).input.moduleId).toBe(7);
  });

  it.each(['North 1', '#7', '7.5', '-7', '0', '1e3', '', ' 7', '0x7', '99999999999999999999'])(
    'refuse %j with the code of the endpoint',
    async (moduleId) => {
      await expect(readRest('get_module', { path: { moduleId } })).rejects.toThrow(
        refusal('invalid_id', 'moduleId'),
      );
    },
  );

  it('are numbers in a body, not text', async () => {
    const schedule = {
      freq: 'daily',
      startTimes: ['06:00'],
      timezone: 'Europe/Paris',
      inputMode: 'duration',
    };
    const body = {
      ...schedule,
      durationMin: 30,
      startsOn: '2026-07-01',
      confirmationPolicy: 'auto',
    };
    expect(
      (await readRest('create_schedule', { body: { ...body, targetModuleId: 7 } })).input
        .targetModuleId,
    ).toBe(7);
    await expect(
      readRest('create_schedule', { body: { ...body, targetModuleId: '7' } }),
    ).rejects.toThrow(
      expect.objectContaining({ message: expect.stringContaining('it must be an id') }),
    );
  });
});

describe('instants', () => {
  it.each([
    ['2026-07-01T06:00:00Z', '2026-07-01T06:00:00.000Z'],
    ['2026-07-01T06:00:00+02:00', '2026-07-01T04:00:00.000Z'],
    ['2026-07-01T06:00', '2026-07-01T04:00:00.000Z'],
    // The clocks go forward at 02:00: 02:30 is read with the offset before, as 03:30 (UTC+2).
    ['2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
    // They go back at 03:00: of the two, 02:30 is the first (UTC+2).
    ['2025-10-26T02:30', '2025-10-26T00:30:00.000Z'],
  ])('%s is %s in Paris', async (startedAt, instant) => {
    const { input, restArguments } = await log({ startedAt });
    expect(input.startedAt).toBe(Date.parse(instant));
    expect(restArguments.startedAt).toBe(instant);
  });

  it.each(['yesterday', 'today 6:00', '2026-02-30T06:00', '2026-07-01', '1783000000', ''])(
    'refuse %j',
    async (startedAt) => {
      await expect(log({ startedAt })).rejects.toThrow(refusal('INVALID_STARTED_AT', 'startedAt'));
    },
  );

  it('of a bound may be a date alone, its local midnight', async () => {
    const { input } = await readRest('list_waterings', { query: 'from=2026-07-01' });
    expect(input.from).toBe(Date.parse('2026-06-30T22:00:00Z'));
    const module = await readRest('set_module', {
      body: { name: 'North 1', commissionedAt: '2026-07-01' },
    });
    expect(module.input.commissionedAt).toBe(input.from);
  });

  it('of a start may be 1970-01-01, the beginning, and is never in words', async () => {
    const path = { moduleId: '7' };
    const declare = (effectiveFrom: string) =>
      readRest('set_module_installation', { path, body: { system: 'drip', effectiveFrom } });
    for (const text of ['1970-01-01', '1970-01-01T00:00', '1970-01-01T00:00:00+01:00'])
      expect((await declare(text)).input.effectiveFrom).toBe(0);
    for (const text of ['always', 'May 2024', '2024', '1 May', '2024-05'])
      await expect(declare(text)).rejects.toThrow(
        refusal('INVALID_EFFECTIVE_FROM', 'effectiveFrom'),
      );
  });

  it('with a plus sign that the URL turned into a space get a hint how to write it', async () => {
    const query = 'start=2026-07-01T06:00:00+02:00';
    await expect(
      readRest('get_moisture_series', { path: { moduleId: '7' }, query }),
    ).rejects.toThrow(
      expect.objectContaining({ code: 'invalid_date', hint: expect.stringContaining('%2B') }),
    );
  });

  it('that are not valid get no such hint for the space between date and time', async () => {
    const query = 'start=2026-07-01 24:30';
    await expect(
      readRest('get_moisture_series', { path: { moduleId: '7' }, query }),
    ).rejects.toThrow(
      expect.objectContaining({ code: 'invalid_date', hint: expect.not.stringContaining('%2B') }),
    );
  });
});

describe('a query', () => {
  it('converts numbers, booleans and texts', async () => {
    const query = 'isActive=true&limit=5';
    expect((await readRest('list_schedules', { query })).input).toMatchObject({
      isActive: true,
      limit: 5,
    });
    expect((await readRest('list_modules', { query: 'search=12' })).input.search).toBe('12');
  });

  it('without parameters has the defaults of the endpoint, not of the tool', async () => {
    expect((await readRest('list_modules')).input).toMatchObject({ limit: 50, detail: 'full' });
  });

  it.each([
    ['limit=ten', 'invalid_limit', 'limit'],
    ['limit=5&limit=6', 'invalid_parameter', 'limit'],
    ['module=7', 'invalid_parameter', 'module'],
    ['clear=search', 'invalid_parameter', 'clear'],
    ['constructor=1', 'invalid_parameter', 'constructor'],
    ['lang=de', 'invalid_parameter', 'lang'],
  ])('%s is refused: %s', async (query, code, field) => {
    await expect(readRest('list_modules', { query })).rejects.toThrow(refusal(code, field));
  });

  it('does not accept fields of the body, nor a body those of the query', async () => {
    const sent = { path: { moduleId: '7' }, body: WATERING };
    await expect(readRest('log_watering', { ...sent, query: 'note=a' })).rejects.toThrow(
      refusal('invalid_parameter', 'note'),
    );
    await expect(log({ moduleId: 7 })).rejects.toThrow(refusal('invalid_body', 'moduleId'));
  });
});

describe('a body', () => {
  it('clears with null what an update can clear', async () => {
    const { input } = await readRest('correct_watering', {
      path: { eventId: '3' },
      body: { ...WATERING, note: null },
    });
    expect(input.note).toBeNull();
  });

  it.each([
    ['startedAt', 'INVALID_STARTED_AT'],
    ['inputMode', 'INVALID_INPUT_MODE'],
  ])('of a corrected watering needs %s: %s', async (field, code) => {
    const sent = { path: { eventId: '3' }, body: { ...WATERING, [field]: undefined } };
    await expect(readRest('correct_watering', sent)).rejects.toThrow(refusal(code, field));
  });

  it('accepts times of day only as the specification writes them', async () => {
    const alert = { threshold: 20, reminderTime: '07:30:00' };
    expect((await readRest('create_alert', { body: alert })).input).toMatchObject(alert);
    await expect(
      readRest('create_alert', { body: { ...alert, reminderTime: '07:30' } }),
    ).rejects.toThrow(refusal('invalid_body', 'reminderTime'));
  });

  it('accepts fields that only REST has', async () => {
    const path = { annotationId: '00000000-0000-4000-8000-000000000000' };
    const body = { content: { text: 'a' } };
    expect((await readRest('update_annotation', { path, body })).input.content).toEqual({
      text: 'a',
    });
  });

  it.each([[[]], ['text'], [7], [null], [true]])('of %j is refused', async (body) => {
    await expect(readRest('log_watering', { path: { moduleId: '7' }, body })).rejects.toThrow(
      refusal('invalid_body'),
    );
  });

  it('is checked as an entry before anything is read', async () => {
    await expect(log({ durationMin: undefined, inputMode: 'depth_mm' })).rejects.toThrow(
      refusal('MISSING_DEPTH'),
    );
  });

  it('is passed on unchanged, for the idempotency key', () => {
    const operation = operationsByName.get('log_watering')!;
    const sent = { path: { moduleId: '7' }, query: new URLSearchParams(), body: WATERING };
    expect(collectRestArguments(operation, sent)).toEqual({ moduleId: '7', ...WATERING });
  });
});
