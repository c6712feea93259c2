import { describe, expect } from 'vitest';
import type {
  ParcelWateringAnswer,
  WateringBody,
} from '../../../src/schema/irrigation/watering.ts';
import { advisoriesOf, FARM_NOW, HOUR, iso, it, MINUTE, type TestFarm } from '../../farm.ts';

const startedAt = iso(FARM_NOW - HOUR);
const minutes = { startedAt, inputMode: 'duration', durationMin: 40 };
const volume = { startedAt, inputMode: 'volume_m3', inputVolumeM3: 48 };
/** 3.2 mm/h, wetted fraction 0.35. */
const drip = { system: 'drip', emitterFlowLph: 1.6, emittersPerM2: 2 };
const sprinkler = { system: 'sprinkler', flowMmPerH: 6 };
/** A setup after the first of a parcel would apply from now on. */
const ownSprinkler = { ...sprinkler, effectiveFrom: '2026-01-01T00:00' };

const logParcel = (farm: TestFarm, parcel: string, fields: object, asking = {}) =>
  farm.tool<ParcelWateringAnswer>('log_watering', { parcel, detail: 'full', ...fields }, asking);

const dosesOf = ({ waterings }: ParcelWateringAnswer) =>
  waterings.map(({ event }) => event.waterMm);

const storedBlocks = (farm: TestFarm) =>
  farm.write((db) =>
    db.selectFrom('waterings').select(['id', 'irrigation_id']).orderBy('id').execute(),
  );

describe('a watering of a parcel', () => {
  it('is one of each soil probe, with its own setup and dose, under one id', async ({ farm }) => {
    await farm.declareParcel('North block', drip);
    await farm.declare('North 3', ownSprinkler);
    const answer = await logParcel(farm, 'North block', { ...minutes, note: 'valve 3' });
    expect(answer).toMatchObject({ parcelId: farm.idOf('North block'), count: 3 });
    expect(answer.waterings.map(({ event }) => event.moduleId)).toEqual(
      ['North 1', 'North 2', 'North 3'].map((name) => farm.idOf(name)),
    );
    // 40 min at 3.2 mm/h and at 6 mm/h.
    expect(dosesOf(answer)).toEqual([2.133, 2.133, 4]);
    expect(answer.waterings.map(({ warnings }) => warnings)).toEqual([
      ['DEFAULT_FRACTION_WETTED'],
      ['DEFAULT_FRACTION_WETTED'],
      [],
    ]);
    for (const { event } of answer.waterings) {
      expect(event).toMatchObject({
        status: 'done',
        source: 'mcp',
        note: 'valve 3',
        scheduleId: null,
      });
      expect(await farm.watering(event.id)).toEqual(event);
    }
    const [first] = answer.waterings;
    expect((await storedBlocks(farm)).map((row) => row.irrigation_id)).toEqual(
      Array(3).fill(first!.event.id),
    );
  });

  it('leaves out stations and probes of other parcels', async ({ farm }) => {
    const { waterings } = await logParcel(farm, 'South block', minutes);
    expect(waterings.map(({ event }) => event.moduleId)).toEqual([farm.idOf('South 1')]);
  });

  it('differs from one of a single probe, which has no common id', async ({ farm }) => {
    await farm.log('North 1', minutes);
    expect((await storedBlocks(farm)).map((row) => row.irrigation_id)).toEqual([null]);
  });

  it('has one change, which undo undoes as a whole', async ({ farm }) => {
    const body = await logParcel(farm, 'North block', minutes);
    expect(body.count).toBe(3);
    const { data } = await farm.tool<{
      data: { id: number; operation: string; effects: object }[];
    }>('list_changes');
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({
      operation: 'log_watering',
      effects: { counts: { 'watering added': 3 } },
    });
    await farm.tool('undo', {});
    expect(await farm.waterings()).toEqual([]);
  });

  it('is written once under an idempotency key, which a watering of a probe cannot reuse', async ({
    farm,
  }) => {
    const asking = { idempotencyKey: 'block' };
    const first = await logParcel(farm, 'North block', minutes, asking);
    const again = await logParcel(farm, 'North block', minutes, asking);
    expect([again.replayed, again.waterings]).toEqual([true, first.waterings]);
    expect(await farm.waterings()).toHaveLength(3);
    await expect(farm.log('North 1', minutes, asking)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
  });

  it('is planned ahead, and recorded as skipped', async ({ farm }) => {
    const planned = await logParcel(farm, 'North block', {
      ...minutes,
      startedAt: 'tomorrow 6:00',
    });
    const skipped = await logParcel(farm, 'North block', {
      ...minutes,
      startedAt: 'tomorrow 6:00',
      status: 'skipped',
    });
    expect(advisoriesOf(skipped, 'overlapping_watering')).toEqual([]);
    for (const [answer, status] of [
      [planned, 'planned'],
      [skipped, 'skipped'],
    ] as const)
      expect(new Set(answer.waterings.map(({ event }) => event.status))).toEqual(new Set([status]));
  });

  it('is written beside what overlaps it, with the first of them and how many there are', async ({
    farm,
  }) => {
    const { event } = await farm.log('North 2', minutes);
    await farm.log('North 3', minutes);
    const logged = await logParcel(farm, 'North block', minutes);
    expect(await farm.waterings()).toHaveLength(5);
    const at = FARM_NOW - HOUR;
    expect(advisoriesOf(logged, 'overlapping_watering')).toMatchObject([
      {
        probe: 'North 2',
        other: { id: event.id, startedAt: at, endedAt: at + 40 * MINUTE, status: 'done' },
        others: 1,
        probes: 3,
        // North 1 has no other watering: its entry is to stay.
        onEachProbe: false,
      },
    ]);
  });

  it('can be taken back as a whole where something overlaps on each probe', async ({ farm }) => {
    for (const probe of ['North 1', 'North 2', 'North 3']) await farm.log(probe, minutes);
    const logged = await logParcel(farm, 'North block', minutes);
    expect(advisoriesOf(logged, 'overlapping_watering')).toMatchObject([{ onEachProbe: true }]);
  });

  it('writes nothing when the dose of one probe is one that no watering has', async ({ farm }) => {
    await farm.declareUnasked('North 3', { system: 'sprinkler', flowMmPerH: 1000 });
    await expect(
      logParcel(farm, 'North block', { ...minutes, durationMin: 40_000 }),
    ).rejects.toMatchObject({
      code: 'INVALID_DURATION',
    });
    expect(await farm.waterings()).toEqual([]);
  });

  it.for([
    ['that is unknown', 'Nowhere', {}, 'PARCEL_NOT_FOUND'],
    ['beside a probe', 'North block', { module: 'North 1' }, 'INVALID_TARGET'],
    ['without its amount', 'North block', { durationMin: undefined }, 'MISSING_DURATION'],
  ] as const)('is refused for a parcel %s', async ([_, parcel, fields, code], { farm }) => {
    await expect(logParcel(farm, parcel, { ...minutes, ...fields })).rejects.toMatchObject({
      code,
    });
    expect(await farm.waterings()).toEqual([]);
  });

  it('is offered where a parcel with several probes is named as module, or none of both', async ({
    farm,
  }) => {
    await expect(farm.log('North block', minutes)).rejects.toMatchObject({
      code: 'AMBIGUOUS_NAME',
      hint: expect.stringContaining('parcel'),
    });
    await expect(farm.tool('log_watering', minutes)).rejects.toMatchObject({
      message: expect.stringMatching(/^module is missing\. The probes are /),
      hint: expect.stringContaining('parcel'),
    });
  });
});

describe('the volume of a parcel', () => {
  it('is spread over the area of the parcel, also on a probe with a setup of its own', async ({
    farm,
  }) => {
    await farm.declareParcel('North block', { ...drip, irrigatedAreaM2: 16_000 });
    await farm.declare('North 3', { ...ownSprinkler, irrigatedAreaM2: 4000 });
    const answer = await logParcel(farm, 'North block', volume);
    // 48,000 L / 16,000 m2.
    expect(dosesOf(answer)).toEqual([3, 3, 3]);
    for (const { event } of answer.waterings)
      expect(event).toMatchObject({
        inputVolumeM3: 48,
        configSnapshot: { irrigatedAreaM2: 16_000 },
      });
  });

  it('is spread over the areas of its probes together, if the parcel has none', async ({
    farm,
  }) => {
    for (const [index, name] of ['North 1', 'North 2', 'North 3'].entries())
      await farm.declare(name, { ...sprinkler, irrigatedAreaM2: 4000 * (index + 1) });
    // 48,000 L / (4,000 + 8,000 + 12,000) m2.
    expect(dosesOf(await logParcel(farm, 'North block', volume))).toEqual([2, 2, 2]);
  });

  it('is not spread over more than the parcel, whose area each setup may have', async ({
    farm,
  }) => {
    await farm.tool('set_parcel', { name: 'North block', areaM2: 16_000 });
    for (const name of ['North 1', 'North 2', 'North 3'])
      await farm.declare(name, { ...sprinkler, irrigatedAreaM2: 16_000 });
    expect(dosesOf(await logParcel(farm, 'North block', volume))).toEqual([3, 3, 3]);
  });

  it('gives no dose while an area is unknown, and the same one when it is added later', async ({
    farm,
  }) => {
    await farm.declare('North 1', { ...sprinkler, irrigatedAreaM2: 4000 });
    await farm.declareParcel('North block', sprinkler);
    const { waterings } = await logParcel(farm, 'North block', volume);
    expect(waterings.map(({ event }) => event.waterMm)).toEqual([null, null, null]);
    const { versions } = await farm.setup('North 2');
    await farm.correctVersion(versions[0]!, { irrigatedAreaM2: 16_000 });
    expect((await farm.waterings()).map((event) => event.waterMm)).toEqual([3, 3, 3]);
  });

  it('gets its dose from the area of the parcel that is set later', async ({ farm }) => {
    await farm.declareParcel('North block', sprinkler);
    await logParcel(farm, 'North block', volume);
    const answer = await farm.tool('set_parcel', { name: 'North block', areaM2: 16_000 });
    expect(advisoriesOf(answer, 'doses_completed')).toMatchObject([{ count: 3 }]);
    expect((await farm.waterings()).map(({ waterMm }) => waterMm)).toEqual([3, 3, 3]);
    const same = await farm.tool('set_parcel', { name: 'North block', areaM2: 16_000 });
    expect(advisoriesOf(same, 'recorded_doses_unchanged')).toEqual([]);
  });

  it('keeps its area when one of the waterings is corrected', async ({ farm }) => {
    await farm.declareParcel('North block', { ...drip, irrigatedAreaM2: 16_000 });
    await farm.declare('North 3', { ...ownSprinkler, irrigatedAreaM2: 4000 });
    const { waterings } = await logParcel(farm, 'North block', volume);
    const { event } = await farm.correct(waterings[2]!.event, { inputVolumeM3: 64 });
    expect(event.waterMm).toBe(4);
  });

  it('that contradicts the run time names the first probe, with the number of the others', async ({
    farm,
  }) => {
    await farm.declareParcel('North block', { ...drip, irrigatedAreaM2: 15_000 });
    const logged = await logParcel(farm, 'North block', {
      ...volume,
      startedAt: 'today 6:00',
      durationMin: 120,
    });
    // 2 h at 3.2 mm/h; 48,000 L on 15,000 m2.
    expect(advisoriesOf(logged, 'run_time_contradicts')).toMatchObject([
      { probe: 'North 1', runMm: 6.4, runM3: 96, waterMm: 3.2, others: 2 },
    ]);
  });
});

describe('the run time of a parcel', () => {
  const twoHours = { startedAt: 'today 6:00', durationMin: 120 };

  it('gives no volume by the equipment of one probe, which waters less than the parcel', async ({
    farm,
  }) => {
    await farm.declareParcel('North block', { ...drip, irrigatedAreaM2: 7500 });
    await farm.declare('North 3', { ...ownSprinkler, irrigatedAreaM2: 1000 });
    const logged = await logParcel(farm, 'North block', { ...volume, ...twoHours });
    expect(advisoriesOf(logged, 'run_time_contradicts')).toMatchObject([
      { probe: 'North 3', runMm: 12, runM3: null, waterMm: 6.4 },
    ]);
  });
});

describe('the correction of one watering of a parcel', () => {
  const logVolume = async (farm: TestFarm) => {
    await farm.declareParcel('North block', { ...drip, irrigatedAreaM2: 16_000 });
    const { waterings } = await logParcel(farm, 'North block', {
      ...volume,
      startedAt: 'today 6:00',
    });
    return waterings.map(({ event }) => event) as [WateringBody, WateringBody, WateringBody];
  };
  /** The waterings of the other probes that keep what they had. */
  const correct = async (farm: TestFarm, { id }: WateringBody, fields: object) =>
    advisoriesOf(
      await farm.tool<object>('correct_watering', { eventId: id, ...fields }),
      'other_probes_unchanged',
    ).flatMap(({ waterings }) => waterings);

  it('names the others, until they agree', async ({ farm }) => {
    const [first, second, third] = await logVolume(farm);
    const amount = { mode: 'volume_m3', value: 48 };
    expect(await correct(farm, first, { inputVolumeM3: 40 })).toMatchObject([
      { id: second.id, probe: 'North 2', amount },
      { id: third.id, probe: 'North 3', amount },
    ]);
    expect(await correct(farm, second, { inputVolumeM3: 40 })).toMatchObject([
      { id: third.id, amount },
    ]);
    expect(await correct(farm, third, { inputVolumeM3: 40 })).toEqual([]);
  });

  it.for([
    ['moved', { startedAt: 'today 7:00' }, { startedAt: Date.UTC(2026, 6, 1, 4) }],
    ['skipped', { status: 'skipped' }, { status: 'done' }],
    ['with a run time', { durationMin: 45, inputMode: 'volume_m3', inputVolumeM3: 48 }, {}],
    ['by duration', { durationMin: 45 }, { amount: { mode: 'volume_m3', value: 48 } }],
  ] as const)('has what the others keep when it is now %s', async ([_, fields, kept], { farm }) => {
    const [first] = await logVolume(farm);
    const unchanged = {
      amount: null,
      startedAt: null,
      durationMin: null,
      status: null,
      ...kept,
    };
    expect(await correct(farm, first, fields)).toMatchObject([
      { probe: 'North 2', ...unchanged },
      { probe: 'North 3', ...unchanged },
    ]);
  });

  it('has the doses of the others when its dose alone is computed again', async ({ farm }) => {
    const [first] = await logVolume(farm);
    const { versions } = await farm.setup('North 1');
    await farm.correctVersion(versions[0]!, { irrigatedAreaM2: 12_000 });
    expect(await correct(farm, first, { refreeze: true })).toMatchObject([
      { probe: 'North 2', waterMm: 3 },
      { probe: 'North 3', waterMm: 3 },
    ]);
  });

  it('has nothing of the others where only its note changes', async ({ farm }) => {
    const [first] = await logVolume(farm);
    expect(await correct(farm, first, { note: 'valve 3' })).toEqual([]);
  });
});

describe('the area that the volume of a parcel lacks', () => {
  it('is that of the parcel, where the equipment of the probe has one', async ({ farm }) => {
    await logParcel(farm, 'North block', volume);
    const declared = await farm.declare('North 1', { ...sprinkler, irrigatedAreaM2: 1000 });
    expect(declared.missingDoses).toMatchObject({ count: 1, withoutInstallation: 0 });
    const parcelId = farm.idOf('North block');
    expect(advisoriesOf(declared, 'parcel_area_unknown')).toMatchObject([
      { parcelId, parcel: 'North block', count: 1 },
    ]);
    const again = await logParcel(farm, 'North block', { ...volume, startedAt: 'today 6:00' });
    expect(again.waterings.map(({ warnings }) => warnings)).toEqual([
      ['MISSING_IRRIGATED_AREA'],
      ['NO_INSTALLATION'],
      ['NO_INSTALLATION'],
    ]);
  });

  it('completes the doses of all its probes once the equipment of the last has one', async ({
    farm,
  }) => {
    await logParcel(farm, 'North block', volume);
    for (const name of ['North 1', 'North 2', 'North 3']) {
      expect(new Set((await farm.waterings()).map(({ waterMm }) => waterMm))).toEqual(
        new Set([null]),
      );
      await farm.declare(name, { ...sprinkler, irrigatedAreaM2: 8000 });
    }
    expect((await farm.waterings()).map(({ waterMm }) => waterMm)).toEqual([2, 2, 2]);
  });
});

describe('the summary of a watering of a parcel', () => {
  it('stays short with 50 probes of ten doses, and so does the concise answer', async ({
    farm,
  }) => {
    await farm.declareParcel('North block', sprinkler);
    for (let index = 4; index <= 50; index++) {
      const name = `North ${index}`;
      await farm.tool('set_module', {
        name,
        uid: `N${index}`,
        category: 'SOIL_PROBE',
        parcel: 'North block',
        sensors: ['humidity 20'],
      });
      if (index % 5 === 0) await farm.declare(name, { ...ownSprinkler, flowMmPerH: index });
    }
    const { count, waterings, summary } = await farm.tool<{
      count: number;
      waterings: { event: Partial<WateringBody>; warnings: string[] }[];
    }>('log_watering', { parcel: 'North block', ...minutes, startedAt: 'today 6:00' });
    expect(count).toBe(50);
    expect(waterings).toHaveLength(10);
    expect(waterings[0]!.event).toMatchObject({
      startedAt: '2026-07-01T04:00:00.000Z',
      durationMin: 40,
      waterMm: 4,
    });
    expect(Object.keys(waterings[1]!.event)).toEqual([
      'id',
      'moduleId',
      'waterMm',
      'waterMmWetted',
    ]);
    expect(summary.length).toBeLessThan(500);
  });
});
