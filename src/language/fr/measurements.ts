import { say } from '../../domain/text/say.ts';
import type { Language } from '../en/index.ts';
import type { englishMeasurementTexts } from '../en/measurements.ts';

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

export const frenchMeasurementTexts: typeof englishMeasurementTexts = () => ({
  humidity: { curve: say`la courbe d’humidité`, outOfRange: say`humidité hors de la plage` },
  temperature: {
    curve: say`la courbe de température`,
    outOfRange: say`température hors de la plage`,
  },
  tensio: { curve: say`la courbe de tension`, outOfRange: say`tension hors de la plage` },
});
