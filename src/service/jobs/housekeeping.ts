import { PLANNING_PERIOD_MS } from '../../domain/irrigation/occurrence-planner.ts';
import { scheduledTimesWithin } from '../../domain/irrigation/recurrence.ts';
import { HOUR_MS } from '../../domain/periods.ts';
import { DEFAULT_TIME_ZONE } from '../../schema/company/company.ts';
import { alertsDue } from '../../store/alerts/alert-states.ts';
import { hasPendingParts } from '../../store/changes/pending-parts.ts';
import { allCompanies, type CompanyRow } from '../../store/company/companies.ts';
import { hasLocalDays } from '../../store/company/local-day-zone.ts';
import {
  deleteExpiredIdempotencyRecords,
  hasExpiredIdempotencyRecords,
} from '../../store/idempotency.ts';
import { hasReadingsOfAssigned } from '../../store/ingest/unassigned-readings.ts';
import { hasPendingDoses } from '../../store/irrigation/pending-doses.ts';
import { schedulesWithPendingRegenerations } from '../../store/irrigation/pending-regenerations.ts';
import {
  activeSchedules,
  type Schedule,
  schedulesWithDue,
} from '../../store/irrigation/schedules.ts';
import { firstUndonePeriod } from '../../store/moisture/device-periods.ts';
import type { Store } from '../../store/store.ts';
import type { CompanyDb } from '../../store/tables.ts';
import type { RunInWrite } from '../alerts/due-evaluations.ts';
import { isEvaluationPaused } from '../alerts/evaluation-pause.ts';
import { inJobTurn } from '../job-turns.ts';
import { claimLease, type LeaseClaim, LeaseHeldError, withLease } from '../lease.ts';
import { isDoubtCheckDue } from './due-doubt-checks.ts';

const LEASE = 'housekeeping';
const LEASE_MS = 15_000;
/** How often the end of planning is written while no new scheduled start comes within it. */
const PLANNING_STEP_MS = HOUR_MS;

export interface HousekeepingOptions {
  readonly now: number;
  readonly holder: string;
  readonly signal?: AbortSignal | undefined;
}

interface CompanyWork {
  readonly company: CompanyRow;
  readonly isDosePending: boolean;
  /** Readings that the undo of an assignment takes back. */
  readonly isReturnPending: boolean;
  /** Readings that came before their devices were assigned. */
  readonly areReadingsWaiting: boolean;
  readonly scheduleIds: readonly number[];
  readonly alertIds: readonly string[];
  /** Alerts and doubts wait for the rest of an import. */
  readonly isPaused: boolean;
  readonly hasExpiredRecords: boolean;
  readonly hasOldLocalDays: boolean;
  readonly isDoubtCheckDue: boolean;
}

/** Can be repeated at any time: the next round completes what a crash interrupted. */
export async function runHousekeepingRound(
  store: Store,
  { now, holder, signal }: HousekeepingOptions,
) {
  /** `isHeld`: another process holds the lease; the round ended early, and work may be left. */
  const report = {
    isHeld: false,
    produced: 0,
    confirmed: 0,
    expired: 0,
    evaluated: 0,
    notified: 0,
  };

  await store.ensurePartitions(now);
  const work = await findDueWork(store, now);
  if (work.length === 0) return report;

  const lease = { name: LEASE, holder, durationMs: LEASE_MS };
  try {
    await withLease(store, lease, () =>
      allCompleted(
        work.map((each) => {
          const write: RunInWrite = (step) =>
            inLeasedTransaction(store, each.company.id, lease, step);
          return runInTurns(each.company.id, stepsOf(store, each, { now, write, report }), signal);
        }),
      ),
    );
  } catch (error) {
    if (!(error instanceof LeaseHeldError)) throw error;
    report.isHeld = true;
  }

  return report;
}

/** Waits for all, and then throws what one of them threw. */
async function allCompleted(running: readonly Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(running))
    if (outcome.status === 'rejected') throw outcome.reason;
}

async function runInTurns(
  companyId: number,
  steps: AsyncGenerator<void, void>,
  signal: AbortSignal | undefined,
): Promise<void> {
  while (!signal?.aborted) {
    const { done } = await inJobTurn(companyId, 'housekeeping', () => steps.next());
    if (done) return;
    await yieldToEventLoop();
  }
}

interface StepContext {
  readonly now: number;
  readonly write: RunInWrite;
  /** Its counts grow. */
  readonly report: Record<'produced' | 'confirmed' | 'expired' | 'evaluated' | 'notified', number>;
}

/** The work of one company, in steps that each write at most one transaction. */
async function* stepsOf(
  store: Store,
  { company, scheduleIds, alertIds, ...due }: CompanyWork,
  { now, write, report }: StepContext,
): AsyncGenerator<void, void> {
  // Loaded only for work, so that an idle server does not hold them in memory.
  const [
    { evaluateAlert },
    { advanceLocalDays },
    { advanceSomeSchedules },
    { completeSomePendingDoses },
    { returnSomeReadings },
    { writeSomeWaitingReadings },
  ] = await Promise.all([
    import('../alerts/due-evaluations.ts'),
    import('../../store/moisture/local-days.ts'),
    import('../irrigation/planning/schedule-progress.ts'),
    import('../irrigation/doses/pending-doses.ts'),
    import('../ingest/devices/periods/returned-readings.ts'),
    import('../ingest/devices/periods/waiting-readings.ts'),
  ]);

  for (let isDone = !due.isDosePending; !isDone; ) {
    ({ isFinished: isDone } = await write((db) => completeSomePendingDoses(db)));
    yield;
  }

  for (let isDone = !due.isReturnPending; !isDone; ) {
    ({ isFinished: isDone } = await write(returnSomeReadings));
    yield;
  }

  for (let isDone = !due.areReadingsWaiting; !isDone; ) {
    const context = { now, zone: zoneOf(company) };
    ({ isFinished: isDone } = await write((db) => writeSomeWaitingReadings(db, context)));
    yield;
  }

  for (let remaining = scheduleIds; remaining.length > 0; ) {
    const ahead = remaining;
    const step = await write((db) => advanceSomeSchedules(db, ahead, now));
    report.produced += step.produced;
    report.confirmed += step.confirmed;
    ({ remaining } = step);
    yield;
  }

  // The parts of a change that were pending may have added alerts.
  const hasMoreAlerts = due.isDosePending && !due.isPaused;
  const dueIds = hasMoreAlerts
    ? await store.read(company.id, (db) => alertsDue(db, now))
    : alertIds;
  for (const id of dueIds) {
    report.notified += await evaluateAlert(store, company, id, now, write);
    report.evaluated += 1;
    yield;
  }

  for (let hasExpired = due.hasExpiredRecords; hasExpired; ) {
    const step = await write((db) => deleteExpiredIdempotencyRecords(db, now));
    report.expired += step.deleted;
    hasExpired = !step.isDone;
    yield;
  }

  for (let isDone = !due.hasOldLocalDays; !isDone; ) {
    isDone = await write((db) => advanceLocalDays(db, zoneOf(company)));
    yield;
  }

  if (due.isDoubtCheckDue) {
    const { checkDoubts } = await import('./doubt-checks.ts');
    report.notified += yield* checkDoubts(store, company, { now, write });
  }
}

export type HousekeepingReport = Awaited<ReturnType<typeof runHousekeepingRound>>;

export const housekeepingJob = (store: Store, options: HousekeepingOptions) => ({
  surface: 'tick' as const,
  operation: 'housekeeping',
  store,
  run: (observed: Store) => runHousekeepingRound(observed, options),
  counts: ({ isHeld: _, ...counts }: HousekeepingReport) => counts,
});

/** Reads in a read transaction, so that an idle round takes no lock. */
async function findDueWork(store: Store, now: number): Promise<CompanyWork[]> {
  return store.readAll(async (all) => {
    const work: CompanyWork[] = [];
    for (const company of await allCompanies(all)) {
      const db = store.scopeToCompany(all, company.id);
      const isDosePending = (await hasPendingDoses(db, {})) || (await hasPendingParts(db));
      const scheduleIds = await schedulesWithPendingRegenerations(db);
      for (const id of await schedulesToAdvance(db, now))
        if (!scheduleIds.includes(id)) scheduleIds.push(id);
      const isPaused = await isEvaluationPaused(all, company.id);
      const alertIds = isPaused ? [] : await alertsDue(db, now);
      const hasExpiredRecords = await hasExpiredIdempotencyRecords(db, now);
      const hasOldLocalDays = !(await hasLocalDays(db, zoneOf(company)));
      const due: CompanyWork = {
        company,
        isDosePending,
        isReturnPending: (await firstUndonePeriod(db)) !== null,
        areReadingsWaiting: await areReadingsWaiting(db),
        scheduleIds,
        alertIds,
        isPaused,
        hasExpiredRecords,
        hasOldLocalDays,
        isDoubtCheckDue: !isPaused && (await isDoubtCheckDue(db, now)),
      };
      if (hasWork(due)) work.push(due);
    }

    return work;
  });
}

async function areReadingsWaiting(db: CompanyDb): Promise<boolean> {
  if (!(await hasReadingsOfAssigned(db))) return false;
  const { hasWaitingReadings } = await import('../ingest/devices/device-readings.ts');
  return hasWaitingReadings(db);
}

const hasWork = (work: CompanyWork): boolean =>
  work.isDosePending ||
  work.isReturnPending ||
  work.areReadingsWaiting ||
  work.scheduleIds.length > 0 ||
  work.alertIds.length > 0 ||
  work.hasExpiredRecords ||
  work.hasOldLocalDays ||
  work.isDoubtCheckDue;

async function schedulesToAdvance(db: CompanyDb, now: number): Promise<number[]> {
  const toPlan = (await activeSchedules(db)).filter((schedule) => isPlanningDue(schedule, now));
  return [...toPlan.map(({ id }) => id), ...(await schedulesWithDue(db, now))];
}

function isPlanningDue(schedule: Schedule, now: number): boolean {
  const planningEnd = now + PLANNING_PERIOD_MS;
  const until = schedule.materializedUntil;
  if (until === null || until >= planningEnd) return false;
  return (
    planningEnd - until >= PLANNING_STEP_MS ||
    scheduledTimesWithin(schedule, until + 1, planningEnd).length > 0
  );
}

const zoneOf = ({ timezone }: CompanyRow): string => timezone ?? DEFAULT_TIME_ZONE;

const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Every process takes the company's lock first and the lease row after it, so that two of them
 * cannot deadlock.
 */
const inLeasedTransaction = <T>(
  store: Store,
  companyId: number,
  lease: LeaseClaim,
  step: (db: CompanyDb) => Promise<T>,
): Promise<T> =>
  store.writeUnscoped(companyId, async (all) => {
    if (!(await claimLease(all, lease))) throw new LeaseHeldError();
    return step(store.scopeToCompany(all, companyId));
  });
