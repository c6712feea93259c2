import { MEASUREMENTS, type MeasurementType } from '../../domain/moisture/measurement.ts';
import { foldText } from '../../domain/strings.ts';
import type { SentField } from './field-texts.ts';

/** Words in the names of fields, as decoders write them. */
const MEASURED: readonly (readonly [type: MeasurementType, word: RegExp])[] = [
  ['temperature', /\bt\b|\btemp|temp(?:eratur[ae]?)?\b/],
  ['tensio', /tension|potential|watermark|\bkpa\b|\bc(?:enti)?bars?\b|\bcbs?\b|\bhpa\b|\bmbar\b/],
  ['humidity', /moist|vwc|\bhum|hum(?:idity)?\b|feucht/],
];

/** A number that a decoder has not converted, or has in a unit that is not read. */
const UNCONVERTED =
  /\b(?:raw|adc|hz|khz|freq|ohms?|mv|volts?|v|psi|pf|count|dielectric|permittivity)\b/;

/** Matches fields that no sensor of a module measures. */
const NOT_MEASURED =
  /\bbatt?|batt?(?:ery)?\b|volt|rssi|snr|\blqi\b|signal|count|\bseq|interval|\bec\b|conduct|salin|\bph\b|firmware|version|status|alarm|\bmv\b/;

const MAX_SUGGESTED = 12;

/** "SoilT_1" as "soil t 1"; kPa, hPa and mBar are words. */
const wordsOf = (name: string): string =>
  foldText(name.replace(/(?<=[a-z])(?=[A-Z])(?<!(?<![a-z])[kh](?=Pa)|(?<![a-z])m(?=Bar))/g, ' '))
    .replace(/[^a-z0-9]+/g, ' ')
    .replace(/(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z])/g, ' ');

/**
 * The answer that a person may give about these fields, to be completed with the depths. Only the
 * name of a field says what it measures: a wrong guess that is copied stores a temperature as
 * moisture.
 */
export function suggestedFields(fields: readonly SentField[]): string {
  const named = fields.filter(({ name }) => !NOT_MEASURED.test(wordsOf(name)));
  return (named.length > 0 ? named : fields).slice(0, MAX_SUGGESTED).map(suggestedField).join('; ');
}

function suggestedField({ name, value }: SentField): string {
  const words = wordsOf(name);
  const [measured, ...others] = MEASURED.filter(([, word]) => word.test(words));
  const isClear = others.length === 0 && !UNCONVERTED.test(words);
  if (measured === undefined || !isClear) return `${name} = ?`;

  const [type] = measured;
  const { word, min, max } = MEASUREMENTS[type];
  const unit = unitOf(type, words, value);
  if (unit !== '°F' && (value < min || value > max)) return `${name} = ?`;
  return [`${name} =`, word, /\bair\b/.test(words) ? 'air' : 'DEPTH cm', unit].join(' ').trim();
}

function unitOf(type: MeasurementType, words: string, value: number): string {
  switch (type) {
    case 'humidity':
      return value > 0 && value < 1 ? 'm3/m3' : '%';
    case 'temperature':
      return /\bf(?:ahrenheit)?\b/.test(words) ? '°F' : '';
    case 'tensio':
      return /\b(?:hpa|mbar)\b/.test(words) ? 'hPa' : '';
  }
}
