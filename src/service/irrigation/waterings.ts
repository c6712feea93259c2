import { completeDose, type Dose, doseWarnings, freezeDose } from '../../domain/irrigation/dose.ts';
import { effectiveVersion } from '../../domain/irrigation/setup-timeline.ts';
import { type Amount, exclusiveFields, isSameAmount } from '../../domain/irrigation/watering-amount.ts';
import type { Call } from '../../operation/call.ts';
import { invalidInput } from '../../schema/error.ts';
import type { WateringAnswer, WateringBody, WateringStatus } from '../../schema/watering.ts';
import { firingAlertsOfModule } from '../../store/alerts/alert-states.ts';
import { applicableVersions } from '../../store/irrigation/installations.ts';
import { scheduleById } from '../../store/irrigation/schedules.ts';
import {
  duplicateOf,
  insertWatering,
  updateWatering,
  type Watering,
  type WateringFilter,
  wateringById,
  wateringCounts,
  wateringsBefore,
} from '../../store/irrigation/waterings.ts';
import { noteFiringAlerts } from '../alerts/alert-notes.ts';
import { ownershipError, refuseUnownedModule, requireOwnModule, requireOwnParcel } from '../ownership.ts';
import { decodeCursor, toPage } from '../pagination.ts';
import { roundAmountOrNull, toIso, toIsoOrNull } from '../wire-format.ts';
import { refuseAmountOfOtherMode, requireInput } from './amount-refusals.ts';
import { roundRate } from './irrigation-setup.ts';
import { confirmPastOccurrences } from './occurrences.ts';
import { requireOwnSchedule } from './schedules.ts';
import {
  checkWateringEntry,
  entryDuration,
  refuseFutureDone,
  refuseInvalidStart,
  type WateringEntry,
} from './watering-entry.ts';

export async function logWatering(call: Call, moduleId: number, entry: WateringEntry): Promise<WateringAnswer> {
  const { now } = call;
  const { input, status } = checkWateringEntry(entry, call);
  const [, duplicate, versions, firing] = await Promise.all([
    refuseUnownedModule(call, moduleId),
    duplicateOf(call.db, moduleId, entry.startedAt),
    applicableVersions(call.db, moduleId),
    firingAlertsOfModule(call.db, moduleId),
  ]);
  const watering = await insertWatering(call.db, {
    moduleId,
    scheduleId: null,
    isDetached: false,
    startedAt: entry.startedAt,
    ...input,
    ...freezeDose(input.amount, effectiveVersion(versions, entry.startedAt), now),
    status,
    source: call.source,
    verifiedAt: status === 'done' ? now : null,
    note: entry.note ?? null,
    createdBy: call.caller.userId,
    createdAt: now,
  });
  // Written all the same: only the inconsistent is refused.
  if (duplicate !== null) call.note({ kind: 'duplicate_logged', id: watering.id, duplicateId: duplicate });
  noteFiringAlerts(call, firing);
  return toWateringAnswer(watering);
}

/** Body of the correction: what is not sent keeps its value. */
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
  const sent = { ...correction, durationMin };
  const input = requireInput(correction.inputMode, sent, { current: watering, orEnd: true });
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

/** A watering as its schedule leaves it now: whether it counts as done must not hang on when the housekeeping last came by. */
async function loadUpToDateWatering(call: Call, id: number): Promise<Watering | null> {
  const watering = await wateringById(call.db, id);
  const schedule = watering?.scheduleId == null ? null : await scheduleById(call.db, watering.scheduleId);
  if (schedule === null || (await confirmPastOccurrences(call, schedule)) === 0) return watering;
  return wateringById(call.db, id);
}

/** Says what a correction leaves a person to do: confirm what no longer confirms itself, or tell two alike apart. */
async function noteFollowUps(call: Call, before: Watering, after: Watering): Promise<void> {
  const schedule = after.scheduleId === null ? null : await scheduleById(call.db, after.scheduleId);
  if (schedule?.autoFrom != null && !before.isDetached && after.status === 'planned')
    call.note({ kind: 'needs_confirmation' });
  if (after.status === 'skipped' || (after.startedAt === before.startedAt && before.status !== 'skipped')) return;
  const duplicate = await duplicateOf(call.db, after.moduleId, after.startedAt, after.id);
  if (duplicate !== null) call.note({ kind: 'duplicate_after_correction', duplicateId: duplicate });
}

const changesDuration = (correction: WateringCorrection): boolean =>
  correction.durationMin !== undefined || correction.endedAt !== undefined;

/** Frozen anew only where what it rests on changed, or on demand; a missing dose is completed, a recorded one stays. */
async function correctedDose(
  call: Call,
  watering: Watering,
  amount: Amount,
  correction: WateringCorrection,
): Promise<Dose> {
  const changed = correction.startedAt !== watering.startedAt || !isSameAmount(amount, watering.amount);
  const setup = effectiveVersion(await applicableVersions(call.db, watering.moduleId), correction.startedAt);
  if (changed || correction.refreeze) return freezeDose(amount, setup, call.now);
  const { waterMm, waterMmWetted, snapshot } = watering;
  return completeDose(amount, watering, setup, call.now) ?? { waterMm, waterMmWetted, snapshot };
}

function verifiedAtAfter(watering: Watering, status: WateringStatus | undefined, now: number): number | null {
  if (status === 'done') return watering.verifiedAt ?? now;
  return status === 'planned' ? null : watering.verifiedAt;
}

function noteDoseChange(call: Call, before: Watering, after: Watering): void {
  if (before.waterMm === after.waterMm && before.snapshot?.installationId === after.snapshot?.installationId) return;
  const isOtherEquipment =
    before.snapshot?.installationId !== after.snapshot?.installationId && after.snapshot?.installationId != null;
  call.note({ kind: 'previous_dose', waterMm: roundAmountOrNull(before.waterMm), isOtherEquipment });
}

export async function listWaterings(
  call: Call,
  query: WateringFilter & { limit: number; cursor?: string | undefined },
): Promise<{ data: WateringBody[]; next_cursor: string | null }> {
  if (query.from !== undefined && query.to !== undefined && query.from >= query.to)
    throw invalidInput('invalid_parameter', 'from is not before to.', {
      hint: 'Give the start of the period as from and its end as to.',
      field: 'from',
    });
  const list = ['waterings', call.company.id] as const;
  const position = decodeCursor(list, query.cursor, 2);
  if (query.moduleId !== undefined) await requireOwnModule(call, query.moduleId);
  if (query.parcelId !== undefined) await requireOwnParcel(call, query.parcelId);
  if (query.scheduleId !== undefined) await requireOwnSchedule(call, query.scheduleId);
  const rows = await wateringsBefore(
    call.db,
    query,
    position && { startedAt: position[0]!, id: position[1]! },
    query.limit + 1,
  );
  const counts = await wateringCounts(call.db, query);
  const byStatus = (['done', 'planned', 'skipped'] as const).flatMap((status) => {
    const count = counts.find((each) => each.status === status)?.count;
    return count === undefined ? [] : [{ status, count }];
  });
  if (byStatus.length > 0) call.note({ kind: 'waterings_by_status', counts: byStatus });
  const { data, next_cursor } = toPage(list, rows, query.limit, (row) => [row.startedAt, row.id]);
  return { data: data.map(toWateringBody), next_cursor };
}

const toWateringAnswer = (watering: Watering): WateringAnswer => ({
  event: toWateringBody(watering),
  warnings: doseWarnings(watering.amount.mode, watering),
});

export function toWateringBody(watering: Watering): WateringBody {
  const { snapshot } = watering;
  return {
    id: watering.id,
    moduleId: watering.moduleId,
    scheduleId: watering.scheduleId,
    isDetached: watering.isDetached,
    startedAt: toIso(watering.startedAt),
    durationMin: watering.durationMin,
    endedAt: watering.durationMin === null ? null : toIso(watering.startedAt + watering.durationMin * 60_000),
    inputMode: watering.amount.mode,
    ...exclusiveFields(watering.amount),
    waterMm: roundAmountOrNull(watering.waterMm),
    waterMmWetted: roundAmountOrNull(watering.waterMmWetted),
    configSnapshot: snapshot && {
      ...snapshot,
      flowMmPerH: roundRate(snapshot.flowMmPerH),
      computedAt: toIso(snapshot.computedAt),
    },
    status: watering.status,
    source: watering.source,
    verifiedAt: toIsoOrNull(watering.verifiedAt),
    note: watering.note,
    createdAt: toIso(watering.createdAt),
  };
}
