import { type Call, type ComposedCall, isLocalCall } from '../../../operation/call.ts';
import type { ListedModuleBody } from '../../../schema/company/company.ts';
import { newestDoneStarts } from '../../../store/irrigation/watering-lists.ts';
import { toIso } from '../../wire-format.ts';
import { mapModules } from '../brief-probes.ts';
import type { PartReads } from '../operation-reads.ts';
import type { WateringTarget } from '../planned-waterings.ts';

export const isStationModule = ({ category }: ListedModuleBody): boolean =>
  category === 'WEATHER_STATION';

/** A tensiometer often has no watering of its own: those of its parcel count. */
export const usesWateringsOfParcel = (
  module: ListedModuleBody,
): module is ListedModuleBody & { readonly parcelId: number } =>
  module.category === 'TENSIOMETER' && module.parcelId !== null;

export const wateringTarget = (module: ListedModuleBody): WateringTarget =>
  usesWateringsOfParcel(module) ? { parcelId: module.parcelId } : { moduleId: module.id };

/** Start of the last watering of each module that has one. */
export async function lastWaterings(
  call: ComposedCall,
  { listWaterings }: Pick<PartReads, 'listWaterings'>,
  modules: readonly ListedModuleBody[],
  isWholeFarm: boolean,
): Promise<ReadonlyMap<number, string>> {
  if (isWholeFarm && isLocalCall(call)) return lastWateringsInStore(call, modules);

  const found = await mapModules(call, modules, async (module) => {
    if (isStationModule(module)) return [];
    const target = wateringTarget(module);
    const filter = { ...target, status: 'done', to: toIso(call.now + 1), totals: 'none' } as const;
    const { data } = await listWaterings({ ...filter, limit: 1 });
    return data.map(({ startedAt }) => [module.id, startedAt] as const);
  });

  return new Map(found.flat());
}

/** Reads those of all modules in one query. */
async function lastWateringsInStore({ db, now }: Call, modules: readonly ListedModuleBody[]) {
  const starts = await newestDoneStarts(db, now);
  const newestOf = (watered: readonly ListedModuleBody[]): number =>
    Math.max(...watered.map(({ id }) => starts.get(id) ?? Number.NEGATIVE_INFINITY));

  return new Map(
    modules.flatMap((module) => {
      const watered = usesWateringsOfParcel(module)
        ? modules.filter(({ parcelId }) => parcelId === module.parcelId)
        : [module];
      const newest = newestOf(watered);
      return Number.isFinite(newest) ? [[module.id, toIso(newest)] as const] : [];
    }),
  );
}
