import { NO_SETTINGS } from '../../domain/moisture/probe-settings.ts';
import { DAY_MS } from '../../domain/periods.ts';
import { foldText, quote } from '../../domain/text.ts';
import { moduleDisplayName, moduleNamesInOtherLangs } from '../../language/default-names.ts';
import { isSimilarName } from '../../language/words/nearest-word.ts';
import { matchOwnName } from '../../operation/arguments/name-resolution.ts';
import { NO_COMPANY } from '../../operation/authorization.ts';
import type { Call } from '../../operation/call.ts';
import type { Category, UserBody } from '../../schema/company/company.ts';
import { AcequiaError, invalidInput, notFound } from '../../schema/error.ts';
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
import { moduleById, sensorsOf, toParcel } from '../../store/company/places.ts';
import {
  deleteSensorsWithoutReadings,
  type FarmRow,
  farmRows,
} from '../../store/farm/farm-rows.ts';
import { companyIdOf } from '../../store/scope/company-db.ts';
import { toCompanyBody, toParcelBody, toUserBody } from '../company/company.ts';
import { completeRecordedDoses } from '../irrigation/doses.ts';
import {
  applyPlansAfterCommit,
  regenerateAllOccurrences,
  settleAllSchedules,
} from '../irrigation/regeneration.ts';
import { probeSettingsAt, refuseWeightsWithoutSensor } from '../moisture/probe-settings.ts';
import { toModuleBody } from '../monitoring/modules.ts';
import { requireOwnParcel } from '../ownership.ts';
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
): AcequiaError => invalidInput('invalid_body', `${field} is missing: ${why}.`, { hint, field });

/** In an empty store, also creates the company and its OWNER: the person who acts without a key. */
export async function setCompany(
  call: Call,
  { name, newName, ownerName, ownerEmail, ...fields }: FieldsOf<typeof companyEntry>,
): Promise<CompanyAnswer> {
  const existing = call.company === NO_COMPANY ? null : call.company;
  if (existing === null) {
    if (name === undefined) throw missingFieldError('name', 'a new company needs one');
    if (fields.timezone == null)
      throw missingFieldError('timezone', 'a new company needs that of its place');
    if (ownerEmail === undefined)
      throw missingFieldError('ownerEmail', 'a new company has an owner, whom its alerts reach');
  } else if (
    name !== undefined &&
    ![name, newName ?? name].some((each) => foldText(each) === foldText(existing.name))
  )
    throw invalidInput(
      'invalid_body',
      `The company is called ${quote(existing.name)}, not ${quote(name)}.`,
      {
        hint: 'To rename it, pass newName. Another company needs a store of its own (--db), or joins this one with "acequia import FILE --new-company"; then each needs a key: "acequia keys create --preset assistant --company NAME".',
        field: 'name',
      },
    );

  const owner = await addOwner(call, ownerEmail, ownerName);
  const base = existing ?? { ...NO_COMPANY, id: companyIdOf(call.db) };
  const row = { ...companyRow(fields), name: newName ?? (existing === null ? name : undefined) };
  const changes = changedFields(base, row);
  if (changes !== null && !(await call.saveCompany(changes)))
    throw invalidInput('invalid_body', `Another company has the name ${quote(row.name!)}.`, {
      hint: 'Give another name.',
      field: newName === undefined ? 'name' : 'newName',
    });

  const company = toCompanyBody({ ...base, ...changes });
  return {
    company,
    ...(owner && { owner }),
    before:
      existing && changedValues(companyArguments(toCompanyBody(base)), companyArguments(company)),
  };
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
    throw invalidInput('invalid_body', 'The company has an owner already.', {
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
  const user = { email, name: name ?? email.split('@')[0]!, role: 'OWNER' };
  return toUserBody({ ...user, ...(await users.put(email.toLowerCase(), user)) });
}

interface NamedEntry<T> {
  readonly existing: T | null;
  /** Undefined keeps the existing one. */
  readonly nameToStore: string | undefined;
}

/** Finds the entry by its name, which is unique in the company regardless of case and accents. */
function resolveNamedEntry<T extends { readonly id: number; readonly name: string | null }>(
  call: Call,
  kind: 'parcel' | 'module',
  all: readonly T[],
  { name, newName }: { readonly name: string; readonly newName?: string | undefined },
): NamedEntry<T> {
  const withheld = call.directory.withheld?.[`${kind}s`] ?? null;
  const matchedByName = matchOwnName(name, all, kind, withheld);
  // A call repeated after its answer was lost finds the new name.
  const existing =
    matchedByName ?? (newName === undefined ? null : matchOwnName(newName, all, kind, withheld));
  if (newName === undefined && existing === null && withheld === null) {
    const similar = all.find((each) => each.name !== null && isSimilarName(name, each.name))?.name;
    if (similar != null)
      call.advise({ kind: 'similar_name', tool: `set_${kind}`, existing: similar });
  }

  if (newName === undefined) return { existing, nameToStore: existing === null ? name : undefined };
  if (existing === null)
    throw notFound(
      `No ${kind} is called ${quote(name)}.`,
      `See list_${kind}s for its name; newName only renames.`,
    );

  if (
    all.some(
      ({ id, name: other }) =>
        id !== existing.id && other !== null && foldText(other) === foldText(newName),
    )
  )
    throw invalidInput('invalid_body', `Another ${kind} is called ${quote(newName)}.`, {
      hint: 'Give another name.',
      field: 'newName',
    });

  return { existing, nameToStore: newName };
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
  const { id } = await parcels.put(
    existing?.name ?? name,
    parcelRow({ ...fields, geometry: outline, name: nameToStore ?? existing!.name }),
  );

  const row = (await farmRows(call.db, 'parcels')).find((each) => each.id === id)!;
  return {
    parcel: toParcelBody(toParcel(row)),
    before: existing && changedValues(parcelArguments(existing), parcelArguments(row)),
  };
}

type ModuleRow = FarmRow<'modules'>;

export async function setModule(
  call: Call,
  entry: FieldsOf<typeof moduleEntry>,
): Promise<ModuleAnswer> {
  const { db, lang } = call;
  const { name, newName, parcelId, sensors: namedSensors, commissionedAt } = entry;
  if (commissionedAt != null && commissionedAt > call.now + DAY_MS)
    throw invalidInput(
      'invalid_body',
      `commissionedAt ${toIso(commissionedAt)} is more than a day ahead.`,
      {
        hint: 'Give when it came into service, at most a day ahead.',
        field: 'commissionedAt',
      },
    );

  if (parcelId != null) await requireOwnParcel(call, parcelId);
  await settleAllSchedules(call);

  const modules = await createUpserter(db, 'modules', (row) => row.uid);
  const sensors = await createUpserter(db, 'sensors', sensorKey);
  const gateways = await farmRows(db, 'gateways');
  const rows = [...modules.rows.values()];
  const namedModules = rows.map((row) => ({
    ...row,
    name: moduleDisplayName(row, lang),
    otherNames: moduleNamesInOtherLangs(row, lang),
  }));

  const { existing: sameName, nameToStore } = resolveNamedEntry(call, 'module', namedModules, {
    name,
    newName,
  });
  const existing = rows.find(({ id }) => id === sameName?.id) ?? null;
  const uid = chooseUid(entry, rows, existing);
  const sensorsBefore = existing ? await sensorsOf(db, [existing.id]) : [];
  const settingsBefore = existing ? await probeSettingsAt(db, existing.id, call.now) : NO_SETTINGS;
  const { id, outcome } = await putModule(
    call,
    { modules, sensors },
    {
      uid,
      name: nameToStore,
      number: entry.number,
      serialHex: entry.serialHex,
      category: existing ? entry.category : (entry.category ?? defaultCategory(namedSensors)),
      location: positionOf(entry),
      sensors: namedSensors,
      settings: { rootDepthCm: entry.rootDepthCm, depthWeights: entry.depthWeights },
    },
    {
      key: existing?.uid ?? uid,
      parcelId,
      gatewayId: gatewayIdOf(entry.gateway, gateways),
      commissionedAt: existing ? commissionedAt : (commissionedAt ?? call.now),
    },
  );

  await removeSensors(call, sensorsBefore as readonly SensorRow[], namedSensors);
  const row = (await farmRows(db, 'modules')).find((each) => each.id === id)!;
  const sensorsAfter = await sensorsOf(db, [id]);
  refuseWeightsWithoutSensor(entry.depthWeights, sensorsAfter);
  if (outcome !== 'unchanged')
    await updateWaterings(call, id, { hasMoved: existing?.parcel_id !== row.parcel_id });
  const before =
    existing &&
    moduleArguments(existing, sensorsBefore as readonly SensorRow[], gateways, settingsBefore);

  const settingsAfter = await probeSettingsAt(db, id, call.now);
  const after = moduleArguments(row, sensorsAfter as readonly SensorRow[], gateways, settingsAfter);
  return {
    module: toModuleBody((await moduleById(db, id))!, sensorsAfter, 'en'),
    before: before && changedValues(before, after),
    after: changedValues(after, before ?? {}),
  };
}

type SensorRow = FarmSensor & { readonly id: number };

const defaultCategory = (sensors: readonly FarmSensor[] = []): Category =>
  sensors.some(({ type }) => type === 'tensio') && !sensors.some(({ type }) => type === 'humidity')
    ? 'TENSIOMETER'
    : 'SOIL_PROBE';

/** Default: a slug of the name. A person rarely knows the uid, which readings files may name. */
function chooseUid(
  { uid, name, newName }: FieldsOf<typeof moduleEntry>,
  rows: readonly ModuleRow[],
  existing: ModuleRow | null,
): string {
  const isTaken = (text: string): boolean =>
    rows.some((row) => row.uid === text && row.id !== existing?.id);

  if (uid !== undefined && isTaken(uid))
    throw invalidInput('invalid_body', `Another module has the uid ${quote(uid)}.`, {
      hint: 'Its name is in list_modules with search; to rename it, pass that name and newName.',
      field: 'uid',
    });

  if (uid !== undefined || existing) return uid ?? existing!.uid;

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

function positionOf({
  latitude: lat,
  longitude: lon,
}: FieldsOf<typeof moduleEntry>): FarmModule['location'] {
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
  throw invalidInput('not_found', `There is no gateway ${quote(imei)}.`, {
    status: 404,
    hint: 'Give the imei of one from list_gateways, or leave gateway out.',
    field: 'gateway',
  });
}

/** A sensor with readings stays. */
async function removeSensors(
  call: Call,
  before: readonly SensorRow[],
  namedSensors: readonly FarmSensor[] | undefined,
): Promise<void> {
  if (namedSensors === undefined) return;

  const isWanted = ({ type, depth }: FarmSensor): boolean =>
    namedSensors.some((each) => each.type === type && each.depth === depth);

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
  const { done: appliedPlan, pending: pendingPlans } = await regenerateAllOccurrences(call);
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

  applyPlansAfterCommit(call, pendingPlans);
  const completed = hasMoved ? await completeRecordedDoses(call, [moduleId]) : 0;
  if (completed > 0) call.advise({ kind: 'doses_completed', count: completed });
}
