import type { FileWords } from '../words/language-words.ts';

export const italianFileWords: FileWords = {
  columns: {
    instant: 'dataora',
    date: 'data giorno',
    clock: 'ora ore orario',
    module: 'modulo sonda stazione',
    type: 'tipo misura grandezza parametro',
    depth: 'profondita',
    value: 'valore lettura',
    unit: 'unita',
    humidity: 'umidita',
    soil: 'suolo terreno',
    fillers:
      'di del della dello nel al a in il la e acqua profondita volumetrico volumetrica idrico matriciale matrico locale misura nome medio media',
  },
  measurements: {
    humidity: 'contenuto',
    temperature: 'temperatura temp',
    tensio: 'tensione tensiometro potenziale suzione',
  },
  weatherColumns: {
    day: 'data giorno',
    parcel: 'appezzamento parcella',
    mm: 'pioggia pioggiamm precipitazione precipitazioni',
    temperatureMin: 'temperaturaminima',
    temperatureMax: 'temperaturamassima',
    humidityMin: 'urmin',
    humidityMax: 'urmax',
    windMs: 'vento2m',
  },
};
