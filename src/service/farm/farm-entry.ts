import { firstOf } from '../../domain/items.ts';
import { DAY_MS } from '../../domain/periods.ts';
import { foldText, quote } from '../../domain/text.ts';
import { moduleDisplayName, moduleNamesInOtherLangs } from '../../language/default-names.ts';
import { isSimilarName } from '../../language/words/nearest-word.ts';
import { findByWholeName } from '../../operation/arguments/name-resolution.ts';
import { NO_COMPANY } from '../../operation/authorization.ts';
import type { Call } from '../../operation/call.ts';
import type { Category, UserBody } from '../../schema/company/company.ts';
import { AcequiaError, invalidInputError, notFoundError } from '../../schema/error.ts';
import type {
  CompanyAnswer,
  companyEntry,
  ModuleAnswer,
  moduleEntry,
  ParcelAnswer,
  parcelEntry,
} from '../../schema/farm/farm-entry.ts';
import type { FarmModule, FarmSensor } from '../../schema/farm/farm-file.ts';
import type { FieldsOf } from '../../schema/field.ts';
import { allUsers } from '../../store/company/companies.ts';
import { toParcel } from '../../store/company/parcels.ts';
import { type Sensor, sensorsOf } from '../../store/company/sensors.ts';
import {
  deleteSensorsWithoutReadings,
  type FarmRow,
  type FarmTable,
  farmRows,
  farmRowsById,
} from '../../store/farm/farm-rows.ts';
import { companyIdOf } from '../../store/scope/company-db.ts';
import { toCompanyBody, toParcelBody, toUserBody } from '../company/company.ts';
import { completeRecordedDoses } from '../irrigation/doses.ts';
import {
  applyPlansAfterCommit,
  bringAllSchedulesUpToDate,
  regenerateAllOccurrences,
} from '../irrigation/regeneration.ts';
import { assertSensorsOfWeights, probeSettingsAt } from '../moisture/probe-settings.ts';
import { toModuleBody } from '../monitoring/modules.ts';
import { assertOwnParcel, requireOwnModule } from '../ownership.ts';
import { toIso } from '../wire-format.ts';
import {
  changedFields,
  changedValues,
  companyArguments,
  companyRow,
  createUpserter,
  moduleArguments,
  parcelArguments,
  parcelRow,
  putModule,
  sensorKey,
} from './farm-rows.ts';

const missingFieldError = (
  field: string,
  why: string,
  hint = 'Ask the person for it; never guess it.',
): AcequiaError =>
  invalidInputError('invalid_body', `${field} is missing: ${why}.`, { hint, field });

type CompanyEntry = FieldsOf<typeof companyEntry>;

/** Creates the company of an empty store and its OWNER: the person who acts without a key. */
export async function setCompany(call: Call, entry: CompanyEntry): Promise<CompanyAnswer> {
  const { name, newName, ownerName, ownerEmail, ...fields } = entry;
  const existing = call.company === NO_COMPANY ? null : call.company;
  if (existing === null) assertCompleteCompany(entry);
  else assertOwnCompanyName(entry, existing.name);

  const owner = await addOwner(call, ownerEmail, ownerName);
  const base = existing ?? { ...NO_COMPANY, id: companyIdOf(call.db) };
  const row = { ...companyRow(fields), name: newName ?? (existing === null ? name : undefined) };
  const changes = changedFields(base, row);
  if (changes !== null && !(await call.saveCompany(changes)))
    throw invalidInputError(
      'invalid_body',
      `Another company has the name ${quote(row.name ?? '')}.`,
      {
        hint: 'Give another name.',
        field: newName === undefined ? 'name' : 'newName',
      },
    );

  const company = toCompanyBody({ ...base, ...changes });
  const before =
    existing && changedValues(companyArguments(toCompanyBody(base)), companyArguments(company));
  return owner === null ? { company, before } : { company, owner, before };
}

function assertCompleteCompany({ name, timezone, ownerEmail }: CompanyEntry): void {
  if (name === undefined) throw missingFieldError('name', 'a new company needs one');
  if (timezone == null)
    throw missingFieldError('timezone', 'a new company needs that of its place');
  if (ownerEmail === undefined)
    throw missingFieldError('ownerEmail', 'a new company has an owner, whom its alerts reach');
}

/** A call repeated after its answer was lost may name the company by its new name. */
function assertOwnCompanyName({ name, newName }: CompanyEntry, ownName: string): void {
  if (name === undefined) return;
  const isOwn = (text: string): boolean => foldText(text) === foldText(ownName);
  if (isOwn(name) || (newName !== undefined && isOwn(newName))) return;

  throw invalidInputError(
    'invalid_body',
    `The company is called ${quote(ownName)}, not ${quote(name)}.`,
    {
      hint: 'To rename it, pass newName. Another company needs a store of its own (--db), or joins this one with "acequia import FILE --new-company"; then each needs a key: "acequia keys create --preset assistant --company NAME".',
      field: 'name',
    },
  );
}

async function addOwner(
  call: Call,
  email: string | undefined,
  name: string | undefined,
): Promise<UserBody | null> {
  if (email === undefined) {
    if (name === undefined) return null;
    throw missingFieldError('ownerEmail', 'ownerName names the person at that address');
  }

  const owners = (await allUsers(call.db)).filter(({ role }) => role === 'OWNER');
  const same = owners.find((owner) => owner.email.toLowerCase() === email.toLowerCase());
  if (same) return toUserBody(same);
  if (owners.length > 0)
    throw invalidInputError('invalid_body', 'The company has an owner already.', {
      hint: 'Leave ownerEmail and ownerName out; list_users names the members, and a farm file changes them.',
      field: 'ownerEmail',
    });

  if (call.caller.role !== 'OWNER')
    throw new AcequiaError({
      code: 'insufficient_role',
      status: 403,
      message: 'Only an OWNER adds members.',
      hint: 'Leave ownerEmail and ownerName out.',
      field: 'ownerEmail',
    });

  const users = await createUpserter(call.db, 'users', (row) => row.email.toLowerCase());
  const user = { email, name: name ?? firstOf(email.split('@')), role: 'OWNER' as const };
  return toUserBody({ ...user, ...(await users.put(email.toLowerCase(), user)) });
}

interface NamedEntry<T> {
  readonly existing: T | null;
  /** Undefined keeps the existing one. */
  readonly nameToStore: string | undefined;
}

interface NamedRow {
  readonly id: number;
  readonly name: string | null;
}

/** Finds the entry by its name, which is unique in the company regardless of case and accents. */
function resolveNamedEntry<T extends NamedRow>(
  call: Call,
  kind: 'parcel' | 'module',
  all: readonly T[],
  { name, newName }: { readonly name: string; readonly newName?: string | undefined },
): NamedEntry<T> {
  const missingScope = call.directory.missingScopes?.[`${kind}s`] ?? null;
  const matchedByName = findByWholeName(name, all, kind, missingScope);
  if (newName === undefined) {
    if (matchedByName !== null) return { existing: matchedByName, nameToStore: undefined };
    if (missingScope === null) adviseOfSimilarName(call, kind, all, name);
    return { existing: null, nameToStore: name };
  }

  // A call repeated after its answer was lost finds the new name.
  const existing = matchedByName ?? findByWholeName(newName, all, kind, missingScope);
  if (existing === null)
    throw notFoundError(
      `No ${kind} is called ${quote(name)}.`,
      `See list_${kind}s for its name; newName only renames.`,
    );

  const isTaken = all.some(
    (row) =>
      row.id !== existing.id && row.name !== null && foldText(row.name) === foldText(newName),
  );
  if (isTaken)
    throw invalidInputError('invalid_body', `Another ${kind} is called ${quote(newName)}.`, {
      hint: 'Give another name.',
      field: 'newName',
    });

  return { existing, nameToStore: newName };
}

function adviseOfSimilarName(
  call: Call,
  kind: 'parcel' | 'module',
  all: readonly NamedRow[],
  name: string,
): void {
  const similar = all.find((row) => row.name !== null && isSimilarName(name, row.name))?.name;
  if (similar != null)
    call.advise({ kind: 'similar_name', tool: `set_${kind}`, existing: similar });
}

export async function setParcel(
  call: Call,
  { name, newName, outline, ...fields }: FieldsOf<typeof parcelEntry>,
): Promise<ParcelAnswer> {
  const parcels = await createUpserter(call.db, 'parcels', (row) => row.name);
  const { existing, nameToStore } = resolveNamedEntry(call, 'parcel', [...parcels.rows.values()], {
    name,
    newName,
  });
  const key = existing?.name ?? name;
  const changes = { ...fields, geometry: outline, name: nameToStore ?? key };
  const { id } = await parcels.put(key, parcelRow(changes));

  const row = await storedRow(call, 'parcels', id);
  return {
    parcel: toParcelBody(toParcel(row)),
    before: existing && changedValues(parcelArguments(existing), parcelArguments(row)),
  };
}

async function storedRow<K extends FarmTable>(
  { db }: Call,
  table: K,
  id: number,
): Promise<FarmRow<K>> {
  const [row] = await farmRowsById(db, table, [id]);
  if (row) return row;
  throw new Error(`Row ${id} of ${table} was just written and is missing`);
}

type ModuleRow = FarmRow<'modules'>;
type ModuleEntry = FieldsOf<typeof moduleEntry>;

export async function setModule(call: Call, entry: ModuleEntry): Promise<ModuleAnswer> {
  assertCommissioningNotAhead(call, entry);
  if (entry.parcelId != null) await assertOwnParcel(call, entry.parcelId);
  await bringAllSchedulesUpToDate(call);

  const modules = await createUpserter(call.db, 'modules', (row) => row.uid);
  const sensors = await createUpserter(call.db, 'sensors', sensorKey);
  const gateways = await farmRows(call.db, 'gateways');
  const rows = [...modules.rows.values()];
  const { existing, nameToStore } = resolveModule(call, rows, entry);
  const uid = chooseUid(entry, rows, existing);
  const before = existing && (await loadModuleState(call, existing, gateways));

  const { id, outcome } = await putModule(
    call,
    { modules, sensors },
    toFarmModule(entry, { uid, name: nameToStore, isNew: existing === null }),
    {
      key: existing?.uid ?? uid,
      parcelId: entry.parcelId,
      gatewayId: gatewayIdOf(entry.gateway, gateways),
      commissionedAt: existing ? entry.commissionedAt : (entry.commissionedAt ?? call.now),
    },
  );
  await removeSensors(call, before?.sensors ?? [], entry.sensors);

  const row = await storedRow(call, 'modules', id);
  assertSensorsOfWeights(entry.depthWeights, await sensorsOf(call.db, [id]));
  if (outcome !== 'unchanged')
    await updateWaterings(call, id, { hasMoved: existing?.parcel_id !== row.parcel_id });

  const after = await loadModuleState(call, row, gateways);
  return {
    module: toModuleBody(await requireOwnModule(call, id), after.sensors, 'en'),
    before: before && changedValues(before.arguments, after.arguments),
    after: changedValues(after.arguments, before?.arguments ?? {}),
  };
}

function assertCommissioningNotAhead({ now }: Call, { commissionedAt }: ModuleEntry): void {
  if (commissionedAt == null || commissionedAt <= now + DAY_MS) return;

  throw invalidInputError(
    'invalid_body',
    `commissionedAt ${toIso(commissionedAt)} is more than a day ahead.`,
    { hint: 'Give when it came into service, at most a day ahead.', field: 'commissionedAt' },
  );
}

/** A module without a name of its own is found by its default name, in any language. */
function resolveModule(
  call: Call,
  rows: readonly ModuleRow[],
  entry: ModuleEntry,
): NamedEntry<ModuleRow> {
  const namedModules = rows.map((row) => ({
    ...row,
    name: moduleDisplayName(row, call.lang),
    otherNames: moduleNamesInOtherLangs(row, call.lang),
  }));
  const { existing, nameToStore } = resolveNamedEntry(call, 'module', namedModules, entry);
  return { existing: rows.find(({ id }) => id === existing?.id) ?? null, nameToStore };
}

async function loadModuleState(
  { db, now }: Call,
  row: ModuleRow,
  gateways: readonly FarmRow<'gateways'>[],
) {
  const sensors = await sensorsOf(db, [row.id]);
  const settings = await probeSettingsAt(db, row.id, now);
  return { sensors, arguments: moduleArguments(row, sensors, gateways, settings) };
}

function toFarmModule(
  entry: ModuleEntry,
  { uid, name, isNew }: { uid: string; name: string | undefined; isNew: boolean },
): FarmModule {
  const { category, sensors, number, serialHex, rootDepthCm, depthWeights } = entry;
  return {
    uid,
    name,
    number,
    serialHex,
    category: isNew ? (category ?? defaultCategory(sensors)) : category,
    location: positionOf(entry),
    sensors,
    settings: { rootDepthCm, depthWeights },
  };
}

const defaultCategory = (sensors: readonly FarmSensor[] = []): Category =>
  sensors.some(({ type }) => type === 'tensio') && !sensors.some(({ type }) => type === 'humidity')
    ? 'TENSIOMETER'
    : 'SOIL_PROBE';

/** Default: a slug of the name. A person rarely knows the uid, which readings files may name. */
function chooseUid(
  { uid, name, newName }: ModuleEntry,
  rows: readonly ModuleRow[],
  existing: ModuleRow | null,
): string {
  const isTaken = (text: string): boolean =>
    rows.some((row) => row.uid === text && row.id !== existing?.id);

  if (uid !== undefined && isTaken(uid))
    throw invalidInputError('invalid_body', `Another module has the uid ${quote(uid)}.`, {
      hint: 'Its name is in list_modules with search; to rename it, pass that name and newName.',
      field: 'uid',
    });

  if (uid !== undefined) return uid;
  if (existing) return existing.uid;

  const slug =
    foldText(newName ?? name)
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 80) || 'module';
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? slug : `${slug}-${count}`;
    if (!isTaken(candidate)) return candidate;
  }
}

function positionOf({ latitude: lat, longitude: lon }: ModuleEntry): FarmModule['location'] {
  if (lat === undefined && lon === undefined) return undefined;
  if (lat === null && lon === null) return null;
  if (lat != null && lon != null) return { lat, lon, source: 'manual' };
  throw missingFieldError(
    lat == null ? 'latitude' : 'longitude',
    'a position has both',
    'Give both, or empty both.',
  );
}

function gatewayIdOf(
  imei: string | null | undefined,
  gateways: readonly FarmRow<'gateways'>[],
): number | null | undefined {
  if (imei == null) return imei;
  const found = gateways.find((gateway) => gateway.imei === imei);
  if (found) return found.id;
  throw invalidInputError('not_found', `There is no gateway ${quote(imei)}.`, {
    status: 404,
    hint: 'Give the imei of one from list_gateways, or leave gateway out.',
    field: 'gateway',
  });
}

/** A sensor with readings stays. */
async function removeSensors(
  call: Call,
  before: readonly Sensor[],
  namedSensors: readonly FarmSensor[] | undefined,
): Promise<void> {
  if (namedSensors === undefined) return;

  const isWanted = ({ type, depth }: Sensor): boolean =>
    namedSensors.some((sensor) => sensor.type === type && sensor.depth === depth);

  const surplus = before.filter((sensor) => !isWanted(sensor));
  const deleted = await deleteSensorsWithoutReadings(
    call.db,
    surplus.map(({ id }) => id),
  );
  const withReadings = surplus.filter(({ id }) => !deleted.includes(id));
  if (withReadings.length > 0)
    call.advise({
      kind: 'sensors_with_readings_kept',
      sensors: withReadings.map(({ type, depth = null, label = null }) => ({ type, depth, label })),
    });
}

/** A probe that joins a parcel takes over its setup and schedules. */
async function updateWaterings(
  call: Call,
  moduleId: number,
  { hasMoved }: { hasMoved: boolean },
): Promise<void> {
  const { done: appliedPlan, pending: pendingRegenerations } = await regenerateAllOccurrences(call);
  const { add, change, remove } = appliedPlan;
  const counts = { added: add.length, updated: change.length, removed: remove.length };
  if (Object.values(counts).some((count) => count > 0))
    call.advise({
      kind: 'planned_waterings_changed',
      moved: 0,
      from: [],
      to: [],
      ...counts,
      keptManual: 0,
    });

  applyPlansAfterCommit(call, pendingRegenerations);
  const completed = hasMoved ? await completeRecordedDoses(call, [moduleId]) : 0;
  if (completed > 0) call.advise({ kind: 'doses_completed', count: completed });
}
