import type { MeasurementType } from '../../domain/moisture/measurement.ts';
import { ALL_LANGUAGES } from '../index.ts';
import type { ColumnWords, WeatherColumnWords } from './language-words.ts';

/**
 * Words in the column names of files: lower case, no accents, separated by spaces. Files come in
 * more languages than answers are given in.
 */
interface FileWords {
  readonly columns: Partial<ColumnWords>;
  readonly measurements: Readonly<Record<MeasurementType, string>>;
  readonly weatherColumns: WeatherColumnWords;
}

/** Without "Luftfeuchte" and "Lufttemperatur", which are those of the air. */
const german: FileWords = {
  columns: {
    instant: 'zeitstempel zeitpunkt messzeitpunkt datumzeit',
    date: 'datum tag',
    clock: 'zeit uhrzeit messzeit ortszeit',
    module: 'modul sonde messstation',
    type: 'messgroße messgroesse art',
    depth: 'tiefe',
    value: 'wert messwert',
    unit: 'einheit',
    humidity: 'feuchte feuchtigkeit',
    soil: 'boden erdboden',
    fillers:
      'der des im in und bei von volumetrischer volumetrische mittlere mittelwert mittel name tiefe lokal',
  },
  measurements: {
    humidity: 'bodenfeuchte bodenfeuchtigkeit wassergehalt bodenwassergehalt',
    temperature: 'temperatur bodentemperatur bodentemp',
    tensio: 'saugspannung bodenwasserspannung wasserspannung matrixpotential tensiometer',
  },
  weatherColumns: {
    day: 'datum tag',
    parcel: 'schlag parzelle',
    mm: 'regen niederschlag niederschlagmm',
    temperatureMin: 'temperaturmin tempmin mintemperatur',
    temperatureMax: 'temperaturmax tempmax maxtemperatur',
    humidityMin: 'luftfeuchtemin',
    humidityMax: 'luftfeuchtemax',
    dewPoint: 'taupunkt',
    windMs: 'wind2m',
  },
};

const portuguese: FileWords = {
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

const italian: FileWords = {
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

/** Sensors whose names stand for what they measure. */
const products: FileWords = {
  columns: {},
  measurements: { humidity: 'waterscout', temperature: '', tensio: 'watermark' },
  weatherColumns: {},
};

export const FILE_WORDS: readonly FileWords[] = [
  ...ALL_LANGUAGES.map(({ words: { columns, weatherColumns }, measurements }) => ({
    columns,
    weatherColumns,
    measurements: {
      humidity: measurements.humidity.columns,
      temperature: measurements.temperature.columns,
      tensio: measurements.tensio.columns,
    },
  })),
  german,
  portuguese,
  italian,
  products,
];
