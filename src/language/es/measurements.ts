import type { Language } from '../en/index.ts';

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
