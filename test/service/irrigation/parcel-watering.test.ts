import { describe, expect } from 'vitest';
import type {
  ParcelWateringAnswer,
  WateringBody,
} from '../../../src/schema/irrigation/watering.ts';
import { FARM_NOW, HOUR, iso, it, type TestFarm } from '../../farm.ts';

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
    expect(skipped.summary).not.toContain('overlaps');
    for (const [answer, status] of [
      [planned, 'planned'],
      [skipped, 'skipped'],
    ] as const)
      expect(new Set(answer.waterings.map(({ event }) => event.status))).toEqual(new Set([status]));
  });

  it('is written beside what overlaps it, with the first of them and how many there are', async ({
    farm,
  }) => {
    await farm.log('North 2', minutes);
    await farm.log('North 3', minutes);
    const { summary, next } = await logParcel(farm, 'North block', minutes);
    expect(await farm.waterings()).toHaveLength(5);
    expect(summary).toContain(
      'It overlaps another watering of North 2 (today 11:00 to 11:40, done), and 1 more overlaps.',
    );
    // North 1 has no other watering: its entry is to stay.
    expect(next).not.toContain('undo');
    expect(next).toContain('correct_watering');
  });

  it('can be taken back as a whole where something overlaps on each probe', async ({ farm }) => {
    for (const probe of ['North 1', 'North 2', 'North 3']) await farm.log(probe, minutes);
    const { summary, next } = await logParcel(farm, 'North block', minutes);
    expect(summary).toContain('take this entry back');
    expect(next).toContain('undo');
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
    ['without a probe', 'Fallow', {}, 'INVALID_TARGET'],
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

  it('keeps its area when one of the waterings is corrected', async ({ farm }) => {
    await farm.declareParcel('North block', { ...drip, irrigatedAreaM2: 16_000 });
    await farm.declare('North 3', { ...ownSprinkler, irrigatedAreaM2: 4000 });
    const { waterings } = await logParcel(farm, 'North block', volume);
    const { event } = await farm.correct(waterings[2]!.event, { inputVolumeM3: 64 });
    expect(event.waterMm).toBe(4);
  });

  it('that contradicts the run time is said of the first probe, with the number of the others', async ({
    farm,
  }) => {
    await farm.declareParcel('North block', { ...drip, irrigatedAreaM2: 15_000 });
    const { summary } = await logParcel(farm, 'North block', {
      ...volume,
      startedAt: 'today 6:00',
      durationMin: 120,
    });
    expect(summary).toContain(
      'by the equipment of North 1, 2 h give 6.4 mm (96 m3), but 48 m3 are 3.2 mm',
    );
    expect(summary).toContain('The same holds for 2 other probes.');
  });
});

describe('the run time of a parcel', () => {
  const twoHours = { startedAt: 'today 6:00', durationMin: 120 };

  it('gives no volume by the equipment of one probe, which waters less than the parcel', async ({
    farm,
  }) => {
    await farm.declareParcel('North block', { ...drip, irrigatedAreaM2: 7500 });
    await farm.declare('North 3', { ...ownSprinkler, irrigatedAreaM2: 1000 });
    const { summary } = await logParcel(farm, 'North block', { ...volume, ...twoHours });
    expect(summary).toContain(
      'by the equipment of North 3, 2 h give 12 mm, but 48 m3 are 6.4 mm, which is recorded.',
    );
  });
});

describe('the correction of one watering of a parcel', () => {
  const unchanged = (rows: string) =>
    `This is one probe of a watering of the whole parcel; the others keep what they had: ${rows}. Correct them too if the change is for the parcel.`;

  const logVolume = async (farm: TestFarm) => {
    await farm.declareParcel('North block', { ...drip, irrigatedAreaM2: 16_000 });
    const { waterings } = await logParcel(farm, 'North block', {
      ...volume,
      startedAt: 'today 6:00',
    });
    return waterings.map(({ event }) => event) as [WateringBody, WateringBody, WateringBody];
  };
  const correct = (farm: TestFarm, { id }: WateringBody, fields: object) =>
    farm.tool<object>('correct_watering', { eventId: id, ...fields });

  it('names the others, until they agree', async ({ farm }) => {
    const [first, second, third] = await logVolume(farm);
    const { summary, next } = await correct(farm, first, { inputVolumeM3: 40 });
    expect(summary).toContain(unchanged('North 2 (48 m3) and North 3 (48 m3)'));
    for (const { id } of [second, third])
      expect(next).toContain(`this call again with eventId: ${id}`);
    expect((await correct(farm, second, { inputVolumeM3: 40 })).summary).toContain(
      unchanged('North 3 (48 m3)'),
    );
    expect((await correct(farm, third, { inputVolumeM3: 40 })).summary).not.toContain(
      'whole parcel',
    );
  });

  it.for([
    ['moved', { startedAt: 'today 7:00' }, 'today 06:00'],
    ['skipped', { status: 'skipped' }, 'done'],
    ['with a run time', { durationMin: 45, inputMode: 'volume_m3', inputVolumeM3: 48 }, ''],
    ['by duration', { durationMin: 45 }, '48 m3'],
  ] as const)('says so when it is now %s', async ([_, fields, values], { farm }) => {
    const [first] = await logVolume(farm);
    const suffix = values === '' ? '' : ` (${values})`;
    const { summary } = await correct(farm, first, fields);
    expect(summary).toContain(unchanged(`North 2${suffix} and North 3${suffix}`));
  });

  it('says so when its dose alone is computed again', async ({ farm }) => {
    const [first] = await logVolume(farm);
    const { versions } = await farm.setup('North 1');
    await farm.correctVersion(versions[0]!, { irrigatedAreaM2: 12_000 });
    const { summary } = await correct(farm, first, { refreeze: true });
    expect(summary).toContain('North 2 (3 mm)');
  });

  it('says nothing where only its note changes', async ({ farm }) => {
    const [first] = await logVolume(farm);
    expect((await correct(farm, first, { note: 'valve 3' })).summary).not.toContain('whole parcel');
  });
});

describe('the area that the volume of a parcel lacks', () => {
  it('is said to be that of the parcel, where the equipment of the probe has one', async ({
    farm,
  }) => {
    const { summary } = await logParcel(farm, 'North block', volume);
    expect(summary).not.toContain('irrigated area');
    const { summary: declared } = await farm.tool<{ summary: string }>('set_module_installation', {
      module: 'North 1',
      ...sprinkler,
      irrigatedAreaM2: 1000,
    });
    expect(declared).toContain(
      '1 watering has no dose, because an application rate or an irrigated area is missing.',
    );
    expect(declared).toContain(
      'The irrigated area of North block is not known, which the volume of 1 watering of the whole parcel needs',
    );
    const { summary: again } = await logParcel(farm, 'North block', {
      ...volume,
      startedAt: 'today 6:00',
    });
    expect(again).toContain(
      'The irrigated area of North block is not known, so its volume gives no dose',
    );
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
  const summaryOf = async (farm: TestFarm, parcel = 'North block') =>
    (await logParcel(farm, parcel, { ...minutes, startedAt: 'today 6:00' })).summary;

  it('says the dose once where all agree', async ({ farm }) => {
    await farm.declareParcel('North block', drip);
    expect(await summaryOf(farm)).toBe(
      'Logged 40 min of drip on North block (North 1, North 2 and North 3), today 06:00 to 06:40 (Europe/Paris): 2.1 mm over the whole area, 6.1 mm in the wetted zone, each.',
    );
  });

  it('names the probes of each dose where they differ, and those without one', async ({ farm }) => {
    await farm.declare('North 1', drip);
    await farm.declare('North 2', sprinkler);
    expect(await summaryOf(farm)).toBe(
      'Logged 40 min of watering on North block (North 1, North 2 and North 3), today 06:00 to 06:40 (Europe/Paris): 2.1 mm over the whole area, 6.1 mm in the wetted zone on North 1; 4 mm over the whole area on North 2; no dose yet on North 3. No equipment of North 3 covers that date, so the dose is missing: declare what was there, and the dose is completed by itself.',
    );
  });

  it('names the parcel where no probe has a setup', async ({ farm }) => {
    expect(await summaryOf(farm)).toContain(
      'no dose yet. No equipment of North block covers that date, so the dose is missing: declare what was there',
    );
  });

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
    expect(summary).toContain(
      '4 mm over the whole area on North 1, North 2, North 3 and 37 more; ',
    );
    // 40 min at 20 to 50 mm/h.
    expect(summary).toContain('; 13.3 to 33.3 mm on the other 7.');
    expect(summary.length).toBeLessThan(500);
  });
});
