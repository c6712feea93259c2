import type { StatePhrases, ThresholdKind } from '../monitoring/monitoring-phrases.ts';
import { capitalize } from '../text.ts';

const STATE_NAMES = {
  saturated: 'saturado, más húmedo de lo que puede retener',
  comfort: 'en confort hídrico',
  stress: 'en estrés hídrico',
} as const;

const THRESHOLD_NAMES: Record<ThresholdKind, string> = {
  stressPoint: 'umbral de estrés',
  fieldCapacity: 'capacidad de campo',
};
const BASIS_NAMES = { annotation: 'línea trazada en su curva', soil_profile: 'perfil del suelo' } as const;

export const spanishState: StatePhrases = {
  noSoilMoisture: 'No tiene sensor de humedad del suelo; get_moisture_series muestra lo que mide.',
  noMoisture: (name) => `No se conoce el estado del suelo de ${name}: no hay ninguna medida de humedad.`,
  reading: (value, at) => `${value} % en volumen ${at}`,
  state: (name, state, read) => `El suelo de ${name} está ${STATE_NAMES[state]}, ${read}.`,
  noThresholds: (name, read) => `No se conoce el estado del suelo de ${name}, por falta de umbrales: ${read}.`,
  staleData: (name, age, read) =>
    `Datos antiguos, así que no se conoce el estado del suelo de ${name}: su última medida de humedad es de hace ${age}, ${read}.`,
  thresholds: (known) =>
    `${capitalize(known.map(({ kind, value, basis }) => `${THRESHOLD_NAMES[kind]} ${value} % (${BASIS_NAMES[basis]})`).join(', '))}.`,
  crossedThresholds: 'Están invertidos, así que este estado no significa nada: corrija uno con update_annotation.',
  missingThresholds: (missing) =>
    `Falta ${missing.map((kind) => `${kind === 'stressPoint' ? 'el' : 'la'} ${THRESHOLD_NAMES[kind]}`).join(' y falta ')}: declare el suelo de su parcela con set_soil_profile, o trace una línea con create_annotation.`,
};
