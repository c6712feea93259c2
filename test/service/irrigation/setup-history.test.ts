import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AcequiaError } from '../../../src/schema/error.ts';
import type { InstallationVersionBody } from '../../../src/schema/irrigation/installation.ts';
import type { WateringBody } from '../../../src/schema/irrigation/watering.ts';
import { FARM_NOW, HOUR, iso, type TestFarm, withFarm } from '../../farm.ts';
import { propertyRuns } from '../../property-runs.ts';

/** Hours relative to FARM_NOW at which events happen; a missing field is not sent. */
const anyHour = fc.integer({ min: -40, max: 0 });
const anyProbe = fc.constantFrom('North 1', 'North 2', 'North 3');
const anyEquipment = fc.record({
  system: fc.constantFrom('drip', 'sprinkler', 'micro_sprinkler'),
  flowMmPerH: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
  irrigatedAreaM2: fc.option(fc.integer({ min: 100, max: 9000 }), { nil: undefined }),
});
const anyStart = fc.option(anyHour, { nil: undefined, freq: 3 });
const anyAmount = fc.constantFrom(
  { inputMode: 'duration', durationMin: 40 },
  { inputMode: 'depth_mm', inputDepthMm: 7 },
  { inputMode: 'volume_m3', inputVolumeM3: 3 },
);

const anyStep = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('log' as const),
      probe: anyProbe,
      at: anyHour,
      amount: anyAmount,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('declare' as const),
      probe: anyProbe,
      equipment: anyEquipment,
      at: anyStart,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('declareParcel' as const),
      equipment: anyEquipment,
      at: anyStart,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('mend' as const),
      pick: fc.nat(50),
      equipment: fc.option(anyEquipment, { nil: undefined }),
      at: anyStart,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('a generalized setup' as const),
      probe: anyProbe,
      at: anyStart,
      dropSiblings: fc.boolean(),
    }),
  },
);
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;
const anySteps = fc.array(anyStep, { minLength: 4, maxLength: 16 });

const PROBES = ['North 1', 'North 2', 'North 3'];
const from = (at: number | undefined) =>
  at === undefined ? {} : { effectiveFrom: iso(FARM_NOW + at * HOUR) };

async function allVersions(farm: TestFarm): Promise<InstallationVersionBody[]> {
  const versions = new Map<number, InstallationVersionBody>();
  for (const probe of PROBES)
    for (const each of (await farm.setup(probe)).versions) versions.set(each.id, each);
  return [...versions.values()];
}

async function applyStep(farm: TestFarm, step: Step): Promise<void> {
  try {
    switch (step.kind) {
      case 'log':
        await farm.log(step.probe, { startedAt: iso(FARM_NOW + step.at * HOUR), ...step.amount });
        break;
      case 'declare':
        await farm.declare(step.probe, { ...step.equipment, ...from(step.at) });
        break;
      case 'declareParcel':
        await farm.declareParcel('North block', { ...step.equipment, ...from(step.at) });
        break;
      case 'mend': {
        const versions = await allVersions(farm);
        if (versions.length === 0) break;
        await farm.correctVersion(versions[step.pick % versions.length]!, {
          ...step.equipment,
          ...from(step.at),
        });
        break;
      }
      case 'a generalized setup': {
        const { probe, dropSiblings, at } = step;
        await farm.tool('generalize_installation', { module: probe, dropSiblings, ...from(at) });
        break;
      }
    }
  } catch (error) {
    if (!(error instanceof AcequiaError) || error.status >= 500) throw error;
  }
}

function afterEachStep(
  steps: readonly Step[],
  check: (farm: TestFarm, step: Step) => Promise<void>,
): Promise<void> {
  return withFarm(async (farm) => {
    for (const step of steps) {
      await applyStep(farm, step);
      await check(farm, step);
      farm.now += HOUR;
    }
  });
}

const doseOf = ({ waterMm, waterMmWetted, configSnapshot }: WateringBody) => ({
  waterMm,
  waterMmWetted,
  configSnapshot,
});
const isComplete = ({ waterMm, configSnapshot }: WateringBody): boolean =>
  waterMm !== null && configSnapshot?.installationId != null;

describe('after any sequence of setup writes', () => {
  it('no recorded dose has changed', () =>
    fc.assert(
      fc.asyncProperty(anySteps, async (steps) => {
        let before = new Map<number, WateringBody>();
        await afterEachStep(steps, async (farm) => {
          const rows = await farm.waterings();
          for (const row of rows) {
            const earlier = before.get(row.id);
            if (earlier && isComplete(earlier)) expect(row).toEqual(earlier);
            else if (earlier && earlier.waterMm !== null) expect(row.waterMm).toBe(earlier.waterMm);
          }
          before = new Map(rows.map((row) => [row.id, row]));
        });
      }),
      { numRuns: propertyRuns(25) },
    ));

  it('recomputing completes nothing', () =>
    fc.assert(
      fc.asyncProperty(anySteps, async (steps) =>
        withFarm(async (farm) => {
          for (const step of steps) {
            await applyStep(farm, step);
            farm.now += HOUR;
          }
          const rows = await farm.waterings();
          for (const module of PROBES)
            expect(await farm.tool('recompute_doses', { module })).toMatchObject({ completed: 0 });
          expect((await farm.waterings()).map(doseOf)).toEqual(rows.map(doseOf));
        }),
      ),
      { numRuns: propertyRuns(15) },
    ));
});
