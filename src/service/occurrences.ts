import {
  HORIZON_MS,
  type Materialisation,
  missingOccurrences,
  type Plan,
  planRegeneration,
} from '../domain/materialisation.ts';
import { leastSlotFrom, slotsWithin } from '../domain/recurrence.ts';
import { effectiveVersion, type Version } from '../domain/setup-timeline.ts';
import type { Books } from '../operation/call.ts';
import { versionsOf } from '../store/installations.ts';
import { moduleById, probesOfParcel } from '../store/modules.ts';
import { applyPlan, flipPast, heldSlots, insertOccurrences, occurrencesFrom } from '../store/occurrences.ts';
import { activeSchedules, materializedTo, type Schedule, schedulesReaching } from '../store/schedules.ts';

/** Probes that a schedule waters: its own target, or every probe of its parcel. */
export const probesOf = async (books: Books, schedule: Schedule): Promise<number[]> =>
  schedule.targetModuleId !== null ? [schedule.targetModuleId] : probesOfParcel(books.db, schedule.targetParcelId!);

/** What a schedule makes of a window of time, both ends included. */
async function materialisation(books: Books, schedule: Schedule, from: number, to: number): Promise<Materialisation> {
  const moduleIds = await probesOf(books, schedule);
  const versions = new Map<number, Version[]>();
  const ofParcel = new Map<number, Version[]>();
  for (const id of moduleIds) {
    const parcelId = (await moduleById(books.db, id))?.parcelId ?? null;
    if (parcelId !== null && !ofParcel.has(parcelId)) ofParcel.set(parcelId, await versionsOf(books.db, { parcelId }));
    const parcelVersions = parcelId === null ? [] : ofParcel.get(parcelId)!;
    versions.set(id, [...(await versionsOf(books.db, { moduleId: id })), ...parcelVersions]);
  }
  const { inputMode, durationMin, inputDepthMm, inputVolumeM3, timezone } = schedule;
  return {
    timezone,
    input: { inputMode, durationMin, inputDepthMm, inputVolumeM3 },
    moduleIds,
    wanted: slotsWithin(schedule, from, to),
    setupAt: (moduleId, at) => effectiveVersion(versions.get(moduleId) ?? [], at),
    now: books.now,
  };
}

/** Produces what the book lacks of a window, both ends included; returns how many. */
async function produce(books: Books, schedule: Schedule, from: number, to: number): Promise<number> {
  const asked = await materialisation(books, schedule, from, to);
  if (asked.wanted.length === 0) return 0;
  const held = await heldSlots(books.db, schedule.id, leastSlotFrom(from, schedule.timezone));
  const missing = missingOccurrences(asked, held);
  await insertOccurrences(books.db, schedule.id, missing, books.now);
  return missing.length;
}

/** The first production of a schedule, from now to the horizon. */
export async function begin(books: Books, schedule: Schedule): Promise<Schedule> {
  const until = books.now + HORIZON_MS;
  await produce(books, schedule, books.now, until);
  await flip(books, schedule);
  await materializedTo(books.db, schedule.id, until);
  return { ...schedule, materializedUntil: until };
}

/** Past occurrences of a schedule that confirms by itself count as done. Never changes a dose. */
export const flip = async (
  { db, now }: Books,
  schedule: Schedule,
  most: number = Number.MAX_SAFE_INTEGER,
): Promise<number> => (schedule.autoFrom === null ? 0 : flipPast(db, schedule.id, schedule.autoFrom, now, most));

/** Goes on producing from where it ended, up to `until`; nothing where that is behind. */
export async function extend(
  books: Books,
  schedule: Schedule,
  until: number,
): Promise<{ schedule: Schedule; produced: number }> {
  const from = schedule.materializedUntil;
  if (!schedule.isActive || from === null || until <= from) return { schedule, produced: 0 };
  const produced = await produce(books, schedule, from + 1, until);
  await materializedTo(books.db, schedule.id, until);
  return { schedule: { ...schedule, materializedUntil: until }, produced };
}

/**
 * Brings a schedule up to now as it stands, before something about it changes. What the horizon has come to reach is
 * produced too, so that a regeneration after it holds what the change did, and nothing else.
 */
export async function settle(books: Books, schedule: Schedule): Promise<Schedule> {
  const { schedule: settled } = await extend(books, schedule, books.now + HORIZON_MS);
  await flip(books, settled);
  return settled;
}

/** Settles every schedule that waters some probes; called before their equipment changes. */
export async function settleReaching(books: Books, moduleIds: readonly number[]): Promise<void> {
  for (const schedule of await reaching(books, moduleIds)) await settle(books, schedule);
}

async function reaching(books: Books, moduleIds: readonly number[]): Promise<Schedule[]> {
  const found = new Map<number, Schedule>();
  for (const id of moduleIds) {
    const probe = await moduleById(books.db, id);
    if (probe) for (const schedule of await schedulesReaching(books.db, probe)) found.set(schedule.id, schedule);
  }
  return [...found.values()].sort((a, b) => a.id - b.id);
}

/**
 * Makes the rows ahead of a schedule what it now asks for; `pairs` are start times that took the place of others. A
 * stopped schedule asks for nothing, one that goes on again for this very instant too.
 */
export async function regenerate(books: Books, schedule: Schedule, pairs?: ReadonlyMap<string, string>): Promise<Plan> {
  const { now, db } = books;
  const until = schedule.isActive ? Math.max(schedule.materializedUntil ?? now, now + HORIZON_MS) : now;
  const isResumed = schedule.isActive && schedule.materializedUntil === null;
  const asked = await materialisation(books, schedule, isResumed ? now : now + 1, until);
  const rows = await occurrencesFrom(db, schedule.id, { at: now, slot: leastSlotFrom(now, schedule.timezone) });
  const plan = planRegeneration(asked, rows, pairs);
  await applyPlan(db, schedule.id, plan, now);
  if (schedule.isActive) await materializedTo(db, schedule.id, until);
  return plan;
}

/** The rows ahead of every schedule that waters some probes follow their equipment; returns how many changed. */
export async function regenerateReaching(books: Books, moduleIds: readonly number[]): Promise<number> {
  let changed = 0;
  for (const schedule of await reaching(books, moduleIds)) {
    const { change } = await regenerate(books, schedule);
    changed += change.length;
  }
  return changed;
}

/** Settles every schedule of the company; called before modules may change their place or their equipment. */
export async function settleAll(books: Books): Promise<void> {
  for (const schedule of await activeSchedules(books.db)) await settle(books, schedule);
}

/** Makes the rows ahead of every schedule of the company follow; returns how many rows it touched. */
export async function regenerateAll(books: Books): Promise<{ added: number; changed: number; removed: number }> {
  const plans = { added: 0, changed: 0, removed: 0 };
  for (const schedule of await activeSchedules(books.db)) {
    const { add, change, remove } = await regenerate(books, schedule);
    plans.added += add.length;
    plans.changed += change.length;
    plans.removed += remove.length;
  }
  return plans;
}
