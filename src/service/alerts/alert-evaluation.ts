import { isDeepStrictEqual } from 'node:util';
import { type AlertEpisode, alertEpisodes } from '../../domain/alerts/alert-episodes.ts';
import { chunksOf } from '../../domain/groups.ts';
import { readingAge } from '../../domain/moisture/coverage.ts';
import { isSoilMoisture } from '../../domain/moisture/measurement.ts';
import { CYCLE_SPREAD_MS } from '../../domain/moisture/sampling-cycles.ts';
import type { SeriesPoint } from '../../domain/moisture/series.ts';
import type { EpisodeEnding } from '../../language/mail/mail-facts.ts';
import type { WriteContext } from '../../operation/call.ts';
import { DEFAULT_TIME_ZONE } from '../../schema/company/company.ts';
import {
  episodeLastingAt,
  episodeStartingAt,
  replaceEpisodes,
} from '../../store/alerts/alert-episodes.ts';
import {
  type AlertState,
  alertStateOf,
  alertsDue,
  updateAlertState,
} from '../../store/alerts/alert-states.ts';
import { type Alert, alertById } from '../../store/alerts/alerts.ts';
import type { CompanyRow } from '../../store/company/companies.ts';
import { moduleById } from '../../store/company/modules.ts';
import type { Store } from '../../store/store-interface.ts';
import type { CompanyDb } from '../../store/tables.ts';
import {
  type CurveCycles,
  cyclesWithin,
  recentCycles,
  settledPoints,
} from '../moisture/curve-cycles.ts';
import { loadSummarySeriesSource, type SummarySeriesSource } from '../moisture/summary-series.ts';
import { type AlertNotifications, dueNotifications, queueAlertMail } from './alert-messages.ts';
import { isEvaluationPaused } from './evaluation-pause.ts';

type WatchingAlert = Alert & { readonly moduleId: number };

/** Recorded only if nothing has changed since it was computed. */
interface AlertEvaluation {
  readonly alert: WatchingAlert;
  readonly before: AlertState;
  readonly after: AlertState;
  /**
   * The episodes that replace the recorded ones from an instant (ms) on; null if no readings were
   * evaluated.
   */
  readonly replacement: {
    readonly from: number;
    readonly episodes: readonly AlertEpisode[];
  } | null;
  readonly episode: AlertEpisode | null;
  readonly ending: EpisodeEnding;
  readonly messages: AlertNotifications['messages'];
}

interface CycleEvaluation {
  readonly evaluateFrom: number | null;
  readonly newest: SeriesPoint | null;
  /** When the next cycle settles without further readings, ms. */
  readonly nextAt: number | null;
  /** First instant still to be evaluated, ms. */
  readonly pendingFrom: number | null;
  readonly replacement: AlertEvaluation['replacement'];
}

const NO_CYCLES: CycleEvaluation = {
  evaluateFrom: null,
  newest: null,
  nextAt: null,
  pendingFrom: null,
  replacement: null,
};

/** Null for an alert that is not evaluated: it is disabled or has no module. */
export async function computeEvaluation(
  context: WriteContext,
  company: CompanyRow,
  alertId: string,
): Promise<AlertEvaluation | null> {
  const loaded = await loadAlertState(context, alertId);
  if (loaded === null) return null;
  const { alert, module, before, openEpisode } = loaded;

  const source = await loadSummarySeriesSource(context.db, module.id, 'humidity', context.now);
  const cycles = isSoilMoisture(source, module)
    ? await evaluateCycles(context, source, alert, before)
    : NO_CYCLES;
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

async function loadAlertState({ db }: WriteContext, alertId: string) {
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

/** False if either instant is unknown. */
const isAfter = (at: number | null, other: number | null): boolean =>
  at !== null && other !== null && at > other;

function episodeEnding(
  { since, evaluatedAt, isRuleChanged }: AlertState,
  openEpisode: AlertEpisode | null,
  replacement: AlertEvaluation['replacement'],
): { by: EpisodeEnding; episode: AlertEpisode | null } {
  const closed = replacement?.episodes.findLast(({ end }) => isAfter(end, since));
  if (closed !== undefined && (!isRuleChanged || isAfter(closed.end, evaluatedAt)))
    return { by: 'reached', episode: closed };
  return isRuleChanged
    ? { by: 'rule_changed', episode: openEpisode }
    : { by: 'corrected', episode: null };
}

async function evaluateCycles(
  { db, now }: WriteContext,
  source: SummarySeriesSource,
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
  const before = await episodeLastingAt(db, alert.id, state.evaluateFrom, from - 1);
  // An episode is continued if none of its values is evaluated again, so its lowest value remains
  // valid.
  const open =
    before !== null && isAfter(from, state.evaluatedAt) ? { ...before, end: null } : null;
  const start = open === null && before !== null ? before.start : from;
  const cycles = await cyclesWithin(db, source, { start, end: Number.MAX_SAFE_INTEGER }, now);
  const points = settledPoints(source, cycles);

  return {
    evaluateFrom: state.evaluateFrom,
    ...evaluateFreshPoints(
      alert,
      points,
      { now, lastPoint, from: before?.start ?? from, open },
      cycles,
      state.pendingFrom,
    ),
  };
}

async function startAtNewestCycle(
  { db, now }: WriteContext,
  source: SummarySeriesSource,
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
      { now, lastPoint: null, from: at, open: null },
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
  readonly open: AlertEpisode | null;
}

/** If the newest point is stale, all points stay pending until fresh readings arrive. */
function evaluateFreshPoints(
  alert: Alert,
  points: readonly SeriesPoint[],
  { now, lastPoint, from, open }: FreshPointsContext,
  cycles: CurveCycles,
  pendingFrom: number,
): Omit<CycleEvaluation, 'evaluateFrom'> {
  const candidates = lastPoint === null ? points : [lastPoint, ...points];
  const newest = newestWithValue(candidates) ?? null;
  const nextAt = cycles.nextSettlesAt;
  if (newest === null || !readingAge(newest.at, now).isFresh)
    return { newest, nextAt, pendingFrom, replacement: null };
  const episodes = alertEpisodes(alert, points, open);
  return { newest, nextAt, pendingFrom: cycles.pendingFrom, replacement: { from, episodes } };
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

interface EvaluationOptions {
  readonly now: number;
  readonly signal?: AbortSignal | undefined;
}

export type RunInWrite = <T>(step: (db: CompanyDb) => Promise<T>) => Promise<T>;

/** Evaluates without a write lock, and again if readings arrived before the result was recorded. */
export async function evaluateAlert(
  store: Store,
  company: CompanyRow,
  id: string,
  now: number,
  write: RunInWrite,
): Promise<number> {
  for (;;) {
    const evaluation = await store.read(company.id, (db) =>
      computeEvaluation({ db, now }, company, id),
    );
    if (evaluation === null) return 0;
    if (await write((db) => recordEvaluation({ db, now }, company, evaluation)))
      return evaluation.messages.length;
  }
}

/** One read and one write evaluate this many, so that neither takes long. */
const ALERTS_PER_PASS = 10;

/** Returns how many messages were queued. */
export async function evaluateCompanyAlerts(
  store: Store,
  company: CompanyRow,
  { now, signal }: EvaluationOptions,
): Promise<number> {
  const first = await store.readAll(async (all) => {
    if (await isEvaluationPaused(all, company.id)) return { due: [], evaluations: [] };
    const db = store.scopeToCompany(all, company.id);
    const due = await alertsDue(db, now);
    const ids = due.slice(0, ALERTS_PER_PASS);
    return { due, evaluations: await computeEvaluations({ db, now }, company, ids) };
  });
  let queued = await recordEvaluations(store, company, first.evaluations, now);

  for (const ids of chunksOf(first.due.slice(ALERTS_PER_PASS), ALERTS_PER_PASS)) {
    if (signal?.aborted) return queued;
    const evaluations = await store.read(company.id, (db) =>
      computeEvaluations({ db, now }, company, ids),
    );
    queued += await recordEvaluations(store, company, evaluations, now);
  }

  return queued;
}

async function computeEvaluations(
  context: WriteContext,
  company: CompanyRow,
  ids: readonly string[],
): Promise<AlertEvaluation[]> {
  const evaluations: AlertEvaluation[] = [];
  for (const id of ids) {
    const evaluation = await computeEvaluation(context, company, id);
    if (evaluation !== null) evaluations.push(evaluation);
  }
  return evaluations;
}

/** Evaluates an alert again if it or its readings changed meanwhile. */
async function recordEvaluations(
  store: Store,
  company: CompanyRow,
  evaluations: readonly AlertEvaluation[],
  now: number,
): Promise<number> {
  if (evaluations.length === 0) return 0;

  const write: RunInWrite = (step) => store.write(company.id, step);

  const recorded = await write(async (db) => {
    const isRecorded: boolean[] = [];
    for (const evaluation of evaluations)
      isRecorded.push(await recordEvaluation({ db, now }, company, evaluation));
    return isRecorded;
  });

  let queued = 0;
  for (const [index, { alert, messages }] of evaluations.entries())
    queued += recorded[index]
      ? messages.length
      : await evaluateAlert(store, company, alert.id, now, write);

  return queued;
}
