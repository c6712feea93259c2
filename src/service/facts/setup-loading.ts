import type { SetupFacts } from '../../domain/facts/probe-facts.ts';
import { groupBy } from '../../domain/groups.ts';
import { versionAtWithParcel } from '../../domain/irrigation/equipment-timeline.ts';
import { entryOf } from '../../domain/items.ts';
import { type SettingsVersion, settingsVersionAt } from '../../domain/moisture/probe-settings.ts';
import type { Call } from '../../operation/call.ts';
import type { ModuleName } from '../../store/company/modules.ts';
import { wateringsWithoutDose } from '../../store/irrigation/watering-facts.ts';
import { seasonsOfParcels, toCropSeasonFacts } from '../company/seasons.ts';
import { mostRecentFirst } from '../irrigation/irrigation-setup.ts';
import { loadVersions } from '../moisture/wetted-fractions.ts';

/** The equipment and settings of each probe, in the same order. */
export async function loadSetups(
  { db, now }: Pick<Call, 'db' | 'now'>,
  modules: readonly Pick<
    ModuleName,
    'id' | 'parcelId' | 'commissionedAt' | 'isCommissioningAssumed'
  >[],
  settingsOfModules: ReadonlyMap<number, readonly SettingsVersion[]>,
): Promise<SetupFacts[]> {
  if (modules.length === 0) return [];
  const ids = modules.map(({ id }) => id);
  const parcelIds = [...new Set(modules.flatMap(({ parcelId }) => parcelId ?? []))];
  const versionsOf = await loadVersions(db, modules);
  const seasons = await seasonsOfParcels(db, parcelIds);
  const withoutDose = groupBy(await wateringsWithoutDose(db, ids, now), ({ moduleId }) => moduleId);

  return modules.map(({ id, parcelId, commissionedAt, isCommissioningAssumed }) => {
    const settings = settingsOfModules.get(id) ?? [];
    const applicable = versionsOf({ id, parcelId });
    const inForce = versionAtWithParcel(applicable, now);
    const missing = withoutDose.get(id) ?? [];
    const current = settingsVersionAt(settings, now);

    return {
      parcelId,
      cropSeason: parcelId === null ? null : toCropSeasonFacts(entryOf(seasons, parcelId)),
      commissioning:
        commissionedAt === null
          ? null
          : { at: commissionedAt, isAssumed: isCommissioningAssumed === 1 },
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
