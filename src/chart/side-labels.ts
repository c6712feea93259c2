import { itemAt } from '../domain/items.ts';
import { type ChartLayout, TEXT_SIZES } from './layout.ts';
import type { ChartLine } from './lines.ts';
import { lineHeight, type Mark, textWidth } from './scene.ts';
import type { ThresholdLevel } from './thresholds.ts';

/** In px from the top. */
interface LabelBox {
  /** Where the middle of the label should be: at the level that it names. */
  readonly y: number;
  readonly height: number;
}

/**
 * The middles of labels that do not overlap, lie within `availableHeight` and are as near as
 * possible to their levels (least squares). The labels are stacked from the top, then each is
 * shifted down at least as far as the one above, so that none overlap.
 */
export function placeLabels(labels: readonly LabelBox[], availableHeight: number): number[] {
  const ordered = labels.map((label, index) => ({ ...label, index })).sort((a, b) => a.y - b.y);
  let stackHeight = 0;
  const stacked = ordered.map((label) => {
    const stackedMiddle = stackHeight + label.height / 2;
    stackHeight += label.height;
    return { ...label, stackedMiddle };
  });

  const shifts = isotonicRegression(stacked.map(({ y, stackedMiddle }) => y - stackedMiddle));
  const maxShift = availableHeight - stackHeight;
  const middles: number[] = [];
  for (const [rank, { index, stackedMiddle }] of stacked.entries())
    middles[index] = stackedMiddle + Math.max(0, Math.min(itemAt(shifts, rank), maxShift));

  return middles;
}

/** Pool adjacent violators algorithm: the closest values that never decrease. */
function isotonicRegression(values: readonly number[]): number[] {
  const pools: { sum: number; count: number }[] = [];
  for (const value of values) {
    let pool = { sum: value, count: 1 };
    for (
      let last = pools.at(-1);
      last && last.sum / last.count > pool.sum / pool.count;
      last = pools.at(-1)
    ) {
      pool = { sum: last.sum + pool.sum, count: last.count + pool.count };
      pools.pop();
    }

    pools.push(pool);
  }

  return pools.flatMap(({ sum, count }) => Array.from({ length: count }, () => sum / count));
}

/** In px, from the plot or the end of a line: the connector of a label, and its text. */
const CONNECTOR_START = 2;
const CONNECTOR_END = 13;
const TEXT_START = 17;
const LABEL_PADDING = 3;

export function sideLabelMarks(
  { plot, xOf, yOf }: ChartLayout,
  levels: readonly ThresholdLevel[],
  lines: readonly ChartLine[],
): Mark[] {
  const size = TEXT_SIZES.label;
  const lineEnds = lines.flatMap(({ segments, colour, label }) => {
    const last = segments.at(-1)?.at(-1);
    return label === null || last === undefined
      ? []
      : [{ lines: [label], fill: colour, x: xOf(last.at), y: yOf(last.value) }];
  });
  const labels = [
    ...levels.map(({ value, colour, labelLines }) => ({
      lines: labelLines,
      fill: colour,
      x: plot.right,
      y: yOf(value),
    })),
    ...lineEnds,
  ];

  const x = Math.max(...labels.map((label) => label.x));
  // Labels inside the plot must not cover the bars. Nearer to its right edge than the width of a
  // digit counts as beside it.
  const isBesidePlot = x > plot.right - textWidth('0', size);
  const [top, bottom] = isBesidePlot ? [plot.top, plot.bottom] : [plot.curveTop, plot.curveBottom];
  const middles = placeLabels(
    labels.map((label) => ({
      y: label.y - top,
      height: label.lines.length * lineHeight(size) + LABEL_PADDING,
    })),
    bottom - top,
  );

  return labels.flatMap(({ lines: text, fill, y }, index): Mark[] => {
    const labelY = top + itemAt(middles, index);
    return [
      {
        kind: 'rule',
        from: { x: x + CONNECTOR_START, y },
        to: { x: x + CONNECTOR_END, y: labelY },
        stroke: fill,
        strokeWidth: 1.5,
      },
      { kind: 'text', lines: text, x: x + TEXT_START, y: labelY, fill, size },
    ];
  });
}
