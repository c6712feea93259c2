import { formatPlainDecimal } from '../../domain/alerts/annotation.ts';
import { type BacktestResult, type BacktestRule, backtestInSteps } from '../../domain/alerts/backtest.ts';
import { DAY_MS, type Period } from '../../domain/periods.ts';
import type { Call } from '../../operation/call.ts';
import type { BacktestBody } from '../../schema/alert.ts';
import { invalidInput } from '../../schema/error.ts';
import { ALERT_DEFAULTS, type Alert, alertInForce } from '../../store/alerts/alerts.ts';
import { cyclesWithin, isSoilMoistureCurve, settledPoints } from '../moisture/curve-cycles.ts';
import { loadSummarySeriesSource, missingReadingsShare, sensorStepsBefore } from '../moisture/summary-series.ts';
import { commissionedModule } from '../ownership.ts';

import { toIso, toIsoOrNull } from '../wire-format.ts';

const DEFAULT_PERIOD_MS = 90 * DAY_MS;
/** Two years: a season and the one before it. */
const MAX_PERIOD_MS = 731 * DAY_MS;

export interface BacktestQuery {
  readonly threshold?: number | undefined;
  readonly hysteresis?: number | undefined;
  readonly reminderTime?: string | undefined;
  /** ms. */
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly mostEpisodes?: number | undefined;
}

/** What a threshold would have done on a probe's past, beside what the alert in force would have. */
export async function backtestAlert(call: Call, moduleId: number, query: BacktestQuery): Promise<BacktestBody> {
  const period = backtestPeriod(query, call.now);
  const module = await commissionedModule(call, moduleId);
  const inForce = await alertInForce(call.db, moduleId);
  const trial = backtestTrial(call, query, inForce);
  const served = await loadSummarySeriesSource(call.db, moduleId, 'humidity');
  const hasSoil = isSoilMoistureCurve(served, module);
  if (!hasSoil) call.note({ kind: 'no_moisture_for_backtest' });
  const cycles = await cyclesWithin(call.db, served, period, call.now);
  await call.yieldOrCancel();
  const points = hasSoil ? settledPoints(served, cycles) : [];

  const replay = await replayCancellably(call, backtestInSteps(trial, points, period));
  const sensorIds = cycles.readingCounts.map(({ id }) => id);
  const stepsMs = await sensorStepsBefore(call.db, sensorIds, period.end);
  const received = cycles.readingCounts.map(({ count }, place) => ({ count, intervalMs: stepsMs[place]! }));
  const omitted = Math.max(0, replay.episodes.length - (query.mostEpisodes ?? Number.POSITIVE_INFINITY));
  const episodes = replay.episodes.slice(omitted);
  if (omitted > 0) call.note({ kind: 'older_episodes_omitted', omitted, total: replay.episodes.length });
  return {
    episodes: episodes.map(({ start, end, ...figures }) => ({
      start: toIso(start),
      end: toIsoOrNull(end),
      ...figures,
    })),
    hoursBelow: replay.hoursBelow,
    reminders: replay.reminders,
    missingShare: missingReadingsShare(period, call.now, received),
    inForce:
      inForce &&
      inForceBody(
        inForce,
        await replayCancellably(call, backtestInSteps({ ...inForce, timezone: call.zone }, points, period)),
      ),
  };
}

/** Years of points take a while: between two steps of it the call can be cancelled. */
async function replayCancellably(call: Call, steps: ReturnType<typeof backtestInSteps>): Promise<BacktestResult> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await call.yieldOrCancel();
  }
}

const inForceBody = (alert: Alert, { episodes, hoursBelow, reminders }: BacktestResult): BacktestBody['inForce'] => ({
  alertId: alert.id,
  threshold: alert.threshold,
  hysteresis: alert.hysteresis,
  reminderTime: alert.reminderTime,
  episodes: episodes.length,
  hoursBelow,
  reminders,
});

/** What is tried: as asked, and for the rest as the alert in force has it. */
function backtestTrial(
  { zone }: Call,
  { threshold, hysteresis, reminderTime }: BacktestQuery,
  inForce: Alert | null,
): BacktestRule {
  const triedThreshold = threshold === undefined ? inForce?.threshold : formatPlainDecimal(threshold);
  if (triedThreshold === undefined)
    throw invalidInput('invalid_parameter', 'threshold is missing, and no alert of this probe is in force.', {
      hint: 'Give a threshold to try, in % by volume, such as the stress point of get_agronomic_state.',
      field: 'threshold',
    });
  return {
    threshold: triedThreshold,
    hysteresis:
      hysteresis === undefined ? (inForce?.hysteresis ?? ALERT_DEFAULTS.hysteresis) : formatPlainDecimal(hysteresis),
    reminderTime: reminderTime ?? inForce?.reminderTime ?? ALERT_DEFAULTS.reminderTime,
    timezone: zone,
  };
}

function backtestPeriod({ start: requestedStart, end: requestedEnd }: BacktestQuery, now: number): Period {
  const end = requestedEnd ?? now;
  const period = { start: requestedStart ?? end - DEFAULT_PERIOD_MS, end };
  const field = requestedStart === undefined ? 'end' : 'start';
  if (period.start >= period.end)
    throw invalidInput('invalid_parameter', `start ${toIso(period.start)} is not before end ${toIso(period.end)}.`, {
      hint: 'Give start before end; end left out is now.',
      field,
    });
  if (period.end - period.start > MAX_PERIOD_MS)
    throw invalidInput(
      'invalid_parameter',
      `From ${toIso(period.start)} to ${toIso(period.end)} is longer than two years.`,
      {
        hint: 'Try it on two years at most, season by season.',
        field,
      },
    );
  return period;
}
