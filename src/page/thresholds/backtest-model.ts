import { ALERT_DEFAULTS } from '../../domain/alerts/alert-episodes.ts';
import { pointStart } from '../../domain/moisture/series-points.ts';
import { DAY_MS, type Period } from '../../domain/periods.ts';
import type { BacktestBody } from '../../schema/alerts/alert.ts';
import { type Adjustment, isPulled } from './adjustment.ts';
import type { BacktestFeed, BacktestRequest } from './backtest-feed.ts';
import {
  hasAlertOnceSaved,
  type ProbeLevels,
  type WatchingAlert,
  watchingAlertOf,
} from './threshold-lines.ts';

/** An end is null while the episode lasts: it is drawn up to now. */
export interface DrawnEpisode {
  readonly start: number;
  readonly end: number | null;
}

export interface BacktestModel {
  readonly request: BacktestRequest;
  /** Undefined until it is loaded. */
  readonly answer: BacktestBody | undefined;
  readonly hasFailed: boolean;
  /** The length of the tested period in ms. */
  readonly testedMs: number;
  readonly episodes: readonly DrawnEpisode[];
  /** Null until it is known, and if the view begins before the tested period. */
  readonly firedInView: number | null;
}

interface BacktestInput {
  readonly data: { readonly facts: ProbeLevels | null; readonly backtests: BacktestFeed };
  readonly adjustment: Adjustment | null;
  readonly view: Period;
  readonly now: number;
  readonly zone: string;
}

/** The backtest to draw; null if no alert is in force and none is pulled. */
export function backtestModel(input: BacktestInput): BacktestModel | null {
  const { data, adjustment, view, now, zone } = input;
  const rule = testedRule(data.facts, adjustment);
  if (rule === null) return null;

  const request = { ...rule, start: backtestStart(view, now, zone) };
  const answer = data.backtests.answerTo(request);
  // Episodes of the last answer stay until the next one comes.
  const drawn = answer ?? (isPulled(adjustment) ? data.backtests.newest : undefined);
  const isInView = ({ start, end }: DrawnEpisode): boolean =>
    start < view.end && (end ?? now) > view.start;

  return {
    request,
    answer,
    hasFailed: answer === undefined && data.backtests.hasFailed(request),
    testedMs: now - request.start,
    episodes: episodesOf(drawn),
    firedInView:
      answer === undefined || request.start > view.start
        ? null
        : episodesOf(answer).filter(isInView).length,
  };
}

/** The rule of the line that is being pulled, otherwise of the alert in force. */
function testedRule(
  facts: ProbeLevels | null,
  adjustment: Adjustment | null,
): Omit<BacktestRequest, 'start'> | null {
  if (isPulled(adjustment) && hasAlertOnceSaved(adjustment.line))
    return ruleOf(adjustment.line.alert ?? ALERT_DEFAULTS, adjustment.value);

  const inForce = facts === null ? null : watchingAlertOf(facts);
  return inForce === null ? null : ruleOf(inForce, Number(inForce.threshold));
}

const ruleOf = (
  { hysteresis, reminderTime }: Pick<WatchingAlert, 'hysteresis' | 'reminderTime'>,
  threshold: number,
) => ({ threshold, hysteresis: Number(hysteresis), reminderTime });

const episodesOf = (body: BacktestBody | undefined): DrawnEpisode[] =>
  (body?.episodes ?? []).map(({ start, end }) => ({
    start: Date.parse(start),
    end: end === null ? null : Date.parse(end),
  }));

const SHORTEST_BACKTEST_MS = 90 * DAY_MS;
const LONGEST_BACKTEST_MS = 730 * DAY_MS;

/**
 * The view, but at least the default period of backtest_alert, and at most the two years that it
 * accepts: a day less, because the start is moved back to midnight.
 */
const backtestStart = (view: Period, now: number, zone: string): number =>
  pointStart(
    Math.max(Math.min(view.start, now - SHORTEST_BACKTEST_MS), now - LONGEST_BACKTEST_MS + DAY_MS),
    DAY_MS,
    zone,
  );
