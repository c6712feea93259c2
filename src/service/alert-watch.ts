import { isDeepStrictEqual } from 'node:util';
import { type AlertPoint, type Episode, foldAlert } from '../domain/alert.ts';
import { ageOf } from '../domain/coverage.ts';
import type { Lang } from '../domain/lang.ts';
import { ROUND_SPREAD_MS } from '../domain/rounds.ts';
import type { Books } from '../operation/call.ts';
import { DEFAULT_ZONE } from '../schema/place.ts';
import { episodeAfter, episodeBegunAt, rewriteEpisodes } from '../store/alert-episodes.ts';
import { type AlertState, changeState, stateOf } from '../store/alert-states.ts';
import { type Alert, alertById } from '../store/alerts.ts';
import type { Company } from '../store/companies.ts';
import { moduleById } from '../store/modules.ts';
import { alertMessages } from './alert-messages.ts';
import { type Telling, tellingOf } from './alert-telling.ts';
import { type CurveRounds, countedPoints, isOfSoil, newestRounds, roundsWithin } from './curve-rounds.ts';
import type { Ending } from './mail-words.ts';
import { type ServedCurve, servedCurve } from './served-curve.ts';

/** The watch over one alert: a look, which only reads, and its record, which holds while nothing changed since. */

/** What a look found. */
export interface Look {
  readonly alert: Alert;
  /** As they were looked at. */
  readonly before: AlertState;
  readonly after: AlertState;
  /** The record from an instant (ms) on, where readings were taken in. */
  readonly rewritten: { readonly from: number; readonly episodes: readonly Episode[] } | null;
  /** The episode that the messages speak of. */
  readonly episode: Episode | null;
  readonly ending: Ending;
  readonly messages: Telling['messages'];
}

/** What the rounds since the last look make of an alert. */
interface Course {
  readonly watchedFrom: number | null;
  readonly newest: AlertPoint | null;
  readonly nextAt: number | null;
  readonly touchedFrom: number | null;
  readonly rewritten: Look['rewritten'];
}

/** How an alert stands at `now`; null for one that is not watched. Reads alone. */
export async function lookAt({ db, now }: Books, company: Company, alertId: string): Promise<Look | null> {
  const [alert, before] = [await alertById(db, alertId), await stateOf(db, alertId)];
  const module = alert?.moduleId == null ? null : await moduleById(db, alert.moduleId);
  if (alert === null || before === null || module === null) return null;
  const served = await servedCurve(db, module.id, 'humidity');
  const standing = before.since === null ? null : await episodeBegunAt(db, alertId, before.since);
  const course = isOfSoil(served, module)
    ? await courseOf({ db, now }, served, alert, before)
    : { watchedFrom: null, newest: null, nextAt: null, touchedFrom: null, rewritten: null };
  const last = course.rewritten ? (course.rewritten.episodes.at(-1) ?? null) : standing;
  const since = last !== null && last.end === null ? last.start : null;
  const zone = company.timezone ?? DEFAULT_ZONE;
  const { messages, ...told } = tellingOf(
    before,
    { since, newestAt: course.newest?.at ?? null, nextAt: course.nextAt },
    { now, zone, reminderTime: alert.reminderTime },
  );
  const ending = endingOf(before, standing, course.rewritten);
  const after: AlertState = {
    ...before,
    ...told,
    isRuleChanged: before.isRuleChanged && course.rewritten === null,
    since,
    watchedFrom: course.watchedFrom,
    evaluatedAt: course.newest?.at ?? null,
    value: course.newest?.value ?? null,
    touchedFrom: course.touchedFrom,
    touchesSeen: before.touches,
  };
  return {
    alert,
    before,
    after,
    rewritten: course.rewritten,
    episode: since === null ? ending.episode : last,
    ending: ending.by,
    messages,
  };
}

/**
 * How an episode that lasted at the last look has ended: by the value that resolves it; else by a changed rule, or by
 * readings that came late or were corrected, after which it never was.
 */
function endingOf(
  { since, evaluatedAt, isRuleChanged }: AlertState,
  standing: Episode | null,
  rewritten: Look['rewritten'],
): { by: Ending; episode: Episode | null } {
  const ended = rewritten?.episodes.findLast(({ end }) => end !== null && end > (since ?? end));
  if (ended?.end != null && (!isRuleChanged || ended.end > (evaluatedAt ?? ended.end)))
    return { by: 'reached', episode: ended };
  return isRuleChanged ? { by: 'rule_changed', episode: standing } : { by: 'corrected', episode: null };
}

async function courseOf({ db, now }: Books, served: ServedCurve, alert: Alert, state: AlertState): Promise<Course> {
  if (state.watchedFrom === null) return beginning({ db, now }, served, alert);
  const known = state.evaluatedAt === null ? null : { at: state.evaluatedAt, value: state.value };
  if (state.touchedFrom === null)
    return { watchedFrom: state.watchedFrom, newest: known, nextAt: null, touchedFrom: null, rewritten: null };

  const from = Math.max(state.watchedFrom, state.touchedFrom - ROUND_SPREAD_MS);
  const lasting = await episodeAfter(db, alert.id, state.watchedFrom, from - 1);
  // None of its values is taken in anew, so that its lowest one is known.
  const open = lasting !== null && from > (state.evaluatedAt ?? from) ? { ...lasting, end: null } : null;
  const start = open === null && lasting !== null ? lasting.start : from;
  const found = await roundsWithin(db, served, { start, end: Number.MAX_SAFE_INTEGER }, now);
  const points = countedPoints(served, found);
  return {
    watchedFrom: state.watchedFrom,
    ...taken(alert, points, { now, known, from: lasting?.start ?? from, open }, found, state.touchedFrom),
  };
}

/** The watch begins with the newest round that counts. */
async function beginning({ db, now }: Books, served: ServedCurve, alert: Alert): Promise<Course> {
  const found = await newestRounds(db, served, now);
  const newest = found === null ? undefined : newestOf(countedPoints(served, found));
  if (found === null || newest === undefined)
    return {
      watchedFrom: null,
      newest: null,
      nextAt: found?.nextAt ?? null,
      touchedFrom: null,
      rewritten: null,
    };
  const { at } = newest;
  return { watchedFrom: at, ...taken(alert, [newest], { now, known: null, from: at, open: null }, found, at) };
}

/** The newest point that tells something, else the newest. */
const newestOf = (points: readonly AlertPoint[]): AlertPoint | undefined =>
  points.findLast(({ value }) => value !== null) ?? points.at(-1);

/** Points taken in where the newest one is fresh; else they wait, marked from `touchedFrom` on, until fresh data come. */
function taken(
  alert: Alert,
  points: readonly AlertPoint[],
  at: { now: number; known: AlertPoint | null; from: number; open: Episode | null },
  { nextAt, waitingFrom }: CurveRounds,
  touchedFrom: number,
): Omit<Course, 'watchedFrom'> {
  const newest = newestOf([...(at.known ? [at.known] : []), ...points]) ?? null;
  if (newest === null || !ageOf(newest.at, at.now).isFresh) return { newest, nextAt, touchedFrom, rewritten: null };
  const { episodes } = foldAlert(alert, points, at.open);
  return { newest, nextAt, touchedFrom: waitingFrom, rewritten: { from: at.from, episodes } };
}

/**
 * Writes what a look found, and the messages that it calls for, in one transaction; false, and nothing written, where the
 * alert or what is known of it changed since.
 */
export async function recordLook(
  books: Books,
  company: Company,
  { alert, before, after, rewritten, episode, ending, messages }: Look,
  lang?: Lang | undefined,
): Promise<boolean> {
  const isStill =
    isDeepStrictEqual(await stateOf(books.db, alert.id), before) &&
    isDeepStrictEqual(await alertById(books.db, alert.id), alert);
  if (!isStill) return false;
  if (rewritten) await rewriteEpisodes(books.db, alert.id, rewritten.from, rewritten.episodes);
  await changeState(books.db, after);
  const standing = {
    at: after.evaluatedAt,
    value: after.value,
    since: episode?.start ?? null,
    endedAt: episode?.end ?? null,
    lowest: episode?.lowest ?? null,
    isFiring: after.since !== null,
    ending,
  };
  for (const kind of messages)
    await alertMessages(books, company, { ...alert, moduleId: alert.moduleId! }, kind, standing, lang);
  return true;
}

/** A look and its record within the transaction that is open; null for an alert that is not watched. */
export async function watchNow(books: Books, company: Company, alertId: string): Promise<AlertState | null> {
  const look = await lookAt(books, company, alertId);
  if (look === null) return null;
  await recordLook(books, company, look);
  return look.after;
}
