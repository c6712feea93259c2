import { capital } from '../domain/capital.ts';
import { of } from '../domain/french.ts';
import type { StateWords, ThresholdKind } from './state-words.ts';

const STATES = {
  saturated: 'saturé, plus humide que ce qu’il peut retenir',
  comfort: 'en confort hydrique',
  stress: 'en stress hydrique',
} as const;

const KINDS: Record<ThresholdKind, string> = { stressPoint: 'seuil de stress', fieldCapacity: 'capacité au champ' };
const RESTS_ON = { annotation: 'ligne tracée sur sa courbe', soil_profile: 'profil de sol' } as const;

export const frenchStates: StateWords = {
  noSoilMoisture: 'Il n’y a pas de capteur d’humidité du sol ; get_moisture_series montre ce qui est mesuré.',
  noMoisture: (name) => `L’état du sol ${of(name)} n’est pas connu : il n’y a aucune mesure d’humidité.`,
  read: (value, at) => `${value} % en volume ${at}`,
  stands: (name, state, read) => `Le sol ${of(name)} est ${STATES[state]}, ${read}.`,
  noThresholds: (name, read) => `L’état du sol ${of(name)} n’est pas connu, faute de seuils : ${read}.`,
  old: (name, age, read) =>
    `Données anciennes, donc l’état du sol ${of(name)} n’est pas connu : sa dernière mesure d’humidité remonte à ${age}, ${read}.`,
  thresholds: (known) =>
    `${capital(known.map(({ kind, value, restsOn }) => `${KINDS[kind]} ${value} % (${RESTS_ON[restsOn]})`).join(', '))}.`,
  crossed: 'Ils sont inversés, donc cet état ne veut rien dire : corrigez-en un avec update_annotation.',
  undeclared: (missing) =>
    `Pas de ${missing.map((kind) => KINDS[kind]).join(' ni de ')} : déclarez le sol de sa parcelle avec set_soil_profile, ou tracez une ligne avec create_annotation.`,
};
