import { type ConfirmationSettings, isConfirmedAutomatically } from '../../domain/advice/brief.ts';
import { addCivilDays } from '../../domain/calendar.ts';
import { DAY_MS } from '../../domain/periods.ts';
import { civilAt, midnightAt } from '../../domain/time-zone.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { WateringBody } from '../../schema/watering.ts';
import { toIso } from '../wire-format.ts';
import { allResultRows, runPeriod } from './operation-reads.ts';
import type { PerformedOperations } from './performed-operations.ts';

const LOOKAHEAD_MS = 2 * DAY_MS;
/** A watering that nobody has spoken of for two weeks is no business of this morning. */
const LOOKBACK_MS = 14 * DAY_MS;

type PlanOperations = Pick<PerformedOperations, 'listWaterings' | 'listSchedules'>;

export interface PlannedWaterings {
  /** Over, and waiting for a word; newest first. */
  readonly toConfirm: readonly WateringBody[];
  /** Under way or to come, the next first. */
  readonly upcoming: readonly WateringBody[];
  /** Doses of what is still to run today, by probe, in mm; null where one is not known. */
  readonly dosesToday: ReadonlyMap<number, readonly (number | null)[]>;
}

/** What is planned about now: from two weeks back to 48 hours ahead. */
export async function plannedWaterings(
  { now, zone }: ComposedCall,
  operations: PlanOperations,
): Promise<PlannedWaterings> {
  const filter = { status: 'planned', from: toIso(now - LOOKBACK_MS), to: toIso(now + LOOKAHEAD_MS) } as const;
  const rows = await allResultRows((page) => operations.listWaterings({ ...filter, ...page }));
  const finished = rows.filter((row) => runPeriod(row).end <= now);
  const upcoming = rows.filter((row) => runPeriod(row).end > now).reverse();
  return {
    toConfirm: await awaitingConfirmation(operations, finished),
    upcoming,
    dosesToday: dosesByProbeUntil(upcoming, endOfDay(now, zone)),
  };
}

/** Those that wait for a person, and not for the housekeeping of their schedule. */
async function awaitingConfirmation(
  { listSchedules }: PlanOperations,
  finished: readonly WateringBody[],
): Promise<WateringBody[]> {
  if (finished.every(({ scheduleId }) => scheduleId === null)) return [...finished];
  const schedules = new Map<number, ConfirmationSettings>();
  for (const schedule of await allResultRows((page) => listSchedules({ isActive: true, ...page })))
    schedules.set(schedule.id, { ...schedule, materializedUntil: parseInstantOrNull(schedule.materializedUntil) });
  return finished.filter(
    ({ startedAt, isDetached, scheduleId }) =>
      !isConfirmedAutomatically(Date.parse(startedAt), isDetached, schedules.get(scheduleId ?? 0)),
  );
}

const parseInstantOrNull = (time: string | null): number | null => (time === null ? null : Date.parse(time));

function dosesByProbeUntil(ahead: readonly WateringBody[], end: number): Map<number, (number | null)[]> {
  const doses = new Map<number, (number | null)[]>();
  for (const { moduleId, startedAt, waterMm } of ahead)
    if (Date.parse(startedAt) < end) doses.set(moduleId, [...(doses.get(moduleId) ?? []), waterMm]);
  return doses;
}

/** The end of the local day, in ms. */
const endOfDay = (now: number, zone: string): number => midnightAt(addCivilDays(civilAt(now, zone), 1), zone);
