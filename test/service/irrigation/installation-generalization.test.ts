import { describe, expect, vi } from 'vitest';
import type { IrrigationConfigurationBody } from '../../../src/schema/irrigation/installation.ts';
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
import { isOnPostgres } from '../../stores/stores.ts';

const FIRST = '1970-01-01T00:00:00.000Z';
const drip = {
  system: 'drip',
  emitterFlowLph: 1.6,
  emittersPerM2: 2,
  irrigatedAreaM2: 400,
  notes: 'line A',
};
const pivot = { system: 'pivot', flowMmPerH: 9 };

type Setup = IrrigationConfigurationBody['installation'];
interface Generalized {
  readonly configuration: IrrigationConfigurationBody;
  readonly probes: { moduleId: number; before: Setup; after: Setup }[];
  readonly leftOut: { changed: number; unchanged: number };
}

const generalize = (farm: TestFarm, args: Record<string, unknown> = {}) =>
  farm.tool<Generalized>('generalize_installation', { module: 'North 1', ...args });

const spans = async (farm: TestFarm, module: string) =>
  (await farm.setup(module)).versions.map(({ scope, validFrom, validTo }) => [
    scope,
    validFrom,
    validTo,
  ]);

describe('a generalized setup', () => {
  it('is a copy of the probe’s setup, with its notes', async ({ farm }) => {
    await farm.declare('North 1', { ...drip, effectiveFrom: iso(FARM_NOW - DAY) });
    const { configuration } = await generalize(farm);
    const [own] = (await farm.setup('North 1')).versions.filter(({ scope }) => scope === 'module');
    const {
      id: _,
      moduleId: __,
      parcelId: ___,
      scope: ____,
      validFrom: _____,
      validTo: ______,
      ...equipment
    } = own!;
    expect(configuration.versions.find(({ scope }) => scope === 'parcel')).toMatchObject({
      ...equipment,
      moduleId: null,
      parcelId: farm.idOf('North block'),
      setAt: iso(FARM_NOW),
    });
  });

  it.for<
    [
      title: string,
      parcelHas: object | null,
      effectiveFrom: string | undefined,
      parcel: string,
      end: string,
    ]
  >([
    [
      'ends the probe’s own at its start',
      null,
      iso(FARM_NOW - HOUR),
      iso(FARM_NOW - HOUR),
      iso(FARM_NOW - HOUR),
    ],
    ['starts in 1970 without a date if the parcel had none', null, undefined, FIRST, iso(FARM_NOW)],
    [
      'starts now without a date if the parcel had one',
      pivot,
      undefined,
      iso(FARM_NOW),
      iso(FARM_NOW),
    ],
    [
      'ends the own now if both start together',
      null,
      iso(FARM_NOW - DAY),
      iso(FARM_NOW - DAY),
      iso(FARM_NOW),
    ],
  ])('%s', async ([_, parcelHas, effectiveFrom, start, end], { farm }) => {
    if (parcelHas) await farm.declareParcel('North block', { ...parcelHas });
    await farm.declare('North 1', { ...drip, effectiveFrom: iso(FARM_NOW - DAY) });
    await generalize(farm, { effectiveFrom });
    const after = await spans(farm, 'North 1');
    expect(after).toContainEqual(['parcel', start, null]);
    expect(after).toContainEqual(['module', iso(FARM_NOW - DAY), end]);
    if (parcelHas) expect(after).toContainEqual(['parcel', FIRST, start]);
  });

  it.for([
    ['before the probe’s own start', iso(FARM_NOW - 2 * DAY), 'INVALID_EFFECTIVE_FROM'],
    ['in the future', iso(FARM_NOW + DAY), 'EFFECTIVE_FROM_IN_FUTURE'],
    ['at a start of the parcel', iso(FARM_NOW - HOUR), 'INSTALLATION_VERSION_EXISTS_AT_DATE'],
  ] as const)('is refused %s: %s is %s', async ([_, effectiveFrom, code], { farm }) => {
    await farm.declareParcel('North block', { ...pivot, effectiveFrom: iso(FARM_NOW - HOUR) });
    await farm.declare('North 1', { ...drip, effectiveFrom: iso(FARM_NOW - DAY) });
    await expect(generalize(farm, { effectiveFrom })).rejects.toMatchObject({ code });
  });

  it.for([
    ['without a setup of its own', 'North 2', 'NO_INSTALLATION'],
    ['without a parcel', 'Loose', 'PARCEL_NOT_FOUND'],
  ])('is refused for a probe %s: %s %s', async ([_, module, code], { farm }) => {
    await farm.declareParcel('North block', drip);
    await expect(generalize(farm, { module })).rejects.toMatchObject({ code });
  });

  it('leaves the setups of the other probes unchanged', async ({ farm }) => {
    await farm.declare('North 1', drip);
    await farm.declare('North 2', pivot);
    await generalize(farm);
    expect((await farm.setup('North 2')).installation).toMatchObject({
      scope: 'module',
      system: 'pivot',
    });
  });

  it('ends the setups of the other probes with dropSiblings', async ({ farm }) => {
    await farm.declare('North 1', { ...drip, effectiveFrom: iso(FARM_NOW - 2 * DAY) });
    await farm.declare('North 2', { ...pivot, effectiveFrom: iso(FARM_NOW - 2 * DAY) });
    await farm.declare('North 3', { ...pivot, effectiveFrom: iso(FARM_NOW - HOUR) });
    await farm.declare('South 1', pivot);
    const { configuration } = await generalize(farm, {
      effectiveFrom: iso(FARM_NOW - DAY),
      dropSiblings: true,
    });
    expect(configuration.siblingOverrides).toBe(0);
    expect(await spans(farm, 'North 2')).toContainEqual([
      'module',
      iso(FARM_NOW - 2 * DAY),
      iso(FARM_NOW - DAY),
    ]);
    expect(await spans(farm, 'North 3')).toContainEqual([
      'module',
      iso(FARM_NOW - HOUR),
      iso(FARM_NOW),
    ]);
    expect((await farm.setup('South 1')).installation?.scope).toBe('module');
  });

  it('lists every probe of the parcel with its setup before and after', async ({ farm }) => {
    const own = (await farm.declare('North 1', { ...drip, effectiveFrom: iso(FARM_NOW - DAY) }))
      .installation;
    const { probes, configuration } = await generalize(farm);
    expect(probes.map(({ moduleId }) => moduleId)).toEqual(
      ['North 1', 'North 2', 'North 3'].map(farm.idOf),
    );
    expect(probes[0]).toEqual({
      moduleId: farm.idOf('North 1'),
      before: own,
      after: configuration.installation,
    });
    expect(probes[1]).toEqual({
      moduleId: farm.idOf('North 2'),
      before: null,
      after: configuration.installation,
    });
  });

  it('lists changed probes first, and counts the omitted ones', async ({ farm }) => {
    await farm.declare('North 1', { ...drip, effectiveFrom: iso(FARM_NOW - DAY) });
    await farm.declare('North 2', { ...pivot, effectiveFrom: iso(FARM_NOW - DAY) });
    const query = { moduleId: farm.idOf('North 1'), dryRun: true };
    const most = async (maxProbes: number) =>
      farm.wire<Generalized>('generalize_installation', { ...query, maxProbes });
    const two = await most(2);
    expect(two.probes.map(({ moduleId }) => moduleId)).toEqual(
      ['North 1', 'North 3'].map(farm.idOf),
    );
    expect(two.leftOut).toEqual({ changed: 0, unchanged: 1 });
    const one = await most(1);
    expect(one.leftOut).toEqual({ changed: 1, unchanged: 1 });
  });

  it.for([{}, { dropSiblings: true }, { effectiveFrom: iso(FARM_NOW - HOUR), dropSiblings: true }])(
    'is only described with dryRun, and not written (%o)',
    async (query, { farm }) => {
      await farm.declareParcel('North block', { ...pivot, effectiveFrom: iso(FARM_NOW - 3 * DAY) });
      await farm.declare('North 1', { ...drip, effectiveFrom: iso(FARM_NOW - DAY) });
      await farm.declare('North 2', { ...pivot, effectiveFrom: iso(FARM_NOW - 2 * DAY) });
      const before = await Promise.all(['North 1', 'North 2', 'North 3'].map(farm.setup));
      const foretold = await generalize(farm, { ...query, dryRun: true });
      expect(await Promise.all(['North 1', 'North 2', 'North 3'].map(farm.setup))).toEqual(before);
      const done = await generalize(farm, query);
      const withoutId = ({ probes }: Generalized) =>
        probes.map((probe) => ({ ...probe, after: { ...probe.after, id: null } }));
      expect(withoutId(foretold)).toEqual(withoutId(done));
    },
  );

  it('takes no write lock for a dry run, but for the note that it changed nothing', async ({
    farm,
  }) => {
    await farm.declare('North 1', drip);
    const notes = vi.spyOn(farm.store, 'write');
    const calls = vi.spyOn(farm.store, 'writeUnscoped');
    for (let time = 0; time < 3; time++) await generalize(farm, { dryRun: true });
    expect(notes).toHaveBeenCalledTimes(1);
    // On SQLite, the note is written by the same method as a call.
    expect(calls).toHaveBeenCalledTimes(isOnPostgres ? 0 : 1);
    vi.restoreAllMocks();

    await expect(farm.tool('undo')).rejects.toThrow('(generalize_installation) changed nothing');
  });

  it('completes missing doses, and changes no recorded one', async ({ farm }) => {
    const minutes = minutesAt(FARM_NOW - HOUR, 60);
    await farm.declare('North 1', drip);
    const recorded = await farm.log('North 1', minutes);
    const missing = await farm.log('North 2', minutes);
    const generalized = await generalize(farm);
    expect(await farm.watering(recorded.event.id)).toEqual(recorded.event);
    expect((await farm.watering(missing.event.id)).waterMm).toBe(3.2);
    expect(advisoriesOf(generalized, 'doses_completed')).toMatchObject([{ count: 1 }]);
  });
});
