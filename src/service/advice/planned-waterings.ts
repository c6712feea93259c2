import { FORESEEABLE_DAYS } from '../../domain/advice/watering-advice.ts';
import { addCivilDays } from '../../domain/calendar.ts';
import { roundAmountOrNull } from '../../domain/decimal.ts';
import {
  type ConfirmationSettings,
  isConfirmedAutomatically,
} from '../../domain/irrigation/confirmation.ts';
import { sumDoses } from '../../domain/irrigation/dose.ts';
import { readAllRows } from '../../domain/list-pages.ts';
import { DAY_MS } from '../../domain/periods.ts';
import { civilAt, midnightAt } from '../../domain/time-zone.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { AdviceBody } from '../../schema/advice/advice.ts';
import type { WateringBody } from '../../schema/irrigation/watering.ts';
import { toIso } from '../wire-format.ts';
import { type PartReads, parseInstantOrNull, runPeriod } from './operation-reads.ts';

const DEFAULT_AHEAD_DAYS = 7;

/**
 * Sums up the waterings that are running and those planned until the day of stress. That day counts
 * as at least a day and at most two weeks ahead, and as a week ahead if it is unknown.
 */
export async function planUntilStress(
  now: number,
  wateringsIn: (period: { from: number; to: number; status: 'planned' }) => Promise<WateringBody[]>,
  daysToStress: number | null,
  startedPlanned: readonly WateringBody[],
): Promise<AdviceBody['planned']> {
  const aheadDays = Math.min(FORESEEABLE_DAYS, Math.max(1, daysToStress ?? DEFAULT_AHEAD_DAYS));
  const until = Math.round(now + aheadDays * DAY_MS);
  const running = startedPlanned.filter((watering) => runPeriod(watering).end > now);
  const upcoming = await wateringsIn({ from: now + 1, to: until, status: 'planned' });
  const planned = [...running, ...upcoming];

  return {
    until: toIso(until),
    count: planned.length,
    waterMm: roundAmountOrNull(sumDoses(planned.map(({ waterMm }) => waterMm))),
    nextAt: planned[0]?.startedAt ?? null,
  };
}

const LOOKAHEAD_MS = 2 * DAY_MS;
const LOOKBACK_MS = 14 * DAY_MS;

type PlanOperations = Pick<PartReads, 'listWaterings' | 'listSchedules'>;

export type WateringTarget = { readonly moduleId: number } | { readonly parcelId: number };

export async function loadPlannedWaterings(
  { now, zone }: ComposedCall,
  operations: PlanOperations,
  /** Default: the whole farm. */
  targets?: readonly WateringTarget[],
) {
  const filter = {
    status: 'planned',
    from: toIso(now - LOOKBACK_MS),
    to: toIso(now + LOOKAHEAD_MS),
    totals: 'none',
  } as const;
  const rowsOf = (target: WateringTarget | undefined): Promise<WateringBody[]> =>
    readAllRows((page) => operations.listWaterings({ ...filter, ...target, ...page }));
  const rows =
    targets === undefined ? await rowsOf(undefined) : await rowsOfTargets(targets, rowsOf);
  // The rows are listed newest first.
  const finished = rows.filter((row) => runPeriod(row).end <= now);
  const upcoming = rows.filter((row) => runPeriod(row).end > now).reverse();

  return {
    toConfirm: await awaitingConfirmation(operations, finished),
    upcoming,
    /**
     * Doses in mm of the waterings still planned for today, by module id; null for an unknown dose.
     */
    dosesToday: dosesByProbeUntil(upcoming, endOfDay(now, zone)),
  };
}

/** Newest first, and each row once although a probe and its parcel may both be targets. */
async function rowsOfTargets(
  targets: readonly WateringTarget[],
  rowsOf: (target: WateringTarget) => Promise<WateringBody[]>,
): Promise<WateringBody[]> {
  const rows = new Map<number, WateringBody>();
  for (const target of targets) for (const row of await rowsOf(target)) rows.set(row.id, row);
  return [...rows.values()].sort(
    (a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt) || b.id - a.id,
  );
}

export type PlannedWaterings = Awaited<ReturnType<typeof loadPlannedWaterings>>;

/** Omits those that housekeeping will confirm because of their schedule. */
async function awaitingConfirmation(
  { listSchedules }: PlanOperations,
  finished: readonly WateringBody[],
): Promise<WateringBody[]> {
  if (finished.every(({ scheduleId }) => scheduleId === null)) return [...finished];

  const schedules = new Map<number, ConfirmationSettings>();
  for (const schedule of await readAllRows((page) => listSchedules({ isActive: true, ...page })))
    schedules.set(schedule.id, {
      ...schedule,
      materializedUntil: parseInstantOrNull(schedule.materializedUntil),
    });

  return finished.filter(({ startedAt, isDetached, scheduleId }) => {
    const schedule = scheduleId === null ? undefined : schedules.get(scheduleId);
    return !isConfirmedAutomatically(Date.parse(startedAt), isDetached, schedule);
  });
}

function dosesByProbeUntil(
  upcoming: readonly WateringBody[],
  end: number,
): Map<number, (number | null)[]> {
  const doses = new Map<number, (number | null)[]>();
  for (const { moduleId, startedAt, waterMm } of upcoming)
    if (Date.parse(startedAt) < end) doses.set(moduleId, [...(doses.get(moduleId) ?? []), waterMm]);
  return doses;
}

const endOfDay = (now: number, zone: string): number =>
  midnightAt(addCivilDays(civilAt(now, zone), 1), zone);
