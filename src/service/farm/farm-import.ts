import { addressKey } from '../../domain/company/mail-address.ts';
import { withCountsOf } from '../../domain/irrigation/plan-parts.ts';
import { parseIsoStart } from '../../domain/iso-date-time.ts';
import { entryOf, itemAt } from '../../domain/items.ts';
import { definedFields } from '../../domain/records.ts';
import { say } from '../../domain/text/say.ts';
import { assertNothingPending, withRequiredWork } from '../../operation/call.ts';
import { DEFAULT_TIME_ZONE } from '../../schema/company/company.ts';
import type { FarmFile } from '../../schema/farm/farm-file.ts';
import {
  allUsers,
  companyById,
  companyByName,
  insertCompany,
  updateCompany,
} from '../../store/company/companies.ts';
import { moduleNames } from '../../store/company/modules.ts';
import { parcelNames } from '../../store/company/parcels.ts';
import { waterSources } from '../../store/moisture/water-sources.ts';
import type { Store } from '../../store/store.ts';
import { memberWithAddress } from '../company/member-address.ts';
import { followNewZone } from '../company/zone-change.ts';
import { completePendingDoses } from '../irrigation/doses/pending-doses.ts';
import { applyPendingRegenerations } from '../irrigation/planning/pending-regenerations.ts';
import { ofCompany, pendingWaterings } from '../irrigation/planning/pending-waterings.ts';
import { regenerateAllOccurrences } from '../irrigation/planning/regeneration.ts';
import { NOTHING_REGENERATED } from '../irrigation/planning/regeneration-steps.ts';
import { bringAllSchedulesUpToDate } from '../irrigation/planning/schedule-progress.ts';
import { putSourceTimes, sourceToDrawFrom } from '../moisture/water-times.ts';
import { pendingChangeParts } from '../pending-parts.ts';
import { declareParcelDetails, type FarmTransaction } from './farm-details.ts';
import {
  assertReadableInstants,
  assertSameCompany,
  parseFarmFile,
  withFilePath,
} from './farm-file-problems.ts';
import { declareFarmInstallations } from './farm-installations.ts';
import { importModules } from './farm-modules.ts';
import {
  changedFields,
  companyRow,
  createUpserter,
  type FarmImportReport,
  type ImportCounts,
  importOutcome,
  newImportCounts,
  optional,
  parcelRow,
  UNSET_STATUS,
} from './farm-rows.ts';
import { declareSoil } from './farm-soil.ts';
import { assertPosition } from './module-checks.ts';

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
  const companyId = report.company.id;
  // The remaining waterings of large parcels are completed and planned in further writes.
  const completedDoses = report.completedDoses + (await completePendingDoses(store, companyId, {}));
  const remaining = await applyPendingRegenerations(store, companyId, {});
  return { ...report, completedDoses, plans: withCountsOf(remaining, plan) };
}

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
    const row = await companyById(all, id);
    if (row === undefined) throw new Error(`Company ${id} was just written and is missing`);
    const instantOf = (text: string): number => parseFileInstant(text, zone);
    const db = store.scopeToCompany(all, id);
    const transaction = { db, company: row, now, farm, zone, instantOf };

    await assertNothingPending(transaction, [pendingWaterings(ofCompany), pendingChangeParts]);
    await bringAllSchedulesUpToDate(transaction);
    const rows = await importRows(transaction);
    const directory = { modules: () => moduleNames(db), parcels: () => parcelNames(db) };
    const zoneChange =
      changes?.timezone === undefined ? [] : await followNewZone({ db, now, directory }, zone);
    return { company: { id, name: farm.company.name, outcome }, ...rows, zoneChange };
  });

async function importRows(transaction: FarmTransaction) {
  const { db, now, farm, instantOf } = transaction;
  const users = await importUsers(transaction);
  const sources = await importWaterSources(transaction);
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
    instantOf,
  );

  const affectsSchedules = [modules.tally, installations].some(
    ({ created, changed }) => created + changed > 0,
  );
  const { plan } = affectsSchedules
    ? await regenerateAllOccurrences({ db, now })
    : NOTHING_REGENERATED;

  return {
    users: users.tally,
    waterSources: sources,
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
  const stored = await allUsers(db);
  const users = await createUpserter(db, 'users', (row) => addressKey(row.email));
  for (const [index, { email, name, role }] of (farm.users ?? []).entries()) {
    await withFilePath(`users[${index}].email`, async () =>
      memberWithAddress(stored, email, say`Nothing was imported. Leave this user out of the file.`),
    );
    await users.put(addressKey(email), { email, name, role });
  }
  return users;
}

async function importWaterSources({ db, now, farm }: FarmTransaction): Promise<ImportCounts> {
  const counts = newImportCounts();
  const known = new Set((await waterSources(db)).map((source) => source.name));
  for (const [index, { name, waterTimes }] of (farm.waterSources ?? []).entries()) {
    const source = await sourceToDrawFrom({ db, now }, name);
    const isChanged =
      waterTimes !== undefined &&
      (await withFilePath(`waterSources[${index}].waterTimes`, () =>
        putSourceTimes({ db, now }, source, waterTimes),
      ));
    if (!known.has(source.name)) counts.created++;
    else if (isChanged) counts.changed++;
    else counts.unchanged++;
  }
  return counts;
}

async function importParcels(transaction: FarmTransaction) {
  const parcels = await createUpserter(transaction.db, 'parcels', (row) => row.name);
  for (const [index, parcel] of (transaction.farm.parcels ?? []).entries()) {
    const typeBefore = parcels.rows.get(parcel.name)?.type ?? null;
    const { id, outcome } = await parcels.put(parcel.name, parcelRow(parcel));
    const place = { id, typeBefore, path: `parcels[${index}]` };
    parcels.countChange(outcome, await declareParcelDetails(transaction, place, parcel));
  }
  return parcels;
}

async function importGateways({ db, farm, instantOf }: FarmTransaction) {
  const gateways = await createUpserter(db, 'gateways', (row) => row.imei);
  for (const { imei, serialHex, firmware, assignedAt, status } of farm.gateways ?? []) {
    assertPosition(status);
    await gateways.put(imei, {
      imei,
      serial_hex: serialHex,
      firmware,
      assigned_at: instantOf(assignedAt),
      ...statusRow(status, instantOf),
    });
  }

  return gateways;
}

type GatewayStatus = NonNullable<FarmFile['gateways']>[number]['status'];

/** A file without a status keeps the stored one, a null empties it. */
function statusRow(status: GatewayStatus, instantOf: FarmTransaction['instantOf']) {
  if (status === undefined) return {};
  if (status === null) return UNSET_STATUS;
  return {
    last_seen_at: optional(status.lastSeen, instantOf),
    battery_mv: status.batteryMv,
    level: status.level,
    lat: status.lat,
    lon: status.lon,
  };
}

function parseFileInstant(text: string, zone: string): number {
  const parsed = parseIsoStart(text, zone);
  if (!parsed.ok) throw new Error(`${text} passed assertReadableInstants`);
  return parsed.value.at;
}
