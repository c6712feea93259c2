import { type Confirming, confirmsItself } from '../domain/brief.ts';
import { addCivilDays } from '../domain/calendar.ts';
import { civilAt, midnightOf } from '../domain/zone.ts';
import type { Call } from '../operation/call.ts';
import type { ScheduleBody } from '../schema/schedule.ts';
import type { WateringBody } from '../schema/watering.ts';
import { everyRow } from './every-page.ts';
import { runOf } from './every-watering.ts';
import { isoOf } from './wire.ts';

const DAY_MS = 86_400_000;
const AHEAD_MS = 2 * DAY_MS;
/** A watering that nobody has spoken of for two weeks is no business of this morning. */
const BEHIND_MS = 14 * DAY_MS;

export interface Planned {
  /** Over, and waiting for a word; newest first. */
  readonly toConfirm: readonly WateringBody[];
  /** Under way or to come, the next first. */
  readonly ahead: readonly WateringBody[];
  /** Doses of what is still to run today, by probe, in mm; null where one is not known. */
  readonly today: ReadonlyMap<number, readonly (number | null)[]>;
}

/** What is planned about now: from two weeks back to 48 hours ahead. */
export async function plannedWaterings(call: Call): Promise<Planned> {
  const { now } = call;
  const rows = await everyRow<WateringBody>(call, 'list_waterings', {
    status: 'planned',
    from: isoOf(now - BEHIND_MS),
    to: isoOf(now + AHEAD_MS),
  });
  const over = rows.filter((row) => runOf(row).end <= now);
  const ahead = rows.filter((row) => runOf(row).end > now).reverse();
  return { toConfirm: await waiting(call, over), ahead, today: dosesUntil(ahead, endOfDay(now, call.zone)) };
}

/** Those that wait for a person, and not for the housekeeping of their schedule. */
async function waiting(call: Call, over: readonly WateringBody[]): Promise<WateringBody[]> {
  if (over.every(({ scheduleId }) => scheduleId === null)) return [...over];
  const schedules = new Map<number, Confirming>();
  for (const schedule of await everyRow<ScheduleBody>(call, 'list_schedules', { isActive: true }))
    schedules.set(schedule.id, { ...schedule, materializedUntil: parsed(schedule.materializedUntil) });
  return over.filter(
    ({ startedAt, isDetached, scheduleId }) =>
      !confirmsItself(Date.parse(startedAt), isDetached, schedules.get(scheduleId ?? 0)),
  );
}

const parsed = (time: string | null): number | null => (time === null ? null : Date.parse(time));

function dosesUntil(ahead: readonly WateringBody[], end: number): Map<number, (number | null)[]> {
  const doses = new Map<number, (number | null)[]>();
  for (const { moduleId, startedAt, waterMm } of ahead)
    if (Date.parse(startedAt) < end) doses.set(moduleId, [...(doses.get(moduleId) ?? []), waterMm]);
  return doses;
}

/** The end of the local day, in ms. */
const endOfDay = (now: number, zone: string): number => midnightOf(addCivilDays(civilAt(now, zone), 1), zone);
