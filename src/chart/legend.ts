import { withoutNulls } from '../domain/items.ts';
import { singleLine } from '../domain/strings.ts';
import { waterUnitOf } from '../language/american-quantities.ts';
import { languageOf } from '../language/index.ts';
import { type ChartLayout, CONTENT_WIDTH, FRAME, TEXT_SIZES } from './layout.ts';
import type { RainBars } from './rain-bars.ts';
import { type Mark, type RectStyle, textWidth } from './scene.ts';
import { comfortRange } from './thresholds.ts';
import {
  type BarHeights,
  UNKNOWN_DOSE_STROKE_WIDTH,
  UNSEEN_OPACITY,
  type WateringBars,
} from './watering-bars.ts';

interface LegendEntry {
  readonly text: string;
  /** "watering, mm" in place of "watering, mm a day over the whole area". */
  readonly shortText?: string;
  readonly style: RectStyle;
}

const SWATCH = 14;
const LEGEND_GAP = 16;
const LEGEND_Y = FRAME.height - 20;
/** In px, between a swatch and its text. */
const SWATCH_TEXT_GAP = 6;

export function legendMarks(layout: ChartLayout, bars: WateringBars, rain: RainBars): Mark[] {
  const { chart, colours, labels } = layout;
  const fullEntries = legendEntries(layout, bars, rain);
  const entries =
    legendWidth(fullEntries) <= CONTENT_WIDTH ? fullEntries : fullEntries.map(shortened);
  const entriesWidth = legendWidth(entries);
  const zone = singleLine(chart.zone).replaceAll('_', ' ');
  const zoneCaptions = [
    `${labels.localTime}, ${zone}`,
    zone,
    zone.slice(zone.lastIndexOf('/') + 1),
  ];

  const longestFittingCaption = zoneCaptions.find(
    (caption) => textWidth(caption, TEXT_SIZES.small) <= CONTENT_WIDTH - entriesWidth,
  );
  const textStyle = { fill: colours.muted, size: TEXT_SIZES.small };

  const textMark = (text: string, x: number): Mark => ({
    kind: 'text',
    lines: [text],
    x,
    y: LEGEND_Y,
    ...textStyle,
  });

  const marks: Mark[] = [];
  if (longestFittingCaption !== undefined)
    marks.push(textMark(longestFittingCaption, FRAME.margin));

  // Right-aligned: the gap that follows the last entry falls outside the content.
  let x = FRAME.margin + CONTENT_WIDTH - entriesWidth + LEGEND_GAP;

  for (const entry of entries) {
    marks.push(
      { kind: 'rect', x, y: LEGEND_Y - SWATCH / 2, width: SWATCH, height: SWATCH, ...entry.style },
      textMark(entry.text, x + SWATCH + SWATCH_TEXT_GAP),
    );
    x += legendEntryWidth(entry);
  }

  return marks;
}

const legendEntryWidth = ({ text }: LegendEntry): number =>
  SWATCH + SWATCH_TEXT_GAP + textWidth(text, TEXT_SIZES.small) + LEGEND_GAP;

const legendWidth = (entries: readonly LegendEntry[]): number =>
  entries.reduce((sum, entry) => sum + legendEntryWidth(entry), 0);

const shortened = ({ text, shortText = text, style }: LegendEntry): LegendEntry => ({
  text: shortText,
  style,
});

function legendEntries(
  { chart, labels, colours }: ChartLayout,
  { barsPer, bars }: WateringBars,
  rain: RainBars,
): LegendEntry[] {
  const { comfort, fieldCapacity, water } = colours;
  const { pictureLabels } = languageOf(chart.lang);
  const unit = waterUnitOf(chart);
  const hasPart = (part: keyof BarHeights) => bars.some(({ heights }) => heights[part] > 0);

  const entries = [
    {
      isShown: comfortRange(chart) !== null,
      text: labels.comfort,
      style: { fill: comfort, stroke: fieldCapacity },
    },
    {
      isShown: rain.bars.length > 0,
      text: labels.rain(unit, labels.per[rain.period]),
      shortText: labels.rain(unit, ''),
      style: { fill: colours.rain },
    },
    {
      isShown: hasPart('done'),
      text: labels.watering(unit, labels.per[barsPer]),
      shortText: pictureLabels.shortWatering(unit),
      style: { fill: water },
    },
    {
      isShown: hasPart('unseen'),
      text: withoutNulls([
        chart.waterings.some(({ isPlanned }) => isPlanned) ? labels.planned : null,
        chart.waterings.some(({ isAssumed }) => isAssumed) ? pictureLabels.assumed : null,
      ]).join(', '),
      style: { fill: water, opacity: UNSEEN_OPACITY },
    },
    {
      isShown: hasPart('unknown'),
      text: pictureLabels.unknownDose,
      style: { stroke: water, strokeWidth: UNKNOWN_DOSE_STROKE_WIDTH },
    },
  ];

  return entries.filter(({ isShown }) => isShown);
}
