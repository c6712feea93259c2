import type { MissingDoseReason } from '../../../domain/irrigation/dose.ts';
import { englishChecks } from '../../en/checks.ts';
import { englishCount, englishFormat } from '../../en/grammar.ts';
import { nextCall, nextLine } from '../../next-calls.ts';

const MISSING_INPUTS: Record<MissingDoseReason, string> = {
  NO_INSTALLATION: 'its equipment',
  MISSING_FLOW_RATE: 'its application rate',
  MISSING_IRRIGATED_AREA: 'its irrigated area',
};

export const briefPhrases = {
  noProbe: `There are no probes yet: say which ones you have and where, or import a farm file.${nextCall('set_module')}`,
  allQuiet: (zone: string, nextWatering: string) =>
    `All is quiet (${zone}): no probe is known to need more water today than is planned, no alert is firing and every device is sending data; ${nextWatering}.`,
  noNeed: 'No probe is known to need more water today than is planned.',
  /** Of a farm whose probes are all silent, or in soil that is unknown. */
  needUnknown: (probes: number) =>
    `Whether ${probes === 1 ? 'it needs' : 'they need'} water is unknown.`,
  more: (count: number) => `${count} more`,
  /** `amount` is that of what is only counted. */
  list: (rows: readonly string[], more: number, amount: string | null = null) =>
    (more > 0 ? [...rows, `and ${more} more${amount === null ? '' : ` (${amount})`}`] : rows).join(
      '; ',
    ),
  forTime: (name: string, today: string) => `${name} for ${today}`,
  hoursToday: (hours: string, longest: string) => `${hours} today in all, up to ${longest} each`,
  hoursTodayInAll: (hours: string) => `${hours} today in all`,
  capacityEstimated: (probes: number) =>
    `The field capacity of ${probes === 1 ? 'one of these probes' : `${probes} of these probes`} is that of a texture class: they may lack some 15 mm more or less.${nextCall('suggest_thresholds')}`,
  needs: (list: string) => `Water today: ${list}.`,
  valve: (parcel: string, dry: number, probes: number, driest: string) =>
    `${parcel} (${dry} of ${probes} probes: ${driest})`,
  atMoisture: (name: string, value: string) => `${name} at ${value} %`,
  neededTime: (today: string, total: string | null) =>
    `for ${today}${total === null ? '' : ` today of ${total} in all`}`,
  neededMm: (mm: string | null) =>
    mm === null ? 'by an amount that is not known yet' : `by ${mm} mm`,
  beyondPlanned: (mm: string | null) =>
    `beyond ${mm === null ? 'a watering of unknown dose' : `the ${mm} mm`} planned today, if it runs`,
  underStress: 'under stress',
  stressIn: (days: string) => `stress in ${days}`,
  checkFirst: (list: string) => `Check first: ${list}.`,
  checks: englishChecks,
  restUnknown: (list: string, count: number) =>
    `Is the crop at rest? It is cold, so ${list} ${count === 1 ? 'gets' : 'get'} no amount until somebody says when it rests, or that it never does.${nextCall('set_probe_settings', 'restFrom: a day or never', 'restUntil')}`,
  differing: (list: string) => `unlike ${list} on the same valve`,
  checkMeanwhile: (check: string, meanwhile: string) => `${check}; until then ${meanwhile}`,
  firing: (list: string) => `Alerts firing: ${list}.`,
  moisture: (value: string | null, oldAt: string | null) =>
    value === null ? 'moisture unknown' : `${value} %${oldAt === null ? '' : ` from ${oldAt}`}`,
  thresholds: (values: readonly string[]) =>
    `${values.length === 1 ? 'threshold' : 'thresholds'} ${englishFormat.list(values)} %`,
  lowSince: (at: string) => `low since ${at}`,
  silentGateways: (list: string) => `Silent gateways: ${list}.`,
  silentProbes: (list: string) => `Silent probes: ${list}.`,
  gateway: (imei: string, modules: string) => (modules === '' ? imei : `${imei} with ${modules}`),
  since: (at: string) => `since ${at}`,
  noContact: 'no contact yet',
  oneToConfirm: (at: string, name: string) =>
    `Did the watering planned on ${name} ${at} run? It is waiting to be confirmed.`,
  toConfirm: (count: number, list: string) => `${count} waterings await confirmation: ${list}.`,
  watering: (at: string, name: string, mm: string | null) =>
    `${at} on ${name}${mm === null ? '' : `, ${mm} mm`}`,
  assumed: (list: string) =>
    `Unseen waterings, last 7 days: ${list}. Did they run?${nextCall('correct_watering', 'status: done or skipped')}`,
  assumedOn: (valve: string, count: number, newest: string) =>
    count === 1 ? `1 on ${valve}, ${newest}` : `${count} on ${valve}, the last ${newest}`,
  assumedOnMore: (valves: number) => `and on ${englishCount(valves, 'more valve')}`,
  ifItRuns: (list: string) => `Enough if it runs: ${list}.`,
  plannedFor: ({
    name,
    needed,
    at,
    duration,
  }: {
    readonly name: string;
    readonly needed: string | null;
    readonly at: string;
    readonly duration: string | null;
  }) =>
    `${name}${needed === null ? '' : ` needs ${needed}`}, planned ${at}${duration === null ? '' : ` for ${duration}`}`,
  dosesMissing: (list: string) => `Doses missing: ${list}.`,
  probeMissingDoses: (count: number, name: string, reason: MissingDoseReason) =>
    `${count} on ${name} without ${MISSING_INPUTS[reason]}`,
  withoutStressPoint: (list: string) => `No stress point: ${list}.${nextCall('set_soil_profile')}`,
  crossedThresholds: (list: string) =>
    `The wilting point is not below the field capacity: ${list}; move or delete a line.${nextCall('update_annotation')}${nextCall('delete_annotation')}`,
  tension: (name: string, value: string, dryLevel: string) =>
    `${name}, at ${value} kPa above its dry level of ${dryLevel} (higher is drier)`,
  withoutDryLevel: (list: string) => `No dry level (higher is drier): ${list}.${nextLine('dry')}`,
  tensionWithoutDryLevel: (name: string, value: string, from: string | null, to: string | null) =>
    `${name} at ${value} kPa${from === null ? '' : `, on its soil usually watered at ${from} to ${to} kPa`}`,
  nothingPlannedAhead: 'nothing is planned within 48 hours',
  ahead: (count: number, list: string) =>
    `${count === 1 ? 'one watering is' : `${count} waterings are`} planned within 48 hours: ${list}`,
};
