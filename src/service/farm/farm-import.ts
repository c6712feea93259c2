import type { RegenerationPlan } from '../../domain/irrigation/regeneration-plan.ts';
import { parseIsoStart } from '../../domain/iso-date-time.ts';
import { entryOf, itemAt } from '../../domain/items.ts';
import { type WriteContext, withRequiredWork } from '../../operation/call.ts';
import { DEFAULT_TIME_ZONE } from '../../schema/company/company.ts';
import type { FarmFile } from '../../schema/farm/farm-file.ts';
import { companyByName, insertCompany, updateCompany } from '../../store/company/companies.ts';
import { type FarmRow, updateFarmRow } from '../../store/farm/farm-rows.ts';
import type { Store } from '../../store/store.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { applyPendingRegenerations } from '../irrigation/planning/pending-regenerations.ts';
import { regenerateAllOccurrences } from '../irrigation/planning/regeneration.ts';
import { NOTHING_REGENERATED } from '../irrigation/planning/regeneration-steps.ts';
import { bringAllSchedulesUpToDate } from '../irrigation/planning/schedule-progress.ts';
import {
  assertFreeNames,
  assertKnownReferences,
  assertReadableInstants,
  assertSameCompany,
  parseFarmFile,
} from './farm-file-problems.ts';
import { declareFarmInstallations } from './farm-installations.ts';
import {
  changedFields,
  companyRow,
  createUpserter,
  definedFields,
  type FarmImportReport,
  importOutcome,
  newImportCounts,
  parcelRow,
  putModule,
  sensorKey,
  UNSET_STATUS,
} from './farm-rows.ts';
import { declareSoil } from './farm-soil.ts';

export interface FarmImportOptions {
  /** Allows a company beside an existing one. */
  readonly newCompany?: boolean | undefined;
}

/** Keeps fields and rows that the file omits. Importing the same file again changes nothing. */
export async function importFarm(
  store: Store,
  text: string,
  now: number,
  options: FarmImportOptions = {},
): Promise<FarmImportReport> {
  const farm = parseFarmFile(text);
  const { plan, ...report } = await withRequiredWork(store, () =>
    importInOneWrite(store, farm, now, options),
  );
  // The remaining waterings of large parcels are planned in further writes.
  const remainingPlan = await applyPendingRegenerations(store, report.company.id, {});
  return { ...report, plans: planCounts([plan, remainingPlan]) };
}

const planCounts = (plans: readonly RegenerationPlan[]): FarmImportReport['plans'] => ({
  added: plans.reduce((sum, { add }) => sum + add.length, 0),
  changed: plans.reduce((sum, { change }) => sum + change.length, 0),
  removed: plans.reduce((sum, { remove }) => sum + remove.length, 0),
});

/** Runs in one write, so that another import cannot create the same company meanwhile. */
const importInOneWrite = (
  store: Store,
  farm: FarmFile,
  now: number,
  { newCompany = false }: FarmImportOptions,
) =>
  store.writeAll(async (all) => {
    const existing = await companyByName(all, farm.company.name);
    if (!existing) await assertSameCompany(all, farm.company.name, newCompany);
    const zone =
      (farm.company.timezone === undefined ? existing?.timezone : farm.company.timezone) ??
      DEFAULT_TIME_ZONE;

    assertReadableInstants(farm, zone);
    const company = companyRow(farm.company);
    const changes = existing && changedFields(existing, company);
    const id =
      existing?.id ??
      (await insertCompany(all, { ...definedFields(company), name: farm.company.name }));
    if (changes) await updateCompany(all, id, changes);
    const outcome = importOutcome(existing, changes);
    const transaction = { db: store.scopeToCompany(all, id), now, farm, zone };

    await bringAllSchedulesUpToDate(transaction);
    return {
      company: { id, name: farm.company.name, outcome },
      ...(await importRows(transaction)),
    };
  });

interface FarmTransaction extends WriteContext {
  readonly farm: FarmFile;
  readonly zone: string;
}

async function importRows(transaction: FarmTransaction) {
  const { db, now, farm, zone } = transaction;
  const users = await importUsers(transaction);
  const parcels = await importParcels(transaction);
  const gateways = await importGateways(transaction);
  const { modules, sensors, moduleResults } = await importModules(
    transaction,
    parcels.ids,
    gateways.ids,
  );

  const soilLayers = newImportCounts();
  for (const [index, parcel] of (farm.parcels ?? []).entries())
    await declareSoil(
      transaction,
      { id: entryOf(parcels.ids, parcel.name), path: `parcels[${index}]` },
      parcel,
      soilLayers,
    );

  const { tally: installations, completedDoses } = await declareFarmInstallations(
    { db, now },
    {
      modules: (farm.modules ?? []).map(({ installation }, index) => ({
        id: itemAt(moduleResults, index).id,
        installation,
      })),
      parcels: (farm.parcels ?? []).map(({ name, installation }) => ({
        id: entryOf(parcels.ids, name),
        installation,
      })),
    },
    (text) => parseFileInstant(text, zone),
  );

  const affectsSchedules = [modules.tally, installations].some(
    ({ created, changed }) => created + changed > 0,
  );
  const { plan } = affectsSchedules
    ? await regenerateAllOccurrences({ db, now })
    : NOTHING_REGENERATED;

  return {
    users: users.tally,
    parcels: parcels.tally,
    gateways: gateways.tally,
    modules: modules.tally,
    sensors: sensors.tally,
    soilLayers,
    installations,
    moduleResults,
    completedDoses,
    plan,
  };
}

async function importUsers({ db, farm }: FarmTransaction) {
  const users = await createUpserter(db, 'users', (row) => row.email.toLowerCase());
  for (const { email, name, role } of farm.users ?? [])
    await users.put(email.toLowerCase(), { email, name, role });
  return users;
}

async function importParcels({ db, farm }: FarmTransaction) {
  const parcels = await createUpserter(db, 'parcels', (row) => row.name);
  for (const parcel of farm.parcels ?? []) await parcels.put(parcel.name, parcelRow(parcel));
  return parcels;
}

async function importGateways({ db, farm, zone }: FarmTransaction) {
  const gateways = await createUpserter(db, 'gateways', (row) => row.imei);
  for (const { imei, serialHex, firmware, assignedAt, status } of farm.gateways ?? [])
    await gateways.put(imei, {
      imei,
      serial_hex: serialHex,
      firmware,
      assigned_at: parseFileInstant(assignedAt, zone),
      ...statusRow(status, zone),
    });

  return gateways;
}

type GatewayStatus = NonNullable<FarmFile['gateways']>[number]['status'];

/** A file without a status keeps the stored one, a null empties it. */
function statusRow(status: GatewayStatus, zone: string) {
  if (status === undefined) return {};
  if (status === null) return UNSET_STATUS;
  return {
    last_seen_at: parseOptionalInstant(status.lastSeen, zone),
    battery_mv: status.batteryMv,
    level: status.level,
    lat: status.lat,
    lon: status.lon,
  };
}

async function importModules(
  { db, now, farm, zone }: FarmTransaction,
  parcelIds: ReadonlyMap<string, number>,
  gatewayIds: ReadonlyMap<string, number>,
) {
  const modules = await createUpserter(db, 'modules', (row) => row.uid);
  assertKnownReferences(farm, parcelIds, gatewayIds);
  assertFreeNames(farm, [...modules.rows.values()]);
  await releaseNames(db, farm, modules.rows);

  const sensors = await createUpserter(db, 'sensors', sensorKey);
  const moduleResults: FarmImportReport['moduleResults'][number][] = [];

  for (const module of farm.modules ?? []) {
    const existing = modules.rows.get(module.uid);
    const isNewWithoutDate = existing === undefined && module.commissionedAt === undefined;
    const { id, outcome } = await putModule({ db, now }, { modules, sensors }, module, {
      key: module.uid,
      parcelId: idOf(parcelIds, module.parcel),
      gatewayId: idOf(gatewayIds, module.gateway),
      commissionedAt: isNewWithoutDate ? now : parseOptionalInstant(module.commissionedAt, zone),
      isCommissioningAssumed:
        existing !== undefined && module.commissionedAt === undefined
          ? undefined
          : module.commissionedAt == null,
    });

    const name = module.name === undefined ? (existing?.name ?? null) : module.name;
    moduleResults.push({ id, uid: module.uid, name, outcome });
  }

  return { modules, sensors, moduleResults };
}

const idOf = (
  ids: ReadonlyMap<string, number>,
  key: string | null | undefined,
): number | null | undefined => (key == null ? key : entryOf(ids, key));

function parseFileInstant(text: string, zone: string): number {
  const parsed = parseIsoStart(text, zone);
  if ('error' in parsed) throw new Error(`${text} passed assertReadableInstants`);
  return parsed.at;
}

const parseOptionalInstant = (
  text: string | null | undefined,
  zone: string,
): number | null | undefined => (text == null ? text : parseFileInstant(text, zone));

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
