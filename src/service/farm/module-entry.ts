import { NO_SETTINGS, settingsVersionAt } from '../../domain/moisture/probe-settings.ts';
import { DAY_MS } from '../../domain/periods.ts';
import { sensorDepthsMeant } from '../../domain/soil/sensor-depth.ts';
import { foldText } from '../../domain/strings.ts';
import { argument, operationName } from '../../domain/text/program-names.ts';
import { quotedName, say } from '../../domain/text/say.ts';
import { timeOf } from '../../domain/text/times.ts';
import { moduleDisplayName, moduleNamesInOtherLangs } from '../../language/default-names.ts';
import type { Call } from '../../operation/call.ts';
import type { Category } from '../../schema/company/company.ts';
import { invalidInputError } from '../../schema/error.ts';
import type { ModuleAnswer, moduleEntry } from '../../schema/farm/farm-entry.ts';
import type { FarmModule, FarmSensor } from '../../schema/farm/farm-file.ts';
import type { FieldsOf } from '../../schema/field.ts';
import { type Sensor, sensorsOf } from '../../store/company/sensors.ts';
import {
  deleteSensorsWithoutReadings,
  type FarmRow,
  farmRows,
  sensorRowsOf,
} from '../../store/farm/farm-rows.ts';
import { ownSettingsVersions } from '../../store/moisture/settings-versions.ts';
import { seasonsOfParcels } from '../company/seasons.ts';
import { completeDosesOf, finishDosesOfChange } from '../irrigation/doses/doses-of-change.ts';
import { applyRegenerationsAfterCommit } from '../irrigation/planning/pending-regenerations.ts';
import { regenerateAllOccurrences } from '../irrigation/planning/regeneration.ts';
import { bringAllSchedulesUpToDate } from '../irrigation/planning/schedule-progress.ts';
import { adviseOfMove } from '../moisture/move-advisories.ts';
import { assertSensorsOfWeights, weightsAtSensors } from '../moisture/probe-settings.ts';
import { adviseOfRootsOfProbes } from '../moisture/root-advisories.ts';
import { toModuleBody } from '../monitoring/modules.ts';
import { assertOwnParcel, requireOwnModule } from '../ownership.ts';
import { changedValues, moduleArguments } from './farm-arguments.ts';
import { putModule, sensorKey, upserterOf } from './farm-rows.ts';
import { assertNearOthers } from './module-checks.ts';
import { missingFieldError, type NamedEntry, resolveNamedEntry, storedRow } from './named-entry.ts';
import { DIVIDE_PARCEL, overfullParcelText } from './parcel-size.ts';

type ModuleRow = FarmRow<'modules'>;
type ModuleEntry = FieldsOf<typeof moduleEntry>;

export async function setModule(call: Call, entry: ModuleEntry): Promise<ModuleAnswer> {
  assertCommissioningNotAhead(call, entry);
  if (entry.parcelId != null) await assertOwnParcel(call, entry.parcelId);
  await bringAllSchedulesUpToDate(call);

  const rows = await farmRows(call.db, 'modules');
  const { existing, nameToStore } = await resolveModule(call, rows, entry);
  const uid = chooseUid(entry, rows, existing);
  await assertRoomInParcel(call, existing, entry.parcelId);
  const gateways = await farmRows(call.db, 'gateways');
  const before = existing && (await loadModuleState(call, existing, gateways));

  const module = withDepthsOfSensors(
    toFarmModule(entry, { uid, name: nameToStore, isNew: existing === null }),
    before?.sensors ?? [],
  );

  assertNearOthers(
    module.location,
    rows.filter((row) => row.id !== existing?.id),
  );
  const modules = upserterOf(call.db, 'modules', (row) => row.uid, rows);
  const sensorRows = existing === null ? [] : await sensorRowsOf(call.db, existing.id);
  const sensors = upserterOf(call.db, 'sensors', sensorKey, sensorRows);
  const { id, outcome } = await putModule(call, { modules, sensors }, module, {
    key: existing?.uid ?? uid,
    parcelId: entry.parcelId,
    gatewayId: gatewayIdOf(entry.gateway, gateways),
    commissionedAt: existing ? entry.commissionedAt : (entry.commissionedAt ?? call.now),
    isCommissioningAssumed:
      existing && entry.commissionedAt === undefined ? undefined : entry.commissionedAt == null,
  });
  await removeSensors(call, before?.sensors ?? [], module.sensors);

  const row = await storedRow(call, 'modules', id);
  assertSensorsOfWeights(module.settings?.depthWeights, await sensorsOf(call.db, [id]));
  if (outcome !== 'unchanged')
    await updateWaterings(call, id, { hasMoved: existing?.parcel_id !== row.parcel_id });

  if (existing?.parcel_id !== row.parcel_id) await adviseOfRootsOfParcel(call, row);
  if (existing !== null && existing.moved_at !== row.moved_at) await adviseOfMove(call, row);

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
    say`${argument('commissionedAt')} ${timeOf(commissionedAt)} is more than a day ahead.`,
    { hint: say`Give when it came into service, at most a day ahead.`, field: 'commissionedAt' },
  );
}

async function assertRoomInParcel(
  call: Call,
  existing: ModuleRow | null,
  parcelId: number | null | undefined,
): Promise<void> {
  if (parcelId == null) return;
  const move = { from: existing?.parcel_id ?? null, to: parcelId };
  const excess = await overfullParcelText(call, [move]);
  if (excess !== null)
    throw invalidInputError('invalid_body', say`${excess}.`, {
      hint: DIVIDE_PARCEL,
      field: 'parcel',
    });
}

/** A root depth that was said of the parcel before it had probes. */
async function adviseOfRootsOfParcel(
  call: Call,
  { id, category, parcel_id: parcelId }: ModuleRow,
): Promise<void> {
  if (parcelId === null || category === 'WEATHER_STATION') return;
  const rootDepthCm = (await seasonsOfParcels(call.db, [parcelId])).get(parcelId)?.rootDepthCm;
  if (rootDepthCm != null) await adviseOfRootsOfProbes(call, { parcelId, rootDepthCm }, [id]);
}

/** A module without a name of its own is found by its default name, in any language. */
async function resolveModule(
  call: Call,
  rows: readonly ModuleRow[],
  entry: ModuleEntry,
): Promise<NamedEntry<ModuleRow>> {
  const namedModules = rows.map((row) => ({
    ...row,
    name: moduleDisplayName(row, call.lang),
    otherNames: moduleNamesInOtherLangs(row, call.lang),
  }));
  const { existing, nameToStore } = await resolveNamedEntry(call, 'module', namedModules, entry);
  return { existing: rows.find(({ id }) => id === existing?.id) ?? null, nameToStore };
}

async function loadModuleState(
  { db, now }: Call,
  row: ModuleRow,
  gateways: readonly FarmRow<'gateways'>[],
) {
  const sensors = await sensorsOf(db, [row.id]);
  const versions = await ownSettingsVersions(db, { moduleId: row.id });
  const settings = settingsVersionAt(versions, now) ?? NO_SETTINGS;
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

/** Its sensors and weights at the depths that the stored sensors have. */
function withDepthsOfSensors(module: FarmModule, stored: readonly Sensor[]): FarmModule {
  const { settings } = module;
  const sensors = module.sensors?.map((sensor) => {
    const depthsOf = (all: readonly FarmSensor[]): number[] =>
      all.flatMap(({ type, depth }) => (type === sensor.type ? (depth ?? []) : []));
    const meant = sensorDepthsMeant(depthsOf(module.sensors ?? []), depthsOf(stored));
    return { ...sensor, depth: meant.get(sensor.depth ?? Number.NaN) ?? sensor.depth };
  });
  const depthWeights = weightsAtSensors(settings?.depthWeights, sensors ?? stored);

  return { ...module, sensors, settings: settings && { ...settings, depthWeights } };
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
    throw invalidInputError('invalid_body', say`Another module has the uid ${quotedName(uid)}.`, {
      hint: say`Its name is in ${operationName('list_modules')} with ${argument('search')}; to rename it, pass that name and ${argument('newName')}.`,
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
    say`a position has both`,
    say`Give both, or empty both.`,
  );
}

function gatewayIdOf(
  imei: string | null | undefined,
  gateways: readonly FarmRow<'gateways'>[],
): number | null | undefined {
  if (imei == null) return imei;
  const found = gateways.find((gateway) => gateway.imei === imei);
  if (found) return found.id;
  throw invalidInputError('not_found', say`There is no gateway ${quotedName(imei)}.`, {
    status: 404,
    hint: say`Give the imei of one from ${operationName('list_gateways')}, or leave ${argument('gateway')} out.`,
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
  const { plan, pending } = await regenerateAllOccurrences(call);
  const { add, change, remove } = plan;
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

  applyRegenerationsAfterCommit(call, pending);
  if (!hasMoved) return;
  const targets = { moduleIds: [moduleId], parcelIds: [] };
  finishDosesOfChange(call, await completeDosesOf(call, targets, 'recorded'));
}
