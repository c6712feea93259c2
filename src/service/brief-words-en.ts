import type { DoseLack } from '../domain/dose.ts';
import { counted, nounFor } from '../domain/english.ts';
import type { BriefWords, SaidCheck, SaidFiring, SaidNeed } from './brief-words.ts';

const LACKS: Record<DoseLack, string> = {
  NO_INSTALLATION: 'its equipment',
  MISSING_FLOW_RATE: 'its flow rate in mm/h',
  MISSING_IRRIGATED_AREA: 'its irrigated area in m2',
};

const since = (at: string | null): string => (at === null ? 'never heard of' : `since ${at}`);

const CHECKS: Record<SaidCheck['reason'], string> = {
  UNCONFIRMED_WATERING: 'did its planned watering run?',
  RECENT_WATERING: 'watered lately',
  TOO_DRY_FOR_SOIL: 'drier than its soil can be',
};

function sayGiven({ minutes, mm }: SaidNeed): string {
  if (minutes !== null) return `for ${minutes.said} min${minutes.isOverDay ? ' (longer than a day)' : ''}`;
  return mm === null ? 'by an amount not known yet' : `by ${mm} mm`;
}

const sayPlanned = ({ planned }: SaidNeed): string =>
  planned === null
    ? ''
    : ` beyond ${planned.mm === null ? 'a watering of unknown dose' : `the ${planned.mm} mm`} planned today`;

const sayStress = ({ days: { count, said } }: SaidNeed): string =>
  count === 0 ? 'under stress' : `stress in ${said} ${nounFor(count, 'day')}`;

const sayRead = ({ value, oldAt }: SaidFiring): string =>
  value === null ? 'moisture unknown' : `${value} %${oldAt === null ? '' : ` of ${oldAt}`}`;

export const englishBriefs: BriefWords = {
  noProbe: 'There is no probe yet: bring in your farm with "acequia import farm.json", or try one with "acequia demo".',
  quiet: (zone, ahead) =>
    `All is quiet (${zone}): no probe is known to need more water today than is planned, no alert is firing and everything transmits; ${ahead}.`,
  noNeed: 'No probe is known to need more water today than is planned.',
  list: (rows, more) => (more > 0 ? [...rows, `${more} more`] : rows).join('; '),
  needs: (list) => `Water today: ${list}.`,
  need: (said) => `${said.name} ${sayGiven(said)}${sayPlanned(said)}, ${sayStress(said)}`,
  checkFirst: (list) => `Check first: ${list}.`,
  check: (said) => `${said.name} (${CHECKS[said.reason]})`,
  firing: (list) => `Alerts firing: ${list}.`,
  alert: (said) =>
    `${said.name}, ${sayRead(said)}, threshold ${said.threshold} %${said.since === null ? '' : `, since ${said.since}`}`,
  silentGateways: (list) => `Silent gateways: ${list}.`,
  silentProbes: (list) => `Silent probes: ${list}.`,
  gateway: (imei, modules, at) => `${imei} with ${counted(modules, 'module')}, ${since(at)}`,
  probe: (name, at) => `${name}, ${since(at)}`,
  toConfirm: (count, at, name) =>
    count === 1
      ? `Did the watering planned on ${name} ${at} run? It waits to be confirmed.`
      : `${count} waterings wait to be confirmed, the latest ${at} on ${name}.`,
  missing: (list) => `Doses missing: ${list}.`,
  missingDoses: (count, name, lack) => `${count} on ${name} for want of ${LACKS[lack]}`,
  unjudged: (list) => `Without a stress point to judge by: ${list}; declare the soil with set_soil_profile.`,
  nothingAhead: 'nothing is planned in the next 48 hours',
  ahead: (count, at, name, mm) => {
    const first = `${at} on ${name}${mm === null ? '' : `, ${mm} mm`}`;
    return count === 1
      ? `one watering is planned in the next 48 hours: ${first}`
      : `${count} waterings are planned in the next 48 hours, the first ${first}`;
  },
};
