import { readFigure } from '../../../domain/ingest/written-figures.ts';
import { failure, ok, type Parsed } from '../../../domain/result.ts';
import { say, verbatim } from '../../../domain/text/say.ts';
import type { ShortTextPattern } from '../../../schema/short-text-pattern.ts';
import { figureValue, normalizeWords } from '../number.ts';
import { type Groups, groupOf } from '../word-rule.ts';

/** A figure, or what is ambiguous about it; null for a phrase that makes no sense. */
export type ReadFigure = Parsed<number> | null;

/** Words for parts of a unit: quarters are 4. */
export type PartWords = readonly (readonly [pattern: RegExp, parts: number])[];

const SPACED_FIGURE = '\\d{1,3}(?: \\d{3})+(?:[.,]\\d{1,2})?';
/** A figure that was a number word. */
export const MARKED_FIGURE = '#\\d{1,10}(?:\\.\\d{1,4})?';

export const FIGURE = `${SPACED_FIGURE}|\\d+(?:[.,]\\d+)?|\\.\\d+`;
/** "20,000" with US units; "0,125" is a decimal fraction all the same. */
export const CUSTOMARY_FIGURE = '[1-9]\\d{0,2}(?:,\\d{3})+(?:\\.\\d+)?';

const IS_CUSTOMARY = new RegExp(`^${CUSTOMARY_FIGURE}$`);

const VULGAR_FRACTIONS: Readonly<Record<string, string>> = {
  '¼': '1/4',
  '½': '1/2',
  '¾': '3/4',
  '⅓': '1/3',
  '⅔': '2/3',
  '⅛': '1/8',
  '⅜': '3/8',
  '⅝': '5/8',
  '⅞': '7/8',
};

/** Marks of inches and feet become their units, "1-1/2" is "1 1/2". */
export function normalizeAmount(text: string): string {
  const plain = text
    .replaceAll('²', '2')
    .replaceAll('³', '3')
    .replace(/[¼½¾⅓⅔⅛⅜⅝⅞]/g, (sign) => ` ${VULGAR_FRACTIONS[sign]}`)
    .replace(/(?<=\d) ?(?:["“”″]|'')/g, ' in ')
    .replace(/(?<=\d) ?['’′](?!\p{L})/gu, ' ft ');

  return normalizeWords(plain)
    .replace(/(?<=\d)-(?=\d+ ?\/|\p{L})/gu, ' ')
    .trim();
}

/** "3 quarters of an inch" becomes "3/4 of an inch". */
export const withFractions = (text: string, parts: PartWords): string =>
  parts.reduce(
    (marked, [pattern, size]) =>
      marked.replace(pattern, (_, count: string | undefined) => `${count ?? 1}/${size}`),
    text,
  );

/** Null where half is said twice. */
export function figureOf(
  groups: Groups,
  {
    isHalf,
    hasEnglishFigures,
  }: { readonly isHalf: ShortTextPattern; readonly hasEnglishFigures: boolean },
): ReadFigure {
  const after = fractionOf(groups.restOf, groups.restIn);
  if (groups.partOf !== undefined)
    return ok(figureValue(groups.units ?? '0') + fractionOf(groups.partOf, groups.partIn) + after);

  const count = groupOf(groups, 'count').trim();
  const addedHalf = groups.halfBefore || groups.halfAfter ? 0.5 : 0;
  if (isHalf.test(count)) return addedHalf > 0 ? null : ok(0.5);
  const value = countValue(count, hasEnglishFigures);
  return value.ok ? ok(value.value + addedHalf + after) : value;
}

const fractionOf = (part: string | undefined, parts: string | undefined): number =>
  part === undefined || parts === undefined ? 0 : figureValue(part) / Number(parts);

/** "3,000" is 3000 in English and 3 in French, so it is refused without an English unit. */
export function countValue(count: string, hasEnglishFigures: boolean): Parsed<number> {
  if (hasEnglishFigures && IS_CUSTOMARY.test(count)) return ok(Number(count.replaceAll(',', '')));

  const figure = readFigure(count);
  if (figure === null) return ok(figureValue(count.replaceAll(' ', '')));
  if (!('mark' in figure)) return ok(figure.value);

  const { asDecimals, asThousands } = figure;
  if (hasEnglishFigures) return ok(asDecimals);
  return failure(
    say`${verbatim(count)} could be ${asThousands} or ${asDecimals}: ask which, and write it without a separator`,
  );
}

/** Removes the error of binary fractions, so that 1.1 cm is 11 mm. */
export const withoutBinaryError = (value: number): number => Number(value.toPrecision(12));
