import type { Language } from '../en/index.ts';

export const frenchMeasurements: Language['measurements'] = {
  humidity: {
    label: 'Humidité',
    noun: 'l’humidité',
    columns: 'teneur',
  },
  temperature: {
    label: 'Température',
    noun: 'la température',
    columns: 'temperature temp',
  },
  tensio: {
    label: 'Tension',
    noun: 'la tension',
    columns: 'tension tensiometre potentiel succion',
  },
};

export const frenchAxes: Language['chartLabels']['measure'] = {
  humidity: 'Humidité du sol, % en volume',
  air_humidity: 'Humidité de l’air, %',
  temperature: 'Température, °C',
  tensio: 'Tension, kPa (plus c’est haut, plus c’est sec)',
};
