import { isDeepStrictEqual } from 'node:util';
import { type AlertEpisode, type AlertPoint, computeAlertHistory } from '../../domain/alerts/alert-episodes.ts';
import type { Lang } from '../../domain/lang.ts';
import { readingAge } from '../../domain/moisture/coverage.ts';
import { CYCLE_SPREAD_MS } from '../../domain/moisture/sampling-cycles.ts';
import type { EpisodeEnding } from '../../language/mail/mail-draft.ts';
import type { WriteContext } from '../../operation/call.ts';
import { DEFAULT_TIME_ZONE } from '../../schema/company.ts';
import { episodeLastingAt, episodeStartingAt, replaceEpisodes } from '../../store/alerts/alert-episodes.ts';
import { type AlertState, alertStateOf, updateAlertState } from '../../store/alerts/alert-states.ts';
import { type Alert, alertById } from '../../store/alerts/alerts.ts';
import type { CompanyRecord } from '../../store/company/companies.ts';
import { moduleById } from '../../store/company/places.ts';
import {
  type CurveCycles,
  cyclesWithin,
  isSoilMoistureCurve,
  recentCycles,
  settledPoints,
} from '../moisture/curve-cycles.ts';
import { loadSummarySeriesSource, type SummarySeriesSource } from '../moisture/summary-series.ts';
import { queueAlertMail } from './alert-messages.ts';
import { type AlertNotifications, dueNotifications } from './alert-notifications.ts';

/** The watch over one alert: a look, which only reads, and its record, which holds while nothing changed since. */

/** What a look found. */
export interface AlertEvaluation {
  readonly alert: Alert;
  /** As they were looked at. */
  readonly before: AlertState;
  readonly after: AlertState;
  /** The record from an instant (ms) on, where readings were taken in. */
  readonly rewritten: { readonly from: number; readonly episodes: readonly AlertEpisode[] } | null;
  /** The episode that the messages speak of. */
  readonly episode: AlertEpisode | null;
  readonly ending: EpisodeEnding;
  readonly messages: AlertNotifications['messages'];
}

/** What the rounds since the last look make of an alert. */
interface CycleEvaluation {
  readonly watchedFrom: number | null;
  readonly newest: AlertPoint | null;
  readonly nextAt: number | null;
  readonly touchedFrom: number | null;
  readonly rewritten: AlertEvaluation['rewritten'];
}

/** How an alert stands at `now`; null for one that is not watched. Reads alone. */
export async function computeEvaluation(
  { db, now }: WriteContext,
  company: CompanyRecord,
  alertId: string,
): Promise<AlertEvaluation | null> {
  const [alert, before] = [await alertById(db, alertId), await alertStateOf(db, alertId)];
  const module = alert?.moduleId == null ? null : await moduleById(db, alert.moduleId);
  if (alert === null || before === null || module === null) return null;
  const served = await loadSummarySeriesSource(db, module.id, 'humidity');
  const openEpisode = before.since === null ? null : await episodeStartingAt(db, alertId, before.since);
  const cycles = isSoilMoistureCurve(served, module)
    ? await evaluateCycles({ db, now }, served, alert, before)
    : { watchedFrom: null, newest: null, nextAt: null, touchedFrom: null, rewritten: null };
  const last = cycles.rewritten ? (cycles.rewritten.episodes.at(-1) ?? null) : openEpisode;
  const since = last !== null && last.end === null ? last.start : null;
  const zone = company.timezone ?? DEFAULT_TIME_ZONE;
  const { messages, ...notified } = dueNotifications(
    before,
    { since, newestAt: cycles.newest?.at ?? null, nextAt: cycles.nextAt },
    { now, zone, reminderTime: alert.reminderTime },
  );
  const ending = episodeEnding(before, openEpisode, cycles.rewritten);
  const after: AlertState = {
    ...before,
    ...notified,
    isRuleChanged: before.isRuleChanged && cycles.rewritten === null,
    since,
    evaluateFrom: cycles.watchedFrom,
    evaluatedAt: cycles.newest?.at ?? null,
    value: cycles.newest?.value ?? null,
    pendingFrom: cycles.touchedFrom,
    evaluatedMarks: before.pendingMarks,
  };
  return {
    alert,
    before,
    after,
    rewritten: cycles.rewritten,
    episode: since === null ? ending.episode : last,
    ending: ending.by,
    messages,
  };
}

/**
 * How an episode that lasted at the last look has ended: by the value that resolves it; else by a changed rule, or by
 * readings that came late or were corrected, after which it never was.
 */
function episodeEnding(
  { since, evaluatedAt, isRuleChanged }: AlertState,
  openEpisode: AlertEpisode | null,
  rewritten: AlertEvaluation['rewritten'],
): { by: EpisodeEnding; episode: AlertEpisode | null } {
  const ended = rewritten?.episodes.findLast(({ end }) => end !== null && end > (since ?? end));
  if (ended?.end != null && (!isRuleChanged || ended.end > (evaluatedAt ?? ended.end)))
    return { by: 'reached', episode: ended };
  return isRuleChanged ? { by: 'rule_changed', episode: openEpisode } : { by: 'corrected', episode: null };
}

async function evaluateCycles(
  { db, now }: WriteContext,
  served: SummarySeriesSource,
  alert: Alert,
  state: AlertState,
): Promise<CycleEvaluation> {
  if (state.evaluateFrom === null) return startAtNewestCycle({ db, now }, served, alert);
  const known = state.evaluatedAt === null ? null : { at: state.evaluatedAt, value: state.value };
  if (state.pendingFrom === null)
    return { watchedFrom: state.evaluateFrom, newest: known, nextAt: null, touchedFrom: null, rewritten: null };

  const from = Math.max(state.evaluateFrom, state.pendingFrom - CYCLE_SPREAD_MS);
  const lasting = await episodeLastingAt(db, alert.id, state.evaluateFrom, from - 1);
  // None of its values is taken in anew, so that its lowest one is known.
  const open = lasting !== null && from > (state.evaluatedAt ?? from) ? { ...lasting, end: null } : null;
  const start = open === null && lasting !== null ? lasting.start : from;
  const cycles = await cyclesWithin(db, served, { start, end: Number.MAX_SAFE_INTEGER }, now);
  const points = settledPoints(served, cycles);
  return {
    watchedFrom: state.evaluateFrom,
    ...foldFreshPoints(alert, points, { now, known, from: lasting?.start ?? from, open }, cycles, state.pendingFrom),
  };
}

/** The watch begins with the newest round that counts. */
async function startAtNewestCycle(
  { db, now }: WriteContext,
  served: SummarySeriesSource,
  alert: Alert,
): Promise<CycleEvaluation> {
  const cycles = await recentCycles(db, served, now);
  const newest = cycles === null ? undefined : newestWithValue(settledPoints(served, cycles));
  if (cycles === null || newest === undefined)
    return {
      watchedFrom: null,
      newest: null,
      nextAt: cycles?.nextSettlesAt ?? null,
      touchedFrom: null,
      rewritten: null,
    };
  const { at } = newest;
  return {
    watchedFrom: at,
    ...foldFreshPoints(alert, [newest], { now, known: null, from: at, open: null }, cycles, at),
  };
}

/** The newest point that tells something, else the newest. */
const newestWithValue = (points: readonly AlertPoint[]): AlertPoint | undefined =>
  points.findLast(({ value }) => value !== null) ?? points.at(-1);

/** Points taken in where the newest one is fresh; else they wait, marked from `touchedFrom` on, until fresh data come. */
function foldFreshPoints(
  alert: Alert,
  points: readonly AlertPoint[],
  at: { now: number; known: AlertPoint | null; from: number; open: AlertEpisode | null },
  { nextSettlesAt: nextAt, pendingFrom }: CurveCycles,
  touchedFrom: number,
): Omit<CycleEvaluation, 'watchedFrom'> {
  const newest = newestWithValue([...(at.known ? [at.known] : []), ...points]) ?? null;
  if (newest === null || !readingAge(newest.at, at.now).isFresh)
    return { newest, nextAt, touchedFrom, rewritten: null };
  const { episodes } = computeAlertHistory(alert, points, at.open);
  return { newest, nextAt, touchedFrom: pendingFrom, rewritten: { from: at.from, episodes } };
}

/**
 * Writes what a look found, and the messages that it calls for, in one transaction; false, and nothing written, where the
 * alert or what is known of it changed since.
 */
export async function recordEvaluation(
  context: WriteContext,
  company: CompanyRecord,
  { alert, before, after, rewritten, episode, ending, messages }: AlertEvaluation,
  lang?: Lang | undefined,
): Promise<boolean> {
  const isUnchanged =
    isDeepStrictEqual(await alertStateOf(context.db, alert.id), before) &&
    isDeepStrictEqual(await alertById(context.db, alert.id), alert);
  if (!isUnchanged) return false;
  if (rewritten) await replaceEpisodes(context.db, alert.id, rewritten.from, rewritten.episodes);
  await updateAlertState(context.db, after);
  const state = {
    newestAt: after.evaluatedAt,
    newestValue: after.value,
    startedAt: episode?.start ?? null,
    endedAt: episode?.end ?? null,
    lowestValue: episode?.lowest ?? null,
    isFiring: after.since !== null,
    ending,
  };
  for (const kind of messages)
    await queueAlertMail(context, company, { ...alert, moduleId: alert.moduleId! }, kind, state, lang);
  return true;
}

/** A look and its record within the transaction that is open; null for an alert that is not watched. */
export async function evaluateNow(
  context: WriteContext,
  company: CompanyRecord,
  alertId: string,
): Promise<AlertState | null> {
  const evaluation = await computeEvaluation(context, company, alertId);
  if (evaluation === null) return null;
  await recordEvaluation(context, company, evaluation);
  return evaluation.after;
}
