import { entryOf } from '../../domain/items.ts';
import type { LanguageWords } from '../words/language-words.ts';
import { composeNumbers, TWO_DIGITS } from '../words/number.ts';
import { frenchFormat } from './grammar.ts';

// In the patterns "#" stands before a figure that was a number word: "six heures" is "#6 heures".

/** With those of Belgium and Switzerland. */
const TENS = 'vingt trente quarante cinquante soixante septante huitante nonante'.split(' ');

/** After "six heures": a figure, a half or quarters, or what is missing to the full hour. */
const MINUTES =
  '(?: (?<past>(?:et )?#?[13] quarts?|#?\\d{1,2}(?: minutes?)?|et (?:demie?|quart))| moins (?<to>(?:(?:le|#1) )?quart|#?\\d{1,2}(?: minutes?)?))?';

export const frenchWords: LanguageWords = {
  format: frenchFormat,
  numbers: {
    values: frenchNumbers().set('cent', 100).set('cents', 100).set('mille', 1000),
    // The month: "1 sept", "sept 12".
    except: '(?<=\\d(?:er)? )sept\\b|sept \\d',
    and: 'et',
    million: "millions?(?: de| d')?",
    point: 'virgule|point',
    fractions: [
      ['3 quarts?|3/4', 45],
      ['quart|1/4', 15],
      ['demi|1/2', 30],
    ],
  },
  durations: {
    hours: 'heures?',
    minutes: 'minutes?|mins',
    seconds: 'secondes?|secs?',
    fractionOfHour:
      "(?:(?:#1|la) )?demie? heure|1/2 heure|(?:(?:(?:#1|le) )?quart|1/4|#?3 quarts?|3/4) d'? ?heure",
    fractionAfterHours: 'demie?|#3 quarts|(?:#1 )?quart',
    now: "maintenant|a l'instant|en ce moment",
    ago: ['(?:il y a|ca fait) (?:environ |a peu pres |a peine )?{}'],
    ahead: ['dans (?:environ )?{}'],
  },
  days: {
    offsets: [
      ['avant hier', -2],
      ['hier', -1],
      ["aujourd'? ?hui", 0],
      ['demain', 1],
      ['apres demain', 2],
    ],
    days: 'jours?',
    weeks: 'semaines?',
    ago: ['il y a {}'],
    ahead: 'dans {}',
    // One week and two weeks in everyday French.
    daysOrWeeks: '(?:il y a|dans|depuis) #?(?:8|15) jours?',
    shortMonths: [
      'janv?',
      'fevr?',
      'mar',
      'avr',
      'mai',
      'juin',
      'juil',
      'aout',
      'sept?',
      'oct',
      'nov',
      'dec',
    ],
    lastWeekday: '(?:le )?{} (?:dernier|passe)',
    nextWeekday: '(?:le )?{} prochain',
    comingWeekday: '(?:le )?{} qui vient',
    thisWeekday: 'ce {}',
    ordinals: ['premier'],
    ordinal: 'er',
    of: 'de',
    never: 'jamais|pas de repos',
  },
  starts: {
    since: "depuis|des|a (?:partir|compter|dater) d(?:e|u|')|en|dans|au mois d(?:e |')",
    beginning:
      "(?:depuis )?toujours|(?:(?:depuis|des|a partir d[eu]) )?(?:le |l')?(?:tout )?(?:debut|depart|origine|premier jour)",
    months: 'mois',
    years: 'ans?|annees?',
    lasting: 'depuis (?:environ |a peu pres )?{}',
    periods: [
      ['ce mois(?: ci)?', 'month', 0],
      ['le mois (?:dernier|passe)', 'month', 1],
      ["cette annee|(?:le |au )?debut (?:de l'|d')annee(?! #?\\d)", 'year', 0],
      ["l'(?:an(?:nee)?) (?:derniere?|passee?)", 'year', 1],
    ],
    lastMonth: ['{} (?:dernier|passe)'],
    firstOf: "(?:le |au )?(?:debut (?:(?:du mois )?d(?:e |'))?|mois d(?:e |'))",
    partOf: '(?:(?:a )?la )?(?:mi|fin)(?: d[eu])?|(?:le |au )?milieu d[eu]|courant|en cours de',
    yearWord: "l'an(?:nee)?",
    season:
      "(?:(?:le|au|ce|cet|cette|en|fin|debut|mi) |l'|d')*(?:printemps|ete|automne|hiver)(?: (?:dernier|passe|prochain))?(?: (?:de )?\\d{4})?",
  },
  ends: {
    lastOf:
      "(?:(?:a )?la )?fin (?:(?:du mois )?d(?:e |'))?|(?:le )?dernier jour (?:du mois )?(?:d(?:e |'))?",
    periods: [
      ['(?:du |le )?mois prochain', 'month', 1],
      ['(?:du|le|ce) mois(?: ci)?', 'month', 0],
      ["(?:l')?an(?:nee)? prochaine?", 'year', 1],
      ["(?:(?:d')?(?:l'|cette ))?annee", 'year', 0],
    ],
  },
  clock: {
    noon: 'midi',
    midnight: 'minuit',
    hours: 'heures',
    phrases: [
      { pattern: `(?<h>\\d{1,2}) ?h${MINUTES}`, form: '24-hour' },
      { pattern: `(?<h>#?12) heures?${MINUTES}`, form: 'written' },
      { pattern: `(?<h>${TWO_DIGITS}) heures?${MINUTES}` },
      { pattern: `ce (?<h>midi)${MINUTES}`, day: 0 },
      { pattern: `(?<h>midi|minuit)${MINUTES}` },
    ],
    parts: [
      { pattern: 'la nuit (?:derniere|passee)', part: 'last night' },
      { pattern: 'ce matin', part: 'morning', isThis: true },
      { pattern: 'cet(?:te)? (?:apres midi|aprem)', part: 'afternoon', isThis: true },
      { pattern: 'ce soir', part: 'evening', isThis: true },
      {
        pattern: '(?:du |au |le |a )?mat(?:in)?|(?:(?:dans|en) (?:la )?)?matinee',
        part: 'morning',
      },
      { pattern: "(?:de l'|dans l'|l')?(?:apres midi|aprem)", part: 'afternoon' },
      { pattern: '(?:du |au |le )?soir|(?:(?:dans|en) (?:la )?)?soiree', part: 'evening' },
      { pattern: '(?:de la |dans la |la )?nuit', part: 'night' },
    ],
    whichNight: 'cette nuit',
  },
  amounts: {
    units: {
      millimetre: 'millimetres?',
      centimetre: 'centimetres?',
      metre: 'metres?',
      inch: 'pouces?|po',
      litre: 'litres?',
      hectolitre: 'hectolitres?',
      kilolitre: 'kilolitres?',
      cubicMetre: '(?:metres? )?cubes?',
      squareMetre: 'metres? carres?',
      hectare: 'hectares?',
      percent: 'pour ?cent|pourcents?',
    },
    per: "par|au|a l'",
    half: '(?:#1 )?demi',
    andAHalf: 'et demie?',
    rough: 'environ|a peu pres|vers|presque|peut etre|pas loin de|plus ou moins',
    fillers: "ben|bah|donc|alors|exactement|pile|pendant|durant|pour|d'eau",
    before: 'le|la|les|a',
    gallon: 'gallons?',
    parts: {
      words: [
        ['tiers', 3],
        ['quarts?', 4],
        ['cinquiemes?', 5],
        ['huitiemes?', 8],
        ['dixiemes?', 10],
        ['seiziemes?', 16],
      ],
      of: '(?: de)?(?: #1)?',
    },
    customary: {
      foot: 'pieds?|pi',
      acre: 'acres?',
      square: 'carres?',
      cubic: 'cubes?',
      hundredth: 'centiemes?(?: de pouce)?',
      american: 'americains?|des etats unis',
      imperial: 'imperia(?:l|ux)|britanniques?',
    },
  },
  fillers: {
    hour: 'a|vers|environ|aux environs de|a peu pres|pile',
    date: 'le',
    other: "ben|bah|alors|voyons|les|ca|c'etait|tot|tard|precises?|tapantes?",
  },
  tenses: { past: 'plus tot', future: 'plus tard' },
  until: "jusqu['’]? ?(?:à|a)(?: (?:vers|environ))?|jusque vers",
  besideDepths: 'à|a|et',
  yes: ['o', 'oui'],
  columns: {
    instant: 'horodatage horodate',
    date: 'date jour',
    clock: 'heure heures',
    module: 'module sonde station',
    type: 'type mesure grandeur parametre',
    depth: 'profondeur prof',
    value: 'valeur releve',
    unit: 'unite unites',
    humidity: 'humidite',
    soil: 'sol',
    fillers:
      'de du d en a la le l et eau profondeur volumique hydrique matriciel mesure locale nom moyenne moy',
  },
  weatherColumns: {
    day: 'jour',
    parcel: 'parcelle bloc',
    // RR, TN and TX are the names of Météo-France.
    mm: 'pluie pluiemm rr',
    temperatureMin: 'tn',
    temperatureMax: 'tx',
    humidityMin: 'hrmin',
    humidityMax: 'hrmax',
    windMs: 'vent2m',
  },
};

function frenchNumbers(): Map<string, number> {
  const small = [
    ...'zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize'.split(
      ' ',
    ),
    ...['dix sept', 'dix huit', 'dix neuf'],
  ];
  const words = composeNumbers(small, TENS, ' ').set('une', 1);
  for (const tens of TENS)
    for (const one of ['et un', 'et une', 'une'])
      words.set(`${tens} ${one}`, entryOf(words, tens) + 1);
  for (let unit = 0; unit <= 9; unit++) words.set(`soixante ${small[10 + unit]}`, 70 + unit);
  for (let unit = 1; unit <= 19; unit++) words.set(`quatre vingt ${small[unit]}`, 80 + unit);

  return words
    .set('soixante et onze', 71)
    .set('quatre vingt', 80)
    .set('quatre vingts', 80)
    .set('quatre vingt une', 81);
}
