import type { Lang } from '../domain/lang.ts';
import { HORIZON_MS } from '../domain/materialisation.ts';
import { slotsWithin } from '../domain/recurrence.ts';
import { alertsToLookAt } from '../store/alert-states.ts';
import { allCompanies, type Company } from '../store/companies.ts';
import { expiredAnswers, forgetAnswers } from '../store/idempotency.ts';
import { returnLease, takeLease } from '../store/leases.ts';
import { hasPastPlanned } from '../store/occurrences.ts';
import { activeSchedules, type Schedule, scheduleById } from '../store/schedules.ts';
import type { Store } from '../store/store.ts';
import type { CompanyDb } from '../store/tables.ts';
import { extend, flip, probesOf } from './occurrences.ts';
import { watchAlert } from './watch.ts';
import { isWatchPaused } from './watch-pause.ts';

const LEASE = 'housekeeping';
/** How long a holder that says nothing keeps the lease, in ms of real time. */
const LEASE_MS = 15_000;
/** Rows a transaction produces at most, about: answers wait no longer than for one. */
const ROWS_A_STEP = 400;
const DAY_MS = 86_400_000;
/** A horizon without a slot is written anew no more often than this. */
const HORIZON_STEP_MS = 3_600_000;

export interface Tick {
  /** The instant up to which the books are kept, in ms. */
  readonly now: number;
  /** Names this process among those that may hold the lease. */
  readonly holder: string;
  readonly signal?: AbortSignal | undefined;
  /** Language of messages; left out, that of each company's country. */
  readonly lang?: Lang | undefined;
}

export interface TickReport {
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
interface Chores {
  readonly company: Company;
  readonly scheduleIds: readonly number[];
  readonly alertIds: readonly string[];
  readonly forgets: boolean;
}

const horizonOf = (now: number): number => now + HORIZON_MS;

/** Whether a schedule has something to produce or to flip. */
async function isDue(db: CompanyDb, schedule: Schedule, now: number): Promise<boolean> {
  const until = schedule.materializedUntil;
  if (until !== null && until < horizonOf(now)) {
    if (horizonOf(now) - until >= HORIZON_STEP_MS) return true;
    if (slotsWithin(schedule, until + 1, horizonOf(now)).length > 0) return true;
  }
  return schedule.autoFrom !== null && (await hasPastPlanned(db, schedule.id, schedule.autoFrom, now));
}

async function choresOf(store: Store, now: number): Promise<Chores[]> {
  return store.readAll(async (all) => {
    const chores: Chores[] = [];
    for (const company of await allCompanies(all)) {
      const db = store.confine(all, company.id);
      const due: number[] = [];
      for (const schedule of await activeSchedules(db)) if (await isDue(db, schedule, now)) due.push(schedule.id);
      const alertIds = (await isWatchPaused(all, company.id)) ? [] : await alertsToLookAt(db, now);
      const forgets = await expiredAnswers(db, now);
      if (due.length > 0 || alertIds.length > 0 || forgets)
        chores.push({ company, scheduleIds: due, alertIds, forgets });
    }
    return chores;
  });
}

/**
 * Housekeeping, to be repeated at will: makes room for the readings of the months ahead, produces what the horizon has
 * come to reach, lets past occurrences count as done where a schedule says so, watches the alerts that readings or time
 * call to look at, forgets expired idempotency records. Small transactions under one lease; whoever dies in the middle
 * leaves work that the next one finishes.
 */
export async function tick(store: Store, { now, holder, signal, lang }: Tick): Promise<TickReport> {
  const report = { isHeld: false, produced: 0, flipped: 0, forgotten: 0, watched: 0, told: 0 };
  await store.keepAhead(now);
  const chores = await choresOf(store, now);
  if (chores.length === 0) return report;
  // A lease is one row that one statement decides on, and nobody's books.
  if (!(await store.writeBeside((all) => takeLease(all, leaseOf(holder), Date.now()))))
    return { ...report, isHeld: true };
  try {
    for (const { company, scheduleIds, alertIds, forgets } of chores) {
      for (const id of scheduleIds) {
        for (let isDone = false; !isDone; ) {
          if (signal?.aborted) return report;
          const step = await underLease(store, company.id, holder, (db) => keepSchedule(db, id, now));
          if (step === null) return { ...report, isHeld: true };
          report.produced += step.produced;
          report.flipped += step.flipped;
          isDone = step.isDone;
          await othersFirst();
        }
      }
      for (const id of alertIds) {
        if (signal?.aborted) return report;
        const told = await watchAlert(store, company, id, { now, lang }, (step) =>
          underLease(store, company.id, holder, step),
        );
        if (told === null) return { ...report, isHeld: true };
        report.watched += 1;
        report.told += told;
        await othersFirst();
      }
      if (forgets) {
        const forgotten = await underLease(store, company.id, holder, (db) => forgetAnswers(db, now));
        if (forgotten === null) return { ...report, isHeld: true };
        report.forgotten += forgotten;
      }
    }
    return report;
  } finally {
    await store.writeBeside((all) => returnLease(all, { name: LEASE, holder }));
  }
}

/** The same, as a chore that is followed. */
export const housekeepingChore = (store: Store, asked: Tick) => ({
  surface: 'tick' as const,
  operation: 'housekeeping',
  store,
  run: (observed: Store) => tick(observed, asked),
  counts: ({ isHeld: _, ...done }: TickReport) => done,
});

/** Calls that came in meanwhile are answered first. */
const othersFirst = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const leaseOf = (holder: string) => ({ name: LEASE, holder, until: Date.now() + LEASE_MS });

/**
 * One step in a transaction that renews the lease; null when another has taken it over. The company's turn comes first and
 * the lease's row after it, in every process: two that meet wait for each other, and never each for the other.
 */
const underLease = <T>(
  store: Store,
  companyId: number,
  holder: string,
  step: (db: CompanyDb) => Promise<T>,
): Promise<T | null> =>
  store.writeFor(companyId, async (all) =>
    (await takeLease(all, leaseOf(holder), Date.now())) ? step(store.confine(all, companyId)) : null,
  );

/** One step of a schedule: some days of its horizon, or some of what has passed. */
async function keepSchedule(
  db: CompanyDb,
  id: number,
  now: number,
): Promise<{ produced: number; flipped: number; isDone: boolean }> {
  const books = { db, now };
  const schedule = await scheduleById(db, id);
  if (!schedule?.isActive || schedule.materializedUntil === null) return { produced: 0, flipped: 0, isDone: true };
  const rowsADay = Math.max(1, schedule.startTimes.length * (await probesOf(books, schedule)).length);
  const step = Math.max(1, Math.floor(ROWS_A_STEP / rowsADay)) * DAY_MS;
  const until = Math.min(horizonOf(now), schedule.materializedUntil + step);
  const { schedule: extended, produced } = await extend(books, schedule, until);
  if ((extended.materializedUntil ?? 0) < horizonOf(now)) return { produced, flipped: 0, isDone: false };
  const flipped = await flip(books, extended, ROWS_A_STEP);
  return { produced, flipped, isDone: flipped < ROWS_A_STEP };
}
