import { SOAKING_MS } from '../../domain/advice/rain-effect.ts';
import type { AdvisedWater, WaterDeficit } from '../../domain/advice/watering-advice.ts';
import { readingAge } from '../../domain/moisture/coverage.ts';
import { SENSOR_DOUBTS } from '../../domain/moisture/sensor-doubts.ts';
import { HOUR_MS } from '../../domain/periods.ts';
import type { AdviceBody, AdviceReason } from '../../schema/advice/advice.ts';
import { type AdviceInputs, doubtsOf } from './advice-inputs.ts';
import { runPeriod } from './operation-reads.ts';

const MAX_MISSING_SHARE = 0.1;

/** Time after its end during which an unconfirmed watering can explain or change the moisture. */
const UNCONFIRMED_WINDOW_MS = 24 * HOUR_MS;

export function adviceReasons(
  inputs: AdviceInputs,
  {
    deficit,
    water,
    daily,
    stress,
    hasRecentRain,
    expects,
  }: {
    deficit: WaterDeficit | null;
    water: AdvisedWater;
    daily: { readonly days: number; readonly canCatchUp: boolean } | null;
    stress: AdviceReason | null;
    hasRecentRain: boolean;
    expects: { rain: boolean; demand: boolean };
  },
  now: number,
): AdviceReason[] {
  if (!inputs.measuresSoilMoisture) return ['NO_SOIL_MOISTURE'];

  const { newestAt, depths, state, installation } = inputs;
  const isFresh = newestAt !== null && readingAge(newestAt, now).isFresh;
  const isCapacityDrawn = state.basis.fieldCapacity === 'annotation';
  const isCapacityLayered = depths.some(({ fieldCapacity }) => fieldCapacity !== null);
  const conditions: readonly (readonly [AdviceReason, boolean])[] = [
    ...SENSOR_DOUBTS.map(
      (reason) => [reason, doubtsOf(inputs).some((doubt) => doubt.reason === reason)] as const,
    ),
    ['RECENT_RAIN', hasRecentRain],
    ['EXPECTED_RAIN', expects.rain],
    ['EXPECTED_DEMAND', expects.demand],
    ['NO_SOIL_PROFILE', !isCapacityDrawn && !isCapacityLayered],
    ['FIELD_CAPACITY_ESTIMATED', !isCapacityDrawn && isCapacityLayered],
    ['NO_INSTALLATION', installation === null],
    [
      'MISSING_FLOW_RATE',
      installation !== null &&
        (installation.flowMmPerH === null || hasNegligibleFlow(deficit, water)),
    ],
    [
      'MISSING_IRRIGATED_AREA',
      installation !== null &&
        installation.irrigatedAreaM2 === null &&
        deficit !== null &&
        deficit.deficitMm > 0,
    ],
    ['GAPS', isFresh && inputs.missingShare > MAX_MISSING_SHARE],
    ['NO_ROOT_DEPTH', inputs.rootDepthCm === null],
    [
      'SLICE_WITHOUT_VALUE',
      isFresh && depths.some(({ slice, points }) => slice !== null && points.length === 0),
    ],
    ['DEPTH_WITHOUT_LAYER', deficit !== null && deficit.withoutLayer.length > 0],
    ['DEFAULT_FRACTION_WETTED', hasDefaultWettedFraction(installation)],
    ['LONGER_THAN_A_DAY', daily !== null && daily.days > 1],
    ['DAILY_LIMIT_TOO_SHORT', daily !== null && !daily.canCatchUp],
  ];

  return [
    ...timelinessReasons(inputs, now),
    ...reasonsThatApply(conditions),
    ...(stress === null ? [] : [stress]),
  ];
}

const reasonsThatApply = (
  conditions: readonly (readonly [AdviceReason, boolean])[],
): AdviceReason[] => conditions.flatMap(([reason, applies]) => (applies ? [reason] : []));

/** The reasons to doubt that the newest reading is recent and shows the last watering. */
export function timelinessReasons(
  { newestAt, done, startedPlanned }: Pick<AdviceInputs, 'newestAt' | 'done' | 'startedPlanned'>,
  now: number,
): AdviceReason[] {
  const isFresh = newestAt !== null && readingAge(newestAt, now).isFresh;
  return reasonsThatApply([
    ['NO_DATA', newestAt === null],
    ['STALE_DATA', newestAt !== null && !isFresh],
    [
      'UNCONFIRMED_WATERING',
      startedPlanned.some((watering) =>
        isBetween(runPeriod(watering).end, now - UNCONFIRMED_WINDOW_MS, now),
      ),
    ],
    [
      'RECENT_WATERING',
      isFresh &&
        (done.some((watering) => runPeriod(watering).end > newestAt - SOAKING_MS) ||
          startedPlanned.some((watering) => runPeriod(watering).end > now)),
    ],
  ]);
}

const isBetween = (at: number, after: number, until: number): boolean => at > after && at <= until;

const hasNegligibleFlow = (deficit: WaterDeficit | null, { durationMin }: AdvisedWater): boolean =>
  deficit !== null && durationMin === null;

/** A default of 1 is not a guess: such equipment wets the whole area. */
const hasDefaultWettedFraction = (installation: AdviceInputs['installation']): boolean =>
  installation?.fractionWettedIsDefault === true && installation.fractionWetted < 1;

const INFORMATIVE_REASONS: ReadonlySet<AdviceReason> = new Set([
  'MISSING_IRRIGATED_AREA',
  'EXPECTED_DEMAND',
  'LONGER_THAN_A_DAY',
  'DAILY_LIMIT_TOO_SHORT',
  'NO_STRESS_POINT',
  'THRESHOLDS_CROSSED',
  'FEW_DRY_DAYS',
  'NOT_DRYING',
]);

export function adviceConfidence(
  reasons: readonly AdviceReason[],
  { deficitMm, durationMin, volumeM3 }: Pick<AdviceBody, 'deficitMm' | 'durationMin' | 'volumeM3'>,
): AdviceBody['confidence'] {
  if (deficitMm === null || (durationMin === null && volumeM3 === null)) return 'insufficient';
  return reasons.every((reason) => INFORMATIVE_REASONS.has(reason)) ? 'complete' : 'partial';
}
