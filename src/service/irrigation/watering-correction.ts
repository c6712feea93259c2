import { isDeepStrictEqual } from 'node:util';
import { roundAmountOrNull } from '../../domain/decimal.ts';
import { isOnProbe } from '../../domain/facts/watering-facts.ts';
import { completeDose, computeDose, type Dose } from '../../domain/irrigation/dose.ts';
import { remarkChanges } from '../../domain/irrigation/remark-changes.ts';
import {
  AMOUNT_FIELDS,
  type Amount,
  type InputMode,
  isSameAmount,
  modeOfAmounts,
  type SentAmounts,
} from '../../domain/irrigation/watering-amount.ts';
import { firstOf } from '../../domain/items.ts';
import { bracketedId, operationName } from '../../domain/text/program-names.ts';
import { say, word } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import type { Call } from '../../operation/call.ts';
import { invalidInputError, notFoundError } from '../../schema/error.ts';
import {
  type SingleParcelAnswer,
  type WateringAnswer,
  type WateringStatus,
  type WitnessedWateringAnswer,
  wateringRemarks,
} from '../../schema/irrigation/watering.ts';
import { enteredValues } from '../../schema/resource.ts';
import { probeIdsOfParcel } from '../../store/company/modules.ts';
import {
  overlappingOnProbe,
  overlappingWaterings,
  overlappingWateringsOfParcel,
} from '../../store/irrigation/overlapping-waterings.ts';
import { scheduleById } from '../../store/irrigation/schedules.ts';
import {
  isOfParcel,
  type ParcelWatering,
  type StoredWatering,
  type Watering,
} from '../../store/irrigation/watering-columns.ts';
import { storedWateringById, updateWatering } from '../../store/irrigation/waterings.ts';
import { ownershipError } from '../ownership.ts';
import { EquipmentOfWaterings } from './equipment-of-waterings.ts';
import { dueAround } from './listing/watering-totals.ts';
import { confirmPastOccurrences } from './planning/occurrences.ts';
import { adviseOfOtherProbes, adviseOfOverlaps, adviseOfRunTimes } from './watering-advisories.ts';
import {
  assertAmountOfMode,
  assertDoneHasBegun,
  assertPlausibleDose,
  assertValidStart,
  entryDuration,
  requireInput,
  type WateringEntry,
} from './watering-entry.ts';
import {
  type FindWitnesses,
  toSingleParcelAnswer,
  toWateringAnswer,
  witnessed,
  witnessOfRows,
} from './waterings.ts';

interface WateringCorrection extends WateringEntry {
  readonly refreeze?: boolean;
}

export const correctWatering = async (
  call: Call,
  eventId: number,
  sent: Partial<WateringCorrection>,
): Promise<WateringAnswer> =>
  toWateringAnswer(await correctStored(call, () => requireOwnWatering(call, eventId), sent));

export const correctParcelWatering = async (
  call: Call,
  eventId: number,
  sent: Partial<WateringCorrection>,
): Promise<SingleParcelAnswer> =>
  toSingleParcelAnswer(
    await correctStored(call, () => requireOwnParcelWatering(call, eventId), sent),
  );

async function correctStored<Stored extends StoredWatering>(
  call: Call,
  load: () => Promise<Stored>,
  sent: Partial<WateringCorrection>,
): Promise<Stored> {
  const { now } = call;
  // What can be refused without the watering is refused before it is looked up.
  if (isComplete(sent)) checkedDuration(sent, call);
  const watering = await upToDate(call, load);
  const correction = {
    ...sent,
    startedAt: sent.startedAt ?? watering.startedAt,
    inputMode: correctedMode(sent, watering.amount.mode),
  };

  const durationMin = checkedDuration(correction, call);
  const amounts = { ...correction, durationMin };
  const input = requireInput(correction.inputMode, amounts, {
    current: watering,
    acceptsEndedAt: true,
  });
  const status = correction.status ?? watering.status;

  assertDoneHasBegun(status, correction.startedAt, call);
  const remarks = enteredValues(wateringRemarks, correction, watering);
  const corrected: Stored = {
    ...watering,
    ...input,
    ...(await correctedDose(call, watering, input.amount, correction)),
    startedAt: correction.startedAt,
    status,
    verifiedAt: verifiedAtAfter(
      watering,
      { ...input, startedAt: correction.startedAt, status },
      correction.status,
      now,
    ),
    ...remarks,
    // Other waterings of the irrigation keep theirs.
    noteId: remarks.note === watering.note ? watering.noteId : null,
    isDetached: watering.isDetached || watering.scheduleId !== null,
  };
  await updateWatering(call.db, corrected);
  call.advise({ kind: 'watering_corrected', ...correctedParts(watering, corrected) });
  await adviseOfOtherProbes(call, watering, corrected);
  await adviseOfFollowUps(call, watering, corrected);

  return corrected;
}

export async function getParcelWatering(call: Call, eventId: number): Promise<SingleParcelAnswer> {
  return toSingleParcelAnswer(await requireOwnParcelWatering(call, eventId));
}

export async function getWatering(
  call: Call,
  eventId: number,
  findWitnesses: FindWitnesses,
): Promise<WitnessedWateringAnswer> {
  const watering = await requireOwnWatering(call, eventId);
  const { moduleId } = watering;

  const answer = toWateringAnswer(watering);
  const rows = [answer.event];
  const due = await dueAround(call, { moduleId }, rows);
  const isDue = due.some(({ id }) => id === eventId);
  if (call.skipsOptionalWork && isDue) call.advise({ kind: 'waterings_due', count: 1 });
  const { witness } = witnessOfRows(rows, await findWitnesses(witnessed(rows, due)));
  return witness === undefined ? answer : { ...answer, witness: firstOf(witness) };
}

const requireOwnWatering = (call: Call, eventId: number): Promise<Watering> =>
  requireStored(call, eventId, isOnProbe, say`a parcel that had no probe`);

const requireOwnParcelWatering = (call: Call, eventId: number): Promise<ParcelWatering> =>
  requireStored(call, eventId, isOfParcel, say`a probe`);

async function requireStored<Kind extends StoredWatering>(
  call: Call,
  eventId: number,
  isOfKind: (watering: StoredWatering) => watering is Kind,
  otherKind: Text,
): Promise<Kind> {
  const kind = say`watering`;
  const hint = say`See ids in ${operationName('list_waterings')}.`;
  const unknownCode = 'EVENT_NOT_FOUND';

  const watering = await storedWateringById(call.db, eventId);
  if (watering === null)
    throw await ownershipError(call, 'waterings', eventId, { kind, hint, unknownCode });
  if (isOfKind(watering)) return watering;
  throw notFoundError(
    say`The ${kind}${bracketedId(eventId)} is one of ${otherKind}.`,
    hint,
    unknownCode,
  );
}

const isComplete = (correction: Partial<WateringCorrection>): correction is WateringCorrection =>
  correction.startedAt !== undefined && correction.inputMode !== undefined;

/** Undefined if the correction has neither a duration nor an end. */
function checkedDuration(correction: WateringCorrection, call: Call): number | null | undefined {
  assertValidStart(correction.startedAt, call);
  assertAmountOfMode(correction.inputMode, correction);
  if (correction.status !== undefined)
    assertDoneHasBegun(correction.status, correction.startedAt, call);
  return correction.durationMin === undefined && correction.endedAt === undefined
    ? undefined
    : entryDuration(correction);
}

/** Throws INVALID_INPUT_MODE if the amounts do not tell the mode. */
export function correctedMode(
  sent: SentAmounts & { readonly inputMode?: InputMode; readonly endedAt?: unknown },
  current: InputMode,
): InputMode {
  const mode = sent.inputMode ?? modeOfAmounts(sent, current);
  if (mode !== null) return mode;

  throw invalidInputError(
    'INVALID_INPUT_MODE',
    say`Several amounts are given, and the watering was entered as a ${word(AMOUNT_FIELDS[current].noun)}.`,
    {
      hint: say`Ask which amount was measured, and pass that one alone.`,
      field: 'inputMode',
    },
  );
}

/** Whether a watering counts as done must not depend on when housekeeping last ran. */
async function upToDate<Stored extends StoredWatering>(
  call: Call,
  load: () => Promise<Stored>,
): Promise<Stored> {
  const watering = await load();
  const schedule =
    watering.scheduleId === null ? null : await scheduleById(call.db, watering.scheduleId);
  if (schedule === null || (await confirmPastOccurrences(call, schedule)) === 0) return watering;
  return load();
}

async function adviseOfFollowUps(
  call: Call,
  before: StoredWatering,
  after: StoredWatering,
): Promise<void> {
  const schedule = after.scheduleId === null ? null : await scheduleById(call.db, after.scheduleId);
  if (schedule?.autoConfirmFrom != null && !before.isDetached && after.status === 'planned')
    call.advise({ kind: 'needs_confirmation' });
  if (after.status === 'skipped') return;

  if (changesRun(before, after)) await adviseOfRunTimes(call, [after]);
  if (changesPeriod(before, after))
    await adviseOfOverlaps(call, [
      { watering: after, overlapping: await overlappingOf(call, after) },
    ]);
}

async function overlappingOf({ db }: Call, watering: StoredWatering) {
  const { id, moduleId, parcelId } = watering;
  if (moduleId !== null) return overlappingOnProbe(db, moduleId, watering, id);
  return [
    ...(await overlappingWateringsOfParcel(db, parcelId!, watering, id)),
    ...(await overlappingWaterings(db, await probeIdsOfParcel(db, parcelId!), watering)),
  ];
}

const changesPeriod = (before: StoredWatering, after: StoredWatering): boolean =>
  before.status === 'skipped' ||
  before.startedAt !== after.startedAt ||
  before.durationMin !== after.durationMin;

const changesRun = (before: StoredWatering, after: StoredWatering): boolean =>
  before.durationMin !== after.durationMin || before.waterMm !== after.waterMm;

/**
 * Computed again if start or amount changed, or on request; a missing dose is completed, a recorded
 * one stays.
 */
async function correctedDose(
  call: Call,
  watering: StoredWatering,
  amount: Amount,
  correction: WateringCorrection,
): Promise<Dose> {
  const { startedAt } = correction;
  const equipmentOf = new EquipmentOfWaterings(call.db);
  const equipment = await equipmentOf.find({ ...watering, startedAt, amount });
  if (isOtherEntry(watering, { startedAt, amount }) || correction.refreeze) {
    const dose = computeDose(amount, equipment, call.now);
    assertPlausibleDose(amount, dose);
    return dose;
  }

  const { waterMm, waterMmWetted, snapshot } = watering;
  return (
    completeDose(amount, watering, equipment, call.now) ?? { waterMm, waterMmWetted, snapshot }
  );
}

/** A person who says when or how much it ran says that it ran. */
function verifiedAtAfter(
  before: StoredWatering,
  after: Pick<StoredWatering, 'startedAt' | 'amount' | 'durationMin' | 'status'>,
  sentStatus: WateringStatus | undefined,
  now: number,
): number | null {
  const { verifiedAt } = before;
  if (after.status === 'planned') return sentStatus === undefined ? verifiedAt : null;
  if (after.status === 'skipped') return verifiedAt;
  const isEntryChanged = isOtherEntry(before, after) || before.durationMin !== after.durationMin;
  return sentStatus === 'done' || isEntryChanged ? (verifiedAt ?? now) : verifiedAt;
}

const isOtherEntry = (
  before: Pick<StoredWatering, 'startedAt' | 'amount'>,
  after: Pick<StoredWatering, 'startedAt' | 'amount'>,
): boolean => before.startedAt !== after.startedAt || !isSameAmount(before.amount, after.amount);

const doseOf = ({ waterMm, waterMmWetted }: Dose) => ({
  waterMm: roundAmountOrNull(waterMm),
  waterMmWetted: roundAmountOrNull(waterMmWetted),
});

const changeOf = <T>(from: T, to: T): { from: T; to: T } | null =>
  isDeepStrictEqual(from, to) ? null : { from, to };

function correctedParts(before: StoredWatering, after: StoredWatering) {
  const versionBefore = before.snapshot?.installationId ?? null;
  const versionAfter = after.snapshot?.installationId ?? null;
  return {
    start: changeOf(before.startedAt, after.startedAt),
    amount: changeOf(before.amount, after.amount),
    durationMin: changeOf(before.durationMin, after.durationMin),
    // A skipped watering gives no water.
    dose: after.status === 'skipped' ? null : changeOf(doseOf(before), doseOf(after)),
    defaultFraction: after.snapshot?.fractionWettedIsDefault ? after.snapshot.fractionWetted : null,
    isOtherEquipment: versionAfter !== null && versionAfter !== versionBefore,
    status: changeOf(before.status, after.status),
    isConfirmed: before.verifiedAt === null && after.verifiedAt !== null,
    remarks: remarkChanges(Object.keys(wateringRemarks), before, after),
  };
}
