import { languageOf } from '../language/index.ts';
import { FRAME, type Plot, TEXT_SIZES } from './frame.ts';
import { rectMarks, textMarks, type VegaLayer } from './marks.ts';
import type { MoistureChart } from './moisture-chart.ts';
import { textWidth, toDrawableLine, truncateText } from './text.ts';
import { THEME_COLOURS } from './theme.ts';
import { comfortRange } from './thresholds.ts';
import { PLANNED_OPACITY, type WateringBars } from './watering-bars.ts';

/** A sign of the picture, and what it stands for. */
interface LegendEntry {
  readonly text: string;
  readonly style: VegaLayer;
}

const SWATCH = 14;
const LEGEND_GAP = 16;

/** The line at the foot: whose clock the axis follows, and what band and bars are. */
export function legendLayers(chart: MoistureChart, bars: WateringBars, plot: Plot): VegaLayer[] {
  const colours = THEME_COLOURS[chart.theme];
  const signs = legendEntries(chart, bars);
  const width = signs.reduce((sum, sign) => sum + legendEntryWidth(sign), 0);
  const y = FRAME.height - plot.top - 20;
  const left = FRAME.margin - plot.left;
  const time = `${languageOf(chart.lang).chartLabels.localTime}, ${toDrawableLine(chart.zone).replaceAll('_', ' ')}`;
  const style = { colour: colours.muted, size: TEXT_SIZES.small };
  let x = left + FRAME.width - 2 * FRAME.margin - width + LEGEND_GAP;
  return [
    ...textMarks(
      [{ text: truncateText(time, TEXT_SIZES.small, FRAME.width - 2 * FRAME.margin - width), x: left, y }],
      style,
    ),
    ...signs.flatMap((sign) => {
      const box = { x, x2: x + SWATCH, y: y - SWATCH / 2, y2: y + SWATCH / 2 };
      x += legendEntryWidth(sign);
      return [...rectMarks([box], sign.style), ...textMarks([{ text: sign.text, x: box.x2 + 6, y }], style)];
    }),
  ];
}

const legendEntryWidth = ({ text }: LegendEntry): number => SWATCH + 6 + textWidth(text, TEXT_SIZES.small) + LEGEND_GAP;

/** What there is to explain. */
function legendEntries(chart: MoistureChart, { period, bars }: WateringBars): LegendEntry[] {
  const words = languageOf(chart.lang).chartLabels;
  const { comfort, fieldCapacity, water } = THEME_COLOURS[chart.theme];
  const has = (kind: 'done' | 'planned' | 'unknown') => bars.some((bar) => bar[kind] > 0);
  return [
    ...(comfortRange(chart) ? [{ text: words.comfort, style: { fill: comfort, stroke: fieldCapacity } }] : []),
    ...(has('done') ? [{ text: words.watering[period], style: { color: water, opacity: 1 } }] : []),
    ...(has('planned') ? [{ text: words.planned, style: { color: water, opacity: PLANNED_OPACITY } }] : []),
    ...(has('unknown') ? [{ text: words.noDose, style: { fill: 'transparent', stroke: water, strokeWidth: 2 } }] : []),
  ];
}
