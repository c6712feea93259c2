import type { MissingDoseReason } from '../domain/dose.ts';
import { frenchCount, withDe } from '../domain/french.ts';
import type { BriefPhrases, CheckFacts, FiringAlertFacts, WaterNeedFacts } from './brief-words.ts';

const MISSING_INPUTS: Record<MissingDoseReason, string> = {
  NO_INSTALLATION: 'd’équipement déclaré',
  MISSING_FLOW_RATE: 'de débit en mm/h',
  MISSING_IRRIGATED_AREA: 'de surface irriguée en m2',
};

const formatSince = (at: string | null): string => (at === null ? 'aucune transmission' : `depuis ${at}`);

const CHECKS: Record<CheckFacts['reason'], string> = {
  UNCONFIRMED_WATERING: 'l’arrosage prévu a-t-il eu lieu ?',
  RECENT_WATERING: 'arrosage récent',
  TOO_DRY_FOR_SOIL: 'plus sec que son sol ne peut l’être',
};

function formatNeededAmount({ minutes, mm }: WaterNeedFacts): string {
  if (minutes !== null) return `pendant ${minutes.said} min${minutes.isOverDay ? ' (plus d’un jour)' : ''}`;
  return mm === null ? 'avec une quantité encore inconnue' : `avec ${mm} mm`;
}

const formatPlannedToday = ({ planned }: WaterNeedFacts): string =>
  planned === null
    ? ''
    : ` en plus ${planned.mm === null ? 'd’un arrosage de dose inconnue prévu' : `des ${planned.mm} mm prévus`} aujourd’hui`;

const formatStress = ({ days: { count, said } }: WaterNeedFacts): string =>
  count === 0 ? 'en stress' : `stress dans ${said} ${count < 2 ? 'jour' : 'jours'}`;

const formatMoisture = ({ value, oldAt }: FiringAlertFacts): string =>
  value === null ? 'humidité inconnue' : `${value} %${oldAt === null ? '' : ` ${withDe(oldAt)}`}`;

export const frenchBriefPhrases: BriefPhrases = {
  noProbe:
    'Il n’y a pas encore de sonde : importez votre exploitation avec "acequia import farm.json", ou essayez-en une avec "acequia demo".',
  allQuiet: (zone, ahead) =>
    `Tout est calme (${zone}) : à ce qu’on sait, aucune sonde n’a besoin aujourd’hui de plus d’eau que prévu, aucune alerte n’est déclenchée et tout transmet ; ${ahead}.`,
  noNeed: 'À ce qu’on sait, aucune sonde n’a besoin aujourd’hui de plus d’eau que prévu.',
  list: (rows, more) => (more > 0 ? [...rows, frenchCount(more, 'autre')] : rows).join(' ; '),
  needs: (list) => `À arroser aujourd’hui : ${list}.`,
  need: (said) => `${said.name} ${formatNeededAmount(said)}${formatPlannedToday(said)}, ${formatStress(said)}`,
  checkFirst: (list) => `À vérifier d’abord : ${list}.`,
  check: (said) => `${said.name} (${CHECKS[said.reason]})`,
  firing: (list) => `Alertes déclenchées : ${list}.`,
  alert: (said) =>
    `${said.name}, ${formatMoisture(said)}, seuil ${said.threshold} %${said.since === null ? '' : `, depuis ${said.since}`}`,
  silentGateways: (list) => `Passerelles muettes : ${list}.`,
  silentProbes: (list) => `Sondes muettes : ${list}.`,
  gateway: (imei, modules, at) => `${imei} avec ${frenchCount(modules, 'module')}, ${formatSince(at)}`,
  probe: (name, at) => `${name}, ${formatSince(at)}`,
  toConfirm: (count, at, name) =>
    count === 1
      ? `L’arrosage prévu sur ${name} ${at} a-t-il eu lieu ? Il attend d’être confirmé.`
      : `${count} arrosages attendent d’être confirmés, le dernier ${at} sur ${name}.`,
  dosesMissing: (list) => `Doses manquantes : ${list}.`,
  probeMissingDoses: (count, name, lack) => `${count} sur ${name} faute ${MISSING_INPUTS[lack]}`,
  withoutStressPoint: (list) => `Sans seuil de stress pour en juger : ${list} ; déclarez le sol avec set_soil_profile.`,
  nothingPlannedAhead: 'rien n’est prévu dans les 48 prochaines heures',
  ahead: (count, at, name, mm) => {
    const first = `${at} sur ${name}${mm === null ? '' : `, ${mm} mm`}`;
    return count === 1
      ? `un arrosage est prévu dans les 48 prochaines heures : ${first}`
      : `${count} arrosages sont prévus dans les 48 prochaines heures, le premier ${first}`;
  },
};
