import { entryOf } from '../../domain/items.ts';
import type { FarmFile, FarmModule } from '../../schema/farm/farm-file.ts';
import { type FarmRow, updateFarmRow } from '../../store/farm/farm-rows.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { declareModuleDetails, type FarmTransaction } from './farm-details.ts';
import {
  assertFreeNames,
  assertKnownReferences,
  assertRoomInParcels,
  withFilePath,
} from './farm-file-problems.ts';
import {
  createUpserter,
  type FarmImportReport,
  optional,
  putModule,
  sensorKey,
} from './farm-rows.ts';

export async function importModules(
  transaction: FarmTransaction,
  parcelIds: ReadonlyMap<string, number>,
  gatewayIds: ReadonlyMap<string, number>,
) {
  const { db, now, farm, instantOf } = transaction;
  const modules = await createUpserter(db, 'modules', (row) => row.uid);
  assertKnownReferences(farm, parcelIds, gatewayIds);
  assertFreeNames(farm, [...modules.rows.values()]);
  await assertRoomInParcels(db, farm, parcelIds, modules.rows);
  await releaseNames(db, farm, modules.rows);

  const sensors = await createUpserter(db, 'sensors', sensorKey);
  const moduleResults: FarmImportReport['moduleResults'][number][] = [];

  for (const [index, module] of (farm.modules ?? []).entries()) {
    const path = `modules[${index}]`;
    const existing = modules.rows.get(module.uid);
    const isNewWithoutDate = existing === undefined && module.commissionedAt === undefined;
    const references = {
      key: module.uid,
      parcelId: optional(module.parcel, (name) => entryOf(parcelIds, name)),
      gatewayId: optional(module.gateway, (imei) => entryOf(gatewayIds, imei)),
      commissionedAt: isNewWithoutDate ? now : optional(module.commissionedAt, instantOf),
      isCommissioningAssumed: isCommissioningAssumed(module, existing !== undefined),
    };
    const { id, outcome } = await withFilePath(path, () =>
      putModule({ db, now }, { modules, sensors }, module, references),
    );
    const hasOtherDetails = await declareModuleDetails(transaction, { id, path }, module);

    const name = module.name === undefined ? (existing?.name ?? null) : module.name;
    moduleResults.push({
      id,
      uid: module.uid,
      name,
      outcome: modules.countChange(outcome, hasOtherDetails),
    });
  }

  return { modules, sensors, moduleResults };
}

/** Undefined where it stays as it is. */
function isCommissioningAssumed(
  { commissionedAt, isCommissioningAssumed: isAssumed }: FarmModule,
  isStored: boolean,
): boolean | undefined {
  if (isAssumed !== undefined || (isStored && commissionedAt === undefined)) return isAssumed;
  return commissionedAt == null;
}

/** Modules with a new name release the old one first, so that two can swap names. */
async function releaseNames(
  db: CompanyDb,
  farm: FarmFile,
  modules: ReadonlyMap<string, FarmRow<'modules'>>,
): Promise<void> {
  for (const { uid, name } of farm.modules ?? []) {
    const row = modules.get(uid);
    if (row && name !== undefined && row.name !== name)
      await updateFarmRow(db, 'modules', row.id, { name: null });
  }
}
