import { describe, expect } from 'vitest';
import { DAY, FARM_NOW, HOUR, iso, it, minutesAt, type TestFarm } from '../../farm.ts';
import { statementsOfWrites } from '../../transactions.ts';

const lines = {
  system: 'drip',
  emitterFlowLph: 2,
  emitterSpacingM: 0.5,
  lineSpacingM: 1,
  fractionWetted: 0.4,
  irrigatedAreaM2: 12_000,
};
const newEmitters = { system: 'drip', emitterFlowLph: 2.3, effectiveFrom: iso(FARM_NOW - 2 * DAY) };

const parcelSetup = async (farm: TestFarm) =>
  (await farm.tool('get_irrigation_setup', { parcel: 'North block' })).installation;

describe('new emitters on the same lines', () => {
  it('keep the density, fraction and area of the parcel: 2.3 L/h x 2 is 4.6 mm/h', async ({
    farm,
  }) => {
    await farm.declareParcel('North block', lines);
    const { summary } = await farm.declareParcel('North block', newEmitters);
    expect(summary).toContain(
      'is declared: drip, 2.3 L/h per emitter, 2 emitters per m2, 4.6 mm/h, wetted fraction 40 %, 12000 m2.',
    );
    expect(summary).toContain(
      'As before: 2 emitters per m2, emitters every 0.5 m on lines 1 m apart, wetted fraction 40 %, 12000 m2.',
    );
    expect(await parcelSetup(farm)).toMatchObject({
      ...{ ...lines, emitterFlowLph: 2.3, emittersPerM2: 2, flowMmPerH: 4.6 },
      fractionWettedIsDefault: false,
    });
  });

  it('keep those of the probe', async ({ farm }) => {
    await farm.declare('North 1', lines);
    const { installation, summary } = await farm.declare('North 1', newEmitters);
    expect(installation).toMatchObject({ flowMmPerH: 4.6, irrigatedAreaM2: 12_000 });
    expect(summary).toContain('As before: 2 emitters per m2');
  });

  it('at one probe keep those of its parcel, but not its area', async ({ farm }) => {
    await farm.declareParcel('North block', lines);
    expect((await farm.declare('North 1', newEmitters)).installation).toMatchObject({
      ...{ scope: 'module', flowMmPerH: 4.6, fractionWetted: 0.4, irrigatedAreaM2: null },
    });
  });

  it('keep what was in force on their date', async ({ farm }) => {
    await farm.declareParcel('North block', lines);
    await farm.declareParcel('North block', {
      ...{ ...lines, emitterSpacingM: 0.25, effectiveFrom: iso(FARM_NOW - DAY) },
    });
    const { summary } = await farm.declareParcel('North block', newEmitters);
    expect(summary).toContain('As before: 2 emitters per m2');
  });

  it('say that the rate is lost where it was known without emitters', async ({ farm }) => {
    await farm.declareParcel('North block', { system: 'drip', flowMmPerH: 4 });
    const { summary, next } = await farm.declareParcel('North block', newEmitters);
    expect(summary).toContain(
      'The application rate, 4 mm/h before, is not known any more, so that a duration gives no dose: ask for the spacing of the emitters.',
    );
    expect(next).toContain('correct_installation(emittersPerM2)');
  });

  it('replace all over REST, which says that the rate is lost', async ({ farm }) => {
    await farm.declareParcel('North block', lines);
    const parcelId = farm.idOf('North block');
    const { summary } = await farm.wire('set_parcel_installation', {
      ...{ parcelId, system: 'drip', emitterFlowLph: 2.3 },
    });
    expect(summary).toContain('4 mm/h before, is not known any more');
    expect(await parcelSetup(farm)).toMatchObject({ emittersPerM2: null, irrigatedAreaM2: null });
  });
});

describe('a change to another system', () => {
  it('keeps only the area', async ({ farm }) => {
    await farm.declareParcel('North block', lines);
    const { summary, next } = await farm.declareParcel('North block', { system: 'sprinkler' });
    expect(summary).toContain('As before: 12000 m2.');
    expect(summary).toContain('ask for the new rate');
    expect(next).toContain('correct_installation(flowMmPerH)');
    expect(await parcelSetup(farm)).toMatchObject({ emitterFlowLph: null, fractionWetted: 1 });
  });
});

describe('equipment that completes the doses of many equal waterings', () => {
  it('writes them, and takes them back, with few statements', async ({ farm }) => {
    const logOn = async (module: string, count: number): Promise<void> => {
      for (let n = 1; n <= count; n++) await farm.log(module, minutesAt(FARM_NOW - n * HOUR, 30));
    };
    const equipment = {
      system: 'sprinkler',
      flowMmPerH: 6,
      effectiveFrom: iso(FARM_NOW - 9 * DAY),
    };
    const statementsOn = async (module: string): Promise<number[]> => {
      const writes = await statementsOfWrites(farm, async () => {
        await farm.declare(module, equipment);
        await farm.tool('undo');
      });
      return writes.map(({ length }) => length);
    };
    await logOn('North 1', 2);
    await logOn('North 2', 60);

    expect(await statementsOn('North 2')).toEqual(await statementsOn('North 1'));
    await farm.declare('North 2', equipment);
    const { data } = await farm.wire<{ data: { waterMm: number }[] }>('list_waterings', {
      moduleId: farm.idOf('North 2'),
      limit: 200,
    });
    expect(new Set(data.map(({ waterMm }) => waterMm))).toEqual(new Set([3]));
  });
});
