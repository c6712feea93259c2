import type { SetupFacts } from '../../domain/facts/probe-facts.ts';
import { versionAtWithParcel } from '../../domain/irrigation/equipment-timeline.ts';
import { entryOf } from '../../domain/items.ts';
import { type SettingsVersion, settingsVersionAt } from '../../domain/moisture/probe-settings.ts';
import type { Call } from '../../operation/call.ts';
import type { CommissionedModule } from '../../store/company/modules.ts';
import { wateringsWithoutDose } from '../../store/irrigation/watering-facts.ts';
import { seasonsOfParcels, toCropSeasonFacts } from '../company/seasons.ts';
import { type Equipment, equipmentOfModules } from '../moisture/wetted-fractions.ts';

const NO_MISSING_DOSES = { count: 0, withoutInstallation: 0 };

/** The equipment and settings of each probe, in the same order. */
export async function loadSetups(
  { db, now }: Pick<Call, 'db' | 'now'>,
  modules: readonly Pick<
    CommissionedModule,
    'id' | 'parcelId' | 'commissionedAt' | 'isCommissioningAssumed'
  >[],
  settingsOfModules: ReadonlyMap<number, readonly SettingsVersion[]>,
): Promise<SetupFacts[]> {
  if (modules.length === 0) return [];
  const parcelIds = [...new Set(modules.flatMap(({ parcelId }) => parcelId ?? []))];
  const equipment = await equipmentOfModules({ db, now }, modules);
  const seasons = await seasonsOfParcels(db, parcelIds);
  const missingDoses = await countMissingDoses({ db, now }, equipment);

  return modules.map(({ id, parcelId, commissionedAt, isCommissioningAssumed }) => {
    const settings = settingsOfModules.get(id) ?? [];
    const current = settingsVersionAt(settings, now);

    return {
      parcelId,
      cropSeason: parcelId === null ? null : toCropSeasonFacts(entryOf(seasons, parcelId)),
      commissioning:
        commissionedAt === null ? null : { at: commissionedAt, isAssumed: isCommissioningAssumed },
      ...entryOf(equipment, id),
      settings: current,
      settingsVersions: [...settings].reverse(),
      missingDoses: missingDoses.get(id) ?? NO_MISSING_DOSES,
    };
  });
}

/** The counts of the modules that have any. */
async function countMissingDoses(
  { db, now }: Pick<Call, 'db' | 'now'>,
  equipment: ReadonlyMap<number, Equipment>,
): Promise<ReadonlyMap<number, SetupFacts['missingDoses']>> {
  const counts = new Map<number, SetupFacts['missingDoses']>();
  for await (const page of wateringsWithoutDose(db, [...equipment.keys()], now))
    for (const { moduleId, startedAt } of page) {
      const { count, withoutInstallation } = counts.get(moduleId) ?? NO_MISSING_DOSES;
      const { versions } = entryOf(equipment, moduleId);
      const hasEquipment = versionAtWithParcel(versions, startedAt) !== null;
      counts.set(moduleId, {
        count: count + 1,
        withoutInstallation: withoutInstallation + (hasEquipment ? 0 : 1),
      });
    }
  return counts;
}
