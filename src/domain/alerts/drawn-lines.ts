import type { TensionLevels } from '../moisture/tension/tension-state.ts';
import {
  type AnnotationContent,
  type AnnotationDrawing,
  type ChartType,
  lineHeightInUnit,
} from './annotation.ts';

/** Values of style.fill: field capacity and wilting point. */
const THRESHOLD_FILLS = ['threshold1', 'threshold2'] as const;
export type ThresholdFill = (typeof THRESHOLD_FILLS)[number];

/** Values of style.fill on the tensio curve: levels in kPa. */
const TENSION_FILLS = ['wet', 'dry'] as const;
export type TensionFill = (typeof TENSION_FILLS)[number];

/** The fill by the style alone, even of a drawing that is no level. */
export const claimedTensionFill = ({ style }: AnnotationContent): TensionFill | null =>
  TENSION_FILLS.find((fill) => fill === style?.fill) ?? null;

export const tensionFillOf = ({
  chartType,
  shape,
  content,
}: AnnotationDrawing): TensionFill | null =>
  chartType === 'tensio' && shape === 'h-line' ? claimedTensionFill(content) : null;

/** In the order of the drawings, which are oldest first: the last line counts. */
export const tensionLines = <D extends AnnotationDrawing>(
  drawings: readonly D[],
  fill: TensionFill,
): D[] => drawings.filter((drawing) => tensionFillOf(drawing) === fill);

/** The fill by the style alone, even of a drawing that is no threshold. */
export const claimedThresholdFill = ({ style }: AnnotationContent): ThresholdFill | null =>
  THRESHOLD_FILLS.find((fill) => fill === style?.fill) ?? null;

export const thresholdFillOf = ({
  shape,
  unit,
  content,
}: AnnotationDrawing): ThresholdFill | null =>
  shape === 'h-line' && unit === 'vwc' ? claimedThresholdFill(content) : null;

export type LineFill = ThresholdFill | TensionFill;

/** Null for a drawing on which no agronomic state depends. */
export const lineFillOf = (drawing: AnnotationDrawing): LineFill | null =>
  thresholdFillOf(drawing) ?? tensionFillOf(drawing);

/** Lines of a fill count on this chart alone, and of them only the newest. */
export const chartTypeOfFill = (fill: LineFill): ChartType =>
  fill === 'wet' || fill === 'dry' ? 'tensio' : 'humidity';

export const isLineOfFill = (drawing: AnnotationDrawing, fill: LineFill): boolean =>
  drawing.chartType === chartTypeOfFill(fill) && lineFillOf(drawing) === fill;

/** In the order of the drawings, which are oldest first: the last line counts. */
export const thresholdLines = <D extends AnnotationDrawing>(
  drawings: readonly D[],
  fill: ThresholdFill,
): D[] => drawings.filter((drawing) => isLineOfFill(drawing, fill));

export const drawnTensionLevels = (drawings: readonly AnnotationDrawing[]): TensionLevels => ({
  wetLevel: heightOfNewest(tensionLines(drawings, 'wet')),
  dryLevel: heightOfNewest(tensionLines(drawings, 'dry')),
});

function heightOfNewest(lines: readonly AnnotationDrawing[]): number | null {
  const newest = lines.at(-1);
  return newest ? lineHeightInUnit(newest) : null;
}

export interface WiltingPointLine {
  readonly id: string;
  readonly height: number;
}

/**
 * Lines are oldest first, and only the newest one has an active alert. While the newest line stays
 * the same nothing is enabled, so that an alert that a person disabled stays disabled.
 */
export function planLineAlertChanges(
  before: readonly WiltingPointLine[],
  after: readonly WiltingPointLine[],
) {
  const [previousId, newest] = [before.at(-1)?.id, after.at(-1)];
  const enable = newest !== undefined && newest.id !== previousId ? newest : null;
  const isGone = ({ id }: WiltingPointLine): boolean => !after.some((line) => line.id === id);

  return {
    disable: before
      .filter((line) => isGone(line) || (line.id === previousId && enable !== null))
      .map(({ id }) => id),
    update: after.filter(
      ({ id, height }) =>
        id !== enable?.id && before.some((line) => line.id === id && line.height !== height),
    ),
    enable,
  };
}
