import { isDeepStrictEqual } from 'node:util';
import type { AlertEpisode } from '../../domain/alerts/alert-episodes.ts';
import type { EpisodeEnding } from '../../language/mail/mail-facts.ts';
import type { WriteContext } from '../../operation/call.ts';
import { DEFAULT_TIME_ZONE } from '../../schema/company/company.ts';
import { episodeStartingAt, replaceEpisodes } from '../../store/alerts/alert-episodes.ts';
import {
  type AlertState,
  type AlertWithState,
  alertStateOf,
  updateAlertState,
} from '../../store/alerts/alert-states.ts';
import { type Alert, alertById } from '../../store/alerts/alerts.ts';
import type { CompanyRow } from '../../store/company/companies.ts';
import { queueAlertMail } from './alert-messages.ts';
import { type AlertNotifications, dueNotifications } from './alert-notifications.ts';
import { type CycleEvaluation, type EpisodeReplacement, isAfter } from './cycle-evaluation.ts';
import { loadWatchedProbe, type WatchedProbe } from './kinds/watched-probe.ts';
import { WATCHED_VALUES } from './kinds/watched-values.ts';

type WatchingAlert = Alert & { readonly moduleId: number };

/** Recorded only if nothing has changed since it was computed. */
export interface AlertEvaluation {
  readonly alert: WatchingAlert;
  readonly before: AlertState;
  readonly after: AlertState;
  /** Null if no readings were evaluated. */
  readonly replacement: EpisodeReplacement | null;
  /** The open episode; without one, that whose end is reported. */
  readonly episode: AlertEpisode | null;
  readonly ending: EpisodeEnding;
  readonly messages: AlertNotifications['messages'];
}

/** Null for an alert that is not evaluated: it is disabled or has no module. */
export async function computeEvaluation(
  context: WriteContext,
  company: CompanyRow,
  alertId: string,
): Promise<AlertEvaluation | null> {
  const { db } = context;
  const [alert, state] = await Promise.all([alertById(db, alertId), alertStateOf(db, alertId)]);
  if (alert === null || state === null) return null;
  return evaluateAlertWithState(context, company, { alert, state });
}

/** Null for an alert without a module. */
export async function evaluateAlertWithState(
  context: WriteContext,
  company: CompanyRow,
  watched: AlertWithState,
): Promise<AlertEvaluation | null> {
  const loaded = await loadProbe(context, watched);
  return loaded && evaluateLoaded(context, company, loaded);
}

interface LoadedAlert {
  readonly alert: WatchingAlert;
  readonly probe: WatchedProbe;
  readonly before: AlertState;
  readonly openEpisode: AlertEpisode | null;
}

/** `alert` need not be stored yet, if it has no episode. */
export async function evaluateLoaded(
  context: WriteContext,
  company: CompanyRow,
  { alert, probe, before, openEpisode }: LoadedAlert,
): Promise<AlertEvaluation> {
  const cycles = await WATCHED_VALUES[alert.kind].evaluate(context, probe, alert, before);
  const last = newestEpisode(cycles, openEpisode);
  const since = last !== null && last.end === null ? last.start : null;

  const { messages, ...notified } = dueNotifications(
    before,
    { since, newestAt: cycles.newest?.at ?? null, nextAt: cycles.nextAt },
    {
      now: context.now,
      zone: company.timezone ?? DEFAULT_TIME_ZONE,
      reminderTime: alert.reminderTime,
    },
  );
  const ending = episodeEnding(before, openEpisode, cycles.replacement);

  return {
    alert,
    before,
    after: stateAfter({ ...before, ...notified, since }, cycles),
    replacement: cycles.replacement,
    episode: since === null ? ending.episode : last,
    ending: ending.by,
    messages,
  };
}

async function loadProbe(
  { db }: WriteContext,
  { alert, state: before }: AlertWithState,
): Promise<LoadedAlert | null> {
  if (alert.moduleId === null) return null;

  const [probe, openEpisode] = await Promise.all([
    loadWatchedProbe(db, alert.moduleId),
    before.since === null ? null : episodeStartingAt(db, alert.id, before.since),
  ]);
  if (probe === null) return null;
  return { alert: { ...alert, moduleId: probe.id }, probe, before, openEpisode };
}

function newestEpisode(
  { replacement }: CycleEvaluation,
  openEpisode: AlertEpisode | null,
): AlertEpisode | null {
  return replacement === null ? openEpisode : (replacement.episodes.at(-1) ?? null);
}

const stateAfter = (
  state: AlertState,
  { newest, evaluateFrom, pendingFrom, replacement }: CycleEvaluation,
): AlertState => ({
  ...state,
  isRuleChanged: state.isRuleChanged && replacement === null,
  evaluateFrom,
  evaluatedAt: newest?.at ?? null,
  value: newest?.value ?? null,
  pendingFrom,
  evaluatedMarks: state.pendingMarks,
});

/** Why the episode that was open has ended, if it has. */
function episodeEnding(
  { since, evaluatedAt, isRuleChanged }: AlertState,
  openEpisode: AlertEpisode | null,
  replacement: EpisodeReplacement | null,
): { by: EpisodeEnding; episode: AlertEpisode | null } {
  const closed = replacement?.episodes.findLast(({ end }) => isAfter(end, since));
  if (closed !== undefined && (!isRuleChanged || isAfter(closed.end, evaluatedAt)))
    return { by: 'reached', episode: closed };
  return isRuleChanged
    ? { by: 'rule_changed', episode: openEpisode }
    : { by: 'corrected', episode: null };
}

/** Returns false, and writes nothing, if the alert or its state changed since the evaluation. */
export async function recordEvaluation(
  context: WriteContext,
  company: CompanyRow,
  evaluation: AlertEvaluation,
): Promise<boolean> {
  const { alert, before } = evaluation;
  const isUnchanged =
    isDeepStrictEqual(await alertStateOf(context.db, alert.id), before) &&
    isDeepStrictEqual(await alertById(context.db, alert.id), alert);
  if (isUnchanged) await writeEvaluation(context, company, evaluation);
  return isUnchanged;
}

/** For the transaction that computed it, or one that has checked that nothing changed since. */
export async function writeEvaluation(
  context: WriteContext,
  company: CompanyRow,
  { alert, before, after, replacement, episode, ending, messages }: AlertEvaluation,
): Promise<void> {
  const { db } = context;
  // Sent without waiting for each other's answer.
  await Promise.all([
    replacement && replaceEpisodes(db, alert.id, replacement.from, replacement.episodes),
    updateAlertState(db, before, after),
  ]);

  const state = {
    newestAt: after.evaluatedAt,
    newestValue: after.value,
    startedAt: episode?.start ?? null,
    endedAt: episode?.end ?? null,
    lowestValue: episode?.lowest ?? null,
    isFiring: after.since !== null,
    ending,
  };
  for (const kind of messages) await queueAlertMail(context, company, alert, kind, state);
}

export async function evaluateNow(
  context: WriteContext,
  company: CompanyRow,
  alertId: string,
): Promise<AlertState | null> {
  const evaluation = await computeEvaluation(context, company, alertId);
  if (evaluation === null) return null;
  await writeEvaluation(context, company, evaluation);
  return evaluation.after;
}
