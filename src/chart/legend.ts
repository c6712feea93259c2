import { singleLine } from '../language/text.ts';
import { type ChartLayout, FRAME, TEXT_SIZES } from './layout.ts';
import type { RainBars } from './rain-bars.ts';
import type { Mark, RectStyle } from './scene.ts';
import { textWidth } from './text.ts';
import { comfortRange } from './thresholds.ts';
import { PLANNED_OPACITY, UNKNOWN_DOSE_STROKE_WIDTH, type WateringBars } from './watering-bars.ts';

interface LegendEntry {
  readonly text: string;
  readonly style: RectStyle;
}

const SWATCH = 14;
const LEGEND_GAP = 16;
const LEGEND_Y = FRAME.height - 20;
const LEGEND_WIDTH = FRAME.width - 2 * FRAME.margin;

export function legendMarks(layout: ChartLayout, bars: WateringBars, rain: RainBars): Mark[] {
  const { chart, colours, labels } = layout;
  const complete = legendEntries(layout, bars, rain);
  const entries = legendWidth(complete) <= LEGEND_WIDTH ? complete : complete.map(shortened);
  const width = legendWidth(entries);
  const zone = singleLine(chart.zone).replaceAll('_', ' ');
  const times = [`${labels.localTime}, ${zone}`, zone, zone.slice(zone.lastIndexOf('/') + 1)];
  const time = times.find((each) => textWidth(each, TEXT_SIZES.small) <= LEGEND_WIDTH - width);
  const style = { fill: colours.muted, size: TEXT_SIZES.small };
  const text = (line: string, x: number): Mark => ({ kind: 'text', lines: [line], x, y: LEGEND_Y, ...style });
  let x = FRAME.margin + LEGEND_WIDTH - width + LEGEND_GAP;
  return [
    ...(time === undefined ? [] : [text(time, FRAME.margin)]),
    ...entries.flatMap((entry): Mark[] => {
      const left = x;
      x += legendEntryWidth(entry);
      return [
        { kind: 'rect', x: left, y: LEGEND_Y - SWATCH / 2, width: SWATCH, height: SWATCH, ...entry.style },
        text(entry.text, left + SWATCH + 6),
      ];
    }),
  ];
}

const legendEntryWidth = ({ text }: LegendEntry): number => SWATCH + 6 + textWidth(text, TEXT_SIZES.small) + LEGEND_GAP;

const legendWidth = (entries: readonly LegendEntry[]): number =>
  entries.reduce((sum, entry) => sum + legendEntryWidth(entry), 0);

/** "watering, mm" in place of "watering, mm a day over the whole area". */
const shortened = ({ text, style }: LegendEntry): LegendEntry => ({ text: text.replace(/(, mm).*/, '$1'), style });

function legendEntries(
  { chart, labels, colours }: ChartLayout,
  { period, bars }: WateringBars,
  rain: RainBars,
): LegendEntry[] {
  const { comfort, fieldCapacity, water } = colours;
  const has = (part: 'done' | 'planned' | 'unknown') => bars.some((bar) => bar[part] > 0);
  const entries = [
    { isShown: comfortRange(chart) !== null, text: labels.comfort, style: { fill: comfort, stroke: fieldCapacity } },
    { isShown: rain.bars.length > 0, text: labels.rain[rain.period], style: { fill: colours.rain } },
    { isShown: has('done'), text: labels.watering[period], style: { fill: water } },
    { isShown: has('planned'), text: labels.planned, style: { fill: water, opacity: PLANNED_OPACITY } },
    {
      isShown: has('unknown'),
      text: labels.unknownDose,
      style: { stroke: water, strokeWidth: UNKNOWN_DOSE_STROKE_WIDTH },
    },
  ];
  return entries.filter(({ isShown }) => isShown);
}
