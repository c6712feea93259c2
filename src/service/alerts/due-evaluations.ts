import type { Kysely } from 'kysely';
import { chunksOf } from '../../domain/groups.ts';
import { CYCLE_SPREAD_MS } from '../../domain/moisture/sampling-cycles.ts';
import { HOUR_MS } from '../../domain/periods.ts';
import type { WriteContext } from '../../operation/call.ts';
import {
  type AlertState,
  type AlertWithState,
  alertsDue,
  alertsToEvaluate,
} from '../../store/alerts/alert-states.ts';
import type { CompanyRow } from '../../store/company/companies.ts';
import { hasMoreReadings } from '../../store/moisture/reading-lookup.ts';
import type { Store } from '../../store/store-interface.ts';
import type { CompanyDb, Tables } from '../../store/tables.ts';
import { inJobTurn } from '../job-turns.ts';
import {
  type AlertEvaluation,
  computeEvaluation,
  evaluateAlertWithState,
  recordEvaluation,
  writeEvaluation,
} from './alert-evaluation.ts';
import { isAfter } from './cycle-evaluation.ts';
import { isEvaluationPaused } from './evaluation-pause.ts';

interface EvaluationOptions {
  readonly now: number;
  readonly signal?: AbortSignal | undefined;
}

export type RunInWrite = <T>(step: (db: CompanyDb) => Promise<T>) => Promise<T>;

/**
 * Evaluates without a write lock, and again if readings arrived before the result was recorded.
 * Returns how many messages were queued.
 */
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
  const inTurn = <T>(step: () => Promise<T>) => inJobTurn(company.id, 'alerts', step);

  const first = await inTurn(async () => {
    const { due, evaluations } = await store.readAll(async (all) => {
      if (await isEvaluationPaused(all, company.id)) return { due: [], evaluations: [] };
      const db = store.scopeToCompany(all, company.id);
      const found = await alertsDue(db, now);
      const ids = found.slice(0, ALERTS_PER_PASS);
      return { due: found, evaluations: await computeEvaluations({ db, now }, company, ids) };
    });
    return { due, queued: await recordEvaluations(store, company, evaluations, now) };
  });

  let { queued } = first;
  for (const ids of chunksOf(first.due.slice(ALERTS_PER_PASS), ALERTS_PER_PASS)) {
    if (signal?.aborted) return queued;
    queued += await inTurn(async () => {
      const evaluations = await store.read(company.id, (db) =>
        computeEvaluations({ db, now }, company, ids),
      );
      return recordEvaluations(store, company, evaluations, now);
    });
  }

  return queued;
}

/** More alerts or readings would hold the lock of the write for long. */
const MAX_ALERTS_IN_WRITE = 3;
const MAX_READINGS_IN_WRITE = 1_000;
/** The readings of so short a time are few without counting them. */
const UNCOUNTED_MS = HOUR_MS;

/**
 * Evaluates the alerts whose readings the transaction has stored. Returns how many messages were
 * queued; null if that would take long or has to wait for an import.
 */
export async function evaluateMarkedAlerts(
  all: Kysely<Tables>,
  context: WriteContext,
  company: CompanyRow,
): Promise<number | null> {
  const [isPaused, marked] = await Promise.all([
    isEvaluationPaused(all, company.id),
    alertsToEvaluate(context.db, MAX_ALERTS_IN_WRITE + 1),
  ]);
  if (marked.length === 0) return 0;
  if (isPaused || !(await isShortEvaluation(context, marked))) return null;

  let queued = 0;
  for (const each of marked) {
    const evaluation = await evaluateAlertWithState(context, company, each);
    if (evaluation === null) continue;
    await writeEvaluation(context, company, evaluation);
    queued += evaluation.messages.length;
  }
  return queued;
}

async function isShortEvaluation(
  { db, now }: WriteContext,
  marked: readonly AlertWithState[],
): Promise<boolean> {
  if (marked.length > MAX_ALERTS_IN_WRITE) return false;

  for (const { alert, state } of marked) {
    const from = evaluatesFrom(state);
    if (alert.moduleId === null || from >= now - UNCOUNTED_MS) continue;
    if (await hasMoreReadings(db, alert.moduleId, from, MAX_READINGS_IN_WRITE)) return false;
  }
  return true;
}

/** An episode that lasted at the first new reading is evaluated again from its start. */
const evaluatesFrom = ({ pendingFrom, since, evaluatedAt }: AlertState): number => {
  const from = (pendingFrom ?? 0) - CYCLE_SPREAD_MS;
  return since === null || isAfter(from, evaluatedAt) ? from : Math.min(from, since);
};

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
