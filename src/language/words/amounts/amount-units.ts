import {
  CM_PER_FOOT,
  CM_PER_INCH,
  type EnteredUnit,
  inchesToMm,
  LITRES_PER_CUBIC_FOOT,
  LITRES_PER_IMPERIAL_GALLON,
  LITRES_PER_US_GALLON,
  M2_PER_ACRE,
  M3_PER_ACRE_INCH,
  type Quantity,
} from '../../../domain/units.ts';
import type { LanguageWords } from '../language-words.ts';

/** One of its units in words, and its size in min, mm, m3, cm, m2, L/h or mm/h. */
export interface AmountUnit {
  readonly quantity: Exclude<Quantity, 'time'>;
  readonly words: string;
  /** Null for a gallon that may be the US or the imperial one. */
  readonly size: number | null;
  /** Not metric: its figures are written as in English, "20,000" and "1.375". */
  readonly isCustomary: boolean;
}

/** The size of the units of fields in those of AmountUnit. */
export const FIELD_UNIT_SIZES: Record<EnteredUnit, number> = {
  min: 1,
  h: 60,
  mm: 1,
  m3: 1,
  cm: 1,
  m: 100,
  m2: 1,
  'L/h': 1,
  'mm/h': 1,
};

/** `usGallons`: a gallon that is not named is the US one. */
export function amountUnits(words: LanguageWords, usGallons: boolean): AmountUnit[] {
  const { units, per: perWords, gallon, customary } = words.amounts;
  const { hours, minutes, seconds } = words.durations;
  const hour = `h|hr|${hours}`;
  const minute = `min|mn|${minutes}`;
  const second = `s|${seconds}`;
  const per = (unit: string): string => `(?: ?/ ?| (?:${perWords}) ?)(?:${unit})`;

  const millimetre = `mm|${units.millimetre}`;
  const centimetre = `cm|${units.centimetre}`;
  const litre = `l|${units.litre}`;
  const cubicMetre = `m3|${units.cubicMetre}`;
  const squareMetre = `m2|${units.squareMetre}`;
  const hectare = `ha|${units.hectare}`;

  const metric = (quantity: AmountUnit['quantity'], unitWords: string, size: number) => ({
    quantity,
    words: unitWords,
    size,
    isCustomary: false,
  });
  const inch = (quantity: AmountUnit['quantity'], unitWords: string, size: number) => ({
    ...metric(quantity, unitWords, size),
    isCustomary: customary !== undefined,
  });

  return [
    metric('depth', millimetre, 1),
    metric('depth', centimetre, 10),
    inch('depth', units.inch, inchesToMm(1)),
    // A litre on a square metre is 1 mm deep.
    metric('depth', `(?:${litre})${per(squareMetre)}`, 1),
    metric('depth', `(?:${cubicMetre})${per(hectare)}`, 0.1),
    metric('volume', cubicMetre, 1),
    metric('volume', litre, 0.001),
    metric('volume', `hl|${units.hectolitre}`, 0.1),
    metric('volume', `kl|${units.kilolitre}`, 1),
    metric('length', millimetre, 0.1),
    metric('length', centimetre, 1),
    metric('length', `m|${units.metre}`, 100),
    inch('length', units.inch, CM_PER_INCH),
    metric('area', squareMetre, 1),
    metric('area', hectare, 10_000),
    metric('flow', `lph|(?:${litre})${per(hour)}`, 1),
    metric('flow', `lpm|(?:${litre})${per(minute)}`, 60),
    metric('flow', `lps|(?:${litre})${per(second)}`, 3600),
    metric('flow', `(?:${cubicMetre})${per(hour)}`, 1000),
    metric('rate', `(?:${millimetre})${per(hour)}`, 1),
    metric('rate', `(?:${litre})${per(squareMetre)}${per(hour)}`, 1),
    inch('rate', `(?:${units.inch})${per(hour)}`, inchesToMm(1)),
    ...gallonUnits(gallon, usGallons ? LITRES_PER_US_GALLON : null, { per, hour, minute }),
    ...(customary === undefined ? [] : customaryUnits(words, customary, { per, hour, minute })),
  ];
}

interface RateWords {
  readonly per: (unit: string) => string;
  readonly hour: string;
  readonly minute: string;
}

const customaryUnit = (
  quantity: AmountUnit['quantity'],
  words: string,
  size: number | null,
): AmountUnit => ({ quantity, words, size, isCustomary: true });

function gallonUnits(gallon: string, litres: number | null, { per, hour, minute }: RateWords) {
  const sized = (size: number): number | null => (litres === null ? null : litres * size);

  return [
    customaryUnit('volume', gallon, sized(0.001)),
    customaryUnit('flow', `gph|(?:${gallon})${per(hour)}`, sized(1)),
    customaryUnit('flow', `gpm|(?:${gallon})${per(minute)}`, sized(60)),
  ];
}

function customaryUnits(
  { amounts: { units, gallon } }: LanguageWords,
  customary: NonNullable<LanguageWords['amounts']['customary']>,
  rates: RateWords,
): AmountUnit[] {
  const { foot, acre, square, cubic, hundredth, american, imperial } = customary;
  const named = (country: string, litres: number): AmountUnit[] =>
    gallonUnits(gallon, litres, rates).map((unit) => ({
      ...unit,
      words: `(?:${country}) (?:${unit.words})`,
    }));

  return [
    ...named(american, LITRES_PER_US_GALLON),
    ...named(imperial, LITRES_PER_IMPERIAL_GALLON),
    customaryUnit('depth', hundredth, inchesToMm(0.01)),
    customaryUnit('length', foot, CM_PER_FOOT),
    customaryUnit('area', acre, M2_PER_ACRE),
    customaryUnit('area', `ft2|(?:${square}) (?:${foot})`, (CM_PER_FOOT / 100) ** 2),
    customaryUnit('volume', `acft|af|(?:${acre}) ?(?:${foot})`, M3_PER_ACRE_INCH * 12),
    customaryUnit('volume', `acin|(?:${acre}) ?(?:${units.inch})`, M3_PER_ACRE_INCH),
    customaryUnit('volume', `ft3|(?:${cubic}) (?:${foot})`, LITRES_PER_CUBIC_FOOT / 1000),
    customaryUnit(
      'flow',
      `cfs|(?:ft3|(?:${cubic}) (?:${foot}))${rates.per('s|sec|second')}`,
      LITRES_PER_CUBIC_FOOT * 3600,
    ),
    customaryUnit('rate', 'iph', inchesToMm(1)),
  ];
}
