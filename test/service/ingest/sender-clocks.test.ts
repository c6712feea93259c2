import { describe, expect } from 'vitest';
import type { IngestResult } from '../../../src/schema/ingest/ingest-batch.ts';
import { it as base, HOUR, type TestFarm } from '../../farm.ts';

const it = base.extend<{ farm: TestFarm }>({
  farm: async ({ farm }, use) => {
    const sensors = [{ type: 'humidity', depth: 10 }];
    await farm.importFile({ modules: ['North 1', 'North 2'].map((uid) => ({ uid, sensors })) });
    await use(farm);
  },
});

/** Local times of a clock that stays at UTC+1, an hour apart. */
const winterTimes = (from: string): string[] =>
  Array.from({ length: 6 }, (_, hour) =>
    new Date(Date.parse(from) + (hour + 1) * HOUR).toISOString().slice(0, 16),
  );

/** Around the changes of clocks in Paris at 01:00Z. */
const SPRING = winterTimes('2026-03-28T22:00Z');
const AUTUMN = winterTimes('2025-10-25T22:00Z');

const readingsOf = (source: object, times: readonly string[]) =>
  times.map((time) => ({ ...source, type: 'humidity', depth: 10, time, value: 21 }));
const NORTH = { module: 'North 1' };

const send = (farm: TestFarm, batch: Record<string, unknown>) =>
  farm.wire<IngestResult>('ingest', batch);

const storedInUtc = async (farm: TestFarm): Promise<string[]> => {
  const rows = await farm.write((db) =>
    db.selectFrom('readings').select('at').orderBy('at').execute(),
  );
  return rows.map(({ at }) => new Date(at).toISOString().slice(5, 16));
};

/** In which winter and summer time are named. */
const OFFSETS = /[+]01:00 .*[+]02:00/;

describe('a module whose times are in an hour that clocks skip', () => {
  it.for([
    ['oldest first', SPRING],
    ['newest first', SPRING.toReversed()],
  ] as const)('has those rejected that may be an hour off, %s', async ([, times], { farm }) => {
    const result = await send(farm, { readings: readingsOf(NORTH, times) });
    expect(result.readings).toMatchObject({ written: 3, refused: 3 });
    expect(result.reasons).toEqual([{ reason: expect.stringMatching(OFFSETS), count: 3 }]);
    expect(await storedInUtc(farm)).toEqual(['03-28T22:00', '03-28T23:00', '03-29T00:00']);

    const all = { readings: readingsOf(NORTH, times), timezone: '+01:00' };
    expect((await send(farm, all)).readings).toMatchObject({ written: 3, unchanged: 3 });
  });

  it('does not concern other senders, nor times with an offset', async ({ farm }) => {
    const readings = [
      ...readingsOf(NORTH, ['2026-03-29T02:30', '2026-03-29T03:30Z']),
      ...readingsOf({ module: 'North 2' }, ['2026-03-29T03:30']),
    ];
    expect((await send(farm, { readings })).readings).toMatchObject({ written: 2, refused: 1 });
  });

  it('is listed for a week, while its later readings are stored', async ({ farm }) => {
    farm.now = Date.UTC(2026, 2, 29, 3);
    await send(farm, { readings: readingsOf(NORTH, ['2026-03-29T02:30']) });
    await send(farm, { readings: readingsOf(NORTH, ['2026-03-29T03:30']) });
    const unread = async () =>
      (await farm.wire<{ unread: readonly object[] }>('list_devices', {})).unread;
    expect(await unread()).toMatchObject([
      { sender: 'North 1', reason: expect.stringMatching(OFFSETS) },
    ]);
    farm.now += 8 * 24 * HOUR;
    expect(await unread()).toEqual([]);
  });
});

describe('a module that does not repeat the hour that clocks repeat', () => {
  it('has its local times rejected unless the zone is named', async ({ farm }) => {
    const batch = { readings: readingsOf(NORTH, AUTUMN) };
    const { readings, reasons } = await send(farm, batch);
    expect(readings).toMatchObject({ written: 0, refused: 6 });
    expect(reasons).toEqual([
      {
        reason: expect.stringMatching(/on 2025-10-26; .*name timezone Europe\/Paris/),
        count: 6,
      },
    ]);

    const named = await send(farm, { ...batch, timezone: 'Europe/Paris' });
    expect(named.readings).toMatchObject({ written: 6, refused: 0 });
  });
});

it('rejects rain and wind of a station, and readings of a device that is not assigned, likewise', async ({
  farm,
}) => {
  const [early, late] = ['2026-03-29T02:30', '2026-03-29T03:30'];
  const result = await send(farm, {
    readings: readingsOf({ device: 'A84041FFFF181F0D' }, [early, late]),
    rain: [early, late].map((time) => ({ module: 'Mast', time, mm: 1, minutes: 60 })),
    weather: [late].map((time) => ({ module: 'Mast', type: 'wind', time, value: 2 })),
  });
  expect(result).toMatchObject({
    readings: { storedUnassigned: 0, refused: 2 },
    rain: { written: 0, refused: 2 },
    weather: { written: 0, refused: 1 },
  });
  expect(result.reasons).toEqual([{ reason: expect.stringMatching(OFFSETS), count: 5 }]);
});
