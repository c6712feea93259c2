import { type ChosenFields, fieldInSentence } from '../../domain/ingest/field-choices.ts';
import { MEASUREMENTS, type MeasurementType } from '../../domain/moisture/measurement.ts';
import { englishFormat } from '../en/grammar.ts';

/** A field of a message with its last value. */
export interface SentField {
  readonly name: string;
  readonly value: number;
}

export const sentFields = (
  readings: readonly { readonly type: string; readonly value: number }[],
): SentField[] =>
  readings.flatMap(({ type, value }) => {
    const name = fieldInSentence(type);
    return name === null ? [] : [{ name, value }];
  });

const MAX_NAMED_FIELDS = 12;

export function listSentFields(fields: readonly SentField[]): string {
  const named = fields.slice(0, MAX_NAMED_FIELDS).map(({ name, value }) => `${name} ${value}`);
  const others = fields.length - named.length;
  return englishFormat.list(others > 0 ? [...named, `${others} others`] : named);
}

/** Words in the names of fields, as decoders write them. */
const WORDS: readonly (readonly [type: MeasurementType, word: RegExp])[] = [
  ['temperature', /temp/i],
  ['tensio', /tension|potential|watermark|kpa|cbar/i],
  ['humidity', /moist|vwc|hum|water|soil|feucht/i],
];

const typeOf = ({ name }: SentField): MeasurementType | undefined =>
  WORDS.find(([, word]) => word.test(name))?.[0];

/**
 * What a person may say of these fields, to be completed with the depths: by their names, or else
 * that the first one is moisture.
 */
export function suggestedFields(fields: readonly SentField[]): string {
  const guessed = fields.flatMap((field) => {
    const type = typeOf(field);
    return type === undefined ? [] : [{ ...field, type }];
  });
  const suggested =
    guessed.length > 0
      ? guessed
      : fields.slice(0, 1).map((field) => ({ ...field, type: 'humidity' as const }));

  return suggested
    .map(({ name, type, value }) => {
      const unit = type === 'humidity' ? ` ${value > 0 && value < 1 ? 'm3/m3' : '%'}` : '';
      return `${name} = ${MEASUREMENTS[type].word} DEPTH cm${unit}`;
    })
    .join('; ');
}

/** "soil_moist = moisture 20 cm %", as it was chosen. */
export const chosenFieldTexts = ({ fields, depths }: ChosenFields): string[] =>
  fields.map(({ name, type, position, unit, factor }) => {
    const depth = position === null ? 'without depth' : `${depths[position]} cm`;
    const scale = factor === 1 ? '' : ` * ${factor}`;
    return `${name} = ${MEASUREMENTS[type].word} ${depth}${unit === null ? '' : ` ${unit}`}${scale}`;
  });
