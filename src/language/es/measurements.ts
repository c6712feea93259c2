import { say } from '../../domain/text/say.ts';
import type { Language } from '../en/index.ts';
import type { englishMeasurementTexts } from '../en/measurements.ts';

export const spanishMeasurements: Language['measurements'] = {
  humidity: {
    label: 'Humedad',
    noun: 'la humedad',
    columns: 'contenido',
  },
  temperature: {
    label: 'Temperatura',
    noun: 'la temperatura',
    columns: 'temperatura temp',
  },
  tensio: {
    label: 'Tensión',
    noun: 'la tensión',
    columns: 'tension tensiometro potencial succion',
  },
};

export const spanishAxes: Language['chartLabels']['measure'] = {
  humidity: 'Humedad del suelo, % en volumen',
  air_humidity: 'Humedad del aire, %',
  temperature: 'Temperatura, °C',
  tensio: 'Tensión, kPa (cuanto más alto, más seco)',
};

export const spanishMeasurementTexts: typeof englishMeasurementTexts = () => ({
  humidity: { curve: say`la curva de humedad`, outOfRange: say`humedad fuera del rango` },
  temperature: {
    curve: say`la curva de temperatura`,
    outOfRange: say`temperatura fuera del rango`,
  },
  tensio: { curve: say`la curva de tensión`, outOfRange: say`tensión fuera del rango` },
});
