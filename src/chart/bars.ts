import { type Plot, TEXT } from './frame.ts';
import { type Layer, rects, texts } from './marks.ts';
import type { MoistureChart } from './moisture-chart.ts';
import { widthOf } from './text.ts';
import type { Colours } from './theme.ts';
import { type Span, type WateringSum, wateringSums } from './watering-sums.ts';
import { sayNumber, WORDS } from './words.ts';

/** Water as it stands at the foot of a picture, in px of the plot; heights from the foot up. */
export interface Bar {
  readonly x: number;
  readonly x2: number;
  readonly done: number;
  readonly planned: number;
  /** Height of the outline that stands for doses not known. */
  readonly unknown: number;
  /** Its dose; empty where its neighbours leave no room. */
  readonly label: string;
}

export interface Bars {
  /** What each stands for. */
  readonly span: Span;
  readonly bars: readonly Bar[];
}

const LEAST_WIDTH = 7;
const TALLEST = 48;
const LOWEST = 4;
/** Heights of the outline for a dose that is not known: alone, and on top of what is known. */
const UNKNOWN = 24;
const UNKNOWN_TOP = 8;
const GAP = 6;
/** How pale a planned watering is. */
export const PALE = 0.45;

/** The water of the period as bars as long as what they stand for, labelled where there is room. */
export function barsOf(chart: MoistureChart, width: number): Bars {
  const { span, sums } = wateringSums(chart, width);
  const most = Math.max(0, ...sums.map(({ done, planned }) => done + planned));
  const px = width / (chart.end - chart.start);
  const place = (at: number) => Math.max(0, Math.min(width, (at - chart.start) * px));
  const bars = sums.map((sum) => {
    const x = Math.min(place(sum.from), width - LEAST_WIDTH);
    const between = span === 'each' ? 0 : 2;
    const x2 = Math.max(x + (span === 'each' ? LEAST_WIDTH : 1), place(sum.to) - between);
    const up = (mm: number) => (mm === 0 ? 0 : Math.max(LOWEST, (mm / most) * TALLEST));
    return {
      x,
      x2,
      done: up(sum.done),
      planned: up(sum.planned),
      unknown: !sum.isUnknown ? 0 : sum.done + sum.planned === 0 ? UNKNOWN : UNKNOWN_TOP,
      label: labelOf(sum, chart),
    };
  });
  const labelled = withRoom(bars);
  return { span, bars: bars.map((bar, index) => (labelled.has(index) ? bar : { ...bar, label: '' })) };
}

/** "3.2"; "?" without a dose, "3.2 + ?" where one of several is not known. */
function labelOf({ done, planned, isUnknown }: WateringSum, { lang }: MoistureChart): string {
  const mm = sayNumber(done + planned, WORDS[lang]);
  if (!isUnknown) return mm;
  return done + planned === 0 ? '?' : `${mm} + ?`;
}

const heightOf = ({ done, planned, unknown }: Bar): number => done + planned + unknown;

/** Which bars are labelled: those with a question first, then the tallest, where neither another label nor a taller bar stands. */
function withRoom(bars: readonly Bar[]): Set<number> {
  const taken: (readonly [from: number, to: number])[] = [];
  const labelled = new Set<number>();
  const rank = (bar: Bar) => heightOf(bar) + (bar.unknown > 0 ? 2 * TALLEST : 0);
  const order = bars.map((_, index) => index).sort((a, b) => rank(bars[b]!) - rank(bars[a]!) || a - b);
  for (const index of order) {
    const bar = bars[index]!;
    const half = (widthOf(bar.label, TEXT.small) + GAP) / 2;
    const [from, to] = [(bar.x + bar.x2) / 2 - half, (bar.x + bar.x2) / 2 + half];
    const isCovered = bars.some((other) => heightOf(other) > heightOf(bar) && other.x < to && other.x2 > from);
    if (isCovered || taken.some((other) => other[0] < to && other[1] > from)) continue;
    taken.push([from, to]);
    labelled.add(index);
  }
  return labelled;
}

type Part = 'done' | 'planned' | 'unknown';

/** Bars at the foot of the plot, planned water on top of what was given, with their doses above them. */
export function barLayers({ bars }: Bars, { height: foot }: Plot, colours: Colours): Layer[] {
  const stacked = (part: Part, ...below: Part[]) =>
    bars
      .filter((bar) => bar[part] > 0)
      .map((bar) => {
        const y2 = below.reduce((y, each) => y - bar[each], foot);
        return { x: bar.x, x2: bar.x2, y: y2 - bar[part], y2 };
      });
  const labels = bars
    .filter(({ label }) => label !== '')
    .map((bar) => ({ text: bar.label, x: (bar.x + bar.x2) / 2, y: foot - heightOf(bar) - 11 }));
  return [
    ...rects(stacked('done'), { color: colours.water, opacity: 1 }),
    ...rects(stacked('planned', 'done'), { color: colours.water, opacity: PALE }),
    ...rects(stacked('unknown', 'done', 'planned'), {
      fill: 'transparent',
      stroke: colours.water,
      strokeWidth: 2,
    }),
    ...texts(labels, { colour: colours.text, size: TEXT.small, align: 'center' }),
  ];
}
