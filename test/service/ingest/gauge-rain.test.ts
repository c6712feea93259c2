import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { IngestResult } from '../../../src/schema/ingest/ingest-batch.ts';
import type { RainBody, RainTotal } from '../../../src/schema/weather/rain.ts';
import { DAY, FARM_NOW, HOUR, iso, it, MINUTE, type TestFarm } from '../../farm.ts';
import { propertyRuns } from '../../property-runs.ts';

const AT = FARM_NOW - 6 * HOUR;

const send = (farm: TestFarm, ...rain: object[]) =>
  farm.wire<IngestResult>('ingest', {
    rain: rain.map((row) => ({ module: 'Mast', time: iso(AT), mm: 2, ...row })),
  });

const listed = async (farm: TestFarm) => {
  const { data, totals } = await farm.tool<{ data: RainBody[]; totals: RainTotal[] }>(
    'list_rain',
    {},
  );
  return { rows: data.map(({ day, mm, source }) => [day, mm, source]), data, totals };
};

describe('rain that a gauge sends', () => {
  it('is recorded once for each start, on the parcel of its station', async ({ farm }) => {
    const rows = [{ minutes: 60 }, { time: iso(AT + HOUR), mm: 3, minutes: 60 }];
    expect(await send(farm, ...rows)).toMatchObject({
      rain: { written: 2, changed: 0, unchanged: 0, refused: 0 },
    });
    expect(await send(farm, ...rows)).toMatchObject({
      rain: { written: 0, changed: 0, unchanged: 2 },
    });
    expect(await send(farm, { minutes: 60, mm: 2.4 })).toMatchObject({
      rain: { written: 0, changed: 1 },
    });
    const { data, totals } = await listed(farm);
    expect(data[1]).toMatchObject({
      moduleId: farm.idOf('Mast'),
      parcelId: farm.idOf('South block'),
      source: 'gauge',
      mm: 2.4,
      startedAt: iso(AT - HOUR),
      endedAt: iso(AT),
    });
    expect(totals).toEqual([{ parcelId: farm.idOf('South block'), mm: 5.4, days: 1 }]);
  });

  it('counts on the local day on which the interval began', async ({ farm }) => {
    const midnight = Date.UTC(2026, 5, 30, 22);
    await send(farm, { time: iso(midnight), minutes: 60 }, { time: iso(midnight), mm: 1 });
    expect((await listed(farm)).rows).toEqual([
      ['2026-07-01', 1, 'gauge'],
      ['2026-06-30', 2, 'gauge'],
    ]);
  });

  it('adds intervals of a gauge that is some seconds early or late', async ({ farm }) => {
    const seconds = [0, 4, -3, 7, -9];
    const rows = seconds.map((second, index) => ({
      time: iso(AT + index * 10 * MINUTE + second * 1000),
      minutes: 10,
    }));
    await send(farm, ...rows);
    expect((await listed(farm)).totals).toMatchObject([{ mm: 10 }]);
  });

  it('is the newest total of a day, in whatever order and batches the totals arrive', async ({
    farm,
  }) => {
    const totals = [0, 0.4, 0.4, 3, 7.2, 7.2].map((mm, hour) => ({
      mm,
      isDayTotal: true,
      time: iso(AT + hour * HOUR),
    }));
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(totals, { minLength: 6 }),
        fc.integer({ min: 1, max: 6 }),
        async (rows, size) => {
          await farm.write((db) => db.deleteFrom('rain').execute());
          for (let start = 0; start < rows.length; start += size)
            await send(farm, ...rows.slice(start, start + size));
          expect((await listed(farm)).rows).toEqual([['2026-07-01', 7.2, 'gauge']]);
        },
      ),
      { numRuns: propertyRuns(25) },
    );
  });

  it('does not fall on a day on which the counter of the gauge was reset, in whatever order its totals arrive', async ({
    farm,
  }) => {
    const totals = [3, 7.2, 0, 0.4].map((mm, hour) => ({
      mm,
      isDayTotal: true,
      time: iso(AT + hour * HOUR),
    }));
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(totals, { minLength: 4 }),
        fc.integer({ min: 1, max: 4 }),
        async (rows, size) => {
          await farm.write((db) => db.deleteFrom('rain').execute());
          for (let start = 0; start < rows.length; start += size)
            await send(farm, ...rows.slice(start, start + size));
          expect((await listed(farm)).rows).toEqual([['2026-07-01', 7.2, 'gauge']]);
        },
      ),
      { numRuns: propertyRuns(25) },
    );
    await farm.write((db) => db.deleteFrom('rain').execute());
    expect(await send(farm, ...totals)).toMatchObject({
      rain: { written: 1, changed: 1, staleTotals: 2, unchanged: 0 },
    });
    expect(await send(farm, { ...totals[2]!, mm: 8.8 })).toMatchObject({
      rain: { changed: 1, staleTotals: 0 },
    });
  });

  it('leaves out the total of the day before, which a slow clock or a late message carries over midnight', async ({
    farm,
  }) => {
    const midnight = Date.UTC(2026, 5, 30, 22);
    const total = (minutes: number, mm: number) => ({
      mm,
      isDayTotal: true,
      time: iso(midnight + minutes * MINUTE),
    });
    await send(farm, total(-10, 12.3), total(1, 12.3), total(5, 12.5));
    expect(await send(farm, total(10, 0))).toMatchObject({ rain: { changed: 1, staleTotals: 0 } });
    await send(farm, total(15, 0.4));
    expect((await listed(farm)).totals).toMatchObject([{ mm: 12.7 }]);
  });

  it('keeps the rain of a night that was heavier than the day before', async ({ farm }) => {
    const midnight = Date.UTC(2026, 5, 30, 22);
    const total = (minutes: number, mm: number) => ({
      mm,
      isDayTotal: true,
      time: iso(midnight + minutes * MINUTE),
    });
    await send(farm, total(-10, 2), total(60, 9), total(300, 9));
    expect(await send(farm, total(400, 0))).toMatchObject({ rain: { staleTotals: 1 } });
    expect((await listed(farm)).totals).toMatchObject([{ mm: 11 }]);
  });

  it('is corrected by another total of the same time', async ({ farm }) => {
    await send(farm, { time: '2026-06-30', mm: 9 });
    expect(await send(farm, { time: '2026-06-30', mm: 4 })).toMatchObject({
      rain: { changed: 1, staleTotals: 0 },
    });
  });

  it('of a whole day ends its running total', async ({ farm }) => {
    await send(farm, { time: '2026-06-30', mm: 9 });
    expect(
      await send(farm, { time: '2026-06-30T21:00:00', mm: 4, isDayTotal: true }),
    ).toMatchObject({
      rain: { unchanged: 1 },
    });
    expect((await listed(farm)).rows).toEqual([['2026-06-30', 9, 'gauge']]);
  });

  it('that a person corrected stays, until the correction is undone', async ({ farm }) => {
    await send(farm, {});
    const [record] = (await listed(farm)).data;
    await farm.tool('correct_rain', { rainId: record!.id, mm: 0 });
    expect(await send(farm, { mm: 5 })).toMatchObject({ rain: { changed: 0, unchanged: 1 } });
    expect((await listed(farm)).rows).toEqual([['2026-07-01', 0, 'mcp']]);
    await farm.tool('undo');
    expect(await send(farm, { mm: 5 })).toMatchObject({ rain: { changed: 1 } });
    expect((await listed(farm)).rows).toEqual([['2026-07-01', 5, 'gauge']]);
  });

  it('that a person moved does not come back, until the move is undone', async ({ farm }) => {
    for (const row of [
      { mm: 5, minutes: 60 },
      { mm: 5, time: '2026-06-29' },
    ]) {
      await farm.write((db) => db.deleteFrom('rain').execute());
      await send(farm, row);
      const [record] = (await listed(farm)).data;
      for (const hour of [2, 3]) {
        const when = `${iso(AT + hour * HOUR)}/${iso(AT + (hour + 1) * HOUR)}`;
        await farm.wire('correct_rain', { rainId: record!.id, when });
        expect(await send(farm, row)).toMatchObject({
          rain: { written: 0, changed: 0, unchanged: 1 },
        });
      }
      expect((await listed(farm)).totals).toMatchObject([{ mm: 5, days: 1 }]);
      for (const _ of [2, 3]) await farm.tool('undo');
      expect(await send(farm, { ...row, mm: 6 })).toMatchObject({
        rain: { written: 0, changed: 1 },
      });
    }
  });

  it('of today as a plain day goes on, and a total at midnight is of the day that ends', async ({
    farm,
  }) => {
    await send(farm, { time: '2026-07-01', mm: 4 });
    expect(await send(farm, { time: '2026-07-01', mm: 5 })).toMatchObject({ rain: { changed: 1 } });
    expect(
      await send(farm, { time: iso(FARM_NOW + MINUTE), mm: 6, isDayTotal: true }),
    ).toMatchObject({
      rain: { changed: 1 },
    });
    await send(farm, { time: '2026-07-01T00:00:00', mm: 9, isDayTotal: true });
    expect((await listed(farm)).rows).toEqual([
      ['2026-07-01', 6, 'gauge'],
      ['2026-06-30', 9, 'gauge'],
    ]);
  });

  it('is rejected before 1970 and where it is still to fall', async ({ farm }) => {
    const rows = [
      { time: '1970-01-01T00:30:00Z', minutes: 60 },
      { time: '1969-12-31' },
      { time: iso(FARM_NOW + 2 * HOUR) },
      { time: iso(FARM_NOW + 2 * HOUR), isDayTotal: true },
    ];
    const { refused } = await send(farm, ...rows, { time: iso(FARM_NOW + 2 * MINUTE) });
    expect(refused.map(({ location, reason }) => `${location} ${reason}`)).toEqual([
      'rain[0] time before 1970',
      'rain[1] time before 1970',
      'rain[2] time more than an hour ahead',
      'rain[3] time more than an hour ahead',
    ]);
  });

  it('is rejected row by row, with the reason', async ({ farm }) => {
    const answer = await send(
      farm,
      ...[
        { module: 'North 1' },
        { module: 'Blue 1' },
        { mm: -1 },
        { mm: 501 },
        { minutes: 0 },
        { time: 'soon' },
      ],
      ...[
        { time: iso(FARM_NOW + 2 * DAY) },
        { time: '2026-07-02' },
        { module: undefined },
        { depth: 10 },
        {},
      ],
    );
    expect(answer).toMatchObject({
      rain: { written: 1, refused: 10 },
      readings: { refused: 0 },
      gateways: { refused: 0 },
    });
    expect(answer.refused.map(({ location, reason }) => `${location} ${reason}`)).toEqual([
      'rain[0] the module is not a weather station',
      'rain[1] unknown module',
      'rain[2] mm is not a number of mm from 0 to 500, or to 50000 of a running total',
      'rain[3] more than 500 mm of rain',
      'rain[4] minutes is not the minutes until then in which it fell, from 1 to 1440',
      expect.stringContaining('rain[5] '),
      expect.stringContaining('rain[6] '),
      expect.stringContaining('rain[7] '),
      'rain[8] unknown module',
      'rain[9] unknown field',
    ]);
  });

  it('makes no record of dry rows', async ({ farm }) => {
    expect(await send(farm, { mm: 0 }, { mm: 0, isDayTotal: true })).toMatchObject({
      rain: { unchanged: 2 },
    });
    expect((await listed(farm)).data).toEqual([]);
  });

  it('of a device is kept until it is assigned to a station', async ({ farm }) => {
    const rows = [
      { module: undefined, device: 'gw-1', minutes: 30 },
      { module: undefined, device: 'gw-1', mm: 6, isDayTotal: true, time: iso(AT - DAY) },
    ];
    for (const storedUnassigned of [2, 0])
      expect((await send(farm, ...rows)).readings).toMatchObject({ storedUnassigned });
    expect(await farm.wire('list_devices')).toMatchObject({
      data: [{ device: 'gw-1', storedUnassigned: 2 }],
    });
    const assignTo = (module: string) =>
      farm.wire('assign_device', { device: 'gw-1', moduleId: farm.idOf(module), depths: [] });
    await expect(assignTo('North 1')).rejects.toMatchObject({ code: 'invalid_body' });
    expect(await assignTo('Mast')).toMatchObject({ earlierReadings: 2 });
    expect((await listed(farm)).rows).toEqual([
      ['2026-07-01', 2, 'gauge'],
      ['2026-06-30', 6, 'gauge'],
    ]);
    expect((await send(farm, ...rows)).rain).toEqual({
      written: 0,
      changed: 0,
      unchanged: 2,
      staleTotals: 0,
      refused: 0,
    });
  });

  it('is written in stages where there is much of it', async ({ farm }) => {
    const rows = Array.from({ length: 1_200 }, (_, index) => ({
      time: iso(AT - index * 15 * MINUTE),
      minutes: 15,
      mm: 0.2,
    }));
    expect(await send(farm, ...rows)).toMatchObject({ rain: { written: 1_200 } });
    expect(await send(farm, ...rows.toReversed())).toMatchObject({
      rain: { written: 0, unchanged: 1_200 },
    });
    expect((await listed(farm)).totals).toMatchObject([{ mm: 240 }]);
  });
});

describe('a running total of a gauge', () => {
  const total = (mm: number, at: number, fields: object = {}) => ({
    module: undefined,
    device: 'gauge',
    isRunningTotal: true,
    mm,
    time: iso(at),
    ...fields,
  });
  const assign = (farm: TestFarm) =>
    farm.wire('assign_device', { device: 'gauge', moduleId: farm.idOf('Mast'), depths: [] });

  it('gives what fell between two messages, in whatever batches and order they arrive', async ({
    farm,
  }) => {
    await send(farm, total(812.4, AT - HOUR));
    await assign(farm);
    const rows = [total(813.6, AT), total(815, AT + 2 * HOUR), total(815, AT + HOUR)];
    expect(await send(farm, ...rows)).toMatchObject({ rain: { written: 2, refused: 0 } });
    expect(await send(farm, ...rows)).toMatchObject({ rain: { written: 0, changed: 0 } });
    // What fell until a late total is in a later one.
    expect(await send(farm, total(812.8, AT - 30 * MINUTE))).toMatchObject({
      rain: { written: 0 },
    });
    const { data } = await listed(farm);
    expect(data.map(({ mm, startedAt, endedAt }) => [mm, startedAt, endedAt])).toEqual([
      [1.4, iso(AT), iso(AT + HOUR)],
      [1.2, iso(AT - HOUR), iso(AT)],
    ]);
  });

  it.for([
    ['the gauge started again', [12, 14.5, 0.8, 1], 3.5],
    ['a message was too low', [100, 115, 49, 115, 116], 16],
    ['two messages were too high', [20, 60, 61, 20.2, 20.4], 0.4],
  ] as const)(
    'has the right sum where %s, assigned before, in between or after',
    async ([, totals, mm], { farm }) => {
      for (const assignedAt of [0, 3, totals.length]) {
        const device = `gauge ${assignedAt}`;
        const sendEach = async (from: number, to: number) => {
          for (const [index, value] of totals.slice(from, to).entries())
            await send(farm, total(value, AT + (index + from) * HOUR - 2 * HOUR, { device }));
        };
        await farm.write((db) => db.deleteFrom('rain').execute());
        await sendEach(0, Math.max(1, assignedAt));
        await farm.wire('assign_device', { device, moduleId: farm.idOf('Mast'), depths: [] });
        await sendEach(Math.max(1, assignedAt), totals.length);
        expect((await listed(farm)).totals[0]?.mm, device).toBe(mm);
      }
    },
  );

  it('is counted where it comes late', async ({ farm }) => {
    await send(farm, total(10, AT));
    await assign(farm);
    await send(farm, total(14, AT + 4 * HOUR));
    const late = [total(12, AT + 2 * HOUR), total(13, AT + 3 * HOUR)];
    expect(await send(farm, ...late)).toMatchObject({
      rain: { written: 0, changed: 0, staleTotals: 2, refused: 0 },
    });
    expect((await listed(farm)).totals).toMatchObject([{ mm: 4 }]);
  });

  it('needs a device, and gives no more rain than falls', async ({ farm }) => {
    const reasons = async (...rows: object[]) =>
      (await send(farm, ...rows)).reasons.map(({ reason }) => reason);
    const ofModule = { module: 'Mast', device: undefined };
    expect(await reasons(total(3, AT, ofModule))).toEqual(['a running total needs a device']);
    await assign(farm);
    const tooMuch = 'more than 500 mm of rain';
    expect(await reasons(total(3, AT - HOUR), total(9_000, AT))).toEqual([tooMuch]);
    expect(await reasons({ mm: 501 })).toEqual([tooMuch]);
  });
});
