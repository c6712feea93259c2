import { ageOf } from '../domain/coverage.ts';
import { type Deficit, layeredCapacity } from '../domain/deficit.ts';
import { type AdvisedWater, DAY_MIN } from '../domain/watering-advice.ts';
import type { AdviceBody, AdviceReason } from '../schema/advice.ts';
import { drawnCapacity, type Grounds, slicesIn, slicesTooDry } from './advice-grounds.ts';
import { runOf } from './every-watering.ts';

/** Share of a week's readings that may be missing without being told. */
const GAPS = 0.1;

const HOUR_MS = 3_600_000;
/** So long after its end a watering may take to reach the sensors. */
const REACHING_MS = 6 * HOUR_MS;
/** So long after its end a planned watering may have wetted what the sensors do not show yet. */
const UNCONFIRMED_MS = 24 * HOUR_MS;

/** m3/m3 by which the drawn field capacity and that of the layers may differ without being told: one point. */
const CAPACITY_DIFFERS = 0.01;

/** What an advice lacks or rests on, what counts most first. */
export function reasonsOf(
  grounds: Grounds,
  { deficit, water, stress }: { deficit: Deficit | null; water: AdvisedWater; stress: AdviceReason | null },
  now: number,
): AdviceReason[] {
  if (!grounds.isOfSoil) return ['NO_SOIL_MOISTURE'];
  const { newestAt, depths, state, installation, done, begun } = grounds;
  const isFresh = newestAt !== null && ageOf(newestAt, now).isFresh;
  const hasCapacity =
    state.basis.fieldCapacity === 'annotation' || depths.some(({ fieldCapacity }) => fieldCapacity !== null);
  const holds: readonly [AdviceReason, boolean][] = [
    ['NO_DATA', newestAt === null],
    ['STALE_DATA', newestAt !== null && !isFresh],
    ['UNCONFIRMED_WATERING', begun.some((watering) => isBetween(runOf(watering).end, now - UNCONFIRMED_MS, now))],
    [
      'RECENT_WATERING',
      isFresh &&
        (done.some((watering) => runOf(watering).end > newestAt - REACHING_MS) ||
          begun.some((watering) => runOf(watering).end > now)),
    ],
    ['TOO_DRY_FOR_SOIL', isFresh && slicesTooDry(grounds).length > 0],
    ['NO_SOIL_PROFILE', !hasCapacity],
    ['FIELD_CAPACITY_DIFFERS', capacityDiffers(grounds)],
    ['NO_INSTALLATION', installation === null],
    ['MISSING_FLOW_RATE', installation !== null && (installation.flowMmPerH === null || isEndless(deficit, water))],
    [
      'MISSING_IRRIGATED_AREA',
      installation !== null && installation.irrigatedAreaM2 === null && deficit !== null && deficit.mm > 0,
    ],
    ['GAPS', isFresh && grounds.missingShare > GAPS],
    ['NO_ROOT_DEPTH', grounds.rootDepthCm === null],
    ['SLICE_WITHOUT_VALUE', isFresh && depths.some(({ slice, points }) => slice !== null && points.length === 0)],
    ['DEPTH_WITHOUT_LAYER', deficit !== null && deficit.withoutLayer.length > 0],
    ['DEFAULT_FRACTION_WETTED', hasDefaultFraction(installation)],
    ['LONGER_THAN_A_DAY', water.durationMin !== null && water.durationMin > DAY_MIN],
  ];
  return [...holds.flatMap(([reason, does]) => (does ? [reason] : [])), ...(stress === null ? [] : [stress])];
}

const isBetween = (at: number, after: number, until: number): boolean => at > after && at <= until;

/** The state goes by the line that a person drew, the deficit by the layers. */
function capacityDiffers(grounds: Grounds): boolean {
  const [drawn, layered] = [drawnCapacity(grounds), layeredCapacity(slicesIn(grounds))];
  return drawn !== null && layered !== null && Math.abs(drawn - layered) > CAPACITY_DIFFERS;
}

/** A flow so small that its minutes are no number is as good as none. */
const isEndless = (deficit: Deficit | null, { durationMin }: AdvisedWater): boolean =>
  deficit !== null && durationMin === null;

/** A whole surface that is wetted is no guess: that is what such equipment does. */
const hasDefaultFraction = (installation: Grounds['installation']): boolean =>
  installation?.fractionWettedIsDefault === true && installation.fractionWetted < 1;

/** Those that say nothing against the water that is advised, and the minutes that give it. */
const ASIDE: ReadonlySet<AdviceReason> = new Set([
  'MISSING_IRRIGATED_AREA',
  'LONGER_THAN_A_DAY',
  'NO_STRESS_POINT',
  'FEW_DRY_DAYS',
  'NOT_DRYING',
]);

/** Insufficient where there is no deficit, or no way to say how it is given. */
export function confidenceOf(
  reasons: readonly AdviceReason[],
  { deficitMm, durationMin, volumeM3 }: Pick<AdviceBody, 'deficitMm' | 'durationMin' | 'volumeM3'>,
): AdviceBody['confidence'] {
  if (deficitMm === null || (durationMin === null && volumeM3 === null)) return 'insufficient';
  return reasons.every((reason) => ASIDE.has(reason)) ? 'complete' : 'partial';
}
