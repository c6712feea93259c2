import {
  allOccurrences,
  missingOccurrences,
  type OccurrenceWindow,
  type PlannedOccurrence,
} from '../../domain/irrigation/occurrences.ts';
import { type Slot, slotKeyLowerBound, slotsWithin } from '../../domain/irrigation/recurrence.ts';
import { effectiveVersion, type SetupVersion } from '../../domain/irrigation/setup-timeline.ts';
import type { WriteContext } from '../../operation/call.ts';
import { moduleById, probesOfParcel } from '../../store/company/places.ts';
import { versionsOf } from '../../store/irrigation/installations.ts';
import { completePastOccurrences, insertOccurrences, occupiedSlots } from '../../store/irrigation/occurrences.ts';
import { type Schedule, setMaterializedUntil } from '../../store/irrigation/schedules.ts';

export const targetProbes = async (
  { db }: Pick<WriteContext, 'db'>,
  { targetModuleId, targetParcelId }: Schedule,
): Promise<number[]> => (targetModuleId !== null ? [targetModuleId] : probesOfParcel(db, targetParcelId!));

export async function occurrenceWindow(
  context: WriteContext,
  schedule: Schedule,
  moduleIds: readonly number[],
  slots: readonly Slot[],
): Promise<OccurrenceWindow> {
  const versions = new Map<number, SetupVersion[]>();
  const ofParcel = new Map<number, SetupVersion[]>();
  for (const id of moduleIds) {
    const parcelId = (await moduleById(context.db, id))?.parcelId ?? null;
    if (parcelId !== null && !ofParcel.has(parcelId))
      ofParcel.set(parcelId, await versionsOf(context.db, { parcelId }));
    const parcelVersions = parcelId === null ? [] : ofParcel.get(parcelId)!;
    versions.set(id, [...(await versionsOf(context.db, { moduleId: id })), ...parcelVersions]);
  }
  const { amount, durationMin, timezone } = schedule;
  return {
    timezone,
    input: { amount, durationMin },
    moduleIds,
    slots,
    setupAt: (moduleId, at) => effectiveVersion(versions.get(moduleId) ?? [], at),
    now: context.now,
  };
}

/** As if nothing were stored yet. Both ends included. */
export async function forecastOccurrences(
  context: WriteContext,
  schedule: Schedule,
  from: number,
  to: number,
): Promise<PlannedOccurrence[]> {
  const slots = slotsWithin(schedule, from, to);
  return allOccurrences(await occurrenceWindow(context, schedule, await targetProbes(context, schedule), slots));
}

async function materializeWindow(context: WriteContext, schedule: Schedule, from: number, to: number): Promise<number> {
  const slots = slotsWithin(schedule, from, to);
  if (slots.length === 0) return 0;
  const window = await occurrenceWindow(context, schedule, await targetProbes(context, schedule), slots);
  const existing = await occupiedSlots(context.db, schedule.id, slotKeyLowerBound(from, schedule.timezone));
  const missing = missingOccurrences(window, existing);
  await insertOccurrences(context.db, schedule.id, missing, context.now);
  return missing.length;
}

export const confirmPastOccurrences = async (
  { db, now }: WriteContext,
  schedule: Schedule,
  limit: number = Number.MAX_SAFE_INTEGER,
): Promise<number> =>
  schedule.autoFrom === null ? 0 : completePastOccurrences(db, schedule.id, schedule.autoFrom, now, limit);

export async function extendHorizon(
  context: WriteContext,
  schedule: Schedule,
  until: number,
): Promise<{ schedule: Schedule; produced: number }> {
  const from = schedule.materializedUntil;
  if (!schedule.isActive || from === null || until <= from) return { schedule, produced: 0 };
  const produced = await materializeWindow(context, schedule, from + 1, until);
  await setMaterializedUntil(context.db, schedule.id, until);
  return { schedule: { ...schedule, materializedUntil: until }, produced };
}
