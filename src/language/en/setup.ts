import type { UsdaClass } from '../../domain/soil/soil-catalog.ts';
import type { SettingsValues } from '../../schema/moisture/probe-settings.ts';
import { englishCount, englishFormat, englishNoun } from './grammar.ts';

/** Month from 1. */
export interface CalendarDay {
  readonly text: string;
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

export interface ScheduleFacts {
  readonly id: number;
  readonly target: string;
  readonly frequency: string;
  /** Local times: "05:00 and 18:00". */
  readonly times: string;
  readonly zone: string | null;
  readonly amount: string;
  readonly isActive: boolean;
}

interface SetupInForceFacts {
  readonly name: string;
  readonly equipment: string;
  readonly parcel: string | null;
  readonly since: string;
  readonly versionId: number;
}

export const englishSetup = {
  noFlowRate: 'no flow rate',
  emitterFlow: (litresPerHour: string) => `${litresPerHour} L/h per emitter`,
  emitterDensity: (perM2: string) => `${perM2} emitters per m2`,
  fractionWetted: (fraction: string, isDefault: boolean) =>
    `wetted fraction ${fraction}${isDefault ? ' (default)' : ''}`,
  noIrrigatedArea: 'no irrigated area',
  spacing: (emitterM: string, lineM: string, density: string) =>
    `Emitters every ${emitterM} m on lines ${lineM} m apart: ${density} per m2.`,
  sinceBeginning: 'from the start',
  since: (instant: string, zone: string) => `from ${instant} (${zone})`,
  inForce: ({ name, equipment, parcel, since, versionId }: SetupInForceFacts) =>
    `${name} is watered by ${equipment}${parcel === null ? '' : ` (setup of ${parcel})`}, ${since} (version ${versionId}).`,
  noParcelSetup: (parcel: string) =>
    `${parcel} has no irrigation setup of its own: set_parcel_installation declares one.`,
  appliesTo: (probes: string | null, since: string) =>
    probes === null
      ? `It applies ${since}, but reaches no probe.`
      : `It applies ${since} to ${probes}.`,
  reachedProbes: (probes: string) => `It applies to ${probes}.`,
  probesWithOwnSetup: (probes: string, count: number) =>
    `${probes} ${englishNoun(count, 'has a setup of its own', 'have setups of their own')}.`,
  setupOf: (name: string) => `setup of ${name}`,
  until: (instant: string) => `until ${instant}`,
  noSetup: (name: string) =>
    `${name} has no irrigation setup: declare one with set_module_installation.`,
  missingDoses: (count: number, withoutSetup: number) => {
    const reason =
      withoutSetup === 0
        ? 'because a flow rate or an irrigated area is missing'
        : `${withoutSetup === count ? '' : `${withoutSetup} of them `}because no setup covers ${englishNoun(count, 'its', 'their')} date`;
    return `${englishCount(count, 'watering has', 'waterings have')} no dose, ${reason}.`;
  },
  parcelAreaUnknown: (parcel: string, count: number) =>
    `The irrigated area of ${parcel} is not known, which the volume of ${englishCount(count, 'watering')} of the whole parcel needs: ask for it, and add it to the setup of the parcel with set_parcel_installation, or with correct_installation if it has one.`,
  placement: (name: string, distanceCm: string | null) =>
    distanceCm === null
      ? `The placement of ${name} is saved, without a distance to the emitter.`
      : `${name} is ${distanceCm} cm from the nearest emitter; this does not change any dose.`,
  version: (id: number, owner: string, equipment: string, since: string) =>
    `Version ${id} of the setup of ${owner} is now ${equipment}, ${since}.`,
  declaredVersion: (id: number, owner: string, equipment: string) =>
    `Version ${id} of the setup of ${owner} is declared: ${equipment}.`,
  declaredForParcel: (parcel: string, equipment: string) =>
    `The setup of ${parcel} is declared: ${equipment}.`,
  generalizeResult: ({
    name,
    since,
    changed,
    probes,
    isDryRun,
  }: {
    name: string;
    since: string | null;
    changed: number;
    probes: number;
    isDryRun: boolean;
  }) =>
    `${isDryRun ? 'Would apply' : 'Applied'} the setup of ${name} to its whole parcel${since === null ? '' : ` ${since}`}: ${changed} of ${probes} modules ${isDryRun ? 'would change' : 'changed'} their setup.`,
  nothingWritten: 'Nothing was written.',
  listedModules: (count: number) =>
    `Only ${count} of them are listed; get_irrigation_setup shows the others.`,
  validityPeriod: (from: string | null, to: string) =>
    `This version applied from ${from ?? 'the beginning'} until ${to} only; today’s setup has not changed.`,
  completedDoses: (count: number) =>
    `${englishCount(count, 'missing dose was', 'missing doses were')} completed.`,
  updatedPlannedDoses: (count: number) =>
    `${englishCount(count, 'planned watering now has', 'planned waterings now have')} the dose of the new equipment.`,
  unchangedDoses: (count: number) =>
    `${englishCount(count, 'recorded dose keeps its', 'recorded doses keep their')} figure from before; correct_watering with refreeze true updates one.`,
};

export const englishSchedule = {
  everyDays: (days: number) => {
    if (days === 1) return 'every day';
    return days === 2 ? 'every other day' : `every ${days} days`;
  },
  weekly: (weekdays: readonly number[]) =>
    `every ${englishFormat.list(weekdays.map((day) => englishFormat.weekdays('long')[day - 1]!))}`,
  schedule: (
    { id, target, frequency, times, zone, amount, isActive }: ScheduleFacts,
    from: CalendarDay,
    until: CalendarDay | null,
    countsByItself: boolean,
  ) =>
    `Schedule ${id} ${isActive ? 'waters' : 'is stopped; it would water'} ${target} ${frequency} at ${times} (${zone}), ${amount} each, from ${from.text}${until === null ? '' : ` until ${until.text}`}; past waterings ${countsByItself ? 'count as done without confirmation' : 'wait for confirmation'}.`,
  reaches: (probes: string | null) =>
    probes === null ? 'The parcel has no probe yet.' : `It reaches ${probes}.`,
  row: ({ target, frequency, times, zone, amount, isActive }: ScheduleFacts) =>
    `${target} ${frequency} at ${times}${zone === null ? '' : ` (${zone})`}, ${amount}${isActive ? '' : ' (stopped)'}`,
  noMatch: 'No schedule matches.',
  page: (rows: readonly string[], zone: string | null) =>
    `Schedules${zone === null ? '' : ` (${zone})`}: ${rows.join('; ')}.`,
  nothingPlanned: 'Nothing is planned in the next 90 days.',
  planned: (planned: number, next: string) =>
    `${englishCount(planned, 'watering')} planned in the next 90 days, the next ${next}.`,
  withoutDose: (missing: number) =>
    `${missing} of them have no dose yet: see get_irrigation_setup of the probe for what is missing.`,
  moved: (count: number) => `${englishCount(count, 'future watering')} moved`,
  movedTimes: (from: string, to: string) => ` from ${from} to ${to}`,
  updated: (count: number) =>
    `${englishCount(count, 'future watering')} got the new amount or dose`,
  added: (count: number) => `${count} added`,
  removed: (count: number) => `${count} removed`,
  noneChanged: 'No future watering changed',
  keptManual: (count: number) =>
    `${count} corrected by hand ${englishNoun(count, 'was', 'were')} left unchanged`,
  plansFollow: (probes: number) =>
    `Other planned waterings of ${englishCount(probes, 'probe')} are updated shortly.`,
  stillWatersToday: (times: string) =>
    `It will still water today at ${times}; skip that watering with correct_watering if it should not run.`,
  removedToday: (times: string) => `Today’s watering at ${times} was removed by the change.`,
  duplicate: (id: number) =>
    `Schedule ${id} waters the same target at the same time: if both are the same plan, stop one with update_schedule and isActive false.`,
  differentAreas: (doses: readonly string[]) =>
    `The probes of the parcel have different irrigated areas, and each dose is computed with that of the probe’s own equipment: ${doses.join('; ')}. The volume counts once for the parcel; log_watering spreads it over the whole parcel instead.`,
  doseOfArea: (mm: string | null, probes: string, areaM2: string | null) =>
    `${mm === null ? 'no dose' : `${mm} mm`} on ${probes} (${areaM2 === null ? 'no area' : `${areaM2} m2`})`,
};

type Setting = keyof SettingsValues;

export const englishSettings = {
  labels: {
    rootDepthCm: 'root depth',
    depthWeights: 'weights',
    allowedDepletion: 'allowed depletion',
    refillPercent: 'refill',
    efficiencyPercent: 'efficiency',
    leachingPercent: 'leaching',
    hoursPerDay: 'longest watering a day',
  } as Readonly<Record<Setting, string>>,
  /** For settings whose default is not a figure. */
  defaults: {
    rootDepthCm: 'down to the deepest sensor',
    depthWeights: 'by root depth, or all depths alike without one',
    efficiencyPercent: '100 %, no losses',
  } as Readonly<Partial<Record<Setting, string>>>,
  perDay: (duration: string) => `at most ${duration} a day`,
  inForce: (values: readonly string[]) => `Settings: ${values.join('; ')}.`,
  change: (label: string, from: string | null, to: string | null, byDefault: string) =>
    to === null
      ? `${label} unset, it was ${from} (now the default: ${byDefault})`
      : `${label} ${from === null ? `${to}, not set before` : `from ${from} to ${to}`} (default: ${byDefault})`,
  changed: (name: string, changes: readonly string[], since: string) =>
    `${name}, ${since}: ${changes.join('; ')}.`,
  until: (instant: string, zone: string) =>
    `Later settings still apply from ${instant} (${zone}) on.`,
  withoutEffect:
    'It measures no soil moisture, so no deficit is computed and these settings have no effect: was another probe meant?',
  rootsBelowSensors: (rootDepth: string, deepest: string) =>
    `Its deepest sensor is at ${deepest} cm: the moisture from there down to ${rootDepth} cm is taken to be the same.`,
  unchanged: (name: string) => `Nothing changed: ${name} already has these settings.`,
};

export interface SoilLayerFacts {
  readonly texture: string;
  readonly top: number;
  readonly bottom: number;
}

const TEXTURE_NAMES: Record<UsdaClass, string> = {
  Sand: 'Sand',
  'Loamy sand': 'Loamy sand',
  'Sandy loam': 'Sandy loam',
  'Sandy clay loam': 'Sandy clay loam',
  'Sandy clay': 'Sandy clay',
  Loam: 'Loam',
  'Clay loam': 'Clay loam',
  Clay: 'Clay',
  'Silt loam': 'Silt loam',
  Silt: 'Silt',
  'Silty clay loam': 'Silty clay loam',
  'Silty clay': 'Silty clay',
};

const formatLayer = ({ texture, top, bottom }: SoilLayerFacts): string =>
  `${texture} ${top} to ${bottom} cm`;

export const englishSoil = {
  texture: (usdaClass: UsdaClass) => TEXTURE_NAMES[usdaClass],
  layer: formatLayer,
  layerWithThresholds: (layer: SoilLayerFacts, fieldCapacity: number, wiltingPoint: number) =>
    `${formatLayer(layer)} (field capacity ${fieldCapacity} %, wilting point ${wiltingPoint} %)`,
  noProfile: (parcel: string) =>
    `No soil is declared for ${parcel}: ask for its texture, then declare it with set_soil_profile.`,
  profile: (parcel: string, layers: readonly string[]) =>
    `The soil of ${parcel} from the top: ${layers.join('; ')}.`,
  declaredLayers: (parcel: string, layers: readonly string[]) =>
    `Declared for ${parcel} from now on: ${layers.length === 0 ? 'nothing new' : layers.join(', ')}.`,
  closedLayers: (layers: readonly string[]) =>
    `Closed, and kept for past dates: ${layers.join(', ')}.`,
  layersStillInForce: (layers: readonly string[]) => `Still in force: ${layers.join(', ')}.`,
  overlappingLayers: (layers: readonly string[]) =>
    `${layers.join(', ')} ${englishNoun(layers.length, 'overlaps', 'overlap')} the declared layers: where two cover a depth, the one that starts deeper counts. Use closeOthers true to close the others.`,
  textures: (names: readonly string[]) =>
    `${names.length} texture classes, sandiest first: ${names.join(', ')}.`,
};
