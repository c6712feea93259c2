import type { LanguageWords } from '../words/language-words.ts';
import { composeNumbers, TWO_DIGITS } from '../words/number.ts';
import { spanishFormat } from './grammar.ts';

// In the patterns "#" stands before a figure that was a number word: "seis horas" is "#6 horas".

const SMALL_NUMBERS = [
  ...'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince'.split(
    ' ',
  ),
  ...'dieciseis diecisiete dieciocho diecinueve'.split(' '),
];
const TENS = 'veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa';
const HUNDREDS =
  'doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos';

/** Minutes or a fraction after "las seis", past it or before it. */
const MINUTES = `(?: (?:y|con) (?<past>media|#3 cuartos|(?:#1 )?cuarto|${TWO_DIGITS}(?: minutos?)?)| menos (?<to>(?:#1 )?cuarto|${TWO_DIGITS}(?: minutos?)?))`;

export const spanishWords: LanguageWords = {
  format: spanishFormat,
  numbers: {
    values: spanishNumbers(),
    and: 'y',
    million: 'millon(?:es)?(?: de)?',
    point: 'coma|punto',
    fractions: [
      ['3 cuartos|3/4', 45],
      ['cuarto|1/4', 15],
      ['medi[oa]|1/2', 30],
    ],
  },
  durations: {
    hours: 'horas?',
    minutes: 'minutos?|mins',
    seconds: 'segundos?|segs?',
    fractionOfHour:
      '(?:#1 )?media hora|1/2 hora|(?:(?:(?:#1|el) )?cuarto|1/4|(?:los )?#?3 cuartos|3/4) de hora',
    fractionAfterHours: 'media|#3 cuartos|(?:#1 )?cuarto',
    others: () => ['hora y (?<plus>media|#3 cuartos|(?:#1 )?cuarto)'],
    now: 'ahora(?: mismo)?|en este momento|en este instante',
    ago: ['hace (?:como |unos |unas |aproximadamente |mas o menos |alrededor de )?{}', '{} atras'],
    ahead: [
      '(?:en|dentro de) (?:como |unos |unas |aproximadamente |mas o menos |alrededor de )?{}',
    ],
  },
  days: {
    offsets: [
      ['anteayer|antier|antes de ayer|antes ayer', -2],
      ['(?:de )?ayer', -1],
      ['(?:de )?hoy(?: dia)?', 0],
      ['manana', 1],
      ['pasado manana', 2],
    ],
    days: 'dias?',
    weeks: 'semanas?',
    ago: ['hace {}', '{} atras'],
    ahead: '(?:en|dentro de) {}',
    // One week and two weeks in everyday Spanish.
    daysOrWeeks: '(?:hace|en|dentro de) #?(?:8|15) dias',
    shortMonths: [
      'ene',
      'feb',
      'mar',
      'abr',
      'may',
      'jun',
      'jul',
      'ago',
      'sept?|setiembre',
      'oct',
      'nov',
      'dic',
    ],
    lastWeekday: '(?:(?:el|este) )?(?:{} pasado|pasado {}|ultimo {})',
    nextWeekday: '(?:el )?(?:{} proximo|proximo {})',
    comingWeekday: '(?:el |este )?{} que viene',
    thisWeekday: 'este {}',
    ordinals: ['primero'],
    ordinal: 'º|°|o|ro|er',
    of: 'del?',
    never: 'nunca|sin reposo',
  },
  starts: {
    since: 'desde|a partir del?|en',
    beginning:
      '(?:desde )?siempre|(?:(?:desde|a partir de) )?(?:el |un )?(?:principio|inicio|comienzo|primer dia)',
    months: 'mes(?:es)?',
    years: 'anos?',
    periods: [
      ['este mes', 'month', 0],
      ['(?:el )?mes pasado|el pasado mes(?! de)', 'month', 1],
      [
        'este ano|(?:a |el )?(?:principios?|comienzos?|inicios?) de ano|(?:a |el )?(?:principios?|comienzos?|inicios?) del ano(?! #?\\d)',
        'year',
        0,
      ],
      ['(?:el )?ano pasado|el pasado ano', 'year', 1],
    ],
    lastMonth: ['{} pasado', '(?:el )?pasado (?:mes de )?{}'],
    firstOf: '(?:a |el )?(?:(?:principios?|comienzos?|inicios?) (?:del? (?:mes de )?)?|mes de )',
    partOf: '(?:mediados|finales|fines|fin|final) del?',
    yearWord: '(?:el )?ano',
    season:
      '(?:(?:el|la|este|esta|pasad[oa]|proxim[oa]) )*(?:primavera|verano|otono|invierno)(?: (?:pasad[oa]|proxim[oa]))?(?: (?:del? )?\\d{4})?',
  },
  ends: {
    lastOf: '(?:a )?(?:(?:el )?(?:ultimo dia|final|fin)|finales|fines) (?:del? (?:mes de )?)?',
    periods: [
      ['(?:el )?(?:mes que viene|proximo mes|mes proximo)', 'month', 1],
      ['(?:este )?mes', 'month', 0],
      ['(?:el )?(?:ano que viene|proximo ano|ano proximo)', 'year', 1],
      ['(?:este )?ano', 'year', 0],
    ],
  },
  clock: {
    noon: 'mediodia|medio dia',
    midnight: 'medianoche|media noche|(?:(?:a )?las )?#?12 de la noche',
    hours: 'horas',
    phrases: [
      { pattern: 'las? (?<h>\\d{1,2}) ?h(?! (?:y|menos))', form: '24-hour' },
      { pattern: `las? (?<h>${TWO_DIGITS})(?: horas?| ?h)?${MINUTES}` },
      // "2 horas y media" is a duration unless an article precedes it.
      { pattern: `(?<h>${TWO_DIGITS})${MINUTES}` },
      { pattern: `las? (?<h>${TWO_DIGITS})(?: horas?| h)` },
      {
        pattern: `(?<to>(?:#1 )?cuarto|${TWO_DIGITS}(?: minutos?)?) para (?:las?|el) (?<h>${TWO_DIGITS}|mediodia)`,
      },
    ],
    parts: [
      { pattern: 'anoche', part: 'last night' },
      { pattern: 'la noche pasada', part: 'last night' },
      { pattern: '(?:anteanoche|antenoche|antes de anoche)', part: 'night', day: -2 },
      { pattern: 'esta (?:manana|madrugada)', part: 'morning', isThis: true },
      { pattern: 'esta tarde', part: 'afternoon or early evening', isThis: true },
      { pattern: 'esta noche', part: 'night', isThis: true },
      { pattern: '(?:(?:de|por|en|a) )?la (?:manana|madrugada)|de madrugada', part: 'morning' },
      { pattern: '(?:(?:de|por|en|a) )?la tarde|tarde', part: 'afternoon or early evening' },
      { pattern: '(?:(?:de|por|en|a) )?la noche|noche', part: 'night' },
      { pattern: 'del (?:mediodia|medio dia|dia)', part: 'middle of the day' },
    ],
  },
  amounts: {
    units: {
      millimetre: 'milimetros?',
      centimetre: 'centimetros?',
      metre: 'metros?',
      inch: 'pulgadas?|pulgs?\\.?',
      litre: 'litros?|lts?',
      hectolitre: 'hectolitros?',
      kilolitre: 'kilolitros?',
      cubicMetre: 'metros? cubicos?',
      squareMetre: 'metros? cuadrados?',
      hectare: 'hectareas?',
      percent: 'por ?ciento',
    },
    per: 'por|al|a la',
    half: '(?:#1 )?medi[oa]',
    andAHalf: 'y medi[oa]',
    rough:
      'como|unos|unas|casi|aproximadamente|aprox|alrededor de|cerca de|mas o menos|quizas?|tal vez|a lo mejor|o asi|o por ahi|poco mas o menos',
    fillers:
      'pues|bueno|este|de agua|exactamente|justos?|en punto|durante|(?<!\\w )por|por(?= #?\\d+ (?:h|horas?|min|minutos?))',
    before: 'el|la|los|las|al|a',
    gallon: 'galon(?:es)?|gal',
    parts: {
      words: [
        ['tercios?', 3],
        ['cuartos?', 4],
        ['quintos?', 5],
        ['octavos?', 8],
        ['decimos?', 10],
        ['dieciseisavos?', 16],
      ],
      of: '(?: de)?(?: #1)?',
    },
    customary: {
      foot: 'pies?',
      acre: 'acres?',
      square: 'cuadrados?',
      cubic: 'cubicos?',
      hundredth: 'centesimas?(?: de pulgada)?',
      american: 'american[oa]s?|estadounidenses?|de estados unidos',
      imperial: 'imperial(?:es)?|britanic[oa]s?|ingles[ae]?s?',
    },
  },
  fillers: {
    hour: 'a eso de|a|las?|sobre|hacia|como a|tipo|alrededor de|cerca de|aproximadamente(?: a)?|mas o menos(?: a)?|exactamente',
    date: '(?:el|del)(?: dia)?',
    other: 'pues|bueno|este|a ver|al|fue|era|temprano|en punto|justo',
  },
  tenses: { past: 'mas temprano|antes', future: 'mas tarde|despues|luego' },
  until: 'hasta',
  besideDepths: 'a|y',
  yes: ['s', 'si'],
  columns: {
    instant: 'marca',
    date: 'fecha dia',
    clock: 'hora horas tiempo',
    module: 'modulo sonda estacion',
    type: 'tipo medida magnitud parametro',
    depth: 'profundidad prof',
    value: 'valor lectura',
    unit: 'unidad unidades',
    humidity: 'humedad',
    soil: 'suelo',
    fillers:
      'de del la el en a y al agua profundidad volumetrico volumetrica hidrico matricial medida local nombre media promedio',
  },
  weatherColumns: {
    day: 'fecha dia',
    parcel: 'parcela bloque',
    mm: 'lluvia lluviamm',
    humidityMin: 'hrmin',
    humidityMax: 'hrmax',
    windMs: 'viento2m',
  },
};

function spanishNumbers(): Map<string, number> {
  const words = composeNumbers(SMALL_NUMBERS, TENS.split(' '), ' y ').set('un', 1).set('una', 1);
  for (const [ten, base] of [...words].filter(([, value]) => value >= 20 && value % 10 === 0))
    words.set(`${ten} y un`, base + 1).set(`${ten} y una`, base + 1);
  for (let unit = 1; unit <= 9; unit++) words.set(`veinti${SMALL_NUMBERS[unit]}`, 20 + unit);
  words
    .set('veintiun', 21)
    .set('veintiuna', 21)
    .set('cien', 100)
    .set('ciento', 100)
    .set('mil', 1000);
  HUNDREDS.split(' ').forEach((word, index) => {
    words.set(word, (index + 2) * 100).set(word.replace(/os$/, 'as'), (index + 2) * 100);
  });

  return words;
}
