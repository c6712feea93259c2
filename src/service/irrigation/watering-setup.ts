import type { DoseSetup } from '../../domain/irrigation/dose.ts';
import { effectiveVersion, parcelIrrigatedAreaM2, type SetupVersion } from '../../domain/irrigation/setup-timeline.ts';
import { moduleById, parcelAreaM2, probesOfParcel } from '../../store/company/places.ts';
import { applicableVersions } from '../../store/irrigation/installations.ts';
import type { Watering } from '../../store/irrigation/waterings.ts';
import type { CompanyDb } from '../../store/tables.ts';

/** The volume of a whole parcel is spread over the parcel, also where a probe has a setup of its own. */
export const isParcelVolume = ({ amount, blockId }: Pick<Watering, 'amount' | 'blockId'>): boolean =>
  blockId !== null && amount.mode === 'volume_m3';

/** By which a dose is computed. `versions` are those that apply to the probe. */
export async function setupOfWatering(
  db: CompanyDb,
  watering: Pick<Watering, 'moduleId' | 'startedAt' | 'amount' | 'blockId'>,
  versions?: readonly SetupVersion[],
): Promise<DoseSetup | null> {
  const { moduleId, startedAt } = watering;
  const setup = effectiveVersion(versions ?? (await applicableVersions(db, moduleId)), startedAt);
  if (setup === null || !isParcelVolume(watering)) return setup;
  const parcelId = (await moduleById(db, moduleId))?.parcelId ?? null;
  if (parcelId === null) return setup;
  const ofProbes: SetupVersion[][] = [];
  for (const id of await probesOfParcel(db, parcelId)) ofProbes.push(await applicableVersions(db, id));
  return { ...setup, irrigatedAreaM2: parcelIrrigatedAreaM2(ofProbes, startedAt, await parcelAreaM2(db, parcelId)) };
}
