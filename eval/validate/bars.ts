import { type Hindcast, type HindcastCase, LEADS_DAYS } from './hindcast.ts';
import type { ProfileResult } from './profiles.ts';
import type { RiseFigures } from './simulated-sensors.ts';
import { errorStatistics } from './statistics.ts';
import type { RiseComparison } from './wetting-events.ts';

/** What must hold; the validation fails otherwise. */
export interface Bar {
  readonly what: string;
  readonly figure: string;
  readonly isMet: boolean;
}

const MAX_DEFICIT_ERROR_MM = 1;
const HEAVY_RAIN_MM = 3;
const MIN_DETECTED = 0.7;
const MIN_EXPLAINED = 0.9;

export function deficitBars(results: readonly ProfileResult[]): Bar[] {
  const byRule = errorStatistics(results.map(({ ruleMm, perLayerMm }) => ruleMm - perLayerMm));
  // In the maize plot sand is below loam, which no single line can say.
  const drawn = errorStatistics(
    results.flatMap(({ plot, advisedMm, perLayerMm }) =>
      plot.startsWith('cotton') ? [advisedMm - perLayerMm] : [],
    ),
  );
  return [
    {
      what: `with the measured field capacity of each layer, each deficit is within ${MAX_DEFICIT_ERROR_MM} mm of the definition`,
      figure: `at most ${byRule.largest.toFixed(2)} mm`,
      isMet: byRule.largest <= MAX_DEFICIT_ERROR_MM,
    },
    {
      what: `with it drawn as a line, the cotton deficits are within ${MAX_DEFICIT_ERROR_MM} mm by RMSE`,
      figure: `${drawn.rmse.toFixed(2)} mm`,
      isMet: drawn.rmse <= MAX_DEFICIT_ERROR_MM,
    },
  ];
}

export const forecastBars = (hindcasts: readonly Hindcast[]): Bar[] =>
  hindcasts.flatMap(({ soil, cases }) =>
    LEADS_DAYS.map((leadDays) => {
      const ofLead = cases.filter((each) => each.leadDays === leadDays);
      const errorsOf = (days: (each: HindcastCase) => number) =>
        errorStatistics(ofLead.map((each) => days(each) - leadDays));
      const [ours, ...others] = [
        errorsOf((each) => each.advisedDays),
        errorsOf((each) => each.earlierDays),
        errorsOf((each) => each.naiveDays),
      ] as const;
      const names = ['meanAbsolute', 'rmse'] as const;
      return {
        what: `days to stress, ${soil}, ${leadDays} ahead: mean absolute error and RMSE are not above those of the earlier rule, nor of the last day going on`,
        figure: names
          .map((name) => {
            const [own, earlier, naive] = [ours, ...others].map((each) => each[name].toFixed(2));
            return `${own} (${earlier}, ${naive})`;
          })
          .join('; ')
          .concat(' days'),
        isMet: names.every((name) => others.every((other) => ours[name] <= other[name])),
      };
    }),
  );

export function riseBars(
  rises: readonly RiseComparison[],
  simulated: readonly RiseFigures[],
): Bar[] {
  const {
    detectedDays,
    rainyDays,
    explainedEvents,
    rises: found,
  } = rises.find(({ minRainMm }) => minRainMm === HEAVY_RAIN_MM)!;
  const falseRises = simulated.reduce((sum, each) => sum + each.falseRises, 0);
  return [
    {
      what: `at least ${100 * MIN_DETECTED} % of the days with more than ${HEAVY_RAIN_MM} mm of rain show a rise`,
      figure: `${detectedDays} of ${rainyDays}`,
      isMet: detectedDays >= MIN_DETECTED * rainyDays,
    },
    {
      what: `at least ${100 * MIN_EXPLAINED} % of the rises follow such rain`,
      figure: `${explainedEvents} of ${found}`,
      isMet: explainedEvents >= MIN_EXPLAINED * found,
    },
    {
      what: 'drying soils show no rise, in whatever steps their sensors report',
      figure: `${falseRises}`,
      isMet: falseRises === 0,
    },
  ];
}
