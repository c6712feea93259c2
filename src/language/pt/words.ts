import type { FileWords } from '../words/language-words.ts';

export const portugueseFileWords: FileWords = {
  columns: {
    instant: 'datahora carimbo',
    date: 'data dia',
    clock: 'hora horas horario',
    module: 'modulo sonda estacao',
    type: 'tipo medida grandeza parametro variavel',
    depth: 'profundidade prof',
    value: 'valor leitura',
    unit: 'unidade unidades',
    humidity: 'umidade humidade',
    soil: 'solo',
    fillers:
      'de do da na no em e a o ao agua profundidade volumetrico volumetrica hidrico matricial matrico local medida nome media',
  },
  measurements: {
    humidity: 'teor conteudo',
    temperature: 'temperatura temp',
    tensio: 'tensao tensiometro potencial succao',
  },
  weatherColumns: {
    day: 'data dia',
    parcel: 'talhao parcela',
    mm: 'chuva chuvamm precipitacao',
    temperatureMin: 'temperaturaminima',
    temperatureMax: 'temperaturamaxima',
    humidityMin: 'urmin',
    humidityMax: 'urmax',
    windMs: 'vento2m',
  },
};
