import type { StatePhrases, ThresholdKind } from '../monitoring/monitoring-phrases.ts';
import { capitalize } from '../text.ts';
import { withDe } from './grammar.ts';

const STATE_NAMES = {
  saturated: 'saturé, plus humide que ce qu’il peut retenir',
  comfort: 'en confort hydrique',
  stress: 'en stress hydrique',
} as const;

const THRESHOLD_NAMES: Record<ThresholdKind, string> = {
  stressPoint: 'seuil de stress',
  fieldCapacity: 'capacité au champ',
};
const BASIS_NAMES = { annotation: 'ligne tracée sur sa courbe', soil_profile: 'profil de sol' } as const;

export const frenchState: StatePhrases = {
  noSoilMoisture: 'Il n’y a pas de capteur d’humidité du sol ; get_moisture_series montre ce qui est mesuré.',
  noMoisture: (name) => `L’état du sol ${withDe(name)} n’est pas connu : il n’y a aucune mesure d’humidité.`,
  reading: (value, at) => `${value} % en volume ${at}`,
  state: (name, state, read) => `Le sol ${withDe(name)} est ${STATE_NAMES[state]}, ${read}.`,
  noThresholds: (name, read) => `L’état du sol ${withDe(name)} n’est pas connu, faute de seuils : ${read}.`,
  staleData: (name, age, read) =>
    `Données anciennes, donc l’état du sol ${withDe(name)} n’est pas connu : sa dernière mesure d’humidité remonte à ${age}, ${read}.`,
  thresholds: (known) =>
    `${capitalize(known.map(({ kind, value, basis }) => `${THRESHOLD_NAMES[kind]} ${value} % (${BASIS_NAMES[basis]})`).join(', '))}.`,
  crossedThresholds: 'Ils sont inversés, donc cet état ne veut rien dire : corrigez-en un avec update_annotation.',
  missingThresholds: (missing) =>
    `Pas de ${missing.map((kind) => THRESHOLD_NAMES[kind]).join(' ni de ')} : déclarez le sol de sa parcelle avec set_soil_profile, ou tracez une ligne avec create_annotation.`,
};
