import { describe, expect } from 'vitest';
import {
  advisoriesOf,
  DAY,
  FARM_NOW,
  HOUR,
  iso,
  it,
  minutesAt,
  type TestFarm,
} from '../../farm.ts';
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
    const declared = await farm.declareParcel('North block', newEmitters);
    expect(advisoriesOf(declared, 'equipment_kept')).toEqual([
      {
        kind: 'equipment_kept',
        emittersPerM2: 2,
        emitterSpacingM: 0.5,
        lineSpacingM: 1,
        fractionWetted: 0.4,
        irrigatedAreaM2: 12_000,
      },
    ]);
    expect(await parcelSetup(farm)).toMatchObject({
      ...lines,
      emitterFlowLph: 2.3,
      emittersPerM2: 2,
      flowMmPerH: 4.6,
      fractionWettedIsDefault: false,
    });
  });

  it('keep those of the probe', async ({ farm }) => {
    await farm.declare('North 1', lines);
    const declared = await farm.declare('North 1', newEmitters);
    expect(declared.installation).toMatchObject({ flowMmPerH: 4.6, irrigatedAreaM2: 12_000 });
    expect(advisoriesOf(declared, 'equipment_kept')).toMatchObject([{ emittersPerM2: 2 }]);
  });

  it('at one probe keep those of its parcel, but not its area', async ({ farm }) => {
    await farm.declareParcel('North block', lines);
    expect((await farm.declare('North 1', newEmitters)).installation).toMatchObject({
      scope: 'module',
      flowMmPerH: 4.6,
      fractionWetted: 0.4,
      irrigatedAreaM2: null,
    });
  });

  it('keep what was in force on their date', async ({ farm }) => {
    await farm.declareParcel('North block', lines);
    await farm.declareParcel('North block', {
      ...lines,
      emitterSpacingM: 0.25,
      effectiveFrom: iso(FARM_NOW - DAY),
    });
    const declared = await farm.declareParcel('North block', newEmitters);
    expect(advisoriesOf(declared, 'equipment_kept')).toMatchObject([{ emittersPerM2: 2 }]);
  });

  it('lose the rate where it was known without emitters', async ({ farm }) => {
    await farm.declareParcel('North block', { system: 'drip', flowMmPerH: 4 });
    const declared = await farm.declareParcel('North block', newEmitters);
    expect(advisoriesOf(declared, 'application_rate_lost')).toMatchObject([
      { beforeMmPerH: 4, lacks: 'emittersPerM2' },
    ]);
  });

  it('replace all over REST, and lose the rate', async ({ farm }) => {
    await farm.declareParcel('North block', lines);
    const parcelId = farm.idOf('North block');
    const declared = await farm.wire('set_parcel_installation', {
      parcelId,
      system: 'drip',
      emitterFlowLph: 2.3,
    });
    expect(advisoriesOf(declared, 'application_rate_lost')).toMatchObject([{ beforeMmPerH: 4 }]);
    expect(await parcelSetup(farm)).toMatchObject({ emittersPerM2: null, irrigatedAreaM2: null });
  });
});

describe('a change to another system', () => {
  it('keeps only the area', async ({ farm }) => {
    await farm.declareParcel('North block', lines);
    const declared = await farm.declareParcel('North block', { system: 'sprinkler' });
    expect(advisoriesOf(declared, 'equipment_kept')).toEqual([
      { kind: 'equipment_kept', irrigatedAreaM2: 12_000 },
    ]);
    expect(advisoriesOf(declared, 'application_rate_lost')).toMatchObject([
      { lacks: 'flowMmPerH' },
    ]);
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
