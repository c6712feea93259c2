import type { LanguageWords } from '../words/language-words.ts';
import { composeNumbers, NUMBER_WORD, TWO_DIGITS } from '../words/number.ts';
import { englishFormat } from './grammar.ts';

// In the patterns "#" stands before a figure that was a number word: "six hours" is "#6 hours".

const SMALL_NUMBERS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen';
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety';

const HOUR_WITH_AM_PM = `(?<h>${TWO_DIGITS}|noon|midnight)(?: o'? ?clock)?(?: (?<amPm>am|pm))?`;

export const englishWords: LanguageWords = {
  format: englishFormat,
  numbers: {
    values: composeNumbers(SMALL_NUMBERS.split(' '), TENS.split(' '), ' ')
      .set('hundred', 100)
      .set('thousand', 1000),
    one: 'an?',
    and: 'and',
    million: 'millions?(?: of)?',
    point: 'point',
    fractions: [
      ['3 quarters|3/4', 45],
      ['quarter|1/4', 15],
      ['half|1/2', 30],
    ],
  },
  durations: {
    hours: 'hours?|hrs?',
    minutes: 'minutes?|mins?',
    seconds: 'seconds?|secs?',
    fractionOfHour:
      '(?:a )?half an hour|(?:a )?half hour|1/2 hour|(?:(?:an? |#1 )?quarter|1/4|#?3 quarters?|3/4) (?:of )?(?:an )?hour',
    fractionAfterHours: '(?:an? )?(?:half|quarter|#3 quarters)',
    others: (figure) => [
      `(?<hours>${figure}) and (?<plus>(?:an? )?(?:half|quarter|#3 quarters)) hours`,
      'hour and (?<plus>(?:an? )?(?:half|quarter))',
    ],
    now: '(?:right |just )?now',
    ago: ['{} (?:ago|back)'],
    ahead: ['in (?:about |around )?{}', '{} from now'],
  },
  days: {
    offsets: [
      ['(?:the )?day before yesterday', -2],
      ['yesterday', -1],
      ['today', 0],
      ['tomorrow', 1],
      ['(?:the )?day after tomorrow', 2],
    ],
    days: 'days?',
    weeks: 'weeks?',
    ago: ['{} (?:ago|back)'],
    ahead: 'in {}',
    shortWeekdays: ['mon', 'tues?', 'wed', 'thu(?:rs?)?', 'fri', 'sat', 'sun'],
    shortMonths: [
      'jan',
      'feb',
      'mar',
      'apr',
      'may',
      'jun',
      'jul',
      'aug',
      'sept?',
      'oct',
      'nov',
      'dec',
    ],
    lastWeekday: '(?:last|(?:this )?past) {}',
    nextWeekday: 'next {}',
    comingWeekday: '(?:this )?coming {}',
    thisWeekday: 'this {}',
    ordinals: englishOrdinals(),
    ordinal: 'st|nd|rd|th',
    of: 'of',
    never: 'never|no rest',
  },
  starts: {
    since: '(?:ever )?since|from|as of|starting(?: from)?|(?:back )?in',
    beginning:
      'always|(?:(?:ever )?since |from )?(?:forever|(?:the )?(?:very )?(?:beginning|start|outset|first day))',
    months: 'months?',
    years: 'years?|yrs?',
    lasting: 'for (?:about |around )?{}',
    periods: [
      ['this month', 'month', 0],
      ['last month', 'month', 1],
      ['this year|(?:the )?(?:start|beginning) of the year(?! #?\\d)', 'year', 0],
      ['last year', 'year', 1],
    ],
    firstOf: '(?:the )?(?:start|beginning|month) of ',
    partOf: 'mid|(?:the )?(?:middle|end) of|early|late',
    yearWord: '(?:the )?year',
    season:
      '(?:(?:last|this|next|the|early|late|mid) )*(?:spring|summer|autumn|fall|winter)(?: (?:of )?(?:last year|\\d{4}))?',
  },
  ends: {
    lastOf: '(?:at )?(?:the )?(?:very )?(?:end|last(?: day)?) of |end ',
    periods: [
      ['next month', 'month', 1],
      ['(?:the|this) month', 'month', 0],
      ['next year', 'year', 1],
      ['(?:the|this) year', 'year', 0],
    ],
  },
  clock: {
    noon: 'noon|midday|mid day',
    midnight: 'midnight',
    hours: 'hours|hrs',
    // "five to seven" is 06:55, or the time from five until seven.
    hourOrSpan: `#?(?:[1-9]|1[0-2]) (?:to|till) (?:${TWO_DIGITS}|noon|midnight)`,
    phrases: [
      // "half past six". "Half to seven" and "forty past six" are not English.
      {
        pattern: `(?<past>(?:a )?(?:half|quarter)|#?(?:[12]?\\d|30)(?: minutes?)?) (?:past|after) ${HOUR_WITH_AM_PM}`,
      },
      {
        pattern: `(?<to>(?:a )?quarter|#?(?:[12]?\\d|30)(?: minutes?)?) (?:to|till) ${HOUR_WITH_AM_PM}`,
      },
      // "half six": British for half past six.
      { pattern: `(?<past>half) (?<h>${NUMBER_WORD})(?: (?<amPm>am|pm))?` },
      // "quarter of six": American for quarter to six.
      { pattern: `(?<to>(?:a )?quarter) of ${HOUR_WITH_AM_PM}` },
      { pattern: `(?<h>${TWO_DIGITS}) o'? ?clock(?: (?<amPm>am|pm))?` },
      // "0630 hours", "oh six hundred hours", "six oh five".
      { pattern: '(?<h>\\d{2})(?<m>\\d{2}) ?(?:hours|hrs)', form: 'exact' },
      { pattern: '(?:(?:#0|oh?) )?#(?<h>[2-9]|[12]\\d)00(?: hours)?', form: 'exact' },
      { pattern: `(?<h>${TWO_DIGITS}) oh? (?<m>#[1-9])(?: (?<amPm>am|pm))?` },
    ],
    parts: [
      { pattern: 'last night', part: 'last night' },
      { pattern: 'last evening', part: 'evening', day: -1 },
      { pattern: 'this morning', part: 'morning', isThis: true },
      { pattern: 'this (?:afternoon|arvo)', part: 'afternoon', isThis: true },
      { pattern: 'this evening|tonight', part: 'evening', isThis: true },
      { pattern: '(?:in the )?morning', part: 'morning' },
      { pattern: '(?:in the )?(?:afternoon|arvo)', part: 'afternoon' },
      { pattern: '(?:in the )?evening', part: 'evening' },
      { pattern: '(?:at )?night', part: 'night' },
    ],
    whichNight: 'this night',
  },
  amounts: {
    units: {
      millimetre: 'millimet(?:re|er)s?',
      centimetre: 'centimet(?:re|er)s?',
      metre: 'met(?:re|er)s?',
      inch: 'in|inch|inches',
      litre: 'ltrs?|lit(?:re|er)s?',
      hectolitre: 'hectolit(?:re|er)s?',
      kilolitre: 'kilolit(?:re|er)s?',
      cubicMetre: 'cubic met(?:re|er)s?',
      squareMetre: 'square met(?:re|er)s?',
      hectare: 'hectares?',
      percent: 'per ?cent|pct',
    },
    per: 'per|an?',
    half: '(?:#1 |an? )?half(?: an?)?',
    andAHalf: 'and a half',
    rough: 'about|around|roughly|approximately|approx|circa|almost|nearly|maybe|or so|more or less',
    fillers: 'well|(?<!or )so|like|exactly|precisely|for|of water',
    before: 'the|at',
    gallon: 'gals?|gallons?',
    parts: {
      words: [
        ['thirds?', 3],
        ['quarters?', 4],
        ['fifths?', 5],
        ['eighths?', 8],
        ['tenths?', 10],
        ['sixteenths?', 16],
      ],
      of: '(?: of)?(?: an?)?',
    },
    hasEnglishFigures: true,
    customary: {
      foot: 'ft|foot|feet',
      acre: 'ac|acres?',
      square: 'sq|square',
      cubic: 'cu|cubic',
      hundredth: 'hundredths?(?: of an inch)?',
      american: 'us|u\\.s\\.?|american',
      imperial: 'imperial|imp|british|uk',
    },
  },
  fillers: {
    hour: 'at|around|about|approximately|approx|roughly|circa|exactly',
    date: 'on|the',
    other: "well|so|like|let's see|it was|early|late|sharp",
  },
  tenses: { past: '(?:the )?earlier', future: 'later(?: on)?' },
  until: 'until|til|till|up to',
  besideDepths: 'at|and',
  yes: ['y', 'yes'],
  columns: {
    instant: 'timestamp timestamps datetime stamp',
    date: 'date dates',
    clock: 'time times hour',
    module: 'module probe station device',
    type: 'type measurement parameter variable',
    depth: 'depth',
    value: 'value reading',
    unit: 'unit units',
    humidity: 'humidity hum',
    soil: 'soil',
    fillers:
      'of at the in and local volumetric water matric depth measured recorded name id avg mean average smp',
  },
  weatherColumns: {
    day: 'date day',
    parcel: 'parcel block plot field',
    mm: 'mm rain rainmm rainfall precipitation',
    temperatureMin: 'temperaturemin tmin',
    temperatureMax: 'temperaturemax tmax',
    humidityMin: 'humiditymin rhmin',
    humidityMax: 'humiditymax rhmax',
    dewPoint: 'dewpoint tdew',
    windMs: 'windms wind2m u2',
    radiationMj: 'radiationmj srad rs',
  },
};

/** To the thirty-first; the parser sees number words as figures. */
function englishOrdinals(): string[] {
  const units = 'first second third fourth fifth sixth seventh eighth ninth'.split(' ');
  const teens =
    'tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth';

  return [
    ...units,
    ...teens.split(' '),
    'twentieth',
    ...units.map((unit) => `#20 ${unit}`),
    'thirtieth',
    '#30 first',
  ];
}
