import { PLANNING_HORIZON_MS } from '../../domain/irrigation/occurrences.ts';
import { slotsWithin } from '../../domain/irrigation/recurrence.ts';
import type { Lang } from '../../domain/lang.ts';
import { alertsDue } from '../../store/alerts/alert-states.ts';
import { allCompanies, type CompanyRecord } from '../../store/company/companies.ts';
import { hasPastPlannedOccurrences } from '../../store/irrigation/occurrences.ts';
import { activeSchedules, type Schedule, scheduleById } from '../../store/irrigation/schedules.ts';
import { deleteExpiredIdempotencyRecords, hasExpiredIdempotencyRecords } from '../../store/keys/idempotency.ts';
import { releaseLease, takeLease } from '../../store/leases.ts';
import type { Store } from '../../store/store.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { evaluateAlert, isEvaluationPaused } from '../alerts/company-alert-evaluation.ts';
import { confirmPastOccurrences, extendHorizon, targetProbes } from '../irrigation/occurrences.ts';

const LEASE = 'housekeeping';
/** How long a holder that says nothing keeps the lease, in ms of real time. */
const LEASE_MS = 15_000;
/** Rows a transaction produces at most, about: answers wait no longer than for one. */
const ROWS_PER_STEP = 400;
const DAY_MS = 86_400_000;
/** A horizon without a slot is written anew no more often than this. */
const HORIZON_STEP_MS = 3_600_000;

export interface HousekeepingOptions {
  /** The instant up to which the books are kept, in ms. */
  readonly now: number;
  /** Names this process among those that may hold the lease. */
  readonly holder: string;
  readonly signal?: AbortSignal | undefined;
  /** Language of messages; left out, that of each company's country. */
  readonly lang?: Lang | undefined;
}

export interface HousekeepingReport {
  /** Another holds the lease: nothing was done, and all may still have to be. */
  readonly isHeld: boolean;
  readonly produced: number;
  readonly flipped: number;
  readonly forgotten: number;
  /** Alerts that were looked at, and messages that these looks wrote to a recipient or several. */
  readonly watched: number;
  readonly told: number;
}

/** What there is to do for one company at `now`; found by reading alone. */
interface CompanyWork {
  readonly company: CompanyRecord;
  readonly scheduleIds: readonly number[];
  readonly alertIds: readonly string[];
  readonly hasExpiredAnswers: boolean;
}

const horizonOf = (now: number): number => now + PLANNING_HORIZON_MS;

/** Whether a schedule has something to produce or to flip. */
async function isDue(db: CompanyDb, schedule: Schedule, now: number): Promise<boolean> {
  const until = schedule.materializedUntil;
  if (until !== null && until < horizonOf(now)) {
    if (horizonOf(now) - until >= HORIZON_STEP_MS) return true;
    if (slotsWithin(schedule, until + 1, horizonOf(now)).length > 0) return true;
  }
  return schedule.autoFrom !== null && (await hasPastPlannedOccurrences(db, schedule.id, schedule.autoFrom, now));
}

async function findDueWork(store: Store, now: number): Promise<CompanyWork[]> {
  return store.readAll(async (all) => {
    const work: CompanyWork[] = [];
    for (const company of await allCompanies(all)) {
      const db = store.scopeToCompany(all, company.id);
      const due: number[] = [];
      for (const schedule of await activeSchedules(db)) if (await isDue(db, schedule, now)) due.push(schedule.id);
      const alertIds = (await isEvaluationPaused(all, company.id)) ? [] : await alertsDue(db, now);
      const hasExpiredAnswers = await hasExpiredIdempotencyRecords(db, now);
      if (due.length > 0 || alertIds.length > 0 || hasExpiredAnswers)
        work.push({ company, scheduleIds: due, alertIds, hasExpiredAnswers });
    }
    return work;
  });
}

/**
 * Housekeeping, to be repeated at will: makes room for the readings of the months ahead, produces what the horizon has
 * come to reach, lets past occurrences count as done where a schedule says so, watches the alerts that readings or time
 * call to look at, forgets expired idempotency records. Small transactions under one lease; whoever dies in the middle
 * leaves work that the next one finishes.
 */
export async function runHousekeepingRound(
  store: Store,
  { now, holder, signal, lang }: HousekeepingOptions,
): Promise<HousekeepingReport> {
  const report = { isHeld: false, produced: 0, flipped: 0, forgotten: 0, watched: 0, told: 0 };
  await store.ensurePartitions(now);
  const work = await findDueWork(store, now);
  if (work.length === 0) return report;
  // A lease is one row that one statement decides on, and nobody's books.
  if (!(await store.writeUnlocked((all) => takeLease(all, leaseOf(holder), Date.now()))))
    return { ...report, isHeld: true };
  try {
    for (const { company, scheduleIds, alertIds, hasExpiredAnswers } of work) {
      for (const id of scheduleIds) {
        for (let isDone = false; !isDone; ) {
          if (signal?.aborted) return report;
          const step = await inLeasedTransaction(store, company.id, holder, (db) => advanceSchedule(db, id, now));
          if (step === null) return { ...report, isHeld: true };
          report.produced += step.produced;
          report.flipped += step.flipped;
          isDone = step.isDone;
          await yieldToEventLoop();
        }
      }
      for (const id of alertIds) {
        if (signal?.aborted) return report;
        const messages = await evaluateAlert(store, company, id, { now, lang }, (step) =>
          inLeasedTransaction(store, company.id, holder, step),
        );
        if (messages === null) return { ...report, isHeld: true };
        report.watched += 1;
        report.told += messages;
        await yieldToEventLoop();
      }
      if (hasExpiredAnswers) {
        const forgotten = await inLeasedTransaction(store, company.id, holder, (db) =>
          deleteExpiredIdempotencyRecords(db, now),
        );
        if (forgotten === null) return { ...report, isHeld: true };
        report.forgotten += forgotten;
      }
    }
    return report;
  } finally {
    await store.writeUnlocked((all) => releaseLease(all, { name: LEASE, holder }));
  }
}

/** The same, as a chore that is followed. */
export const housekeepingJob = (store: Store, options: HousekeepingOptions) => ({
  surface: 'tick' as const,
  operation: 'housekeeping',
  store,
  run: (observed: Store) => runHousekeepingRound(observed, options),
  counts: ({ isHeld: _, ...done }: HousekeepingReport) => done,
});

/** Calls that came in meanwhile are answered first. */
const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const leaseOf = (holder: string) => ({ name: LEASE, holder, until: Date.now() + LEASE_MS });

/**
 * One step in a transaction that renews the lease; null when another has taken it over. The company's turn comes first and
 * the lease's row after it, in every process: two that meet wait for each other, and never each for the other.
 */
const inLeasedTransaction = <T>(
  store: Store,
  companyId: number,
  holder: string,
  step: (db: CompanyDb) => Promise<T>,
): Promise<T | null> =>
  store.writeUnscoped(companyId, async (all) =>
    (await takeLease(all, leaseOf(holder), Date.now())) ? step(store.scopeToCompany(all, companyId)) : null,
  );

/** One step of a schedule: some days of its horizon, or some of what has passed. */
async function advanceSchedule(
  db: CompanyDb,
  id: number,
  now: number,
): Promise<{ produced: number; flipped: number; isDone: boolean }> {
  const context = { db, now };
  const schedule = await scheduleById(db, id);
  if (!schedule?.isActive || schedule.materializedUntil === null) return { produced: 0, flipped: 0, isDone: true };
  const rowsADay = Math.max(1, schedule.startTimes.length * (await targetProbes(context, schedule)).length);
  const step = Math.max(1, Math.floor(ROWS_PER_STEP / rowsADay)) * DAY_MS;
  const until = Math.min(horizonOf(now), schedule.materializedUntil + step);
  const { schedule: extended, produced } = await extendHorizon(context, schedule, until);
  if ((extended.materializedUntil ?? 0) < horizonOf(now)) return { produced, flipped: 0, isDone: false };
  const flipped = await confirmPastOccurrences(context, extended, ROWS_PER_STEP);
  return { produced, flipped, isDone: flipped < ROWS_PER_STEP };
}
