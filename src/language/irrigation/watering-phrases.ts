import type { IrrigationWarning } from '../../domain/irrigation/dose.ts';
import { firstOf } from '../../domain/items.ts';
import type { WateringStatus, WateringWitnessBody } from '../../schema/irrigation/watering.ts';
import { englishCount, englishNoun } from '../en/grammar.ts';
import { nextCall, sameCallWith } from '../next-calls.ts';
import {
  AWAIT_CONFIRMATION,
  AWAITS_CONFIRMATION,
  type WitnessParts,
  witnessPhrases,
} from './witness-phrases.ts';

const SYSTEM_NAMES: Record<string, string> = {
  drip: 'drip',
  micro_sprinkler: 'micro-sprinkler',
  sprinkler: 'sprinkler',
  pivot: 'pivot',
  gravity: 'surface irrigation',
  manual: 'manual watering',
  other: 'other equipment',
};

interface ParcelWateringFacts {
  readonly amount: string;
  /** With its probes. */
  readonly parcel: string;
  readonly when: string;
  readonly doses: string;
}

interface DoseWarningFacts {
  readonly name: string;
  /** True if the warning concerns every probe of the parcel, whose name is then `name`. */
  readonly isParcel: boolean;
  /** The parcel, if it was watered as a whole. */
  readonly parcel: string | null;
  /** True if only the dose in the wetted zone is missing. */
  readonly isPartial: boolean;
}

/** The declaration of the equipment says once that its wetted fraction is a default. */
type DescribedWarning = Exclude<IrrigationWarning, 'DEFAULT_FRACTION_WETTED'>;

const DOSE_WARNINGS: Record<DescribedWarning, (facts: DoseWarningFacts) => string> = {
  NO_INSTALLATION: ({ name, isPartial, isParcel }) =>
    `No equipment of ${name} covers that date, so the ${isPartial ? 'dose in the wetted zone' : 'dose'} is missing: declare what was there, and the dose is completed by itself.${nextCall(isParcel ? 'set_parcel_installation' : 'set_module_installation', 'effectiveFrom: that date or before')}`,
  MISSING_FLOW_RATE: () =>
    `The equipment has no application rate, so its minutes give no dose: ask for it and add it.${nextCall('correct_installation', 'flowMmPerH')}`,
  MISSING_IRRIGATED_AREA: ({ parcel }) =>
    parcel === null
      ? `The equipment has no irrigated area, so its volume gives no dose: ask for it and add it.${nextCall('correct_installation', 'irrigatedAreaM2')}`
      : `The irrigated area of ${parcel} is not known, so its volume gives no dose: ask for it, and add it to the equipment of the parcel.${nextCall('set_parcel_installation', 'irrigatedAreaM2')}${nextCall('correct_installation', 'irrigatedAreaM2')}`,
};

interface WateringPageFacts {
  readonly count: number;
  readonly isAhead: boolean;
  readonly isPast: boolean;
  readonly when: string;
  readonly name: string;
  readonly dose: string;
  readonly status: WateringStatus;
  readonly witness: Pick<WateringWitnessBody, 'witness' | 'unseen'> | null;
}

interface TotalsFacts {
  /** Empty if there are too many to name. */
  readonly probes: readonly { readonly name: string; readonly mm: string | null }[];
  readonly modules: number;
  /** Those of them that have a dose, which are averaged; null if only some have, uncounted. */
  readonly dosed: number | null;
  readonly dose: string;
  readonly details: string;
  /** Null where persons confirmed all. */
  readonly seenBy: WitnessParts | null;
}

/** Clock times if both are on the same day, otherwise with the day. */
interface MoveTimes {
  readonly from: string;
  readonly to: string;
  readonly isSameDay: boolean;
}

/** The keys are the codes of the reasons. */
const MISSING_DOSE: Readonly<Record<string, string>> = {
  NO_INSTALLATION: 'without equipment at that time',
  MISSING_FLOW_RATE: 'without an application rate',
  MISSING_IRRIGATED_AREA: 'without an irrigated area',
};

function averagedProbes(modules: number, dosed: number | null): string {
  if (dosed === null) return 'On average each probe with a dose';
  if (dosed === modules) return `On average each of the ${modules} probes`;
  return dosed === 1
    ? `The only one of the ${modules} probes with a dose`
    : `On average each of the ${dosed} probes with a dose`;
}

export const wateringPhrases = {
  amountOfSystem: (amount: string, system: string | null) => `${amount} of ${system ?? 'watering'}`,
  system: (code: string) => SYSTEM_NAMES[code] ?? code,
  noDose: 'no dose yet',
  dose: (total: string, wetted: string | null) =>
    `${total} mm over the whole area${wetted === null ? '' : `, ${wetted} mm in the wetted zone`}`,
  preview: (dose: string) => `Nothing is logged yet; it would be ${dose}.`,
  logged: { done: 'Logged', planned: 'Planned', skipped: 'Logged as skipped:' },
  corrected: (status: WateringStatus) => `The watering is now ${status}:`,
  details: (amount: string, name: string, when: string, dose: string) =>
    `${amount} on ${name}, ${when}: ${dose}.`,
  parcelDetails: ({ amount, parcel, when, doses }: ParcelWateringFacts) =>
    `${amount} on ${parcel}, ${when}: ${doses}.`,
  forWholeParcel: (amount: string, areaM2: string | null) =>
    `${amount} for the whole parcel${areaM2 === null ? '' : ` (${areaM2} m2)`}`,
  each: (dose: string) => `${dose}, each`,
  differentDoses: (doses: readonly string[]) => doses.join('; '),
  doseOn: (dose: string, probes: string) => `${dose} on ${probes}`,
  moreProbes: (count: number) => `${count} more`,
  otherDoses: (count: number, least: string, most: string) =>
    `${least} to ${most} mm on the other ${count}`,
  warnings: DOSE_WARNINGS,
  /** `name` is null in a sentence after another about the probe. */
  enoughIfItRuns: (name: string | null, needed: string, at: string, duration: string | null) =>
    `${name ?? 'It'} needs ${needed}; planned ${at}${duration === null ? '' : ` for ${duration}`}: enough, if it runs.`,
  balanceAssumes: (count: number, mm: string, deficitMm: string) =>
    `Of its water ${mm} mm over the whole area (${englishCount(count, 'watering')}) ${englishNoun(count, 'is', 'are')} assumed: without ${englishNoun(count, 'it', 'them')} its root zone would lack ${deficitMm} mm, so ask whether ${englishNoun(count, 'it', 'they')} ran.${nextCall('correct_watering', 'status: done or skipped')}`,
  stillRunning: (end: string) => `It is still running until ${end}.`,
  noMatch: 'No watering matches.',
  noPast: 'No past watering matches.',
  due: (count: number) =>
    `${englishCount(count, 'past watering')} of automatic schedules ${count === 1 ? 'counts as done, and is' : 'count as done, and are'} still stored as planned: the store accepts no writes at present.`,
  ahead: (count: number, next: string, name: string) =>
    `${count} planned ahead, the next ${next} on ${name}.${sameCallWith('status: planned')}`,
  page: ({ count, isAhead, isPast, when, name, dose, status, witness }: WateringPageFacts) =>
    `${englishCount(count, 'watering')} shown, ${isAhead ? 'nearest' : 'newest'} first: ${when} on ${name}, ${dose}${witness === null && status !== 'done' ? ` (${isPast && status === 'planned' ? AWAITS_CONFIRMATION : status})` : witnessPhrases.note(witness)}.`,
  counts: (total: number, counts: readonly string[]) => `${total} in all: ${counts.join(', ')}.`,
  irrigations: (count: number, hasParcels: boolean) =>
    `${englishCount(count, 'watering')}${hasParcels ? ', a parcel watered at once counted once' : ''}`,
  totals: ({ probes, modules, dosed, dose, details, seenBy }: TotalsFacts) => {
    const verb = seenBy === null ? 'received' : 'counts as having received';
    const witness = seenBy === null ? '' : ` ${witnessPhrases.ofThat(seenBy)}`;
    return modules === 1 && probes.length === 1
      ? `In total ${firstOf(probes).name} ${verb} ${dose} (${details}).${witness}`
      : `${averagedProbes(modules, dosed)} ${verb} ${dose} (${dosed === modules ? '' : `on the ${modules} probes: `}${details})${probes.length === 0 ? '' : `: ${probes.map(({ name, mm }) => `${name} ${mm === null ? 'no dose' : `${mm} mm`}`).join(', ')}`}.${witness}`;
  },
  someWithoutDose: (count: number) =>
    `${count} of those done ${englishNoun(count, 'has', 'have')} no dose, so more was given.`,
  countOf: (status: WateringStatus, count: number, toConfirm: number) => {
    if (status !== 'planned' || toConfirm === 0) return `${count} ${status}`;
    return `${count} ${status} (${toConfirm} ${toConfirm === 1 ? AWAITS_CONFIRMATION : AWAIT_CONFIRMATION})`;
  },
  overlap: (
    {
      id,
      otherId,
      status,
      when,
    }: { id: number; otherId: number; status: WateringStatus; when: string },
    probe: string,
    others: number,
    isWholeEntry: boolean,
  ) =>
    `It overlaps another watering of ${probe} (${when}, ${status})${others === 0 ? '' : `, and ${others} more ${englishNoun(others, 'overlaps', 'overlap')}`}. If they are the same water, ${isWholeEntry ? `take this entry back${nextCall('undo')}` : `cancel one of them${nextCall('correct_watering', `eventId: ${id} or ${otherId}`, 'status: skipped')}`}.`,
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
    `The run time does not match: by the equipment of ${probe}, ${runTime} give ${runMm} mm${runM3 === null ? '' : ` (${runM3} m3)`}, but ${mm === null ? `${entered} are recorded` : `${entered} are ${mm} mm, which is recorded`}. Ask which is right.${nextCall('correct_watering')}${others === 0 ? '' : ` The same holds for ${englishCount(others, 'other probe')}.`}`,
  otherProbes: {
    row: (id: number, probe: string, values: string) =>
      `${probe}${values === '' ? '' : ` (${values})`}${sameCallWith(`eventId: ${id}`)}`,
    more: (count: number) => `${count} more`,
    sentence: (rows: string) =>
      `This is one probe of a watering of the whole parcel; the others keep what they had: ${rows}. Correct them too if the change is for the parcel.`,
  },
  toConfirm: `It no longer counts as done by itself: confirm it once it has run.${nextCall('correct_watering', 'status: done')}`,
  correction: {
    heading: (name: string, when: string) => `The watering on ${name}, ${when}`,
    sentence: (heading: string, parts: readonly string[]) => `${heading}: ${parts.join('; ')}.`,
    confirmed: 'confirmed',
    cancelled: 'cancelled',
    stillCancelled: (restoring: 'planned' | 'done') =>
      `It is still cancelled and does not count.${nextCall('correct_watering', `status: ${restoring}`)}`,
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
    remark: (name: string, change: 'added' | 'changed' | 'removed') => `${name} ${change}`,
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
    `${englishCount(completed, 'dose')} completed on ${name}; ${missing} still missing${missing === 0 ? '' : ` (${byReason.map(([reason, count]) => `${count} ${MISSING_DOSE[reason] ?? reason}`).join(', ')})`}.`,
};
