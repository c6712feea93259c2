import { failure, ok, type Result } from '../../domain/result.ts';
import { CM_PER_FOOT, CM_PER_INCH } from '../../domain/units.ts';
import { LANGUAGE_WORDS } from '../index.ts';

const SEPARATOR = /[\s,;/+&]+/;
const anyOf = (...patterns: readonly string[]): string => patterns.join('|');

const INCHES = anyOf('["”″]', "''", ...LANGUAGE_WORDS.map(({ amounts }) => amounts.units.inch));
const FEET = anyOf("['’′]", ...LANGUAGE_WORDS.map(({ amounts }) => amounts.customary.foot));
const UNIT = `(?<cm>cm)|(?<inches>${INCHES})|(?<feet>${FEET})`;

const UNIT_ALONE = new RegExp(`^\\(?(?:${UNIT})[).]*$`, 'i');
const FIGURE = new RegExp(`^\\(?(?<figure>\\d{1,5}(?:[.]\\d+)?)(?:${UNIT})?[).]*$`, 'i');
/** The words in "at 10 and 30 cm", in every language. */
const BESIDE_FIGURES = new RegExp(
  `^\\(?(?:${anyOf(...LANGUAGE_WORDS.map(({ besideDepths }) => besideDepths))})[).]*$`,
  'i',
);

const MAX_DEPTH_CM = 10_000;

export const isOfDepths = (word: string): boolean =>
  [UNIT_ALONE, FIGURE, BESIDE_FIGURES].some((pattern) => pattern.test(word));

/** Depths in cm, or the first word that is neither a depth nor stands beside one. */
type ParsedDepths = Result<readonly number[], string>;

/**
 * Parses "10, 20, 30", "10 20 30 cm", "at 10 and 30 cm", "4, 8 and 12 in". A unit is that of the
 * figures before it too; inches and feet become whole cm, because depths of sensors are.
 */
export function parseDepths(text: string): ParsedDepths {
  const words = text.split(SEPARATOR).filter((word) => word !== '');
  const unknownWord = words.find((word) => !isOfDepths(word));
  if (unknownWord !== undefined) return failure(unknownWord);

  const depths: number[] = [];
  let cmPerUnit = 1;
  for (const word of words.toReversed()) {
    const { figure, cm, inches, feet } = (UNIT_ALONE.exec(word) ?? FIGURE.exec(word))?.groups ?? {};
    if (cm !== undefined) cmPerUnit = 1;
    if (inches !== undefined) cmPerUnit = CM_PER_INCH;
    if (feet !== undefined) cmPerUnit = CM_PER_FOOT;
    if (figure === undefined) continue;

    const depth = Number(figure) * cmPerUnit;
    if (depth > MAX_DEPTH_CM) return failure(word);
    depths.push(cmPerUnit === 1 ? depth : Math.round(depth));
  }

  return ok(depths.reverse());
}
