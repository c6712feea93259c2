import type { FileWords } from '../words/language-words.ts';

/** Without "Luftfeuchte" and "Lufttemperatur", which are those of the air. */
export const germanFileWords: FileWords = {
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
