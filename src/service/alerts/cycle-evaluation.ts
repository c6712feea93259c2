import { type AlertEpisode, alertEpisodes } from '../../domain/alerts/alert-episodes.ts';
import { readingAge } from '../../domain/moisture/coverage.ts';
import { CYCLE_SPREAD_MS } from '../../domain/moisture/sampling-cycles.ts';
import type { SeriesPoint } from '../../domain/moisture/series.ts';
import type { SummarySource } from '../../domain/moisture/summary-source.ts';
import type { WriteContext } from '../../operation/call.ts';
import { episodeLastingAt } from '../../store/alerts/alert-episodes.ts';
import type { AlertState } from '../../store/alerts/alert-states.ts';
import type { Alert } from '../../store/alerts/alerts.ts';
import {
  type CurveCycles,
  cyclesWithin,
  recentCycles,
  settledPoints,
} from '../moisture/curve-cycles.ts';

/** The episodes that replace the recorded ones from an instant (ms) on. */
export interface EpisodeReplacement {
  readonly from: number;
  readonly episodes: readonly AlertEpisode[];
}

export interface CycleEvaluation {
  readonly evaluateFrom: number | null;
  readonly newest: SeriesPoint | null;
  /** When the next cycle settles without further readings, ms. */
  readonly nextAt: number | null;
  /** First instant still to be evaluated, ms. */
  readonly pendingFrom: number | null;
  readonly replacement: EpisodeReplacement | null;
}

export const NO_CYCLES: CycleEvaluation = {
  evaluateFrom: null,
  newest: null,
  nextAt: null,
  pendingFrom: null,
  replacement: null,
};

/** False if either instant is unknown. */
export const isAfter = (at: number | null, other: number | null): boolean =>
  at !== null && other !== null && at > other;

export async function evaluateCycles(
  { db, now }: WriteContext,
  source: SummarySource,
  alert: Alert,
  state: AlertState,
): Promise<CycleEvaluation> {
  if (state.evaluateFrom === null) return startAtNewestCycle({ db, now }, source, alert);

  const lastPoint =
    state.evaluatedAt === null ? null : { at: state.evaluatedAt, value: state.value };
  if (state.pendingFrom === null)
    return {
      evaluateFrom: state.evaluateFrom,
      newest: lastPoint,
      nextAt: null,
      pendingFrom: null,
      replacement: null,
    };

  const from = Math.max(state.evaluateFrom, state.pendingFrom - CYCLE_SPREAD_MS);
  // Of what is evaluated already no episode can last, unless the alert fires.
  const mayLast = state.since !== null || !isAfter(from, state.evaluatedAt);
  const lasting = mayLast
    ? await episodeLastingAt(db, alert.id, state.evaluateFrom, from - 1)
    : null;
  // An episode is continued if none of its values is evaluated again, so its lowest value remains
  // valid.
  const continued =
    lasting !== null && isAfter(from, state.evaluatedAt) ? { ...lasting, end: null } : null;
  const start = continued === null && lasting !== null ? lasting.start : from;
  const cycles = await cyclesWithin(db, source, { start, end: Number.MAX_SAFE_INTEGER }, now);
  const points = settledPoints(source, cycles);

  return {
    evaluateFrom: state.evaluateFrom,
    ...evaluateFreshPoints(
      alert,
      points,
      { now, lastPoint, from: lasting?.start ?? from, continued },
      cycles,
      state.pendingFrom,
    ),
  };
}

async function startAtNewestCycle(
  { db, now }: WriteContext,
  source: SummarySource,
  alert: Alert,
): Promise<CycleEvaluation> {
  const cycles = await recentCycles(db, source, now);
  const newest = cycles === null ? undefined : newestWithValue(settledPoints(source, cycles));
  if (cycles === null || newest === undefined)
    return { ...NO_CYCLES, nextAt: cycles?.nextSettlesAt ?? null };

  const { at } = newest;
  return {
    evaluateFrom: at,
    ...evaluateFreshPoints(
      alert,
      [newest],
      { now, lastPoint: null, from: at, continued: null },
      cycles,
      at,
    ),
  };
}

const newestWithValue = (points: readonly SeriesPoint[]): SeriesPoint | undefined =>
  points.findLast(({ value }) => value !== null) ?? points.at(-1);

interface FreshPointsContext {
  readonly now: number;
  /** The newest point of the last evaluation. */
  readonly lastPoint: SeriesPoint | null;
  /** Episodes are replaced from this instant (ms) on. */
  readonly from: number;
  /** The episode that lasts when the first point begins. */
  readonly continued: AlertEpisode | null;
}

/** If the newest point is stale, all points stay pending until fresh readings arrive. */
function evaluateFreshPoints(
  alert: Alert,
  points: readonly SeriesPoint[],
  { now, lastPoint, from, continued }: FreshPointsContext,
  cycles: CurveCycles,
  pendingFrom: number,
): Omit<CycleEvaluation, 'evaluateFrom'> {
  const candidates = lastPoint === null ? points : [lastPoint, ...points];
  const newest = newestWithValue(candidates) ?? null;
  const nextAt = cycles.nextSettlesAt;
  if (newest === null || !readingAge(newest.at, now).isFresh)
    return { newest, nextAt, pendingFrom, replacement: null };
  const episodes = alertEpisodes(alert, points, continued);
  return { newest, nextAt, pendingFrom: cycles.pendingFrom, replacement: { from, episodes } };
}
