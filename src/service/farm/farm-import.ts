import type { Kysely } from 'kysely';
import { type SoilClass, soilClassByName } from '../../domain/soil/soil-catalog.ts';
import { parseIsoInstant } from '../../language/iso-date-time.ts';
import { foldText } from '../../language/text.ts';
import type { WriteContext } from '../../operation/call.ts';
import { DEFAULT_TIME_ZONE } from '../../schema/company.ts';
import type { FarmFile, FarmModule, FarmParcel } from '../../schema/farm-file.ts';
import { allCompanies } from '../../store/company/companies.ts';
import {
  companyByName,
  type FarmChanges,
  type FarmRow,
  type FarmTable,
  farmRows,
  insertCompany,
  insertFarmRow,
  type NewFarmRow,
  updateCompany,
  updateFarmRow,
} from '../../store/farm/farm-rows.ts';
import { addLayer, closeLayer, openLayers } from '../../store/soil/soil-layers.ts';
import type { Store } from '../../store/store.ts';
import type { CompanyDb, Tables } from '../../store/tables.ts';
import { regenerateAllOccurrences, settleAllSchedules } from '../irrigation/occurrences.ts';
import type { FileProblem } from '../json-file-problems.ts';
import { farmFileError, parseFarmFile } from './farm-file-problems.ts';
import { type FarmImportReport, type ImportCounts, type ImportOutcome, newImportCounts } from './farm-import-report.ts';
import { declareFarmInstallations } from './farm-installations.ts';

/**
 * Brings the store to what a farm file says, in one transaction: rows are known again by their natural keys, fields and rows
 * that the file leaves out stay. The same file again changes nothing. Throws at the first sight of anything unsound.
 */
export async function importFarm(store: Store, text: string, now: number): Promise<FarmImportReport> {
  const farm = parseFarmFile(text);
  // Alone: which company a name means, or that it means none yet, is decided here.
  return store.writeAll(async (all) => {
    const existing = await companyByName(all, farm.company.name);
    if (!existing) await refuseSimilarName(all, farm.company.name);
    const zone =
      (farm.company.timezone === undefined ? existing?.timezone : farm.company.timezone) ?? DEFAULT_TIME_ZONE;
    refuseUnreadableInstants(farm, zone);
    const company = companyRow(farm.company);
    const changes = existing && changedFields(existing, company);
    const id =
      existing?.id ??
      (await insertCompany(all, { ...UNSET_COMPANY, ...definedFields(company), name: farm.company.name }));
    if (changes) await updateCompany(all, id, changes);
    const outcome = !existing ? 'created' : changes ? 'changed' : 'unchanged';
    const context = { db: store.scopeToCompany(all, id), now };
    await settleAllSchedules(context);
    return { company: { id, name: farm.company.name, outcome }, ...(await importRows(context, farm, zone)) };
  });
}

/** A name that differs from a company's by case or accents alone is a slip: it would make a second company. */
async function refuseSimilarName(all: Kysely<Tables>, name: string): Promise<void> {
  const namesake = (await allCompanies(all)).find((company) => foldText(company.name) === foldText(name));
  if (namesake)
    throw farmFileError([
      {
        path: 'company.name',
        description: `is ${JSON.stringify(name)}, but the store holds ${JSON.stringify(namesake.name)}.`,
      },
    ]);
}

async function importRows(
  { db, now }: WriteContext,
  farm: FarmFile,
  zone: string,
): Promise<Omit<FarmImportReport, 'company'>> {
  const instant = (value: string | null | undefined) => (value == null ? value : parseFileInstant(value, zone));

  const users = await createUpserter(db, 'users', (row) => row.email.toLowerCase());
  for (const { email, name, role } of farm.users ?? []) await users.put(email.toLowerCase(), { email, name, role }, {});

  const parcels = await createUpserter(db, 'parcels', (row) => row.name);
  for (const { name, type, geometry } of farm.parcels ?? [])
    await parcels.put(name, { name, type, geometry: geometry && JSON.stringify(geometry) }, UNSET_PARCEL);

  const gateways = await createUpserter(db, 'gateways', (row) => row.imei);
  for (const { imei, serialHex, firmware, assignedAt, status } of farm.gateways ?? [])
    await gateways.put(
      imei,
      {
        imei,
        serial_hex: serialHex,
        firmware,
        assigned_at: parseFileInstant(assignedAt, zone),
        ...(status === null
          ? UNSET_STATUS
          : { last_seen_at: instant(status?.lastSeen), battery_mv: status?.batteryMv }),
        ...(status && { level: status.level, lat: status.lat, lon: status.lon }),
      },
      UNSET_GATEWAY,
    );

  const modules = await createUpserter(db, 'modules', (row) => row.uid);
  refuseUnknownPlaces(farm, parcels.ids, gateways.ids);
  refuseTakenNames(farm, [...modules.rows.values()]);
  await releaseNames(db, farm, modules.rows);
  const sensors = await createUpserter(db, 'sensors', sensorKey);
  const moduleResults: FarmImportReport['named'][number][] = [];
  for (const module of farm.modules ?? []) {
    const gatewayId = idOf(gateways.ids, module.gateway);
    const row = moduleRow(module, idOf(parcels.ids, module.parcel), gatewayId, instant(module.commissionedAt));
    const existing = modules.rows.get(module.uid);
    const gatewayNow = gatewayId === undefined ? (existing?.gateway_id ?? null) : gatewayId;
    const { id, outcome } = await modules.put(module.uid, { ...row, ...positionRow(module, gatewayNow) }, UNSET_MODULE);
    moduleResults.push({
      id,
      uid: module.uid,
      name: module.name === undefined ? (existing?.name ?? null) : module.name,
      outcome,
    });
    for (const { type, depth = null, label } of module.sensors ?? [])
      await sensors.put(
        sensorKey({ module_id: id, type, depth }),
        { module_id: id, type, depth, label },
        { label: null },
      );
  }

  const soilLayers = newImportCounts();
  for (const parcel of farm.parcels ?? [])
    await declareSoil(db, parcels.ids.get(parcel.name)!, parcel, now, soilLayers);
  const { tally: installations, completedDoses } = await declareFarmInstallations(
    { db, now },
    {
      modules: (farm.modules ?? []).map(({ installation }, index) => ({ id: moduleResults[index]!.id, installation })),
      parcels: (farm.parcels ?? []).map(({ name, installation }) => ({ id: parcels.ids.get(name)!, installation })),
    },
    (value) => parseFileInstant(value, zone),
  );
  const changes = [modules.tally, installations].some(({ created, changed }) => created + changed > 0);
  const plans = changes ? await regenerateAllOccurrences({ db, now }) : { added: 0, changed: 0, removed: 0 };
  return {
    users: users.tally,
    parcels: parcels.tally,
    gateways: gateways.tally,
    modules: modules.tally,
    sensors: sensors.tally,
    soilLayers,
    installations,
    named: moduleResults,
    completedDoses,
    plans,
  };
}

/** The rows of one kind by their natural key, and how to bring one to what the file says. */
async function createUpserter<K extends FarmTable>(db: CompanyDb, kind: K, keyOf: (row: FarmRow<K>) => string) {
  const rows = new Map((await farmRows(db, kind)).map((row) => [keyOf(row), row]));
  const ids = new Map([...rows].map(([key, row]) => [key, (row as { id: number }).id]));
  const tally = newImportCounts();
  return {
    rows,
    ids,
    tally,
    /** `row` holds undefined for what the file leaves out; `unset` is what that means for a new row. */
    async put(
      key: string,
      row: FarmChanges<K>,
      unset: FarmChanges<K>,
    ): Promise<{ id: number; outcome: ImportOutcome }> {
      const existing = rows.get(key);
      const changes = existing && changedFields(existing, row);
      const id =
        ids.get(key) ??
        (await insertFarmRow(db, kind, { ...unset, ...definedFields(row) } as unknown as NewFarmRow<K>));
      if (changes) await updateFarmRow(db, kind, id, changes as FarmChanges<K>);
      const outcome = !existing ? 'created' : changes ? 'changed' : 'unchanged';
      ids.set(key, id);
      tally[outcome]++;
      return { id, outcome };
    },
  };
}

/** What the file gives of a row: without the fields that it leaves out. */
const definedFields = <T extends object>(row: T): Partial<T> =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as Partial<T>;

/** The given fields in which a row stands otherwise, or null when there are none. */
function changedFields<T extends object>(existing: object, row: T): Partial<T> | null {
  const changes = Object.entries(definedFields(row)).filter(
    ([name, value]) => existing[name as keyof typeof existing] !== value,
  );
  return changes.length === 0 ? null : (Object.fromEntries(changes) as Partial<T>);
}

const UNSET_COMPANY = {
  legal_name: null,
  country_code: null,
  currency: null,
  city: null,
  postal_code: null,
  region: null,
  timezone: null,
};
const UNSET_PARCEL = { type: null, geometry: null };
const UNSET_STATUS = { last_seen_at: null, battery_mv: null, level: null, lat: null, lon: null };
const UNSET_GATEWAY = { serial_hex: null, firmware: null, ...UNSET_STATUS };
const UNSET_POSITION = { lat: null, lon: null, location_source: null, location_gateway_id: null };
const UNSET_MODULE = {
  name: null,
  number: null,
  serial_hex: null,
  category: null,
  parcel_id: null,
  gateway_id: null,
  commissioned_at: null,
  root_depth_cm: null,
  depth_weights: null,
  ...UNSET_POSITION,
};

const companyRow = (company: FarmFile['company']) => ({
  legal_name: company.legalName,
  country_code: company.countryCode,
  currency: company.currency,
  city: company.city,
  postal_code: company.postalCode,
  region: company.region,
  timezone: company.timezone,
});

const moduleRow = (
  module: FarmModule,
  parcelId: number | null | undefined,
  gatewayId: number | null | undefined,
  commissionedAt: number | null | undefined,
) => ({
  uid: module.uid,
  name: module.name,
  number: module.number,
  serial_hex: module.serialHex,
  category: module.category,
  parcel_id: parcelId,
  gateway_id: gatewayId,
  commissioned_at: commissionedAt,
  root_depth_cm: module.settings === null ? null : module.settings?.rootDepthCm,
  depth_weights: module.settings === null ? null : formatWeights(module.settings?.depthWeights),
});

/** Weights as they are kept, in order of depth, so that another order in the file is no change. */
const formatWeights = (weights: Record<string, number> | null | undefined): string | null | undefined =>
  weights &&
  JSON.stringify(
    Object.fromEntries(Object.entries(weights).sort(([a], [b]) => Number(a) - Number(b) || (a < b ? -1 : 1))),
  );

/** A position given in a file is declared there and then, under the gateway that the module has now. */
function positionRow({ location }: FarmModule, gatewayId: number | null) {
  if (location === undefined) return {};
  if (location === null) return UNSET_POSITION;
  return { lat: location.lat, lon: location.lon, location_source: location.source, location_gateway_id: gatewayId };
}

const sensorKey = ({ module_id, type, depth }: { module_id: number; type: string; depth: number | null }): string =>
  `${module_id} ${type} ${depth}`;

const idOf = (ids: ReadonlyMap<string, number>, key: string | null | undefined): number | null | undefined =>
  key == null ? key : ids.get(key)!;

/** A layer that stands as declared stays; otherwise it takes the place of the one that starts at the same top. */
async function declareSoil(
  db: CompanyDb,
  parcelId: number,
  parcel: FarmParcel,
  now: number,
  tally: ImportCounts,
): Promise<void> {
  if (parcel.soilProfile === undefined) return;
  const inForce = await openLayers(db, parcelId);
  for (const { usdaClass, depthTopCm, depthBottomCm } of parcel.soilProfile) {
    const { id: soilHorizonId }: SoilClass = soilClassByName(usdaClass);
    const existing = inForce.find((layer) => layer.depthTopCm === depthTopCm);
    if (existing?.soilHorizonId === soilHorizonId && existing.depthBottomCm === depthBottomCm) {
      tally.unchanged++;
      continue;
    }
    if (existing) await closeLayer(db, existing.id, now);
    await addLayer(db, parcelId, { soilHorizonId, depthTopCm, depthBottomCm }, now);
    tally[existing ? 'changed' : 'created']++;
  }
}

/** Instants are checked beforehand, see below. */
const parseFileInstant = (text: string, zone: string): number => (parseIsoInstant(text, zone) as { at: number }).at;

function refuseUnreadableInstants(farm: FarmFile, zone: string): void {
  const instants: [path: string, text: string | null | undefined][] = [
    ...(farm.parcels ?? []).map((each, index): [string, string | null | undefined] => [
      `parcels[${index}].installation.effectiveFrom`,
      each.installation?.effectiveFrom,
    ]),
    ...(farm.gateways ?? []).flatMap((each, index): [string, string | null | undefined][] => [
      [`gateways[${index}].assignedAt`, each.assignedAt],
      [`gateways[${index}].status.lastSeen`, each.status?.lastSeen],
    ]),
    ...(farm.modules ?? []).flatMap((each, index): [string, string | null | undefined][] => [
      [`modules[${index}].commissionedAt`, each.commissionedAt],
      [`modules[${index}].installation.effectiveFrom`, each.installation?.effectiveFrom],
    ]),
  ];
  const faults = instants.flatMap(([path, text]): FileProblem[] => {
    const read = text == null ? null : parseIsoInstant(text, zone);
    return read && 'refused' in read ? [{ path, description: `is not valid: ${read.refused}.` }] : [];
  });
  if (faults.length > 0) throw farmFileError(faults);
}

function refuseUnknownPlaces(
  farm: FarmFile,
  parcels: ReadonlyMap<string, number>,
  gateways: ReadonlyMap<string, number>,
): void {
  const faults = (farm.modules ?? []).flatMap(({ parcel, gateway }, index): FileProblem[] => [
    ...(parcel == null || parcels.has(parcel)
      ? []
      : [
          {
            path: `modules[${index}].parcel`,
            description: `is ${JSON.stringify(parcel)}, which is no parcel of the file or the store.`,
          },
        ]),
    ...(gateway == null || gateways.has(gateway)
      ? []
      : [
          {
            path: `modules[${index}].gateway`,
            description: `is ${JSON.stringify(gateway)}, which is no gateway of the file or the store.`,
          },
        ]),
  ]);
  if (faults.length > 0) throw farmFileError(faults);
}

/** A name that another module keeps, one that the file does not rename. */
function refuseTakenNames(farm: FarmFile, modules: readonly FarmRow<'modules'>[]): void {
  const renamed = new Set((farm.modules ?? []).filter(({ name }) => name !== undefined).map(({ uid }) => uid));
  const nameOwners = new Map(modules.filter(({ uid }) => !renamed.has(uid)).map(({ name, uid }) => [name, uid]));
  const faults = (farm.modules ?? []).flatMap(({ name }, index): FileProblem[] =>
    name != null && nameOwners.has(name)
      ? [
          {
            path: `modules[${index}].name`,
            description: `is ${JSON.stringify(name)}, the name of module ${JSON.stringify(nameOwners.get(name))}.`,
          },
        ]
      : [],
  );
  if (faults.length > 0) throw farmFileError(faults);
}

/** Modules that get another name let go of theirs first, so that two can trade names. */
async function releaseNames(
  db: CompanyDb,
  farm: FarmFile,
  modules: ReadonlyMap<string, FarmRow<'modules'>>,
): Promise<void> {
  for (const { uid, name } of farm.modules ?? []) {
    const row = modules.get(uid);
    if (row && name !== undefined && row.name !== name) await updateFarmRow(db, 'modules', row.id, { name: null });
  }
}
