import type { ProbeFacts } from '../../facts/probe-facts.ts';
import {
  dayEndsBeforeSilence,
  type HistoryFacts,
  historyFacts,
  type ProbeHistory,
} from '../../facts/probe-history.ts';
import { soilTemperatures } from '../../facts/soil-temperature.ts';
import { runPeriod } from '../../facts/watering-facts.ts';
import {
  NO_RESPONSE_SHOWN,
  responseOfHistory,
  type ShownFacts,
} from '../response/response-of-history.ts';
import { responseOfTension } from '../response/tension-response.ts';
import { type AppliedWatering, withFractionsOfSpacing } from '../wetted-fraction.ts';

// The facts of a probe are assembled here, whether they come from the store or from the answers of
// a service elsewhere.

/**
 * The history by which a probe is judged; null if it measures neither soil moisture nor tension.
 */
export type JudgedHistory =
  | {
      readonly judges: 'moisture';
      /** Hourly means of the last `DRYING_RATE_DAYS`. */
      readonly hours: ProbeHistory;
      /** Daily means of all that is known of the probe. */
      readonly days: ProbeHistory;
      /** Null for a probe that reports. */
      readonly beforeSilence: ProbeHistory | null;
      readonly missingShare: number;
    }
  | { readonly judges: 'tension'; readonly hours: ProbeHistory }
  | null;

interface JudgedBy {
  readonly history: JudgedHistory;
  /** Waterings of the same days that were done, oldest first. */
  readonly done: readonly AppliedWatering[];
  /** The share that its equipment wets now, 0 to 1. */
  readonly fractionWetted: number;
  readonly zone: string;
}

type MeasuredSeries = Pick<ProbeFacts, 'freshness' | 'recent' | 'state'>;

/** Follows from the readings of a probe and the rows that describe it. */
export type MeasuredFacts = MeasuredSeries &
  Pick<ProbeFacts, 'missingShare'> &
  HistoryFacts &
  ShownFacts;

export const assembleMeasured = (
  { freshness, recent, state }: MeasuredSeries,
  judgedBy: JudgedBy,
): MeasuredFacts => ({ freshness, recent, ...judgedFacts({ recent, state }, judgedBy), state });

function judgedFacts(
  { recent, state }: Pick<MeasuredSeries, 'recent' | 'state'>,
  { history, done, fractionWetted, zone }: JudgedBy,
): Omit<MeasuredFacts, keyof MeasuredSeries> {
  if (history?.judges !== 'moisture')
    return {
      missingShare: 0,
      dryingRate: null,
      dayEnds: [],
      dayMeans: null,
      newestByDepth: [],
      // A tensiometer in ice shows no water of the soil.
      soilTemperatures: history === null ? [] : soilTemperatures(history.hours.thermometers),
      ...(history === null
        ? NO_RESPONSE_SHOWN
        : responseOfTension(history.hours, { state, done, zone })),
    };

  const { hours, days, beforeSilence, missingShare } = history;
  const facts = historyFacts(hours, {
    days,
    doubts: state.doubts,
    wiltingPoint: state.wiltingPoint,
    watered: done.map(runPeriod),
    zone,
  });
  return {
    missingShare,
    ...facts,
    dayEnds:
      beforeSilence === null
        ? facts.dayEnds
        : dayEndsBeforeSilence(beforeSilence, { zone, fractionWetted }),
    ...responseOfHistory(hours, { recent, state, done, zone }),
  };
}

type DeclaredFacts = Omit<ProbeFacts, keyof MeasuredFacts>;

/** The waterings of the parcel count where a tension is judged. */
export function assembleProbe(measured: MeasuredFacts, declared: DeclaredFacts): ProbeFacts {
  const { setup, waterings, wateringsOnValve, wateringsOfParcel } = declared;
  const judgesTension = measured.state.tension !== undefined;
  return {
    ...measured,
    ...declared,
    setup: withFractionsOfSpacing(setup, measured.recent.depths),
    wateringsOnValve: judgesTension ? wateringsOnValve : waterings,
    wateringsOfParcel: judgesTension ? wateringsOfParcel : [],
  };
}
