import { isDeepStrictEqual } from 'node:util';
import type { AlertEpisode } from '../../domain/alerts/alert-episodes.ts';
import type { EpisodeEnding } from '../../language/mail/mail-facts.ts';
import type { WriteContext } from '../../operation/call.ts';
import { DEFAULT_TIME_ZONE } from '../../schema/company/company.ts';
import { episodeStartingAt, replaceEpisodes } from '../../store/alerts/alert-episodes.ts';
import {
  type AlertState,
  alertStateOf,
  updateAlertState,
} from '../../store/alerts/alert-states.ts';
import { type Alert, alertById } from '../../store/alerts/alerts.ts';
import type { CompanyRow } from '../../store/company/companies.ts';
import { type Module, moduleById } from '../../store/company/modules.ts';
import { queueAlertMail } from './alert-messages.ts';
import { type AlertNotifications, dueNotifications } from './alert-notifications.ts';
import { type CycleEvaluation, type EpisodeReplacement, isAfter } from './cycle-evaluation.ts';
import { WATCHED_VALUES } from './kinds/alert-kinds.ts';

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
  const loaded = await loadAlertState(context, alertId);
  return loaded && evaluateLoaded(context, company, loaded);
}

interface LoadedAlert {
  readonly alert: WatchingAlert;
  readonly module: Module;
  readonly before: AlertState;
  readonly openEpisode: AlertEpisode | null;
}

/** `alert` need not be stored yet, if it has no episode. */
export async function evaluateLoaded(
  context: WriteContext,
  company: CompanyRow,
  { alert, module, before, openEpisode }: LoadedAlert,
): Promise<AlertEvaluation> {
  const cycles = await WATCHED_VALUES[alert.kind].evaluate(context, module, alert, before);
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

async function loadAlertState({ db }: WriteContext, alertId: string): Promise<LoadedAlert | null> {
  const [alert, before] = await Promise.all([alertById(db, alertId), alertStateOf(db, alertId)]);
  if (alert === null || before === null || alert.moduleId === null) return null;

  const module = await moduleById(db, alert.moduleId);
  if (module === null) return null;

  const openEpisode =
    before.since === null ? null : await episodeStartingAt(db, alertId, before.since);
  return { alert: { ...alert, moduleId: module.id }, module, before, openEpisode };
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
  { alert, before, after, replacement, episode, ending, messages }: AlertEvaluation,
): Promise<boolean> {
  const isUnchanged =
    isDeepStrictEqual(await alertStateOf(context.db, alert.id), before) &&
    isDeepStrictEqual(await alertById(context.db, alert.id), alert);
  if (!isUnchanged) return false;

  if (replacement)
    await replaceEpisodes(context.db, alert.id, replacement.from, replacement.episodes);
  await updateAlertState(context.db, before, after);

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

  return true;
}

export async function evaluateNow(
  context: WriteContext,
  company: CompanyRow,
  alertId: string,
): Promise<AlertState | null> {
  const evaluation = await computeEvaluation(context, company, alertId);
  if (evaluation === null) return null;
  await recordEvaluation(context, company, evaluation);
  return evaluation.after;
}
