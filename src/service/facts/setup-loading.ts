import type { CropSeasonFacts, SetupFacts } from '../../domain/facts/probe-facts.ts';
import { groupBy } from '../../domain/groups.ts';
import { versionAtWithParcel } from '../../domain/irrigation/equipment-timeline.ts';
import { type SettingsVersion, settingsVersionAt } from '../../domain/moisture/probe-settings.ts';
import { cropIn } from '../../language/words/farming-terms.ts';
import type { Call } from '../../operation/call.ts';
import type { ModuleName } from '../../store/company/modules.ts';
import { parcelNames } from '../../store/company/parcels.ts';
import { currentSeasons } from '../../store/company/seasons.ts';
import { versionsOfTargets } from '../../store/irrigation/installations.ts';
import { wateringsWithoutDose } from '../../store/irrigation/watering-facts.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { seasonOfCrop } from '../company/seasons.ts';
import { mostRecentFirst } from '../irrigation/irrigation-setup.ts';

/** The equipment and settings of each probe, in the same order. */
export async function loadSetups(
  { db, now }: Pick<Call, 'db' | 'now'>,
  modules: readonly Pick<ModuleName, 'id' | 'parcelId'>[],
  settingsOfModules: ReadonlyMap<number, readonly SettingsVersion[]>,
): Promise<SetupFacts[]> {
  if (modules.length === 0) return [];
  const ids = modules.map(({ id }) => id);
  const parcelIds = [...new Set(modules.flatMap(({ parcelId }) => parcelId ?? []))];
  const versions = await versionsOfTargets(db, ids, parcelIds);
  const ofModules = groupBy(versions, ({ moduleId }) => moduleId);
  const ofParcels = groupBy(versions, ({ parcelId }) => parcelId);
  const cropSeasonOf = await loadCropSeasons(db, parcelIds);
  const withoutDose = groupBy(await wateringsWithoutDose(db, ids), ({ moduleId }) => moduleId);

  return modules.map(({ id, parcelId }) => {
    const settings = settingsOfModules.get(id) ?? [];
    const applicable = [
      ...(ofModules.get(id) ?? []),
      ...(parcelId === null ? [] : (ofParcels.get(parcelId) ?? [])),
    ];
    const inForce = versionAtWithParcel(applicable, now);
    const missing = withoutDose.get(id) ?? [];
    const current = settingsVersionAt(settings, now);

    return {
      parcelId,
      cropSeason: parcelId === null ? null : cropSeasonOf(parcelId),
      installation: inForce,
      versions: applicable.sort(mostRecentFirst),
      settings: current,
      settingsVersions: [...settings].reverse(),
      missingDoses: {
        count: missing.length,
        withoutInstallation: missing.filter(
          ({ startedAt }) => versionAtWithParcel(applicable, startedAt) === null,
        ).length,
      },
    };
  });
}

/** What is declared of the crop of each parcel. */
async function loadCropSeasons(
  db: CompanyDb,
  parcelIds: readonly number[],
): Promise<(parcelId: number) => CropSeasonFacts> {
  const stored = await currentSeasons(db, parcelIds);
  const parcels = parcelIds.length === 0 ? [] : await parcelNames(db);
  const typeById = new Map(parcels.map(({ id, type }) => [id, type]));

  return (parcelId) => {
    const type = typeById.get(parcelId) ?? null;
    const { plantedOn, harvestedOn } = seasonOfCrop(type, stored.get(parcelId)?.season);
    return { crop: cropIn(type), plantedOn, harvestedOn };
  };
}
