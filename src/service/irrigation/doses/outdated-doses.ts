import { chunksOf } from '../../../domain/groups.ts';
import { computeDose } from '../../../domain/irrigation/dose.ts';
import type { Call, WriteContext } from '../../../operation/call.ts';
import type { WateredTargets } from '../../../store/irrigation/watering-target.ts';
import { recordedDoses } from '../../../store/irrigation/waterings.ts';
import { companyIdOf } from '../../../store/scope/company-db.ts';
import { EquipmentOfWaterings } from '../equipment-of-waterings.ts';
import { WATERINGS_PER_PROBE, WATERINGS_PER_STEP } from './dose-completion.ts';

/** [from, to) in ms; `to` null for no end. */
export interface EffectivePeriod {
  readonly from: number;
  readonly to: number | null;
}

/** Recorded doses that changed equipment would have given otherwise. */
export interface DosesToCompare extends WateredTargets {
  readonly period: EffectivePeriod;
}

/** Null if the doses are more than `limit`. */
async function countOutdatedDoses(
  { db, now }: WriteContext,
  { moduleIds, parcelIds, period }: DosesToCompare,
  limit: number,
): Promise<number | null> {
  const equipmentOf = new EquipmentOfWaterings(db);
  let outdated = 0;
  let remaining = limit;

  const targets = [
    ...moduleIds.map((moduleId) => ({ moduleId })),
    ...parcelIds.map((parcelId) => ({ parcelId })),
  ];
  // Each would count as at least this many.
  if (targets.length * WATERINGS_PER_PROBE > limit) return null;

  for (const target of targets) {
    const waterings = await recordedDoses(db, target, { ...period, now }, remaining + 1);
    remaining -= Math.max(waterings.length, WATERINGS_PER_PROBE);
    if (remaining < 0) return null;

    for (const watering of waterings) {
      if (watering.status === 'skipped') continue;
      const dose = computeDose(watering.amount, await equipmentOf.find(watering), now);
      const isSame =
        dose.waterMm === watering.waterMm && dose.waterMmWetted === watering.waterMmWetted;
      if (!isSame) outdated++;
    }
  }

  return outdated;
}

const PROBES_PER_READ = 10;
const NO_LIMIT = Number.MAX_SAFE_INTEGER - 1;

/** Says how many doses are outdated; where they are many, they are counted after the commit. */
export async function adviseOfOutdatedDoses(call: Call, doses: DosesToCompare): Promise<void> {
  const advise = (count: number): void => {
    if (count > 0) call.advise({ kind: 'recorded_doses_unchanged', count });
  };
  const counted = await countOutdatedDoses(call, doses, WATERINGS_PER_STEP);
  if (counted !== null) return advise(counted);

  const { now } = call;
  const { period, parcelIds } = doses;
  const companyId = companyIdOf(call.db);
  call.afterCommit(async (store) => {
    let count = 0;
    const parts = [
      { moduleIds: [], parcelIds },
      ...chunksOf(doses.moduleIds, PROBES_PER_READ).map((moduleIds) => ({
        moduleIds,
        parcelIds: [],
      })),
    ];
    for (const part of parts)
      count += await store.read(
        companyId,
        async (db) => (await countOutdatedDoses({ db, now }, { ...part, period }, NO_LIMIT)) ?? 0,
      );
    advise(count);
  });
}
