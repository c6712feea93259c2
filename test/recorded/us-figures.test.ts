import { describe, expect, it } from 'vitest';
import type { Json } from '../tool-results.ts';
import { readRecording } from './recording.ts';

type Convert = (metric: number) => number;

const dividedBy =
  (size: number): Convert =>
  (metric) =>
    metric / size;

/** By US unit and metric unit. Sources: 1 in is 25.4 mm, 1 gal 231 cubic inches, 1 acre 43,560 sq ft. */
const CONVERSIONS: Readonly<Record<string, readonly Convert[]>> = {
  'in mm': [dividedBy(25.4)],
  'in cm': [dividedBy(2.54)],
  'in/h mm/h': [dividedBy(25.4)],
  'ft m': [dividedBy(0.3048)],
  'gal L': [dividedBy(3.785411784)],
  'gal m3': [dividedBy(0.003785411784)],
  'gph L/h': [dividedBy(3.785411784)],
  'acre-inches m3': [dividedBy(102.79015312896)],
  'acres ha': [dividedBy(0.40468564224)],
  'acres m2': [dividedBy(4046.8564224)],
  'sq ft m2': [dividedBy(0.09290304)],
  'sq ft per m2': [(perM2) => 1 / perM2 / 0.09290304],
  // Of a temperature, and of a rise.
  '°F °C': [(celsius) => 1.8 * celsius + 32, (celsius) => 1.8 * celsius],
};

/** How much a body has of the unit of a sentence, where its fields have another. */
const SCALES: Readonly<Record<string, readonly number[]>> = { ha: [1, 1e-4], m: [1, 0.01] };

const FIGURE = '-?(?:\\d{1,3}(?:,\\d{3})+|\\d+)(?:\\.\\d+)?';
const FIGURES = `${FIGURE}(?:(?:, | and | to | of | or )${FIGURE})*`;
const QUANTITY = new RegExp(
  `(${FIGURES}) (acre-inches|acres|sq ft|ft|in/h|in|gph|gal|°F) [([](${FIGURES}) ([^()[\\]]+)[)\\]]`,
  'g',
);

const figuresOf = (text: string): string[] => text.match(new RegExp(FIGURE, 'g')) ?? [];
const parseFigure = (figure: string): number => Number(figure.replaceAll(',', ''));

/** Half of the last digit that is said. US figures have three digits where they have no decimals. */
function halfStep(figure: string, digits: number): number {
  const [whole = '', decimals] = figure.replace(/[-,]/g, '').split('.');
  if (decimals !== undefined) return 0.5 * 10 ** -decimals.length;
  return 0.5 * 10 ** Math.max(0, whole.length - digits);
}

const isSaidAs = (value: number, figure: string, digits = Number.POSITIVE_INFINITY): boolean =>
  Math.abs(value - parseFigure(figure)) <= halfStep(figure, digits) * (1 + 1e-9);

const numbersIn = (value: Json): number[] => {
  if (typeof value === 'number') return [value];
  if (typeof value === 'string') return figuresOf(value).map(parseFigure);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
};

interface SaidFigure {
  readonly us: string;
  readonly metric: string;
  readonly unit: string;
  readonly conversions: readonly Convert[];
}

function* figuresSaid(sentences: string): Generator<SaidFigure> {
  for (const [, us = '', usUnit, metric = '', unit = ''] of sentences.matchAll(QUANTITY)) {
    const conversions = CONVERSIONS[`${usUnit} ${unit}`];
    if (conversions === undefined) throw new Error(`Unknown quantity: ${us} ${usUnit} (${unit})`);
    const metrics = figuresOf(metric);
    // Other figures of the sentence may stand before those of this quantity.
    const usFigures = figuresOf(us).slice(-metrics.length);
    for (const [index, figure] of metrics.entries())
      yield { us: usFigures[index]!, metric: figure, unit, conversions };
  }
}

/** Returns the values of a body that its sentence rounds to this figure. */
const valuesSaidAs = ({ metric, unit }: SaidFigure, values: readonly number[]): number[] =>
  values
    .flatMap((value) => (SCALES[unit] ?? [1]).map((scale) => value * scale))
    .filter((value) => isSaidAs(value, metric));

const isConversionOf = ({ us, conversions }: SaidFigure, values: readonly number[]): boolean =>
  conversions.some((convert) => values.some((value) => isSaidAs(convert(value), us, 3)));

/** Of a value that is not in the body, all that is known is between two others. */
function canBeConversion({ us, metric, conversions }: SaidFigure): boolean {
  const [value, margin] = [parseFigure(metric), halfStep(metric, 3)];
  return conversions.some((convert) => {
    const ends = [convert(value - margin), convert(value + margin)];
    const [said, saidMargin] = [parseFigure(us), halfStep(us, 3)];
    return Math.min(...ends) <= said + saidMargin && Math.max(...ends) >= said - saidMargin;
  });
}

/** Said of values that are not in the body, which has another that rounds to the same figure. */
const OF_OTHER_VALUES: readonly string[] = [
  'correct_rain {"rainId":1,"mm":11.5}: 0.47 (12 mm)',
  'farm_overview {}: 0.59 (15 mm)',
];

describe.each([
  ['us-answers', 180],
  ['us-demo-answers', 130],
] as const)('a US figure in %s', (source, least) => {
  it('is the conversion of the unrounded value in the body', async () => {
    let found = 0;
    const wrong: unknown[] = [];
    for (const [question, { summary = '', body }] of Object.entries(await readRecording(source))) {
      const values = numbersIn(body ?? null);
      for (const figure of figuresSaid(summary)) {
        const shown = `${question}: ${figure.us} (${figure.metric} ${figure.unit})`;
        const isOther = OF_OTHER_VALUES.some((each) => shown.endsWith(each));
        const candidates = isOther ? [] : valuesSaidAs(figure, values);
        if (isConversionOf(figure, candidates)) found++;
        else if (candidates.length > 0 || !canBeConversion(figure)) wrong.push([shown, candidates]);
      }
    }
    expect(wrong).toEqual([]);
    expect(found).toBeGreaterThan(least);
  });
});

it.each([
  // 21.46 mm is 0.845 in, and 21 mm is 0.827 in.
  ['It lacks 0.84 in (21 mm).', [21.46], true],
  ['It lacks 0.83 in (21 mm).', [21.46], false],
  ['at 4 and 8 in (10 and 20 cm)', [10, 20], true],
  ['at 4 and 9 in (10 and 20 cm)', [10, 20], false],
  ['68.4 °F (20.2 °C)', [20.21], true],
  ['for 30, 5,280 gal (20 m3)', [20], true],
])('%j of %j is right: %s', (sentence, values, isRight) => {
  const figures = [...figuresSaid(sentence)];
  expect(figures.length).toBeGreaterThan(0);
  expect(figures.every((figure) => isConversionOf(figure, valuesSaidAs(figure, values)))).toBe(
    isRight,
  );
});
