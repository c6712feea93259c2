import type { GatewayBody } from '../../schema/company.ts';
import type { Language } from '../en/index.ts';
import type { ThresholdKind } from '../en/monitoring.ts';
import { capitalize } from '../text.ts';
import { frenchCount, withDe } from './grammar.ts';

const STATE_NAMES = {
  saturated: 'saturé, au-dessus de la capacité au champ',
  comfort: 'en confort hydrique',
  stress: 'en stress hydrique',
} as const;

const THRESHOLD_NAMES: Readonly<Record<ThresholdKind, string>> = {
  fieldCapacity: 'capacité au champ',
  wiltingPoint: 'point de flétrissement',
};
const BASIS_NAMES = { annotation: 'ligne tracée sur sa courbe', soil_profile: 'profil de sol' } as const;
const GATEWAY_STATES: Readonly<Record<GatewayBody['status'], string>> = { active: 'en service', faulty: 'en panne' };

export const frenchState: Language['state'] = {
  noMoisture: (name) => `L’état du sol ${withDe(name)} est inconnu : il n’y a aucune mesure d’humidité.`,
  reading: (value, at) => `${value} % en volume ${at}`,
  state: (name, state, reading) => `Le sol ${withDe(name)} est ${STATE_NAMES[state]}, ${reading}.`,
  noThresholds: (name, reading) =>
    `L’état du sol ${withDe(name)} est inconnu, faute de seuils utilisables : ${reading}.`,
  staleData: (name, age, reading) =>
    `Données anciennes, donc l’état du sol ${withDe(name)} est inconnu : sa dernière mesure d’humidité remonte à ${age}, ${reading}.`,
};

export const frenchThresholds: Language['thresholds'] = {
  noSoilMoisture: 'Il n’y a pas de capteur d’humidité du sol ; get_moisture_series montre ce qui est mesuré.',
  thresholds: (stressPoint, thresholds) => {
    const rows = thresholds.map(
      ({ kind, value, basis }) => `${THRESHOLD_NAMES[kind]} ${value} % (${BASIS_NAMES[basis]})`,
    );
    return `${capitalize([...(stressPoint === null ? [] : [`seuil de stress ${stressPoint} %`]), ...rows].join(', '))}.`;
  },
  crossedThresholds:
    'Le point de flétrissement n’est pas sous la capacité au champ, donc il n’y a pas de seuil de stress : déplacez ou supprimez une ligne (update_annotation, delete_annotation).',
  allowedDepletion: {
    setting: (percent) =>
      `Les plantes commencent à souffrir quand ${percent} % de l’eau entre capacité au champ et point de flétrissement est consommée, selon le réglage de cette sonde.`,
    crop: (percent, crop) =>
      `Les plantes commencent à souffrir quand ${percent} % de l’eau entre capacité au champ et point de flétrissement est consommée : valeur de la FAO-56 pour la culture de la parcelle (${crop}).`,
    default: (percent) =>
      `Les plantes commencent à souffrir quand environ ${percent} % de l’eau entre capacité au champ et point de flétrissement est consommée ; indiquez la culture avec set_parcel pour avoir sa propre valeur.`,
  },
  missingThresholds: (missing) =>
    `Pas de ${missing.map((kind) => THRESHOLD_NAMES[kind]).join(' ni de ')} : déclarez le sol de sa parcelle avec set_soil_profile, ou tracez une ligne avec create_annotation.`,
};

export const frenchGateway: Language['gateway'] = {
  noContact: 'aucune transmission',
  lastContact: (at) => `dernière transmission ${at}`,
  noMatch: 'Aucune passerelle ne correspond.',
  faulty: (imei, lastContact, modules) =>
    `${imei}, ${lastContact}, ${modules.length === 0 ? 'sans module' : `avec ${modules.join(', ')}`}`,
  list: (names, faulty) =>
    `Passerelles : ${names}. ${faulty.length === 0 ? 'Aucune n’est en panne.' : `En panne : ${faulty.join(' ; ')}.`}`,
  unplugged: (name) => `${name} n’a pas de passerelle.`,
  health: ({ name, imei, status, lastContact, soc, level }) =>
    `La passerelle ${withDe(name)} (${imei}) est ${GATEWAY_STATES[status]} : ${lastContact}, ${soc === null ? 'batterie inconnue' : `batterie ${soc} %`}, ${level === null ? 'signal inconnu' : `signal ${frenchCount(level, 'barre')} sur 4`}.`,
};

export const frenchCsvImport: Language['csvImport'] = {
  dryRun: 'Rien n’est encore enregistré ; voici comment le fichier a été compris.',
  profile: (provider) => `Le fichier est un export ${provider}.`,
  nothing: 'Le fichier ne contient aucune mesure à enregistrer.',
  module: (name, sensors, period) => `${name} (${sensors}), ${period}`,
  stored: ({ written, changed, unchanged, isDryRun }, modules, more) =>
    `${isDryRun ? 'À enregistrer' : 'Enregistré'} : ${frenchCount(written, 'nouvelle mesure', 'nouvelles mesures')}, ${frenchCount(changed, 'modifiée')}, ${unchanged} déjà en place. ` +
    `${modules.join(' ; ')}${more > 0 ? ` ; et ${frenchCount(more, 'autre module', 'autres modules')}` : ''}.`,
  refused: (rows, reasons) =>
    `${frenchCount(rows, 'ligne a été refusée', 'lignes ont été refusées')}, au moins en partie : ${reasons}.`,
  unread: (names) => `Colonnes non lues : ${names}.`,
};
