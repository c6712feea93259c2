import { type AlertReplay, type AlertTrial, replayInSteps } from '../domain/alert-replay.ts';
import { decimalText } from '../domain/annotation.ts';
import type { Period } from '../domain/intervals.ts';
import type { Call } from '../operation/call.ts';
import type { BacktestBody } from '../schema/alert.ts';
import { refuse } from '../schema/error.ts';
import { ALERT_DEFAULTS, type Alert, alertInForce } from '../store/alerts.ts';
import { countedPoints, isOfSoil, roundsWithin } from './curve-rounds.ts';
import { commissionedModule } from './modules.ts';
import { alertWords } from './say-alert.ts';
import { shareMissing, stepsBefore } from './series-coverage.ts';
import { servedCurve } from './served-curve.ts';
import { isoOf, isoOrNull } from './wire.ts';

const DAY_MS = 86_400_000;
const DEFAULT_PERIOD_MS = 90 * DAY_MS;
/** Two years: a season and the one before it. */
const LONGEST_PERIOD_MS = 731 * DAY_MS;

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
export async function backtestAlert(call: Call, moduleId: number, asked: BacktestQuery): Promise<BacktestBody> {
  const period = periodOf(asked, call.now);
  const module = await commissionedModule(call, moduleId);
  const inForce = await alertInForce(call.db, moduleId);
  const trial = trialOf(call, asked, inForce);
  const served = await servedCurve(call.db, moduleId, 'humidity');
  const hasSoil = isOfSoil(served, module);
  if (!hasSoil) call.remark(alertWords(call).nothingToTry);
  const found = await roundsWithin(call.db, served, period, call.now);
  await call.heed();
  const points = hasSoil ? countedPoints(served, found) : [];

  const tried = await replayed(call, replayInSteps(trial, points, period));
  const sending = found.sent.map(({ id }) => id);
  const stepsMs = await stepsBefore(call.db, sending, period.end);
  const sent = found.sent.map(({ count }, place) => ({ count, stepMs: stepsMs[place]! }));
  const left = Math.max(0, tried.episodes.length - (asked.mostEpisodes ?? Number.POSITIVE_INFINITY));
  const episodes = tried.episodes.slice(left);
  if (left > 0) call.remark(alertWords(call).leftOut(left, tried.episodes.length));
  return {
    episodes: episodes.map(({ start, end, ...figures }) => ({ start: isoOf(start), end: isoOrNull(end), ...figures })),
    hoursBelow: tried.hoursBelow,
    reminders: tried.reminders,
    missingShare: shareMissing(period, call.now, sent),
    inForce:
      inForce &&
      inForceBody(inForce, await replayed(call, replayInSteps({ ...inForce, timezone: call.zone }, points, period))),
  };
}

/** Years of points take a while: between two steps of it the call can be cancelled. */
async function replayed(call: Call, steps: ReturnType<typeof replayInSteps>): Promise<AlertReplay> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await call.heed();
  }
}

const inForceBody = (alert: Alert, { episodes, hoursBelow, reminders }: AlertReplay): BacktestBody['inForce'] => ({
  alertId: alert.id,
  threshold: alert.threshold,
  hysteresis: alert.hysteresis,
  reminderTime: alert.reminderTime,
  episodes: episodes.length,
  hoursBelow,
  reminders,
});

/** What is tried: as asked, and for the rest as the alert in force has it. */
function trialOf(
  { zone }: Call,
  { threshold, hysteresis, reminderTime }: BacktestQuery,
  inForce: Alert | null,
): AlertTrial {
  const tried = threshold === undefined ? inForce?.threshold : decimalText(threshold);
  if (tried === undefined)
    throw refuse('invalid_parameter', 'threshold is missing, and no alert of this probe is in force.', {
      hint: 'Give a threshold to try, in % by volume, such as the stress point of get_agronomic_state.',
      field: 'threshold',
    });
  return {
    threshold: tried,
    hysteresis: hysteresis === undefined ? (inForce?.hysteresis ?? ALERT_DEFAULTS.hysteresis) : decimalText(hysteresis),
    reminderTime: reminderTime ?? inForce?.reminderTime ?? ALERT_DEFAULTS.reminderTime,
    timezone: zone,
  };
}

function periodOf({ start: askedStart, end: askedEnd }: BacktestQuery, now: number): Period {
  const end = askedEnd ?? now;
  const period = { start: askedStart ?? end - DEFAULT_PERIOD_MS, end };
  const field = askedStart === undefined ? 'end' : 'start';
  if (period.start >= period.end)
    throw refuse('invalid_parameter', `start ${isoOf(period.start)} is not before end ${isoOf(period.end)}.`, {
      hint: 'Give start before end; end left out is now.',
      field,
    });
  if (period.end - period.start > LONGEST_PERIOD_MS)
    throw refuse('invalid_parameter', `From ${isoOf(period.start)} to ${isoOf(period.end)} is longer than two years.`, {
      hint: 'Try it on two years at most, season by season.',
      field,
    });
  return period;
}
