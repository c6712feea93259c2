import { NO_SETTINGS } from '../../domain/moisture/probe-settings.ts';
import { definedFields } from '../../domain/records.ts';
import type { ZoneAdvisory } from '../../language/company/zone-summary.ts';
import type { WriteContext } from '../../operation/call.ts';
import type { FarmFile, FarmModule, FarmParcel } from '../../schema/farm/farm-file.ts';
import { moduleMapper } from '../../store/company/modules.ts';
import { parcelMapper } from '../../store/company/parcels.ts';
import {
  type FarmChanges,
  type FarmRow,
  type FarmTable,
  farmRows,
  insertFarmRow,
  type NewFarmRow,
  updateFarmRow,
} from '../../store/farm/farm-rows.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { changeSettingsOf } from '../moisture/probe-settings.ts';
import { assertCategoryIsFree, assertPosition, hasMoved } from './module-checks.ts';

export type ImportOutcome = 'created' | 'changed' | 'unchanged';
export type ImportCounts = Record<ImportOutcome, number>;

export interface FarmImportReport {
  readonly company: { readonly id: number; readonly name: string; readonly outcome: ImportOutcome };
  readonly users: ImportCounts;
  readonly waterSources: ImportCounts;
  readonly parcels: ImportCounts;
  readonly gateways: ImportCounts;
  readonly modules: ImportCounts;
  readonly sensors: ImportCounts;
  readonly soilLayers: ImportCounts;
  readonly installations: ImportCounts;
  readonly moduleResults: readonly {
    readonly id: number;
    readonly uid: string;
    readonly name: string | null;
    readonly outcome: ImportOutcome;
  }[];
  readonly completedDoses: number;
  /** Empty unless the company has another time zone. */
  readonly zoneChange: readonly ZoneAdvisory[];
  readonly plans: { readonly added: number; readonly changed: number; readonly removed: number };
}

export const newImportCounts = (): ImportCounts => ({ created: 0, changed: 0, unchanged: 0 });

export function importOutcome(
  existing: object | null | undefined,
  changes: object | null | undefined,
): ImportOutcome {
  if (!existing) return 'created';
  return changes ? 'changed' : 'unchanged';
}

export const createUpserter = async <K extends FarmTable>(
  db: CompanyDb,
  kind: K,
  keyOf: (row: FarmRow<K>) => string,
): Promise<Upserter<K>> => upserterOf(db, kind, keyOf, await farmRows(db, kind));

/** Any row that is missing in `stored` is inserted. */
export function upserterOf<K extends FarmTable>(
  db: CompanyDb,
  kind: K,
  keyOf: (row: FarmRow<K>) => string,
  stored: readonly FarmRow<K>[],
) {
  const rows = new Map(stored.map((row) => [keyOf(row), row]));
  const ids = new Map([...rows].map(([key, row]) => [key, (row as { id: number }).id]));
  const tally = newImportCounts();

  return {
    rows,
    ids,
    tally,
    /** Fields that are undefined in `row` keep their value, and are null in a new row. */
    async put(key: string, row: FarmChanges<K>): Promise<{ id: number; outcome: ImportOutcome }> {
      const existing = rows.get(key);
      const changes = existing && changedFields(existing, row);
      const id =
        ids.get(key) ??
        (await insertFarmRow(db, kind, definedFields(row) as unknown as NewFarmRow<K>));
      if (changes) await updateFarmRow(db, kind, id, changes as FarmChanges<K>);
      const outcome = importOutcome(existing, changes);

      ids.set(key, id);
      tally[outcome]++;
      return { id, outcome };
    },
    /** `put` counted a row that stays as it was, without what belongs to it. */
    countChange(outcome: ImportOutcome, isChanged: boolean): ImportOutcome {
      if (!isChanged || outcome !== 'unchanged') return outcome;
      tally.unchanged--;
      tally.changed++;
      return 'changed';
    },
  };
}

type Upserter<K extends FarmTable> = ReturnType<typeof upserterOf<K>>;

interface ModuleReferences {
  /** The key of the existing row, if any. */
  readonly key: string;
  readonly parcelId: number | null | undefined;
  readonly gatewayId: number | null | undefined;
  readonly commissionedAt: number | null | undefined;
  /** Nobody said when; undefined where it stays as it is. */
  readonly isCommissioningAssumed: boolean | undefined;
}

/** Keeps sensors that the module omits. */
export async function putModule(
  context: WriteContext,
  {
    modules,
    sensors,
  }: { readonly modules: Upserter<'modules'>; readonly sensors: Upserter<'sensors'> },
  module: FarmModule,
  { key, ...references }: ModuleReferences,
): Promise<{ id: number; outcome: ImportOutcome }> {
  assertPosition(module.location);
  const existing = modules.rows.get(key);
  await assertCategoryIsFree(context.db, existing, module.category);

  const { gatewayId = existing?.gateway_id ?? null } = references;
  const { uid, name, number, serialHex, category } = module;
  const entered = { uid, name, number, serialHex, category };
  const position = positionOf(module, gatewayId);
  const movedAt =
    existing && hasMoved(existing, { parcelId: references.parcelId, position: module.location })
      ? context.now
      : undefined;
  const row = moduleMapper.toColumns({ ...entered, ...references, position, movedAt });
  const { id, outcome } = await modules.put(key, row);

  for (const { type, depth = null, label } of module.sensors ?? [])
    await sensors.put(sensorKey({ module_id: id, type, depth }), {
      module_id: id,
      type,
      depth,
      label,
    });

  if (module.settings === undefined) return { id, outcome };
  const { changed } = await changeSettingsOf(
    context,
    { moduleId: id },
    module.settings ?? NO_SETTINGS,
  );
  return { id, outcome: modules.countChange(outcome, changed.length > 0) };
}

export function changedFields<T extends object>(existing: object, row: T): Partial<T> | null {
  const changes = Object.entries(definedFields(row)).filter(
    ([name, value]) => existing[name as keyof typeof existing] !== value,
  );
  return changes.length === 0 ? null : (Object.fromEntries(changes) as Partial<T>);
}

/** Undefined leaves a field as it is, null empties it. */
export const optional = <T, V>(
  value: T | null | undefined,
  convert: (value: T) => V,
): V | null | undefined => (value == null ? (value as null | undefined) : convert(value));

export const UNSET_STATUS = {
  last_seen_at: null,
  battery_mv: null,
  level: null,
  lat: null,
  lon: null,
};

export const companyRow = (company: Omit<FarmFile['company'], 'name'>) => ({
  legal_name: company.legalName,
  country_code: company.countryCode,
  currency: company.currency,
  city: company.city,
  postal_code: company.postalCode,
  region: company.region,
  timezone: company.timezone,
  units: company.units,
});

export const parcelRow = ({ name, type, areaM2, geometry }: FarmParcel) =>
  parcelMapper.toColumns({ name, type, areaM2, geometry });

/** The gateway at the time the position is set is kept with it. */
const positionOf = ({ location }: FarmModule, gatewayId: number | null) =>
  location && { lat: location.lat, lon: location.lon, source: location.source, gatewayId };

export const sensorKey = ({
  module_id,
  type,
  depth,
}: Pick<FarmRow<'sensors'>, 'module_id' | 'type' | 'depth'>): string =>
  `${module_id} ${type} ${depth}`;
