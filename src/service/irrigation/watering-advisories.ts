import { isDeepStrictEqual } from 'node:util';
import { roundAmount, roundAmountOrNull } from '../../domain/decimal.ts';
import { computeDose } from '../../domain/irrigation/dose.ts';
import { contradictingRunTime } from '../../domain/irrigation/run-time.ts';
import { isSameAmount } from '../../domain/irrigation/watering-amount.ts';
import { firstOf } from '../../domain/items.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import { moduleName, targetName } from '../../language/summary-context.ts';
import type { Call } from '../../operation/call.ts';
import type { Advisory } from '../../schema/advisory.ts';
import {
  MAX_OVERLAPPING,
  type OverlappingWatering,
} from '../../store/irrigation/overlapping-waterings.ts';
import type { StoredWatering, Watering } from '../../store/irrigation/watering-columns.ts';
import { wateringsOfIrrigation } from '../../store/irrigation/waterings.ts';
import { EquipmentOfWaterings, isParcelVolume } from './equipment-of-waterings.ts';

interface Overlap {
  readonly watering: StoredWatering;
  readonly overlapping: readonly OverlappingWatering[];
}

/**
 * The specification refuses inconsistent data only, so an overlapping watering is written. One
 * advisory describes the first watering of the call that overlaps others, and counts the rest.
 */
export async function adviseOfOverlaps(call: Call, overlaps: readonly Overlap[]): Promise<void> {
  const affected = overlaps.filter(
    ({ watering, overlapping }) => watering.status !== 'skipped' && overlapping.length > 0,
  );
  const [first] = affected;
  if (first === undefined) return;

  const { id, moduleId, parcelId, startedAt, durationMin, status } = firstOf(first.overlapping);
  const count = affected.reduce((total, { overlapping }) => total + overlapping.length, 0);
  call.advise({
    kind: 'overlapping_watering',
    id: first.watering.id,
    other: {
      id,
      startedAt,
      endedAt: durationMin === null ? null : startedAt + durationMin * MINUTE_MS,
      status,
    },
    probe: await targetName(call.directory, { moduleId, parcelId }),
    others: count - 1,
    probes: overlaps.length,
    // Beyond the maximum, those of the last probes are not read.
    onEachProbe: affected.length === overlaps.length || count === MAX_OVERLAPPING,
  });
}

const MAX_LISTED_WATERINGS = 3;

/**
 * Called after a correction on one probe of a parcel watering: names the waterings of the other
 * probes that differ from it in what was corrected. If only the dose was computed again, names
 * those whose recorded dose no longer matches their setup.
 */
export async function adviseOfOtherProbes(
  call: Call,
  before: StoredWatering,
  after: StoredWatering,
): Promise<void> {
  if (after.irrigationId === null) return;

  const others = (await wateringsOfIrrigation(call.db, after.irrigationId)).filter(
    ({ id, status }) => id !== after.id && status !== 'skipped',
  );
  const differing: { watering: Watering; parts: CorrectedParts }[] = [];

  for (const watering of others) {
    const parts = await partsToCorrect(call, watering, before, after);
    if (parts !== null) differing.push({ watering, parts });
  }

  if (differing.length === 0) return;

  const waterings = [];
  for (const { watering, parts } of differing.slice(0, MAX_LISTED_WATERINGS))
    waterings.push({
      id: watering.id,
      probe: await moduleName(call.directory, watering.moduleId),
      ...parts,
    });

  call.advise({
    kind: 'other_probes_unchanged',
    waterings,
    others: differing.length - waterings.length,
  });
}

type CorrectedParts = Pick<
  Extract<Advisory, { kind: 'other_probes_unchanged' }>['waterings'][number],
  'amount' | 'startedAt' | 'durationMin' | 'status' | 'waterMm'
>;

/** Null if nothing differs. */
async function partsToCorrect(
  call: Call,
  other: Watering,
  before: StoredWatering,
  after: StoredWatering,
): Promise<CorrectedParts | null> {
  const differs = (read: (watering: StoredWatering) => unknown): boolean =>
    !isDeepStrictEqual(read(before), read(after)) && !isDeepStrictEqual(read(other), read(after));

  const hasOtherAmount = differs((watering) => watering.amount);
  const hasOtherStart = differs((watering) => watering.startedAt);
  const hasOtherStatus = differs((watering) => watering.status);
  // The run time of a watering by duration is its amount.
  const hasOtherRunTime = !hasOtherAmount && differs((watering) => watering.durationMin);
  const isEntryCorrected =
    !isSameAmount(before.amount, after.amount) || before.startedAt !== after.startedAt;

  const hasOutdatedDose =
    !isEntryCorrected && before.waterMm !== after.waterMm && (await isOutdated(call, other));
  if (!(hasOtherAmount || hasOtherStart || hasOtherStatus || hasOtherRunTime || hasOutdatedDose))
    return null;

  return {
    amount: hasOtherAmount ? other.amount : null,
    startedAt: hasOtherStart ? other.startedAt : null,
    durationMin: hasOtherRunTime ? other.durationMin : null,
    status: hasOtherStatus ? other.status : null,
    waterMm: hasOutdatedDose ? roundAmountOrNull(other.waterMm) : null,
  };
}

const isOutdated = async (call: Call, watering: Watering): Promise<boolean> =>
  watering.waterMm !== null &&
  computeDose(watering.amount, await new EquipmentOfWaterings(call.db).find(watering), call.now)
    .waterMm !== watering.waterMm;

/** A volume or depth that contradicts the run time is recorded as entered, with this advisory. */
export async function adviseOfRunTimes(
  call: Call,
  waterings: readonly StoredWatering[],
): Promise<void> {
  const contradicted = waterings.flatMap((watering) => {
    const run = watering.status === 'skipped' ? null : contradictingRunTime(watering, watering);
    if (run === null) return [];
    // The dose is for the area of the parcel, but this equipment waters the area of the probe
    // alone.
    const isOwnEquipment = isParcelVolume(watering) && watering.snapshot?.scope === 'module';
    return [{ watering, run: isOwnEquipment ? { ...run, volumeM3: null } : run }];
  });
  const [first] = contradicted;
  if (first === undefined) return;

  const { amount, durationMin, waterMm, moduleId, parcelId } = first.watering;
  call.advise({
    kind: 'run_time_contradicts',
    amount,
    durationMin: durationMin!,
    waterMm: roundAmount(waterMm!),
    runMm: roundAmount(first.run.waterMm),
    runM3: first.run.volumeM3 === null ? null : roundAmount(first.run.volumeM3),
    probe: await targetName(call.directory, { moduleId, parcelId }),
    others: contradicted.length - 1,
  });
}
