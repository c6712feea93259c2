import { isSoilMoisture } from '../../domain/moisture/measurement.ts';
import {
  changeSettings,
  NEVER_AT_REST,
  NO_SETTINGS,
  type ProbeSettings,
  SETTING_DEFAULTS,
  type SettingsChange,
  type SettingsVersion,
  settingsOf,
  settingsVersionAt,
} from '../../domain/moisture/probe-settings.ts';
import { type Crop, depletionOf } from '../../domain/soil/allowed-depletion.ts';
import { sensorDepthsMeant } from '../../domain/soil/sensor-depth.ts';
import { exact } from '../../domain/text/figures.ts';
import { argument } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import { dayOfYear } from '../../domain/text/times.ts';
import { inWords } from '../../language/text/render.ts';
import { cropIn } from '../../language/words/farming-terms.ts';
import type { Call, WriteContext } from '../../operation/call.ts';
import { invalidInputError } from '../../schema/error.ts';
import type { FieldsOf } from '../../schema/field.ts';
import {
  formatFigures,
  type ParcelSettingsAnswer,
  type ProbeSettingsAnswer,
  type ProbeSettingsBody,
  type probeSettingsEntry,
  type SettingsValues,
} from '../../schema/moisture/setting-fields.ts';
import { toIsoOrNull } from '../../schema/wire-format.ts';
import type { Module } from '../../store/company/modules.ts';
import { parcelType } from '../../store/company/parcels.ts';
import { sensorsOf } from '../../store/company/sensors.ts';
import {
  ownSettingsVersions,
  putSettingsVersion,
  type SettingsTarget,
  settingsVersionsOf,
} from '../../store/moisture/settings-versions.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { assertOwnParcel, requireOwnModule } from '../ownership.ts';
import { adviseOfRoots } from './root-advisories.ts';
import { assertWholeTimes } from './whole-water-times.ts';

export async function probeSettingsAt(
  db: CompanyDb,
  moduleId: number,
  at: number,
): Promise<ProbeSettings> {
  return settingsVersionAt(await settingsVersionsOf(db, moduleId), at) ?? NO_SETTINGS;
}

/** A setting that is undefined stays as it is; null unsets it. */
export async function changeSettingsOf(
  { db, now }: WriteContext,
  target: SettingsTarget,
  changes: Partial<ProbeSettings>,
  effectiveFrom?: number | null,
): Promise<SettingsChange> {
  const versions = await ownSettingsVersions(db, target);
  const sorted = {
    ...changes,
    depthWeights: changes.depthWeights && sortByDepth(changes.depthWeights),
    stonesByDepth: changes.stonesByDepth && sortByDepth(changes.stonesByDepth),
  };
  const change = changeSettings(versions, withWholeRest(sorted), effectiveFrom ?? null, now);
  for (const version of change.versions) {
    assertWholeRest(version);
    if (version.waterTimes !== null) assertWholeTimes(version.waterTimes);
  }
  for (const version of change.versions) await putSettingsVersion(db, target, version, now);
  return change;
}

/** Who unsets the first day, or says that there is no rest, need not unset the last day too. */
function withWholeRest(changes: Partial<ProbeSettings>): Partial<ProbeSettings> {
  const { restFrom, restUntil } = changes;
  const hasNoLastDay = restFrom === null || restFrom === NEVER_AT_REST;
  return hasNoLastDay && restUntil === undefined ? { ...changes, restUntil: null } : changes;
}

/** A day of each year is the same in all zones. */
const EVERYWHERE = { now: 0, zone: 'UTC' };

function assertWholeRest({ restFrom, restUntil }: ProbeSettings): void {
  const hasLastDay = restFrom !== null && restFrom !== NEVER_AT_REST;
  if (hasLastDay === (restUntil !== null)) return;

  throw invalidInputError(
    'invalid_body',
    hasLastDay
      ? say`The rest from ${inWords(dayOfYear(restFrom), EVERYWHERE)} has no last day.`
      : say`${argument('restUntil')} is given without a first day.`,
    {
      hint: say`Give ${argument('restFrom')} and ${argument('restUntil')}, or ${argument('restFrom')} never alone; clear both to unset them.`,
      field: hasLastDay ? 'restUntil' : 'restFrom',
    },
  );
}

/** The order in which depths are named must not count as a change. */
const sortByDepth = (figures: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(figures).sort(([a], [b]) => Number(a) - Number(b)));

type SettingsEntry = FieldsOf<typeof probeSettingsEntry>;

export async function setProbeSettings(
  call: Call,
  moduleId: number,
  { effectiveFrom, ...entry }: SettingsEntry,
): Promise<ProbeSettingsAnswer> {
  const module = await requireOwnModule(call, moduleId);
  const sensors = await sensorsOf(call.db, [moduleId]);
  const changes = { ...entry, depthWeights: weightsAtSensors(entry.depthWeights, sensors) };
  assertSensorsOfWeights(changes.depthWeights, sensors);
  const crop = await cropOf(call.db, module);
  adviseOfDoubtfulSettings(call, module, sensors, changes);
  if (changes.rootDepthCm != null) adviseOfRoots(call, crop, changes.rootDepthCm);

  const earlier = await settingsVersionsOf(call.db, moduleId);
  const { changed, validFrom, validTo } = await changeSettingsOf(
    call,
    { moduleId },
    changes,
    effectiveFrom,
  );
  const inForce = settingsVersionAt(await settingsVersionsOf(call.db, moduleId), validFrom);
  const before = settingsValues(settingsVersionAt(earlier, validFrom) ?? NO_SETTINGS);
  const ofParcel =
    module.parcelId === null ? null : await settingsOfParcel(call, module.parcelId, validFrom);

  return {
    moduleId,
    settings: settingsBody(inForce),
    validTo: toIsoOrNull(validTo),
    before: Object.fromEntries(changed.map((name) => [name, before[name]])),
    defaults: {
      ...DEFAULTS,
      allowedDepletion: depletionOf(null, crop).share,
      ...(ofParcel === null ? {} : setValues(settingsValues(settingsOf(ofParcel)))),
    },
  };
}

const settingsOfParcel = async ({ db }: Call, parcelId: number, at: number) =>
  settingsVersionAt(await ownSettingsVersions(db, { parcelId }), at);

/** They hold for all probes of the parcel that have none of their own. */
export async function setParcelSettings(
  call: Call,
  parcelId: number,
  { effectiveFrom, ...entry }: SettingsEntry,
): Promise<ParcelSettingsAnswer> {
  await assertOwnParcel(call, parcelId);
  if (entry.depthWeights != null)
    throw invalidInputError('invalid_body', say`Weights are those of the sensors of one probe.`, {
      hint: say`Set ${argument('depthWeights')} at each probe.`,
      field: 'depthWeights',
    });
  const crop = await cropOf(call.db, { parcelId });
  if (entry.rootDepthCm != null) adviseOfRoots(call, crop, entry.rootDepthCm);

  const { before, changed, validFrom, validTo } = await changeSettingsOf(
    call,
    { parcelId },
    entry,
    effectiveFrom,
  );

  const valuesBefore = settingsValues(before);

  return {
    parcelId,
    settings: settingsBody(await settingsOfParcel(call, parcelId, validFrom)),
    validTo: toIsoOrNull(validTo),
    before: Object.fromEntries(changed.map((name) => [name, valuesBefore[name]])),
    defaults: {
      ...DEFAULTS,
      allowedDepletion: depletionOf(null, crop).share,
    },
  };
}

/** Roots deeper than this below the deepest sensor are where the moisture can only be guessed. */
const MAX_DEPTH_BELOW_SENSORS_CM = 50;

function adviseOfDoubtfulSettings(
  call: Call,
  module: Module,
  sensors: Awaited<ReturnType<typeof sensorsOf>>,
  { rootDepthCm, ...others }: Partial<ProbeSettings>,
): void {
  const moistureSensors = sensors.filter(({ type }) => type === 'humidity');
  const isSet = (value: unknown): boolean => value !== undefined && value !== null;

  if (!isSoilMoisture({ type: 'humidity', sensors: moistureSensors }, module)) {
    // Root depth and weights shape the curves of other measurements too, and a rest is the crop's.
    const { depthWeights: _, restFrom: __, restUntil: ___, ...waterSettings } = others;
    if (Object.values(waterSettings).some(isSet)) call.advise({ kind: 'settings_without_effect' });
    return;
  }

  const deepestCm = Math.max(...moistureSensors.map(({ depth }) => depth ?? 0));
  if (rootDepthCm != null && deepestCm > 0 && rootDepthCm - deepestCm > MAX_DEPTH_BELOW_SENSORS_CM)
    call.advise({ kind: 'roots_below_sensors', rootDepthCm, deepestCm });
}

const DEFAULTS: Omit<SettingsValues, 'allowedDepletion'> = {
  rootDepthCm: null,
  depthWeights: null,
  stonesByDepth: null,
  emitterDepthCm: null,
  mulch: null,
  ...SETTING_DEFAULTS,
  restFrom: null,
  restUntil: null,
  waterTimes: null,
  waterSource: null,
};

const setValues = (values: SettingsValues): Partial<SettingsValues> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

const settingsValues = ({
  depthWeights,
  stonesByDepth,
  ...settings
}: ProbeSettings): SettingsValues => ({
  ...settings,
  depthWeights: depthWeights && formatFigures(depthWeights),
  stonesByDepth: stonesByDepth && formatFigures(stonesByDepth),
});

export function settingsBody(version: SettingsVersion | null): ProbeSettingsBody {
  const { validFrom, ...settings } = version ?? { ...NO_SETTINGS, validFrom: null };
  return { ...settingsValues(settings), validFrom: toIsoOrNull(validFrom) };
}

type DepthWeights = ProbeSettings['depthWeights'];

/** A person who counts in inches names the depth of a sensor nearly. */
export function weightsAtSensors(
  weights: DepthWeights | undefined,
  sensors: readonly { readonly depth?: number | null | undefined }[],
): DepthWeights | undefined {
  if (weights == null) return weights;

  const meant = sensorDepthsMeant(
    Object.keys(weights).map(Number),
    sensors.flatMap(({ depth }) => depth ?? []),
  );
  return Object.fromEntries(
    Object.entries(weights).map(([depth, weight]) => [meant.get(Number(depth)), weight]),
  );
}

export function assertSensorsOfWeights(
  weights: DepthWeights | undefined,
  sensors: readonly { readonly depth: number | null }[],
): void {
  const depths = new Set(sensors.flatMap(({ depth }) => depth ?? []));
  const unknown = Object.keys(weights ?? {}).find((depth) => !depths.has(Number(depth)));
  if (unknown === undefined) return;

  throw invalidInputError(
    'invalid_body',
    say`A weight is given at ${exact(Number(unknown), 'cm')}, where the probe has no sensor.`,
    {
      hint:
        depths.size === 0
          ? say`Give its sensors too.`
          : say`Its sensors are at ${exact([...depths], 'cm')}.`,
      field: 'depthWeights',
    },
  );
}

/** The crop of the parcel of a probe, if its type names one. */
export async function cropOf(
  db: CompanyDb,
  { parcelId }: Pick<Module, 'parcelId'>,
): Promise<Crop | null> {
  return parcelId === null ? null : cropIn((await parcelType(db, parcelId))[0]?.type ?? null);
}
