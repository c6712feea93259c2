import { MEASUREMENTS } from '../../../../domain/moisture/measurement.ts';
import { quotedName, say } from '../../../../domain/text/say.ts';
import { invalidInputError } from '../../../../schema/error.ts';
import { columnMeaning, type SensorMeaning } from '../../csv/column-names.ts';

/** The quantity that a field measures. */
export interface FieldMeaning extends Pick<SensorMeaning, 'type' | 'unit'> {
  /** In cm; null without a depth, such as in the air, and undefined where it is not said. */
  readonly depth: number | null | undefined;
  readonly factor: number;
}

export interface DescribedField {
  readonly name: string;
  /** Null for a field that is not read any more. */
  readonly meaning: FieldMeaning | null;
}

const FACTOR = /(?<operator>[*×/])\s*(?<number>\d+(?:\.\d+)?)$/;
const WITHOUT_DEPTH = /\b(?:air|without depth)\b/i;
/** The words of "humidity at 20 cm in %". */
const BETWEEN = /\bat(?=\s+\d)|in\b(?<=cm\s+in)/gi;

/**
 * Parses "soil_moist = humidity 20 cm %; temp1 = temperature 20 cm", with the words and units of
 * the map of a CSV; "* 0.1" or "/ 10" scales the number before it has the unit.
 */
export function parseFields(texts: readonly string[]): DescribedField[] {
  return texts
    .flatMap((text) => text.split(';'))
    .filter((text) => text.trim() !== '')
    .map(parseField);
}

function parseField(text: string): DescribedField {
  // The name of a field may have an equals sign itself.
  const equals = text.lastIndexOf('=');
  const name = text.slice(0, Math.max(equals, 0)).trim();
  const target = text.slice(equals + 1).trim();
  if (name === '') throw unknownMeaning(text);
  if (target === '?')
    throw invalidInputError(
      'invalid_body',
      say`Replace the question mark of ${quotedName(name)}.`,
      {
        hint: say`Its name does not say what it measures: ask, and write moisture, temperature or tension, its depth and its unit, or leave the field out.`,
        field: 'fields',
      },
    );
  const meaning = /^ignore$/i.test(target) ? null : parseMeaning(target);
  if (meaning === undefined) throw unknownMeaning(text);

  return { name, meaning };
}

/** Undefined for a text that names no measurement. */
function parseMeaning(target: string): FieldMeaning | undefined {
  const { operator, number = '1' } = FACTOR.exec(target)?.groups ?? {};
  const words = target
    .replace(FACTOR, '')
    .replace(BETWEEN, ' ')
    .replace(/\bhumidity\b/i, MEASUREMENTS.humidity.word);
  const isWithoutDepth = WITHOUT_DEPTH.test(words);
  const sensor = columnMeaning(words.replace(WITHOUT_DEPTH, ' ').replace(/\s+/g, ' ').trim());
  if (sensor?.kind !== 'sensor' || Number(number) === 0) return undefined;

  const { type, unit, depth } = sensor;
  return {
    type,
    unit,
    depth: isWithoutDepth ? null : (depth ?? undefined),
    factor: operator === '/' ? 1 / Number(number) : Number(number),
  };
}

const unknownMeaning = (text: string) =>
  invalidInputError(
    'invalid_body',
    say`${quotedName(text.trim())} does not say what a field measures.`,
    {
      hint: say`Write the name of the field, =, moisture, temperature or tension, its depth and its unit, such as "soil_moist = moisture 20 cm %"; m3/m3 for a fraction, / 10 for tenths.`,
      field: 'fields',
    },
  );
