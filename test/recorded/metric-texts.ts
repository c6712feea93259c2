import type { Json } from '../tool-results.ts';

/** But not that of "m3". */
const NUMBER = /(?<![\p{L}\d])[-\u2212]?\d+(?:[.,\u202f]\d+)*/u;

/** Symbols of units of the United States in the three languages, the longer ones first. */
const SYMBOLS = [
  ...['acre-inches', 'acres-pouces', 'acres-pulgada', 'acres', 'acre'],
  ...['sq ft', 'pi²', 'pies²', 'ft', 'pies', 'pi'],
  ...['in/h', 'po/h', 'pulg\\./h', 'in', 'po', 'pulg\\.', 'gal/h', 'gph', 'gal', '°F'],
];

/** The symbol of a US quantity, before the metric quantity in brackets. */
const SYMBOL_AND_METRIC = new RegExp(
  `[ \u00a0\u202f](?:${SYMBOLS.join('|')}) (?:\\(([^()[\\]]+)\\)|\\[([^()[\\]]+)\\])`,
  'g',
);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Figures with the same words between them as in "10, 20 and 30 cm"; null if it has none. */
function figuresLikeThoseOf(metric: string): RegExp | null {
  const [, ...between] = metric.split(new RegExp(NUMBER, 'gu'));
  if (between.length === 0) return null;
  const joiners = between.slice(0, -1).map((words) => `${escaped(words)}${NUMBER.source}`);
  return new RegExp(`${NUMBER.source}${joiners.join('')}$`, 'u');
}

const EMITTERS = /one emitter per [\d.,]+ sq ft [([]([\d.]+) per m2[)\]]/g;

/** "0.71 in (18 mm)" becomes "18 mm". */
export function withoutUsFigures(text: string): string {
  const sentences = text.replace(EMITTERS, '$1 emitters per m2');
  let metricText = '';
  let end = 0;
  for (const match of sentences.matchAll(SYMBOL_AND_METRIC)) {
    const [all, round, square] = match;
    const metric = round ?? square ?? '';
    const before = sentences.slice(end, match.index);
    const figures = figuresLikeThoseOf(metric)?.exec(before);
    metricText += figures ? before.slice(0, figures.index) + metric : before + all;
    end = match.index + all.length;
  }
  return metricText + sentences.slice(end);
}

/** An area in ha is followed by m2 in metric sentences alone. */
const SAME_AREA = /( ha) \([\d.,]+ m2\)/g;

/** Fields whose figures, or which as a whole, differ by their unit: pictures are of a hash. */
const UNCOMPARED = /^(?:units|picture.*|html)$/;

/** Returns the texts without US figures, and without what has no metric words. */
export function metricTexts(value: Json): Json {
  if (typeof value === 'string') return withoutUsFigures(value).replace(SAME_AREA, '$1');
  if (Array.isArray(value)) return value.map(metricTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) =>
      UNCOMPARED.test(name) ? [] : [[name, metricTexts(each)]],
    ),
  );
}
