import { describe, expect } from 'vitest';
import type { UndoAnswer } from '../../../src/schema/changes/change.ts';
import type { RainBody, RainTotal } from '../../../src/schema/weather/rain.ts';
import { advisoriesOf, DAY, FARM_NOW, HOUR, iso, it, type TestFarm, withFarm } from '../../farm.ts';

interface Logged {
  readonly rain: RainBody;
}
interface Listed {
  readonly data: RainBody[];
  readonly totals: RainTotal[];
  readonly next_cursor: string | null;
}

const log = (farm: TestFarm, fields: object) => farm.tool<Logged>('log_rain', { ...fields });
const list = (farm: TestFarm, fields: object = {}) => farm.tool<Listed>('list_rain', { ...fields });

describe('rain by word', () => {
  it('is recorded for the whole farm, of a night', async ({ farm }) => {
    const { rain } = await log(farm, {
      mm: '12 mm',
      when: 'last night',
      note: 'gauge at the gate',
    });
    expect(rain).toEqual({
      id: expect.any(Number),
      parcelId: null,
      moduleId: null,
      day: '2026-06-30',
      mm: 12,
      source: 'mcp',
      startedAt: '2026-06-30T16:00:00.000Z',
      endedAt: '2026-07-01T03:00:00.000Z',
      note: 'gauge at the gate',
    });
  });

  it('is of a whole local day where no hour is known, on one parcel', async ({ farm }) => {
    const { rain } = await log(farm, {
      mm: 8.5,
      when: 'yesterday',
      parcel: 'North block',
    });
    expect(rain).toMatchObject({
      parcelId: farm.idOf('North block'),
      day: '2026-06-30',
      startedAt: null,
      endedAt: null,
    });
  });

  it('of the last day of a period is listed, and is in its sums, as in get_weather', async ({
    farm,
  }) => {
    await log(farm, { mm: 8.5, when: 'yesterday' });
    const days = { from: '2026-06-29', to: '2026-06-30' };
    expect(await list(farm, days)).toMatchObject({ data: [{ mm: 8.5 }], totals: [{ mm: 8.5 }] });
    expect((await list(farm, { from: '2026-06-29', to: '2026-06-30T00:00' })).data).toEqual([]);
  });

  it.each([
    [{ mm: 0, when: 'yesterday' }, 'INVALID_RAIN'],
    [{ mm: -3, when: 'yesterday' }, 'INVALID_RAIN'],
    [{ mm: 500.1, when: 'yesterday' }, 'INVALID_RAIN'],
    [{ mm: 'a lot', when: 'yesterday' }, 'INVALID_RAIN'],
    [{ mm: 12, when: 'tomorrow' }, 'INVALID_RAIN_TIME'],
    [{ mm: 12, when: 'the other day' }, 'INVALID_RAIN_TIME'],
    [{ mm: 12 }, 'INVALID_RAIN_TIME'],
    [{ mm: 12, when: 'yesterday', parcel: 'Nowhere' }, 'not_found'],
    [{ mm: 12, when: 'yesterday', parcel: 'Blue block' }, 'not_found'],
  ])('refuses %j as %s', (fields, code) =>
    withFarm(async (farm) => {
      await expect(log(farm, fields)).rejects.toMatchObject({ code });
      expect((await list(farm)).data).toEqual([]);
    }),
  );

  it('over REST takes ISO 8601 alone, and refuses what is still to come', async ({ farm }) => {
    const { rain } = await farm.wire<Logged>('log_rain', {
      mm: 3,
      when: '2026-06-30T18:00Z/2026-06-30T20:30Z',
    });
    expect(rain).toMatchObject({
      startedAt: '2026-06-30T18:00:00.000Z',
      endedAt: '2026-06-30T20:30:00.000Z',
    });
    for (const when of [
      'last night',
      '2026-07-02',
      iso(FARM_NOW + HOUR),
      `${iso(FARM_NOW)}/${iso(FARM_NOW + HOUR)}`,
    ])
      await expect(farm.wire('log_rain', { mm: 3, when })).rejects.toMatchObject({
        code: 'INVALID_RAIN_TIME',
      });
  });
});

it('refuses rain of more than two days in one record, entered or corrected', async ({ farm }) => {
  const { rain } = await log(farm, { mm: 12, when: '2026-06-28T06:00/2026-06-30T06:00' });
  for (const when of ['2020-01-01T00:00/2026-01-01T00:00', '2026-06-28T06:00/2026-06-30T06:01']) {
    await expect(log(farm, { mm: 12, when })).rejects.toMatchObject({ code: 'INVALID_RAIN_TIME' });
    await expect(farm.tool('correct_rain', { rainId: rain.id, when })).rejects.toMatchObject({
      code: 'INVALID_RAIN_TIME',
      message: expect.stringContaining('48 hours at most'),
    });
  }
});

describe('rain that may be the same', () => {
  it('is named, and not added', async ({ farm }) => {
    await log(farm, { mm: 10, when: 'yesterday' });
    const second = await log(farm, { mm: 12, when: 'yesterday' });
    expect(advisoriesOf(second, 'rain_counted_once')).toMatchObject([
      { mm: 10, others: 0, isNewCounted: true, totalMm: 12 },
    ]);
    const night = await log(farm, { mm: 4, when: 'yesterday 20:00' });
    expect(advisoriesOf(night, 'rain_counted_once')).toMatchObject([
      { mm: 12, others: 0, isNewCounted: false },
    ]);
    const { totals } = await list(farm);
    expect(totals).toEqual([{ parcelId: null, mm: 12, days: 1 }]);
  });

  it('is named across midnight too, and counted once', async ({ farm }) => {
    await log(farm, { mm: 12, when: 'last night' });
    const second = await log(farm, { mm: 12, when: 'today' });
    expect(advisoriesOf(second, 'rain_counted_once')).toMatchObject([
      { mm: 12, isNewCounted: true },
    ]);
    const listed = await list(farm);
    expect(listed.totals).toEqual([{ parcelId: null, mm: 12, days: 1 }]);
    expect(advisoriesOf(listed, 'rain_not_counted')).toMatchObject([{ others: 0 }]);
    expect((await list(farm, { from: '2026-07-01' })).data).toEqual([second.rain]);
  });

  it('is that of a gauge after midnight rather than that of the night', async ({ farm }) => {
    const rows = [1, 2].map((hour) => ({
      module: 'Mast',
      mm: 6,
      minutes: 60,
      time: iso(Date.UTC(2026, 6, 1, hour)),
    }));
    await farm.wire('ingest', { rain: rows });
    const logged = await log(farm, { mm: 12, when: 'last night', parcel: 'South block' });
    expect(advisoriesOf(logged, 'rain_counted_once')).toMatchObject([
      { mm: 12, others: 1, isNewCounted: false },
    ]);
    expect((await list(farm, { parcel: 'South block' })).totals).toMatchObject([
      { mm: 12, days: 1 },
    ]);
  });

  it('is judged with all of the day where a period has a part of it', async ({ farm }) => {
    await log(farm, { mm: 10, when: '2026-06-30' });
    await log(farm, { mm: 4, when: '2026-06-30T16:00' });
    for (const from of ['2026-06-30', '2026-06-30T12:00'])
      expect((await list(farm, { from })).totals).toEqual([{ parcelId: null, mm: 10, days: 1 }]);
    expect((await list(farm, { from: '2026-06-30T12:00' })).data).toHaveLength(2);
  });

  it('is added where hours differ, without a word', async ({ farm }) => {
    await log(farm, { mm: 8, when: 'yesterday 06:00' });
    expect((await log(farm, { mm: 4, when: 'yesterday 20:00' })).advisories).toEqual([]);
    expect((await list(farm)).totals).toEqual([{ parcelId: null, mm: 12, days: 1 }]);
  });

  it('is that of the parcel where it has its own', async ({ farm }) => {
    await log(farm, { mm: 10, when: 'yesterday' });
    await log(farm, { mm: 5, when: '2026-06-28' });
    await log(farm, { mm: 16, when: 'yesterday', parcel: 'North block' });
    const parcelId = farm.idOf('North block');
    expect((await list(farm)).totals).toEqual([
      { parcelId: null, mm: 15, days: 2 },
      { parcelId, mm: 21, days: 2 },
    ]);
    expect((await list(farm, { parcel: 'North block' })).totals).toEqual([
      { parcelId, mm: 21, days: 2 },
    ]);
    expect((await list(farm, { parcel: 'South block' })).totals[0]).toMatchObject({ mm: 15 });
  });
});

describe('rain of a gauge', () => {
  it('is on the parcel of its station, once for each start', async ({ farm }) => {
    const at = iso(FARM_NOW - DAY);
    const log = (mm: number) =>
      farm.wire<Logged>('log_rain', { moduleId: farm.idOf('Mast'), mm, when: at });
    const { rain } = await log(3);
    expect(rain).toMatchObject({
      source: 'gauge',
      parcelId: farm.idOf('South block'),
      moduleId: farm.idOf('Mast'),
    });
    expect((await log(3.4)).rain).toMatchObject({ id: rain.id, mm: 3.4 });
    expect((await list(farm)).data).toHaveLength(1);
  });

  it('is refused of a probe, and of a station of another company', async ({ farm }) => {
    const log = (module: string) =>
      farm.wire('log_rain', { moduleId: farm.idOf(module), mm: 3, when: '2026-06-30' });
    await expect(log('North 1')).rejects.toMatchObject({ code: 'INVALID_TARGET' });
    await expect(log('Blue 1')).rejects.toMatchObject({ code: 'forbidden_resource' });
  });
});

describe('a correction of rain', () => {
  it('changes amount or time, and names what it was', async ({ farm }) => {
    const { rain } = await log(farm, { mm: 12, when: 'yesterday' });
    const corrected = await farm.tool<Logged>('correct_rain', { rainId: rain.id, mm: 21 });
    expect(advisoriesOf(corrected, 'rain_corrected')).toMatchObject([{ mm: 12 }]);
    const moved = await farm.tool<Logged>('correct_rain', { rainId: rain.id, when: '2026-06-28' });
    expect(moved.rain).toMatchObject({ mm: 21, day: '2026-06-28' });
  });

  it('to 0 mm deletes it', async ({ farm }) => {
    const { rain } = await log(farm, { mm: 12, when: 'yesterday' });
    const deleted = await farm.tool<Logged>('correct_rain', { rainId: rain.id, mm: 0 });
    expect(advisoriesOf(deleted, 'rain_corrected')).toMatchObject([{ mm: 12 }]);
    expect(await list(farm)).toMatchObject({ totals: [] });
  });

  it('is refused for a record of another company', async ({ farm }) => {
    const { rain } = await farm.wire<Logged>(
      'log_rain',
      { mm: 12, when: '2026-06-30' },
      { company: 'Mas Bleu' },
    );
    await expect(farm.tool('correct_rain', { rainId: rain.id, mm: 1 })).rejects.toMatchObject({
      code: 'forbidden_resource',
    });
  });

  it('can be undone, as the entry can', async ({ farm }) => {
    const { rain } = await log(farm, { mm: 12, when: 'yesterday' });
    await farm.tool('correct_rain', { rainId: rain.id, mm: 21 });
    const undo = await farm.tool<UndoAnswer>('undo');
    expect(undo.undone.effects).toMatchObject({
      counts: { 'rain changed': 1 },
      rows: [{ before: { mm: 12 }, after: { mm: 21 } }],
    });
    expect((await list(farm)).data[0]!.mm).toBe(12);
    await farm.tool('undo');
    expect((await list(farm)).data).toEqual([]);
  });
});

describe('the list of rain', () => {
  it('goes through the period page by page, newest first', async ({ farm }) => {
    for (const day of ['2026-06-25', '2026-06-28', '2026-06-27', '2026-05-01'])
      await log(farm, { mm: 5, when: day });
    const first = await list(farm, { from: '2026-06-01', limit: 2 });
    expect(first.data.map(({ day }) => day)).toEqual(['2026-06-28', '2026-06-27']);
    expect(first.totals).toEqual([{ parcelId: null, mm: 15, days: 3 }]);
    const second = await list(farm, { from: '2026-06-01', limit: 2, cursor: first.next_cursor! });
    expect(second.data.map(({ day }) => day)).toEqual(['2026-06-25']);
    expect(second.next_cursor).toBeNull();
    expect(second).not.toHaveProperty('totals');
  });

  it('is summed up with its first page only', async ({ farm }) => {
    for (const day of ['2026-06-27', '2026-06-28']) await log(farm, { mm: 4, when: day });
    const { next_cursor: cursor } = await list(farm, { limit: 1 });
    expect(await farm.tool('list_rain', { limit: 1, cursor })).not.toHaveProperty('totals');
    expect(await farm.wire('list_rain', { totals: 'none' })).not.toHaveProperty('totals');
  });
});

it('rain is entered once under an idempotency key', async ({ farm }) => {
  const key = { idempotencyKey: 'one' };
  const [first, again] = await Promise.all([
    farm.tool<Logged>('log_rain', { mm: 12, when: '2026-06-30' }, key),
    farm.tool<Logged>('log_rain', { mm: 12, when: '2026-06-30' }, key),
  ]);
  expect(again.rain).toEqual(first.rain);
  expect((await list(farm)).data).toHaveLength(1);
});
