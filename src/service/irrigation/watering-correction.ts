import { completeDose, type Dose, freezeDose } from '../../domain/irrigation/dose.ts';
import { effectiveVersion } from '../../domain/irrigation/setup-timeline.ts';
import { type Amount, isSameAmount } from '../../domain/irrigation/watering-amount.ts';
import type { Call } from '../../operation/call.ts';
import type { WateringAnswer, WateringStatus } from '../../schema/watering.ts';
import { applicableVersions } from '../../store/irrigation/installations.ts';
import { scheduleById } from '../../store/irrigation/schedules.ts';
import { duplicateOf, updateWatering, type Watering, wateringById } from '../../store/irrigation/waterings.ts';
import { ownershipError } from '../ownership.ts';
import { roundAmountOrNull } from '../wire-format.ts';
import { refuseAmountOfOtherMode, refuseImplausibleDose, requireInput } from './amount-refusals.ts';
import { confirmPastOccurrences } from './occurrences.ts';
import { requireFollowedPlans } from './regeneration.ts';
import { entryDuration, refuseFutureDone, refuseInvalidStart, type WateringEntry } from './watering-entry.ts';
import { toWateringAnswer } from './waterings.ts';

export interface WateringCorrection extends WateringEntry {
  readonly refreeze?: boolean;
}

export async function correctWatering(
  call: Call,
  eventId: number,
  correction: WateringCorrection,
): Promise<WateringAnswer> {
  const { now } = call;
  refuseInvalidStart(correction.startedAt, call);
  refuseAmountOfOtherMode(correction.inputMode, correction);
  if (correction.status !== undefined) refuseFutureDone(correction.status, correction.startedAt, call);
  const durationMin = changesDuration(correction) ? entryDuration(correction) : undefined;
  const watering = await loadUpToDateWatering(call, eventId);
  if (!watering)
    throw await ownershipError(call, 'waterings', eventId, 'watering', 'See ids in list_waterings.', 'EVENT_NOT_FOUND');
  const amounts = { ...correction, durationMin };
  const input = requireInput(correction.inputMode, amounts, { current: watering, orEnd: true });
  const status = correction.status ?? watering.status;
  refuseFutureDone(status, correction.startedAt, call);
  const corrected: Watering = {
    ...watering,
    ...input,
    ...(await correctedDose(call, watering, input.amount, correction)),
    startedAt: correction.startedAt,
    status,
    verifiedAt: verifiedAtAfter(watering, correction.status, now),
    note: correction.note === undefined ? watering.note : correction.note,
    isDetached: watering.isDetached || watering.scheduleId !== null,
  };
  await updateWatering(call.db, corrected);
  noteDoseChange(call, watering, corrected);
  await noteFollowUps(call, watering, corrected);
  return toWateringAnswer(corrected);
}

/** Whether a watering counts as done must not depend on when housekeeping last ran. */
export async function loadUpToDateWatering(call: Call, id: number): Promise<Watering | null> {
  const watering = await wateringById(call.db, id);
  if (watering) await requireFollowedPlans(call, { moduleId: watering.moduleId });
  const schedule = watering?.scheduleId == null ? null : await scheduleById(call.db, watering.scheduleId);
  if (schedule === null || (await confirmPastOccurrences(call, schedule)) === 0) return watering;
  return wateringById(call.db, id);
}

export async function noteFollowUps(call: Call, before: Watering, after: Watering): Promise<void> {
  const schedule = after.scheduleId === null ? null : await scheduleById(call.db, after.scheduleId);
  if (schedule?.autoFrom != null && !before.isDetached && after.status === 'planned')
    call.note({ kind: 'needs_confirmation' });
  if (after.status === 'skipped' || (after.startedAt === before.startedAt && before.status !== 'skipped')) return;
  const duplicate = await duplicateOf(call.db, after.moduleId, after.startedAt, after.id);
  if (duplicate !== null) call.note({ kind: 'duplicate_after_correction', duplicateId: duplicate });
}

export const changesDuration = (correction: WateringCorrection): boolean =>
  correction.durationMin !== undefined || correction.endedAt !== undefined;

/** Computed again if start or amount changed, or on request; a missing dose is completed, a recorded one stays. */
export async function correctedDose(
  call: Call,
  watering: Watering,
  amount: Amount,
  correction: WateringCorrection,
): Promise<Dose> {
  const changed = correction.startedAt !== watering.startedAt || !isSameAmount(amount, watering.amount);
  const setup = effectiveVersion(await applicableVersions(call.db, watering.moduleId), correction.startedAt);
  if (changed || correction.refreeze) {
    const dose = freezeDose(amount, setup, call.now);
    refuseImplausibleDose(amount, dose);
    return dose;
  }
  const { waterMm, waterMmWetted, snapshot } = watering;
  return completeDose(amount, watering, setup, call.now) ?? { waterMm, waterMmWetted, snapshot };
}

export function verifiedAtAfter(watering: Watering, status: WateringStatus | undefined, now: number): number | null {
  if (status === 'done') return watering.verifiedAt ?? now;
  return status === 'planned' ? null : watering.verifiedAt;
}

export function noteDoseChange(call: Call, before: Watering, after: Watering): void {
  if (before.waterMm === after.waterMm && before.snapshot?.installationId === after.snapshot?.installationId) return;
  const isOtherEquipment =
    before.snapshot?.installationId !== after.snapshot?.installationId && after.snapshot?.installationId != null;
  call.note({ kind: 'previous_dose', waterMm: roundAmountOrNull(before.waterMm), isOtherEquipment });
}
