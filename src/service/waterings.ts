import { completeDose, type Dose, type DoseInput, doseWarnings, freezeDose, type InputMode } from '../domain/dose.ts';
import { effectiveVersion } from '../domain/setup-timeline.ts';
import type { Call } from '../operation/call.ts';
import { refuse } from '../schema/error.ts';
import type { WateringAnswer, WateringBody, WateringStatus } from '../schema/watering.ts';
import { firingOf } from '../store/alert-states.ts';
import { applicableVersions } from '../store/installations.ts';
import { scheduleById } from '../store/schedules.ts';
import {
  insertWatering,
  twinOf,
  updateWatering,
  type Watering,
  type WateringFilter,
  wateringById,
  wateringCounts,
  wateringsBefore,
} from '../store/waterings.ts';
import { refuseMisfit, refuseMissing } from './amounts.ts';
import { remarkThatFire } from './firing.ts';
import { flip } from './occurrences.ts';
import { notOurs, ownModule, ownParcel, refuseUnowned } from './ownership.ts';
import { pageOf, placeOfCursor } from './pages.ts';
import { sayNumber } from './say-figures.ts';
import { wateringWords } from './say-watering.ts';
import { ownSchedule } from './schedules.ts';
import { roundedRate } from './setups.ts';
import { durationOfEntry, refuseDoneAhead, refuseStart, soundWatering, type WateringEntry } from './watering-entry.ts';
import { isoOf, isoOrNull, rounded, roundedOrNull } from './wire.ts';

export async function logWatering(call: Call, moduleId: number, entry: WateringEntry): Promise<WateringAnswer> {
  const { now } = call;
  const { input, status } = soundWatering(entry, call);
  const [, twin, versions, firing] = await Promise.all([
    refuseUnowned(call, moduleId),
    twinOf(call.db, moduleId, entry.startedAt),
    applicableVersions(call.db, moduleId),
    firingOf(call.db, moduleId),
  ]);
  const written = await insertWatering(call.db, {
    moduleId,
    scheduleId: null,
    isDetached: false,
    startedAt: entry.startedAt,
    ...input,
    ...freezeDose(input, effectiveVersion(versions, entry.startedAt), now),
    status,
    source: call.source,
    verifiedAt: status === 'done' ? now : null,
    note: entry.note ?? null,
    createdBy: call.caller.userId,
    createdAt: now,
  });
  // Written all the same: only the inconsistent is refused.
  if (twin !== null) call.remark(wateringWords(call).loggedTwin(written.id, twin));
  remarkThatFire(call, firing);
  return answer(written);
}

/** Body of the correction: what is not sent keeps its value. */
export interface WateringCorrection extends WateringEntry {
  readonly refreeze?: boolean;
}

export async function correctWatering(call: Call, eventId: number, sent: WateringCorrection): Promise<WateringAnswer> {
  const { now } = call;
  refuseStart(sent.startedAt, call);
  refuseMisfit(sent);
  if (sent.status !== undefined) refuseDoneAhead(sent.status, sent.startedAt, call);
  const durationMin = speaksOfDuration(sent) ? durationOfEntry(sent) : undefined;
  const row = await settledWatering(call, eventId);
  if (!row)
    throw await notOurs(call, 'waterings', eventId, 'watering', 'See ids in list_waterings.', 'EVENT_NOT_FOUND');
  const input = correctedInput(row, { ...sent, durationMin });
  refuseMissing(input, { orEnd: true });
  const status = sent.status ?? row.status;
  refuseDoneAhead(status, sent.startedAt, call);
  const corrected: Watering = {
    ...row,
    ...input,
    ...(await correctedDose(call, row, input, sent)),
    startedAt: sent.startedAt,
    status,
    verifiedAt: verifiedAfter(row, sent.status, now),
    note: sent.note === undefined ? row.note : sent.note,
    isDetached: row.isDetached || row.scheduleId !== null,
  };
  await updateWatering(call.db, corrected);
  remarkDose(call, row, corrected);
  await remarkStanding(call, row, corrected);
  return answer(corrected);
}

/** A watering as its schedule leaves it now: whether it counts as done must not hang on when the housekeeping last came by. */
async function settledWatering(call: Call, id: number): Promise<Watering | null> {
  const row = await wateringById(call.db, id);
  const schedule = row?.scheduleId == null ? null : await scheduleById(call.db, row.scheduleId);
  if (schedule === null || (await flip(call, schedule)) === 0) return row;
  return wateringById(call.db, id);
}

/** Says what a correction leaves a person to do: confirm what no longer confirms itself, or tell two alike apart. */
async function remarkStanding(call: Call, before: Watering, after: Watering): Promise<void> {
  const schedule = after.scheduleId === null ? null : await scheduleById(call.db, after.scheduleId);
  if (schedule?.autoFrom != null && !before.isDetached && after.status === 'planned')
    call.remark(wateringWords(call).toConfirm);
  if (after.status === 'skipped' || (after.startedAt === before.startedAt && before.status !== 'skipped')) return;
  const twin = await twinOf(call.db, after.moduleId, after.startedAt, after.id);
  if (twin !== null) call.remark(wateringWords(call).correctedTwin(twin));
}

const speaksOfDuration = (sent: WateringCorrection): boolean =>
  sent.durationMin !== undefined || sent.endedAt !== undefined;

/** What stands after a correction; `sent.durationMin` is the duration that was sent in either way. */
function correctedInput(row: Watering, sent: WateringCorrection): DoseInput {
  const kept = <T>(value: T | undefined, standing: T): T => (value === undefined ? standing : value);
  const changesMode = sent.inputMode !== row.inputMode;
  const amount = (mode: InputMode, value: number | null | undefined, standing: number | null): number | null =>
    sent.inputMode === mode ? kept(value, changesMode ? null : standing) : null;
  return {
    inputMode: sent.inputMode,
    durationMin: kept(sent.durationMin, row.durationMin),
    inputDepthMm: amount('depth_mm', sent.inputDepthMm, row.inputDepthMm),
    inputVolumeM3: amount('volume_m3', sent.inputVolumeM3, row.inputVolumeM3),
  };
}

/** The amount that the dose of an entry rests on. */
const amountOf = (input: DoseInput): number | null =>
  input.inputMode === 'duration'
    ? input.durationMin
    : input.inputMode === 'depth_mm'
      ? input.inputDepthMm
      : input.inputVolumeM3;

/** Frozen anew only where what it rests on changed, or on demand; a missing dose is completed, a recorded one stays. */
async function correctedDose(call: Call, row: Watering, input: DoseInput, sent: WateringCorrection): Promise<Dose> {
  const changed =
    sent.startedAt !== row.startedAt || sent.inputMode !== row.inputMode || amountOf(input) !== amountOf(row);
  const setup = effectiveVersion(await applicableVersions(call.db, row.moduleId), sent.startedAt);
  if (changed || sent.refreeze) return freezeDose(input, setup, call.now);
  const { waterMm, waterMmWetted, snapshot } = row;
  return completeDose(input, row, setup, call.now) ?? { waterMm, waterMmWetted, snapshot };
}

function verifiedAfter(row: Watering, status: WateringStatus | undefined, now: number): number | null {
  if (status === 'done') return row.verifiedAt ?? now;
  return status === 'planned' ? null : row.verifiedAt;
}

function remarkDose(call: Call, before: Watering, after: Watering): void {
  if (before.waterMm === after.waterMm && before.snapshot?.installationId === after.snapshot?.installationId) return;
  const was = before.waterMm === null ? null : sayNumber(rounded(before.waterMm), call.lang);
  const isOtherEquipment =
    before.snapshot?.installationId !== after.snapshot?.installationId && after.snapshot?.installationId != null;
  call.remark(wateringWords(call).doseBefore(was, isOtherEquipment));
}

export async function listWaterings(
  call: Call,
  asked: WateringFilter & { limit: number; cursor?: string | undefined },
): Promise<{ data: WateringBody[]; next_cursor: string | null }> {
  if (asked.from !== undefined && asked.to !== undefined && asked.from >= asked.to)
    throw refuse('invalid_parameter', 'from is not before to.', {
      hint: 'Give the start of the period as from and its end as to.',
      field: 'from',
    });
  const list = ['waterings', call.company.id] as const;
  const place = placeOfCursor(list, asked.cursor, 2);
  if (asked.moduleId !== undefined) await ownModule(call, asked.moduleId);
  if (asked.parcelId !== undefined) await ownParcel(call, asked.parcelId);
  if (asked.scheduleId !== undefined) await ownSchedule(call, asked.scheduleId);
  const rows = await wateringsBefore(call.db, asked, place && { startedAt: place[0]!, id: place[1]! }, asked.limit + 1);
  const counts = await wateringCounts(call.db, asked);
  const total = counts.reduce((sum, each) => sum + each.count, 0);
  if (total > 0) {
    const byStatus = (['done', 'planned', 'skipped'] as const).flatMap((status) => {
      const found = counts.find((each) => each.status === status);
      return found ? [[status, found.count] as const] : [];
    });
    call.remark(wateringWords(call).counts(total, byStatus));
  }
  const { data, next_cursor } = pageOf(list, rows, asked.limit, (row) => [row.startedAt, row.id]);
  return { data: data.map(wateringBodyOf), next_cursor };
}

const answer = (watering: Watering): WateringAnswer => ({
  event: wateringBodyOf(watering),
  warnings: doseWarnings(watering.inputMode, watering),
});

export function wateringBodyOf(watering: Watering): WateringBody {
  const { snapshot } = watering;
  return {
    id: watering.id,
    moduleId: watering.moduleId,
    scheduleId: watering.scheduleId,
    isDetached: watering.isDetached,
    startedAt: isoOf(watering.startedAt),
    durationMin: watering.durationMin,
    endedAt: watering.durationMin === null ? null : isoOf(watering.startedAt + watering.durationMin * 60_000),
    inputMode: watering.inputMode,
    inputDepthMm: watering.inputDepthMm,
    inputVolumeM3: watering.inputVolumeM3,
    waterMm: roundedOrNull(watering.waterMm),
    waterMmWetted: roundedOrNull(watering.waterMmWetted),
    configSnapshot: snapshot && {
      ...snapshot,
      flowMmPerH: roundedRate(snapshot.flowMmPerH),
      computedAt: isoOf(snapshot.computedAt),
    },
    status: watering.status,
    source: watering.source,
    verifiedAt: isoOrNull(watering.verifiedAt),
    note: watering.note,
    createdAt: isoOf(watering.createdAt),
  };
}
