import { isSoilMoisture } from '../../domain/moisture/measurement.ts';
import {
  changeSettings,
  NO_SETTINGS,
  type ProbeSettings,
  SETTING_DEFAULTS,
  type SettingsChange,
  type SettingsVersion,
  settingsVersionAt,
} from '../../domain/moisture/probe-settings.ts';
import { type Crop, depletionOf } from '../../domain/soil/allowed-depletion.ts';
import { cropIn } from '../../language/words/farming-terms.ts';
import type { Call, WriteContext } from '../../operation/call.ts';
import { invalidInputError } from '../../schema/error.ts';
import type { FieldsOf } from '../../schema/field.ts';
import {
  formatDepthWeights,
  type ProbeSettingsAnswer,
  type ProbeSettingsBody,
  type probeSettingsEntry,
  type SettingsValues,
} from '../../schema/moisture/probe-settings.ts';
import type { Module } from '../../store/company/modules.ts';
import { parcelType } from '../../store/company/parcels.ts';
import { sensorsOf } from '../../store/company/sensors.ts';
import { putSettingsVersion, settingsVersionsOf } from '../../store/moisture/probe-settings.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { requireOwnModule } from '../ownership.ts';
import { toIso, toIsoOrNull } from '../wire-format.ts';

export async function probeSettingsAt(
  db: CompanyDb,
  moduleId: number,
  at: number,
): Promise<ProbeSettings> {
  return settingsVersionAt(await settingsVersionsOf(db, moduleId), at) ?? NO_SETTINGS;
}

/** A setting that is undefined stays as it is; null unsets it. */
export async function changeProbeSettings(
  { db, now }: WriteContext,
  moduleId: number,
  changes: Partial<ProbeSettings>,
  effectiveFrom?: number,
): Promise<SettingsChange> {
  const versions = await settingsVersionsOf(db, moduleId);
  const sortedChanges = changes.depthWeights
    ? { ...changes, depthWeights: sortByDepth(changes.depthWeights) }
    : changes;
  const change = changeSettings(versions, sortedChanges, effectiveFrom ?? null, now);
  for (const version of change.versions) await putSettingsVersion(db, moduleId, version, now);
  return change;
}

/** The order in which weights are named must not count as a change. */
const sortByDepth = (weights: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(weights).sort(([a], [b]) => Number(a) - Number(b)));

export async function setProbeSettings(
  call: Call,
  moduleId: number,
  { effectiveFrom, ...changes }: FieldsOf<typeof probeSettingsEntry>,
): Promise<ProbeSettingsAnswer> {
  if (effectiveFrom !== undefined && effectiveFrom > call.now)
    throw invalidInputError(
      'EFFECTIVE_FROM_IN_FUTURE',
      `effectiveFrom ${toIso(effectiveFrom)} is in the future.`,
      {
        hint: 'Set them when they begin to apply; leave effectiveFrom out for now.',
        field: 'effectiveFrom',
      },
    );

  const module = await requireOwnModule(call, moduleId);
  const sensors = await sensorsOf(call.db, [moduleId]);
  assertSensorsOfWeights(changes.depthWeights, sensors);
  adviseOfDoubtfulSettings(call, module, sensors, changes);

  const { before, changed, validFrom, validTo } = await changeProbeSettings(
    call,
    moduleId,
    changes,
    effectiveFrom,
  );
  const inForce = settingsVersionAt(await settingsVersionsOf(call.db, moduleId), validFrom);
  const valuesBefore = settingsValues(before);

  return {
    moduleId,
    settings: settingsBody(inForce),
    validTo: toIsoOrNull(validTo),
    before: Object.fromEntries(changed.map((name) => [name, valuesBefore[name]])),
    defaults: {
      ...DEFAULTS,
      allowedDepletion: depletionOf(null, await cropOf(call.db, module)).share,
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
    // Root depth and weights shape the curves of other measurements too.
    const { depthWeights: _, ...waterSettings } = others;
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
  ...SETTING_DEFAULTS,
};

function settingsValues({ depthWeights, ...settings }: ProbeSettings): SettingsValues {
  return { ...settings, depthWeights: depthWeights && formatDepthWeights(depthWeights) };
}

export function settingsBody(version: SettingsVersion | null): ProbeSettingsBody {
  const { validFrom, ...settings } = version ?? { ...NO_SETTINGS, validFrom: null };
  return { ...settingsValues(settings), validFrom: toIsoOrNull(validFrom) };
}

export function assertSensorsOfWeights(
  weights: ProbeSettings['depthWeights'] | undefined,
  sensors: readonly { readonly depth: number | null }[],
): void {
  const depths = new Set(sensors.flatMap(({ depth }) => depth ?? []));
  const unknown = Object.keys(weights ?? {}).find((depth) => !depths.has(Number(depth)));
  if (unknown === undefined) return;

  throw invalidInputError(
    'invalid_body',
    `depthWeights has ${unknown} cm, where the probe has no sensor.`,
    {
      hint:
        depths.size === 0
          ? 'Give its sensors too.'
          : `Its sensors are at ${[...depths].join(', ')} cm.`,
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
