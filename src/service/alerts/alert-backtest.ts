import { ALERT_DEFAULTS } from '../../domain/alerts/alert-episodes.ts';
import {
  type BacktestResult,
  type BacktestRule,
  backtestInSteps,
} from '../../domain/alerts/backtest.ts';
import { formatPlainDecimal, roundTo } from '../../domain/decimal.ts';
import { itemAt, withoutNulls } from '../../domain/items.ts';
import { dataGaps } from '../../domain/moisture/coverage.ts';
import { isSoilMoisture } from '../../domain/moisture/measurement.ts';
import type { SeriesPoint } from '../../domain/moisture/series.ts';
import { pointStart } from '../../domain/moisture/series-points.ts';
import { DAY_MS, HOUR_MS, type Period } from '../../domain/periods.ts';
import { argument, operationName } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import type { Call } from '../../operation/call.ts';
import type { BacktestBody, backtestQuery } from '../../schema/alerts/alert.ts';
import { invalidInputError } from '../../schema/error.ts';
import type { FieldsOf } from '../../schema/field.ts';
import { toIso, toIsoOrNull } from '../../schema/wire-format.ts';
import { type Alert, alertInForce } from '../../store/alerts/alerts.ts';
import type { Module } from '../../store/company/modules.ts';
import { cyclesWithin, settledPoints } from '../moisture/curve-cycles.ts';
import { adviseOfHours } from '../moisture/retained-hours.ts';
import {
  loadSummarySeriesSource,
  missingReadingsShare,
  usualIntervalsBefore,
  weightedSensors,
} from '../moisture/summary-series.ts';
import { requireCommissionedModule } from '../ownership.ts';
import { requestedPeriod } from '../requested-period.ts';

const DEFAULT_PERIOD_MS = 90 * DAY_MS;
/** Two years, one of which may have a leap day: a season and the one before it. */
const LONGEST_PERIOD = { ms: 731 * DAY_MS, text: say`two years` };

type BacktestQuery = FieldsOf<typeof backtestQuery>;

export async function backtestAlert(
  call: Call,
  moduleId: number,
  query: BacktestQuery,
): Promise<BacktestBody> {
  const period = backtestPeriod(call, query);
  const module = await requireCommissionedModule(call, moduleId);
  const inForce = await alertInForce(call.db, moduleId);
  const rule = ruleToTry(call, query, inForce);

  const { points, received } = await loadPoints(call, module, period);
  await call.yieldOrCancel();

  const replay = await replayCancellably(call, backtestInSteps(rule, points, period));
  const replayInForce =
    inForce &&
    (await replayCancellably(
      call,
      backtestInSteps({ ...inForce, timezone: call.zone }, points, period),
    ));

  return {
    episodes: listedEpisodes(call, replay, query.maxEpisodes),
    hoursBelow: replay.hoursBelow,
    reminders: replay.reminders,
    missingShare: missingReadingsShare(period, call.now, received),
    gaps: gapsBody(
      points,
      { start: period.start, end: Math.min(period.end, call.now) },
      received.map(({ intervalMs }) => intervalMs),
    ),
    inForce: inForce && replayInForce && inForceBody(inForce, replayInForce),
  };
}

function backtestPeriod(call: Call, query: BacktestQuery): Period {
  const ninetyDaysBefore = (query.end ?? call.now) - DEFAULT_PERIOD_MS;
  const start = query.start ?? pointStart(ninetyDaysBefore, DAY_MS, call.zone);
  return requestedPeriod({ ...query, start }, call.now, {
    defaultMs: DEFAULT_PERIOD_MS,
    longest: LONGEST_PERIOD,
    errorCode: 'invalid_parameter',
  });
}

async function loadPoints(call: Call, module: Module, period: Period) {
  const source = await loadSummarySeriesSource(call.db, module.id, 'humidity', call.now);
  const measuresSoilMoisture = isSoilMoisture(source, module);
  if (!measuresSoilMoisture) call.advise({ kind: 'no_moisture_for_backtest' });

  const cycles = await cyclesWithin(call.db, source, period, call.now);
  const intervalsMs = await usualIntervalsBefore(call.db, weightedSensors(source), period.end);
  const asked = { period, intervalMs: null, zone: null, sensors: source.sensors };
  await adviseOfHours(call, asked);
  await call.yieldOrCancel();

  return {
    points: measuresSoilMoisture ? settledPoints(source, cycles) : [],
    received: cycles.readingCounts.map(({ count }, index) => ({
      count,
      intervalMs: itemAt(intervalsMs, index),
    })),
  };
}

/** The newest `limit` episodes. */
function listedEpisodes(
  call: Call,
  { episodes }: BacktestResult,
  limit = episodes.length,
): BacktestBody['episodes'] {
  const omitted = Math.max(0, episodes.length - limit);
  if (omitted > 0) call.advise({ kind: 'older_episodes_omitted', omitted, total: episodes.length });

  return episodes.slice(omitted).map(({ start, end, ...figures }) => ({
    start: toIso(start),
    end: toIsoOrNull(end),
    ...figures,
  }));
}

const MAX_LISTED_GAPS = 10;
/** The interval of a sensor with fewer than two readings. */
const DEFAULT_INTERVAL_MS = HOUR_MS;

function gapsBody(
  points: readonly SeriesPoint[],
  period: Period,
  intervalsMs: readonly (number | null)[],
) {
  const instantsWithValue = points.filter(({ value }) => value !== null).map(({ at }) => at);
  const knownIntervalsMs = withoutNulls(intervalsMs);
  const intervalMs =
    knownIntervalsMs.length === 0 ? DEFAULT_INTERVAL_MS : Math.max(...knownIntervalsMs);
  const gaps =
    instantsWithValue.length === 0 ? [] : dataGaps(instantsWithValue, period, intervalMs);
  const newest = gaps.slice(-MAX_LISTED_GAPS).reverse();

  return {
    newest: newest.map(({ start, end }) => ({
      start: start === period.start ? null : toIso(start),
      end: end === period.end ? null : toIso(end),
      hours: roundTo((end - start) / HOUR_MS, 1),
    })),
    older: gaps.length - newest.length,
  };
}

/** Replaying years of points takes a while, so the call can be cancelled between two steps. */
async function replayCancellably(
  call: Call,
  steps: ReturnType<typeof backtestInSteps>,
): Promise<BacktestResult> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await call.yieldOrCancel();
  }
}

const inForceBody = (
  alert: Alert,
  { episodes, hoursBelow, reminders }: BacktestResult,
): BacktestBody['inForce'] => ({
  alertId: alert.id,
  threshold: alert.threshold,
  hysteresis: alert.hysteresis,
  reminderTime: alert.reminderTime,
  episodes: episodes.length,
  hoursBelow,
  reminders,
});

function ruleToTry(
  { zone }: Call,
  { threshold, hysteresis, reminderTime }: BacktestQuery,
  inForce: Alert | null,
): BacktestRule {
  const thresholdToTry =
    threshold === undefined ? inForce?.threshold : formatPlainDecimal(threshold);
  if (thresholdToTry === undefined)
    throw invalidInputError(
      'invalid_parameter',
      say`${argument('threshold')} is missing, and no alert of this probe is in force.`,
      {
        hint: say`Give a threshold to try, in % by volume, such as the stress point of ${operationName('get_agronomic_state')}.`,
        field: 'threshold',
      },
    );

  return {
    threshold: thresholdToTry,
    hysteresis:
      hysteresis === undefined
        ? (inForce?.hysteresis ?? ALERT_DEFAULTS.hysteresis)
        : formatPlainDecimal(hysteresis),
    reminderTime: reminderTime ?? inForce?.reminderTime ?? ALERT_DEFAULTS.reminderTime,
    timezone: zone,
  };
}
