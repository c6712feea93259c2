import {
  CM_PER_FOOT,
  CM_PER_INCH,
  type EnteredUnit,
  inchesToMm,
  LITRES_PER_CUBIC_FOOT,
  LITRES_PER_IMPERIAL_GALLON,
  LITRES_PER_US_GALLON,
  M2_PER_ACRE,
  M2_PER_HA,
  M3_PER_ACRE_INCH,
  type Quantity,
} from '../../../domain/units.ts';
import type { LanguageWords } from '../language-words.ts';

/** One of its units in words, and its size in min, mm, m3, cm, m2, L/h or mm/h, or of the whole. */
export interface AmountUnit {
  readonly quantity: Exclude<Quantity, 'time'>;
  readonly words: string;
  /** Null for a gallon that may be the US or the imperial one. */
  readonly size: number | null;
  readonly isMetric: boolean;
  /** Its figures are written as in English, "20,000" and "1.375". */
  readonly hasEnglishFigures: boolean;
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
  share: 1,
  '%': 0.01,
};

/** `usGallons`: a gallon that is not named is the US one. */
export function amountUnits(words: LanguageWords, usGallons: boolean): AmountUnit[] {
  const { units, per: perWords, gallon } = words.amounts;
  const { hours, minutes, seconds } = words.durations;
  const hour = `h|hr|${hours}`;
  const minute = `min|mn|${minutes}`;
  const second = `s|${seconds}`;
  const per = (unit: string): string => `(?: ?/ ?| (?:${perWords}) ?| )(?:${unit})`;

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
    isMetric: true,
    hasEnglishFigures: false,
  });
  const inch = (quantity: AmountUnit['quantity'], unitWords: string, size: number) =>
    customaryUnit(quantity, unitWords, size, words.amounts);

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
    metric('area', hectare, M2_PER_HA),
    metric('flow', `lph|(?:${litre})${per(hour)}`, 1),
    metric('flow', `lpm|(?:${litre})${per(minute)}`, 60),
    metric('flow', `lps|(?:${litre})${per(second)}`, 3600),
    metric('flow', `(?:${cubicMetre})${per(hour)}`, 1000),
    metric('rate', `(?:${millimetre})${per(hour)}`, 1),
    metric('rate', `(?:${litre})${per(squareMetre)}${per(hour)}`, 1),
    inch('rate', `(?:${units.inch})${per(hour)}`, inchesToMm(1)),
    metric('share', '%', 0.01),
    ...gallonUnits(gallon, usGallons ? LITRES_PER_US_GALLON : null, { per, hour, minute }),
    ...customaryUnits(words, { per, hour, minute }),
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
  { hasEnglishFigures = false }: Pick<LanguageWords['amounts'], 'hasEnglishFigures'>,
): AmountUnit => ({ quantity, words, size, isMetric: false, hasEnglishFigures });

/** In either order: "square feet", "pies cuadrados". */
const eitherOrder = (first: string, second: string, between = ' '): string =>
  `(?:(?:${first})${between}(?:${second})|(?:${second})${between}(?:${first}))`;

function gallonUnits(
  gallon: string,
  litres: number | null,
  { per, hour, minute }: RateWords,
  named: (unit: string) => string = (unit) => unit,
): AmountUnit[] {
  const unit = (quantity: AmountUnit['quantity'], words: string, size: number): AmountUnit =>
    // Gallons come from English-speaking countries, and so do their figures.
    customaryUnit(quantity, words, litres === null ? null : litres * size, {
      hasEnglishFigures: true,
    });

  return [
    unit('volume', named(gallon), 0.001),
    unit('flow', `${named('gph')}|(?:${named(gallon)})${per(hour)}`, 1),
    unit('flow', `${named('gpm')}|(?:${named(gallon)})${per(minute)}`, 60),
  ];
}

function customaryUnits({ amounts }: LanguageWords, rates: RateWords): AmountUnit[] {
  const { units, gallon } = amounts;
  const { foot, acre, square, cubic, hundredth, american, imperial } = amounts.customary;
  const named = (country: string, litres: number): AmountUnit[] =>
    gallonUnits(gallon, litres, rates, (unit) => eitherOrder(country, unit));
  const unit = (quantity: AmountUnit['quantity'], words: string, size: number): AmountUnit =>
    customaryUnit(quantity, words, size, amounts);
  const squareFoot = `(?:${foot})2|${eitherOrder(square, foot)}`;
  const cubicFoot = `(?:${foot})3|${eitherOrder(cubic, foot)}`;

  return [
    ...named(american, LITRES_PER_US_GALLON),
    ...named(imperial, LITRES_PER_IMPERIAL_GALLON),
    unit('depth', hundredth, inchesToMm(0.01)),
    unit('length', foot, CM_PER_FOOT),
    unit('area', acre, M2_PER_ACRE),
    unit('area', squareFoot, (CM_PER_FOOT / 100) ** 2),
    unit('volume', `acft|af|${eitherOrder(acre, foot, ' ?')}`, M3_PER_ACRE_INCH * 12),
    unit('volume', `acin|${eitherOrder(acre, units.inch, ' ?')}`, M3_PER_ACRE_INCH),
    unit('volume', cubicFoot, LITRES_PER_CUBIC_FOOT / 1000),
    unit('flow', `cfs|(?:${cubicFoot})${rates.per('s|sec|second')}`, LITRES_PER_CUBIC_FOOT * 3600),
    unit('rate', 'iph', inchesToMm(1)),
  ];
}
