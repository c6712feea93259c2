import type { IrrigationWarning } from '../../domain/irrigation/dose.ts';
import type { SettingsValues } from '../../schema/probe-settings.ts';
import type { WateringStatus } from '../../schema/watering.ts';
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

/** Clock times within one day. */
interface MoveTimes {
  readonly from: string;
  readonly to: string;
  readonly isSameDay: boolean;
}

interface TotalsFacts {
  /** Empty if there are many. */
  readonly probes: readonly { readonly name: string; readonly mm: string | null }[];
  readonly modules: number;
  readonly dose: string;
  readonly details: string;
}

interface DoseWarningFacts {
  readonly name: string;
  /** Every probe of the parcel lacks it, which is what `name` names. */
  readonly isParcel: boolean;
  /** That was watered as a whole. */
  readonly parcel: string | null;
  /** Only the dose in the wetted zone is missing. */
  readonly isPartial: boolean;
  readonly system: string;
  readonly fractionWetted: string;
}

const SYSTEM_NAMES: Record<string, string> = {
  drip: 'drip',
  micro_sprinkler: 'micro-sprinkler',
  sprinkler: 'sprinkler',
  pivot: 'pivot',
  gravity: 'gravity irrigation',
  manual: 'manual watering',
  other: 'other equipment',
};

const DOSE_WARNINGS: Record<IrrigationWarning, (facts: DoseWarningFacts) => string> = {
  NO_INSTALLATION: ({ name, isPartial, isParcel }) =>
    `No setup of ${name} covers that date, so the ${isPartial ? 'dose in the wetted zone' : 'dose'} is missing: declare what was there with ${isParcel ? 'set_parcel_installation' : 'set_module_installation'}, effectiveFrom on or before it, and the dose is completed automatically.`,
  MISSING_FLOW_RATE: () =>
    'The equipment has no flow rate, so minutes cannot be converted to mm: ask for it and add it with correct_installation.',
  MISSING_IRRIGATED_AREA: ({ parcel }) =>
    parcel === null
      ? 'The equipment has no irrigated area, so m3 cannot be converted to mm: ask for it and add it with correct_installation.'
      : `The irrigated area of ${parcel} is not known, so m3 cannot be converted to mm: ask for it, and add it to the setup of the parcel with set_parcel_installation, or with correct_installation if it has one.`,
  DEFAULT_FRACTION_WETTED: ({ fractionWetted, system }) =>
    `The wetted fraction ${fractionWetted} is the default for ${system}.`,
};

export const englishWatering = {
  amountOfSystem: (amount: string, system: string | null) => `${amount} of ${system ?? 'watering'}`,
  system: (code: string) => SYSTEM_NAMES[code] ?? code,
  noDose: 'no dose yet',
  dose: (total: string, wetted: string | null) =>
    `${total} mm over the whole area${wetted === null ? '' : `, ${wetted} mm in the wetted zone`}`,
  preview: (dose: string) => `Nothing is logged yet; it would be ${dose}.`,
  logged: { done: 'Logged', planned: 'Planned', skipped: 'Logged as skipped:' },
  corrected: (status: WateringStatus, id: number) => `Watering ${id} is now ${status}:`,
  details: (amount: string, name: string, when: string, dose: string) => `${amount} on ${name}, ${when}: ${dose}.`,
  parcelDetails: (amount: string, probes: number, parcel: string, when: string, doses: string) =>
    `${amount} on the ${probes === 1 ? 'only probe' : `${probes} probes`} of ${parcel}, ${when}: ${doses}.`,
  forWholeParcel: (amount: string, areaM2: string | null) =>
    `${amount} for the whole parcel${areaM2 === null ? '' : ` (${areaM2} m2)`}`,
  each: (dose: string) => `${dose}, each`,
  differentDoses: (doses: readonly string[]) => doses.join('; '),
  doseOn: (dose: string, probes: string) => `${dose} on ${probes}`,
  moreProbes: (count: number) => `${count} more`,
  otherDoses: (count: number, least: string, most: string) => `${least} to ${most} mm on the other ${count}`,
  warnings: DOSE_WARNINGS,
  noMatch: 'No watering matches.',
  noPast: 'No past watering matches.',
  ahead: (count: number, next: string, name: string) =>
    `${count} planned ahead, the next ${next} on ${name}: status planned lists them.`,
  page: (count: number, isAhead: boolean, when: string, name: string, dose: string, status: WateringStatus) =>
    `${englishCount(count, 'watering')} shown, ${isAhead ? 'nearest' : 'newest'} first: ${when} on ${name}, ${dose}${status === 'done' ? '' : ` (${status})`}.`,
  counts: (total: number, counts: readonly string[]) => `${total} in all: ${counts.join(', ')}.`,
  irrigations: (count: number, hasParcels: boolean) =>
    `${englishCount(count, 'watering')}${hasParcels ? ', a parcel watered at once counted once' : ''}`,
  totals: ({ probes, modules, dose, details }: TotalsFacts) =>
    modules === 1 && probes.length === 1
      ? `In all ${probes[0]!.name} got ${dose} (${details}).`
      : `In all the ${modules} probes got ${dose}, on average of the probes (${details})${probes.length === 0 ? '' : `: ${probes.map(({ name, mm }) => `${name} ${mm === null ? 'no dose' : `${mm} mm`}`).join(', ')}`}.`,
  someWithoutDose: (count: number) =>
    `${count} of those done ${englishNoun(count, 'has', 'have')} no dose, so more was given.`,
  status: (status: WateringStatus): string => status,
  countOf: (status: WateringStatus, count: number) => `${count} ${status}`,
  overlap: (
    { id, otherId, status, when }: { id: number; otherId: number; status: WateringStatus; when: string },
    probe: string,
    others: number,
    isOfParcel: boolean,
  ) =>
    `Watering ${id} overlaps watering ${otherId} of ${probe} (${when}, ${status})${others === 0 ? '' : `, and ${others} more ${englishNoun(others, 'overlaps', 'overlap')}`}. If they are the same water, ${isOfParcel ? 'take this entry back with undo' : 'cancel one of them with correct_watering and status skipped'}.`,
  runTimeContradicts: (
    {
      runTime,
      runMm,
      runM3,
      entered,
      mm,
    }: { runTime: string; runMm: string; runM3: string | null; entered: string; mm: string | null },
    probe: string,
    others: number,
  ) =>
    `The run time does not match: by the equipment of ${probe}, ${runTime} give ${runMm} mm${runM3 === null ? '' : ` (${runM3} m3)`}, but ${mm === null ? `${entered} are recorded` : `${entered} are ${mm} mm, which is recorded`}. Ask which is right; correct_watering changes it.${others === 0 ? '' : ` The same holds for ${englishCount(others, 'other probe')}.`}`,
  otherProbes: {
    status: (status: WateringStatus): string => status,
    row: (id: number, probe: string, values: string) =>
      `watering ${id} on ${probe}${values === '' ? '' : ` (${values})`}`,
    more: (count: number) => `${count} more`,
    sentence: (rows: string) =>
      `This is one probe of a watering of the whole parcel; the others keep what they had: ${rows}. Correct them too if the change is for the parcel.`,
  },
  toConfirm: 'It no longer counts as done by itself: confirm it with status done once it has run.',
  correction: {
    heading: (id: number, name: string, when: string) => `Watering ${id} on ${name}, ${when}`,
    sentence: (heading: string, parts: readonly string[]) => `${heading}: ${parts.join('; ')}.`,
    confirmed: 'confirmed',
    takenBack: 'taken back',
    cancelled: 'cancelled',
    stillCancelled: (restoring: 'planned' | 'done') =>
      `It is still cancelled and does not count: status ${restoring} brings it back.`,
    countsAgain: 'counts again',
    plannedAgain: (wasDone: boolean) => `planned${wasDone ? ', no longer done' : ' again'}`,
    moved: ({ from, to }: MoveTimes) => `moved from ${from} to ${to}`,
    replaced: (amount: string, before: string) => `${amount} in place of ${before}`,
    runTime: (duration: string) => `run time ${duration}`,
    noRunTime: 'without a run time',
    doseReplaced: (mm: string | null, before: string | null) =>
      mm === null
        ? `no dose in place of ${before} mm`
        : `${mm} mm${before === null ? ', it had no dose' : ` in place of ${before} mm`}`,
    wetted: (mm: string) => `${mm} mm in the wetted zone`,
    note: { added: 'note added', changed: 'note changed', removed: 'note removed' },
    nothing: 'nothing changed',
    dose: (dose: string) => `The dose is ${dose}.`,
    otherEquipment: 'Other equipment was in place at that time than was recorded.',
  },
  recomputeResult: (
    name: string,
    completed: number,
    missing: number,
    byReason: readonly (readonly [string, number])[],
  ) =>
    `${englishCount(completed, 'dose')} completed on ${name}; ${missing} still missing${missing === 0 ? '' : ` (${byReason.map(([reason, count]) => `${count} ${reason}`).join(', ')})`}.`,
};

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
  inForce: (name: string, equipment: string, parcel: string | null, since: string, versionId: number) =>
    `${name} is watered by ${equipment}${parcel === null ? '' : ` (setup of ${parcel})`}, ${since} (version ${versionId}).`,
  noParcelSetup: (parcel: string) =>
    `${parcel} has no irrigation setup of its own: set_parcel_installation declares one.`,
  appliesTo: (probes: string | null, since: string) =>
    probes === null ? `It applies ${since}, but reaches no probe.` : `It applies ${since} to ${probes}.`,
  reachedProbes: (probes: string) => `It applies to ${probes}.`,
  probesWithOwnSetup: (probes: string, count: number) =>
    `${probes} ${englishNoun(count, 'has a setup of its own', 'have setups of their own')}.`,
  setupOf: (name: string) => `setup of ${name}`,
  until: (instant: string) => `until ${instant}`,
  noSetup: (name: string) => `${name} has no irrigation setup: declare one with set_module_installation.`,
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
  declaredForParcel: (parcel: string, equipment: string) => `The setup of ${parcel} is declared: ${equipment}.`,
  generalizeResult: ({
    name,
    since,
    changed,
    probes,
    isTried,
  }: {
    name: string;
    since: string | null;
    changed: number;
    probes: number;
    isTried: boolean;
  }) =>
    `${isTried ? 'Would apply' : 'Applied'} the setup of ${name} to its whole parcel${since === null ? '' : ` ${since}`}: ${changed} of ${probes} modules ${isTried ? 'would change' : 'changed'} their setup.`,
  nothingWritten: 'Nothing was written.',
  listedModules: (count: number) => `Only ${count} of them are listed; get_irrigation_setup shows the others.`,
  validityPeriod: (from: string | null, to: string) =>
    `This version applied from ${from ?? 'the beginning'} until ${to} only; today’s setup has not changed.`,
  completedDoses: (count: number) => `${englishCount(count, 'missing dose was', 'missing doses were')} completed.`,
  updatedPlannedDoses: (count: number) =>
    `${englishCount(count, 'planned watering now has', 'planned waterings now have')} the dose of the new equipment.`,
  unchangedDoses: (count: number) =>
    `${englishCount(count, 'recorded dose keeps its', 'recorded doses keep their')} figure from before; correct_watering with refreeze true updates one.`,
};

export const englishSchedule = {
  everyDays: (days: number) => (days === 1 ? 'every day' : days === 2 ? 'every other day' : `every ${days} days`),
  weekly: (weekdays: readonly number[]) =>
    `every ${englishFormat.list(weekdays.map((day) => englishFormat.weekdays('long')[day - 1]!))}`,
  schedule: (
    { id, target, frequency, times, zone, amount, isActive }: ScheduleFacts,
    from: CalendarDay,
    until: CalendarDay | null,
    countsByItself: boolean,
  ) =>
    `Schedule ${id} ${isActive ? 'waters' : 'is stopped; it would water'} ${target} ${frequency} at ${times} (${zone}), ${amount} each, from ${from.text}${until === null ? '' : ` until ${until.text}`}; past waterings ${countsByItself ? 'count as done without confirmation' : 'wait for confirmation'}.`,
  reaches: (probes: string | null) => (probes === null ? 'The parcel has no probe yet.' : `It reaches ${probes}.`),
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
  updated: (count: number) => `${englishCount(count, 'future watering')} got the new amount or dose`,
  added: (count: number) => `${count} added`,
  removed: (count: number) => `${count} removed`,
  noneChanged: 'No future watering changed',
  keptManual: (count: number) => `${count} corrected by hand ${englishNoun(count, 'was', 'were')} left`,
  plansFollow: (probes: number) => `Other planned waterings of ${englishCount(probes, 'probe')} follow at once.`,
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
  /** Where a figure does not say it. */
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
  changed: (name: string, changes: readonly string[], since: string) => `${name}, ${since}: ${changes.join('; ')}.`,
  until: (instant: string, zone: string) => `Later settings still apply from ${instant} (${zone}) on.`,
  withoutEffect:
    'It measures no soil moisture, so no deficit is computed and these settings have no effect: was another probe meant?',
  rootsBelowSensors: (rootDepth: string, deepest: string) =>
    `Its deepest sensor is at ${deepest} cm: the moisture from there down to ${rootDepth} cm is taken to be the same.`,
  unchanged: (name: string) => `Nothing changed: ${name} already has these settings.`,
};
