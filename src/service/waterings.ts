import { type AmountRefusal, durationOf, misfitAmount, missingAmount, type SpanRefusal } from '../domain/amount.ts';
import { completeDose, type Dose, type DoseInput, doseWarnings, freezeDose, type InputMode } from '../domain/dose.ts';
import { effectiveVersion } from '../domain/setup-timeline.ts';
import type { Call } from '../operation/call.ts';
import { refuse } from '../schema/error.ts';
import type { WateringAnswer, WateringBody, WateringStatus } from '../schema/watering.ts';
import { applicableVersions } from '../store/installations.ts';
import {
  insertWatering,
  updateWatering,
  type Watering,
  type WateringFilter,
  wateringAt,
  wateringById,
  wateringCounts,
  wateringsBefore,
} from '../store/waterings.ts';
import { notOurs, ownModule, ownModuleToWrite, ownParcel } from './ownership.ts';
import { pageOf, placeOfCursor } from './pages.ts';
import { roundedRate } from './setups.ts';
import { isoOf, isoOrNull, rounded, roundedOrNull } from './wire.ts';

/** Body of a watering write; instants in ms. A field that is undefined was not sent. */
export interface WateringEntry {
  readonly startedAt: number;
  readonly inputMode: InputMode;
  readonly durationMin?: number | null;
  readonly endedAt?: number | null;
  readonly inputDepthMm?: number | null;
  readonly inputVolumeM3?: number | null;
  readonly status?: WateringStatus;
  readonly note?: string | null;
}

/** How far ahead a start still counts as now, for clocks that differ. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;
/** Ten years: further ahead is a slip of the year, not a plan. */
const FURTHEST_PLAN_MS = 3653 * 86_400_000;

const AMOUNT_WORDS: Record<AmountRefusal['code'], string> = {
  MISSING_DURATION: 'inputMode duration needs durationMin (minutes) or endedAt.',
  MISSING_DEPTH: 'inputMode depth_mm needs inputDepthMm (mm over the whole area).',
  MISSING_VOLUME: 'inputMode volume_m3 needs inputVolumeM3 (m3).',
};

const SPAN_WORDS: Record<SpanRefusal, { message: string; hint: string; field: string }> = {
  INVALID_DURATION: {
    message: 'The watering would last more than 31 days.',
    hint: 'Check startedAt and endedAt; a watering lasts up to 44640 minutes.',
    field: 'endedAt',
  },
  INVALID_ENDED_AT: {
    message: 'durationMin and endedAt disagree.',
    hint: 'Give only one of the two.',
    field: 'endedAt',
  },
  ENDED_BEFORE_STARTED: {
    message: 'endedAt is not after startedAt.',
    hint: 'Check both; over midnight the end is on the next day.',
    field: 'endedAt',
  },
};

function refuseStart(startedAt: number, now: number): void {
  if (startedAt >= 0 && startedAt <= now + FURTHEST_PLAN_MS) return;
  throw refuse('INVALID_STARTED_AT', `startedAt ${isoOf(startedAt)} is not a date a watering can have.`, {
    hint: 'Check the year: from 1970 to ten years ahead.',
    field: 'startedAt',
  });
}

function duration(entry: WateringEntry): number | null {
  const span = durationOf(entry.startedAt, entry.durationMin, entry.endedAt);
  if (!('refused' in span)) return span.durationMin;
  const { message, hint, field } = SPAN_WORDS[span.refused];
  throw refuse(span.refused, message, { hint, field });
}

function refuseMissing(input: DoseInput): void {
  const missing = missingAmount(input);
  if (missing)
    throw refuse(missing.code, AMOUNT_WORDS[missing.code], {
      hint: `Ask for the amount and pass ${missing.field}.`,
      field: missing.field,
    });
}

function refuseMisfit(entry: WateringEntry): void {
  const misfit = misfitAmount(entry);
  if (misfit)
    throw refuse(misfit.code, `${misfit.field} does not go with inputMode ${entry.inputMode}.`, {
      hint: `Give the amount of one mode only: leave ${misfit.field} out, or choose its mode.`,
      field: misfit.field,
    });
}

const hasBegun = (startedAt: number, now: number): boolean => startedAt <= now + CLOCK_TOLERANCE_MS;

function refuseDoneAhead(status: WateringStatus, startedAt: number, now: number): void {
  if (status === 'done' && !hasBegun(startedAt, now))
    throw refuse(
      'INVALID_STATUS',
      `The watering starts at ${isoOf(startedAt)}, which is still to come, so it cannot be done.`,
      {
        hint: 'Pass status planned, or correct startedAt.',
        field: 'status',
      },
    );
}

const setupAt = async (call: Call, moduleId: number, startedAt: number) =>
  effectiveVersion(await applicableVersions(call.db, await ownModule(call, moduleId)), startedAt);

export async function logWatering(call: Call, moduleId: number, entry: WateringEntry): Promise<WateringAnswer> {
  const { now } = call;
  refuseStart(entry.startedAt, now);
  refuseMisfit(entry);
  const input: DoseInput = {
    inputMode: entry.inputMode,
    durationMin: duration(entry),
    inputDepthMm: entry.inputDepthMm ?? null,
    inputVolumeM3: entry.inputVolumeM3 ?? null,
  };
  refuseMissing(input);
  const status = entry.status ?? (hasBegun(entry.startedAt, now) ? 'done' : 'planned');
  refuseDoneAhead(status, entry.startedAt, now);
  const probe = await ownModuleToWrite(call, moduleId);
  await remarkTwin(call, moduleId, entry.startedAt);
  const setup = effectiveVersion(await applicableVersions(call.db, probe), entry.startedAt);
  const written = await insertWatering(call.db, {
    moduleId,
    scheduleId: null,
    isDetached: false,
    startedAt: entry.startedAt,
    ...input,
    ...freezeDose(input, setup, now),
    status,
    source: call.source,
    verifiedAt: status === 'done' ? now : null,
    note: entry.note ?? null,
    createdBy: call.caller.userId,
    createdAt: now,
  });
  return answer(written);
}

/** Says when the same watering seems to stand already. It is written all the same: only the inconsistent is refused. */
async function remarkTwin(call: Call, moduleId: number, startedAt: number): Promise<void> {
  const twin = await wateringAt(call.db, moduleId, startedAt);
  if (twin)
    call.remark(
      `Watering ${twin.id} of this probe starts at the same minute: if this is the same one, take it back with correct_watering and status skipped.`,
    );
}

/** Body of the correction: what is not sent keeps its value. */
export interface WateringCorrection extends WateringEntry {
  readonly refreeze?: boolean;
}

export async function correctWatering(call: Call, eventId: number, sent: WateringCorrection): Promise<WateringAnswer> {
  const { now } = call;
  refuseStart(sent.startedAt, now);
  refuseMisfit(sent);
  if (sent.status !== undefined) refuseDoneAhead(sent.status, sent.startedAt, now);
  const durationMin = speaksOfDuration(sent) ? duration(sent) : undefined;
  const row = await wateringById(call.db, eventId);
  if (!row)
    throw await notOurs(call, 'waterings', eventId, 'watering', 'See ids in list_waterings.', 'EVENT_NOT_FOUND');
  const input = correctedInput(row, { ...sent, durationMin });
  refuseMissing(input);
  const status = sent.status ?? row.status;
  refuseDoneAhead(status, sent.startedAt, now);
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
  return answer(corrected);
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
  const setup = await setupAt(call, row.moduleId, sent.startedAt);
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
  const was = before.waterMm === null ? 'unknown' : `${rounded(before.waterMm)} mm`;
  const installation =
    before.snapshot?.installationId !== after.snapshot?.installationId && after.snapshot?.installationId != null;
  call.remark(
    `The dose before was ${was}.${installation ? ' Other equipment was in force at that time than the row had.' : ''}`,
  );
}

export async function listWaterings(
  call: Call,
  asked: WateringFilter & { limit: number; cursor?: string | undefined },
): Promise<{ data: WateringBody[]; next_cursor: string | null }> {
  if (asked.moduleId !== undefined) await ownModule(call, asked.moduleId);
  if (asked.parcelId !== undefined) await ownParcel(call, asked.parcelId);
  const place = placeOfCursor('waterings', asked.cursor, 2);
  const rows = await wateringsBefore(call.db, asked, place && { startedAt: place[0]!, id: place[1]! }, asked.limit + 1);
  const counts = await wateringCounts(call.db, asked);
  const total = counts.reduce((sum, each) => sum + each.count, 0);
  if (total > 0)
    call.remark(
      `${total} in all: ${['done', 'planned', 'skipped']
        .flatMap((status) => {
          const found = counts.find((each) => each.status === status);
          return found ? [`${found.count} ${status}`] : [];
        })
        .join(', ')}.`,
    );
  const { data, next_cursor } = pageOf('waterings', rows, asked.limit, (row) => [row.startedAt, row.id]);
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
