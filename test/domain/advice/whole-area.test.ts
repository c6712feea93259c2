import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adviseProbe } from '../../../src/domain/advice/probe/probe-advice.ts';
import {
  assembleMeasured,
  assembleProbe,
} from '../../../src/domain/advice/probe/probe-assembly.ts';
import type { ReasonKind } from '../../../src/domain/advice/reason-kinds.ts';
import { wateringReview } from '../../../src/domain/advice/review/watering-review.ts';
import { probeWater } from '../../../src/domain/advice/wetted-fraction.ts';
import type { EquipmentFacts, ProbeFacts } from '../../../src/domain/facts/probe-facts.ts';
import { probeHistory } from '../../../src/domain/facts/probe-history.ts';
import { curveOfDepths } from '../../../src/domain/facts/probe-series.ts';
import { computeWettedDoseMm } from '../../../src/domain/irrigation/dose.ts';
import { driftingSince } from '../../../src/domain/moisture/sensor-faults.ts';
import type { TimedValue } from '../../../src/domain/moisture/series.ts';
import { simulatedSoil } from '../../acceptance/advice/situations/simulated-soil.ts';
import { DAY, FARM_NOW, HOUR } from '../../farm.ts';
import { setupOf, stateOf, wateringOf } from './farm/farm-probes.ts';
import { farmWith, probeFacts } from './probe/probe-facts.ts';

/** Those that wet the whole area, and drip that is said to. */
const SYSTEMS = ['sprinkler', 'pivot', 'gravity', 'drip'] as const;
const WHOLE = 1;
/** So little less that nothing may depend on it. */
const ALMOST_WHOLE = 0.999999;

const DEPTHS_CM = [10, 30, 50];
const CAPACITY = 28;

interface Valve {
  readonly system?: EquipmentFacts['system'];
  readonly fractionWetted?: number;
  /** How many days before now it was watered. */
  readonly wateredBefore?: readonly number[];
  readonly waterMm?: number;
}

interface Soil extends Omit<Parameters<typeof simulatedSoil>[0], 'depthsCm'> {}

/** A probe with a drawn field capacity of 28 %, as its readings of two weeks have it assembled. */
function probeOn(
  soil: Soil,
  { system = 'sprinkler', fractionWetted = WHOLE, wateredBefore = [], waterMm = 30 }: Valve,
): ProbeFacts {
  const course = simulatedSoil({ depthsCm: DEPTHS_CM, ...soil });
  const depths = DEPTHS_CM.map((depthCm) => ({
    depthCm,
    slice: { topCm: depthCm - 10, bottomCm: depthCm + 10 },
    weight: 1 / 3,
    fieldCapacity: CAPACITY / 100,
    wiltingPoint: 0.12,
    saturation: 0.45,
    points: Array.from({ length: 14 * 24 }, (_, index): TimedValue => {
      const at = FARM_NOW - (14 * 24 - index) * HOUR;
      return { at, value: course(depthCm, (FARM_NOW - at) / DAY)! };
    }),
  }));
  const series = { type: 'humidity' as const, hasSensors: true, rootDepthCm: 60 };
  const recentDepths = depths.map((depth) => ({ ...depth, points: depth.points.slice(-24) }));
  const recent = { ...series, depths: recentDepths, curve: curveOfDepths(recentDepths) };
  const history = probeHistory({ ...series, depths, curve: curveOfDepths(depths) }, []);
  const newest = recent.curve.at(-1)!;
  const drawn = stateOf();
  const state = stateOf({
    moisture: newest.value,
    at: newest.at,
    fieldCapacity: CAPACITY,
    wiltingPoint: 12,
    stressPoint: 20,
    basis: { ...drawn.basis, fieldCapacity: 'annotation' },
  });

  const equipped = setupOf('module', null);
  const installation = { ...equipped.installation!, system, fractionWetted };
  const setup = { ...equipped, installation, versions: [installation] };
  const dosed = { ...installation, id: 1 };
  const waterings = wateredBefore.map((days, index) =>
    wateringOf({
      id: index + 1,
      startedAt: FARM_NOW - Math.round(days * 24) * HOUR,
      durationMin: 60,
      status: 'done',
      isConfirmed: true,
      scope: 'module',
      waterMm,
      waterMmWetted: computeWettedDoseMm(waterMm, dosed),
    }),
  );
  const measured = assembleMeasured(
    { freshness: { newestAt: newest.at, isFresh: true }, recent, state },
    {
      history: {
        judges: 'moisture',
        hours: history,
        days: history,
        beforeSilence: null,
        missingShare: 0,
      },
      zone: 'UTC',
      ...probeWater(setup, recent.depths, waterings),
    },
  );
  return assembleProbe(measured, {
    module: probeFacts().module,
    setup,
    waterings,
    earlierWaterings: [],
    wateringsOnValve: waterings,
    wateringsOfParcel: [],
  });
}

const advise = (probe: ProbeFacts) => adviseProbe(probe, farmWith(), { expectedRainMm: 0 }).advice;
const kindsOf = (probe: ProbeFacts): ReasonKind[] => advise(probe).reasons.map(({ kind }) => kind);

const WATERED = [10, 7, 5, 2];
const dry: Soil = { wettest: 18 };
const risen = (daysLater: number): Soil => ({
  wettest: 18,
  wetted: WATERED.map((days) => ({ daysBefore: days - daysLater, points: 6 })),
});
const wet: Soil = { wettest: 36, driest: 35 };

describe.each(SYSTEMS)('on %s that wets the whole area', (system) => {
  it.each<[situation: string, ReasonKind, danger: [Soil, Valve], healthy: [Soil, Valve]]>([
    [
      'a valve that stays shut, and one that opens',
      'NO_RESPONSE',
      [dry, { wateredBefore: WATERED }],
      [risen(0), { wateredBefore: WATERED }],
    ],
    [
      'thirty millimetres that no depth shows, and one that stays in the topsoil',
      'NO_RESPONSE',
      [dry, { wateredBefore: WATERED, waterMm: 30 }],
      [dry, { wateredBefore: WATERED, waterMm: 1 }],
    ],
    [
      'a log that is a day off, and a right one',
      'LOG_SHIFTED',
      [risen(1), { wateredBefore: WATERED }],
      [risen(0), { wateredBefore: WATERED }],
    ],
    [
      'wet soil after a light watering, and after a heavy one',
      'TOO_WET',
      [wet, { wateredBefore: [2], waterMm: 2 }],
      [wet, { wateredBefore: [2], waterMm: 30 }],
    ],
  ])('%s: %s', (_, kind, danger, healthy) => {
    const [inDanger, well] = [danger, healthy].map(([soil, valve]) =>
      kindsOf(probeOn(soil, { ...valve, system })),
    );
    expect(inDanger).toContain(kind);
    expect(well).not.toContain(kind);
  });

  it('a depth that gains more than was applied drifts, and no other', () => {
    const points = (perDay: number) =>
      Array.from({ length: 10 * 24 }, (_, hour) => ({
        at: FARM_NOW - (240 - hour) * HOUR,
        value: 20 + (perDay * hour) / 24,
      }));
    const depths = [0, 0.6, 0, 0].map((perDay, index) => ({
      depthCm: 10 + 20 * index,
      thicknessMm: 200,
      fieldCapacity: CAPACITY,
      hours: { points: points(perDay), soilTemperature: [] },
    }));
    const drifts = (waterMm: number) => {
      const { setup, waterings, recent } = probeOn(dry, { system, wateredBefore: [6], waterMm });
      return driftingSince(depths, probeWater(setup, recent.depths, waterings).done).some(Boolean);
    };
    expect(drifts(2)).toBe(true);
    expect(drifts(30)).toBe(false);
  });
});

const anySoil = fc.record({
  wettest: fc.integer({ min: 15, max: 36 }),
  wetted: fc.array(
    fc.record({
      daysBefore: fc.integer({ min: 2, max: 40 }).map((quarters) => quarters / 4),
      points: fc.integer({ min: 1, max: 9 }),
    }),
    { maxLength: 4 },
  ),
  seed: fc.integer({ min: 1, max: 1000 }),
});
const anyValve = fc.record({
  system: fc.constantFrom(...SYSTEMS),
  wateredBefore: fc
    .uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 5 })
    .map((days) => [...days].sort((a, b) => b - a)),
  waterMm: fc.integer({ min: 1, max: 60 }),
});

it('gives the same reasons, amount and review by a fraction of 1 and one of almost 1', () => {
  fc.assert(
    fc.property(anySoil, anyValve, (soil, valve) => {
      const [all, almost] = [WHOLE, ALMOST_WHOLE].map((fractionWetted) => {
        const probe = probeOn(soil, { ...valve, fractionWetted });
        const { reasons, waterMm, durationMin } = advise(probe);
        const curves = probe.recent.depths.map((depth) => ({ ...depth, frozen: [], minRise: 1 }));
        const { waterings } = wateringReview(
          { curves, waterings: probe.waterings, setup: probe.setup, rootDepthCm: 60 },
          { start: FARM_NOW - 14 * DAY, end: FARM_NOW },
          FARM_NOW,
        );
        const reviewed = waterings.map(({ response, isTooLight }) => [response, isTooLight]);
        return { kinds: reasons.map(({ kind }) => kind), waterMm, durationMin, reviewed };
      });
      expect(almost).toEqual({
        ...all,
        waterMm: all!.waterMm && expect.closeTo(all!.waterMm, 2),
        durationMin: all!.durationMin && expect.closeTo(all!.durationMin, 1),
      });
    }),
    { numRuns: 60 },
  );
});
