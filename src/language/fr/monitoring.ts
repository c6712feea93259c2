import { capitalize } from '../../domain/text.ts';
import type { GatewayBody } from '../../schema/company/company.ts';
import type { Language } from '../en/index.ts';
import type { ThresholdKind } from '../en/monitoring.ts';
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
const BASIS_NAMES = {
  annotation: 'ligne tracée sur sa courbe',
  soil_profile: 'profil de sol',
} as const;
const GATEWAY_STATES: Readonly<Record<GatewayBody['status'], string>> = {
  active: 'en service',
  faulty: 'en panne',
};

export const frenchState: Language['state'] = {
  noMoisture: (name) =>
    `L’état du sol ${withDe(name)} est inconnu : il n’y a aucune mesure d’humidité.`,
  reading: (value, at) => `${value} % en volume ${at}`,
  state: (name, state, reading) => `Le sol ${withDe(name)} est ${STATE_NAMES[state]}, ${reading}.`,
  noThresholds: (name, reading) =>
    `L’état du sol ${withDe(name)} est inconnu, faute de seuils utilisables : ${reading}.`,
  staleData: (name, age, reading) =>
    `Données anciennes, donc l’état du sol ${withDe(name)} est inconnu : sa dernière mesure d’humidité remonte à ${age}, ${reading}.`,
};

export const frenchThresholds: Language['thresholds'] = {
  noSoilMoisture:
    'Il n’y a pas de capteur d’humidité du sol ; get_moisture_series montre ce qui est mesuré.',
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

export const frenchTension: Language['tension'] = {
  noReading: (name) => `L’état ${withDe(name)} est inconnu : aucune mesure de tension.`,
  reading: (value, at) => `${value} kPa ${at}`,
  staleData: (name, age, reading) =>
    `Données anciennes, donc l’état ${withDe(name)} est inconnu : sa dernière tension remonte à ${age}, ${reading}.`,
  tooDry: ({ name, reading, dry }) =>
    `${name} est trop sec : ${reading}, au-dessus de son niveau sec de ${dry} kPa (plus c’est haut, plus c’est sec).`,
  tooWet: ({ name, reading, wet }) =>
    `${name} est saturé : ${reading}, sous son niveau humide de ${wet} kPa (plus c’est haut, plus c’est sec).`,
  comfort: ({ name, reading, wet, dry }) =>
    `${name} est en confort : ${reading}, entre son niveau humide de ${wet} et son niveau sec de ${dry} kPa (plus c’est haut, plus c’est sec).`,
  notDry: ({ name, reading, dry }) =>
    `${name} n’est pas trop sec : ${reading}, pas au-dessus de son niveau sec de ${dry} kPa (plus c’est haut, plus c’est sec). Aucun niveau humide n’est tracé.`,
  notWet: ({ name, reading, wet }) =>
    `${name} n’est pas saturé : ${reading}, pas sous son niveau humide de ${wet} kPa (plus c’est haut, plus c’est sec). On ne sait pas s’il est trop sec, car aucun niveau sec n’est tracé.`,
  noLevels: ({ name, reading }) =>
    `${name} indique ${reading} ; plus c’est haut, plus c’est sec. On ne sait pas si c’est trop sec, car aucun niveau n’est tracé.`,
  crossedLevels: ({ name, reading, wet, dry }) =>
    `${name} indique ${reading} ; plus c’est haut, plus c’est sec. Mais son niveau humide de ${wet} kPa n’est pas sous son niveau sec de ${dry} kPa : corrigez l’un des deux avec update_annotation.`,
  waterNow: 'Arrosez maintenant.',
  notYet: 'Pas besoin d’arroser pour l’instant.',
  typical: (texture, { wet, from, to }) =>
    `Usuel sur ${texture.toLowerCase()} : arroser entre ${from} et ${to} kPa, saturé sous ${wet} kPa ; cela dépend de la culture.`,
  drawLevels:
    'Demandez quels niveaux retenir, puis tracez-les avec create_annotation : chartType tensio, type h-line, fill dry (sec) ou wet (humide).',
  unknownSoil:
    'Les niveaux usuels dépendent du sol : ils sont proposés dès que la texture de sa parcelle est déclarée (set_soil_profile).',
};

const MEASURED: Readonly<Record<string, (value: string) => string>> = {
  humidity: (value) => `humidité ${value} %`,
  temperature: (value) => `température ${value} °C`,
  rain: (value) => `pluie ${value} mm`,
  wind: (value) => `vent ${value} m/s`,
  radiation: (value) => `rayonnement ${value} W/m2`,
  tensio: (value) => `tension ${value} kPa`,
};

export const frenchDevice: Language['device'] = {
  reading: (type, value) => MEASURED[type]?.(value) ?? `${type} ${value}`,
  assigned: (device, depths, earlierReadings) =>
    `Ses mesures viennent de l’appareil ${device}${depths === null ? '' : `, à ${depths} cm`}${earlierReadings === 0 ? '' : ` ; ${frenchCount(earlierReadings, 'mesure déjà reçue compte', 'mesures déjà reçues comptent')} aussi`}.`,
  battery: (level) => `batterie ${level}`,
  signal: (dBm, snr) => `signal ${dBm} dBm${snr === null ? '' : ` (SNR ${snr} dB)`}`,
  status: (device, at, parts) =>
    `Appareil ${[`${device} : dernier envoi ${at}`, ...parts].join(', ')}.`,
  unassigned: (devices, others) =>
    devices.length + others === 1
      ? `Un appareil qui n’est attribué à aucune sonde envoie des mesures : ${devices.join(' ; ')}. Attribuez-le avec set_module.`
      : `Des appareils qui ne sont attribués à aucune sonde envoient des mesures : ${devices.join(' ; ')}${others === 0 ? '' : ` ; et ${others} de plus`}. Attribuez chacun avec set_module.`,
};
