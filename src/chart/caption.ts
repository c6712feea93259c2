import { type Bars, PALE } from './bars.ts';
import { FRAME, type Plot, TEXT } from './frame.ts';
import { type Layer, rects, texts } from './marks.ts';
import type { MoistureChart } from './moisture-chart.ts';
import { cutTo, plain, widthOf } from './text.ts';
import { COLOURS } from './theme.ts';
import { comfortOf } from './thresholds.ts';
import { WORDS } from './words.ts';

/** A sign of the picture, and what it stands for. */
interface Sign {
  readonly text: string;
  readonly style: Layer;
}

const SWATCH = 14;
const GAP = 16;

/** The line at the foot: whose clock the axis follows, and what band and bars are. */
export function captionLayers(chart: MoistureChart, bars: Bars, plot: Plot): Layer[] {
  const colours = COLOURS[chart.theme];
  const signs = signsOf(chart, bars);
  const width = signs.reduce((sum, sign) => sum + widthOfSign(sign), 0);
  const y = FRAME.height - plot.top - 20;
  const left = FRAME.margin - plot.left;
  const time = `${WORDS[chart.lang].localTime}, ${plain(chart.zone).replaceAll('_', ' ')}`;
  const style = { colour: colours.muted, size: TEXT.small };
  let x = left + FRAME.width - 2 * FRAME.margin - width + GAP;
  return [
    ...texts([{ text: cutTo(time, TEXT.small, FRAME.width - 2 * FRAME.margin - width), x: left, y }], style),
    ...signs.flatMap((sign) => {
      const box = { x, x2: x + SWATCH, y: y - SWATCH / 2, y2: y + SWATCH / 2 };
      x += widthOfSign(sign);
      return [...rects([box], sign.style), ...texts([{ text: sign.text, x: box.x2 + 6, y }], style)];
    }),
  ];
}

const widthOfSign = ({ text }: Sign): number => SWATCH + 6 + widthOf(text, TEXT.small) + GAP;

/** What there is to explain. */
function signsOf(chart: MoistureChart, { span, bars }: Bars): Sign[] {
  const words = WORDS[chart.lang];
  const { comfort, fieldCapacity, water } = COLOURS[chart.theme];
  const has = (kind: 'done' | 'planned' | 'unknown') => bars.some((bar) => bar[kind] > 0);
  return [
    ...(comfortOf(chart) ? [{ text: words.comfort, style: { fill: comfort, stroke: fieldCapacity } }] : []),
    ...(has('done') ? [{ text: words.watering[span], style: { color: water, opacity: 1 } }] : []),
    ...(has('planned') ? [{ text: words.planned, style: { color: water, opacity: PALE } }] : []),
    ...(has('unknown') ? [{ text: words.noDose, style: { fill: 'transparent', stroke: water, strokeWidth: 2 } }] : []),
  ];
}
