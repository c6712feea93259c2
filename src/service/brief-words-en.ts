import type { MissingDoseReason } from '../domain/dose.ts';
import { englishCount, englishNoun } from '../domain/english.ts';
import type { BriefPhrases, CheckFacts, FiringAlertFacts, WaterNeedFacts } from './brief-words.ts';

const MISSING_INPUTS: Record<MissingDoseReason, string> = {
  NO_INSTALLATION: 'its equipment',
  MISSING_FLOW_RATE: 'its flow rate in mm/h',
  MISSING_IRRIGATED_AREA: 'its irrigated area in m2',
};

const formatSince = (at: string | null): string => (at === null ? 'never heard of' : `since ${at}`);

const CHECKS: Record<CheckFacts['reason'], string> = {
  UNCONFIRMED_WATERING: 'did its planned watering run?',
  RECENT_WATERING: 'watered lately',
  TOO_DRY_FOR_SOIL: 'drier than its soil can be',
};

function formatNeededAmount({ minutes, mm }: WaterNeedFacts): string {
  if (minutes !== null) return `for ${minutes.said} min${minutes.isOverDay ? ' (longer than a day)' : ''}`;
  return mm === null ? 'by an amount not known yet' : `by ${mm} mm`;
}

const formatPlannedToday = ({ planned }: WaterNeedFacts): string =>
  planned === null
    ? ''
    : ` beyond ${planned.mm === null ? 'a watering of unknown dose' : `the ${planned.mm} mm`} planned today`;

const formatStress = ({ days: { count, said } }: WaterNeedFacts): string =>
  count === 0 ? 'under stress' : `stress in ${said} ${englishNoun(count, 'day')}`;

const formatMoisture = ({ value, oldAt }: FiringAlertFacts): string =>
  value === null ? 'moisture unknown' : `${value} %${oldAt === null ? '' : ` of ${oldAt}`}`;

export const englishBriefPhrases: BriefPhrases = {
  noProbe: 'There is no probe yet: bring in your farm with "acequia import farm.json", or try one with "acequia demo".',
  allQuiet: (zone, ahead) =>
    `All is quiet (${zone}): no probe is known to need more water today than is planned, no alert is firing and everything transmits; ${ahead}.`,
  noNeed: 'No probe is known to need more water today than is planned.',
  list: (rows, more) => (more > 0 ? [...rows, `${more} more`] : rows).join('; '),
  needs: (list) => `Water today: ${list}.`,
  need: (said) => `${said.name} ${formatNeededAmount(said)}${formatPlannedToday(said)}, ${formatStress(said)}`,
  checkFirst: (list) => `Check first: ${list}.`,
  check: (said) => `${said.name} (${CHECKS[said.reason]})`,
  firing: (list) => `Alerts firing: ${list}.`,
  alert: (said) =>
    `${said.name}, ${formatMoisture(said)}, threshold ${said.threshold} %${said.since === null ? '' : `, since ${said.since}`}`,
  silentGateways: (list) => `Silent gateways: ${list}.`,
  silentProbes: (list) => `Silent probes: ${list}.`,
  gateway: (imei, modules, at) => `${imei} with ${englishCount(modules, 'module')}, ${formatSince(at)}`,
  probe: (name, at) => `${name}, ${formatSince(at)}`,
  toConfirm: (count, at, name) =>
    count === 1
      ? `Did the watering planned on ${name} ${at} run? It waits to be confirmed.`
      : `${count} waterings wait to be confirmed, the latest ${at} on ${name}.`,
  dosesMissing: (list) => `Doses missing: ${list}.`,
  probeMissingDoses: (count, name, lack) => `${count} on ${name} for want of ${MISSING_INPUTS[lack]}`,
  withoutStressPoint: (list) => `Without a stress point to judge by: ${list}; declare the soil with set_soil_profile.`,
  nothingPlannedAhead: 'nothing is planned in the next 48 hours',
  ahead: (count, at, name, mm) => {
    const first = `${at} on ${name}${mm === null ? '' : `, ${mm} mm`}`;
    return count === 1
      ? `one watering is planned in the next 48 hours: ${first}`
      : `${count} waterings are planned in the next 48 hours, the first ${first}`;
  },
};
