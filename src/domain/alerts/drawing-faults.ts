import { MAX_TENSION_KPA } from '../moisture/tension/tension-state.ts';
import { type AnnotationDrawing, type AnnotationShape, lineHeightInUnit } from './annotation.ts';
import { claimedTensionFill, claimedThresholdFill } from './drawn-lines.ts';

const SHAPES_WITH_TWO_POINTS: readonly AnnotationShape[] = [
  'segment',
  'ray',
  'infinite',
  'arrow',
  'rect',
];

export type DrawingFault =
  | 'second_point_missing'
  | 'threshold_unit'
  | 'threshold_shape'
  | 'threshold_height'
  | 'tension_chart'
  | 'tension_height';

export function findDrawingFault(drawing: AnnotationDrawing): DrawingFault | null {
  if (drawing.p2 === null && SHAPES_WITH_TWO_POINTS.includes(drawing.shape))
    return 'second_point_missing';

  const height = lineHeightInUnit(drawing);
  if (claimedTensionFill(drawing.content) !== null) {
    if (drawing.chartType !== 'tensio') return 'tension_chart';
    if (drawing.shape !== 'h-line') return 'threshold_shape';
    return height > 0 && height <= MAX_TENSION_KPA ? null : 'tension_height';
  }

  if (claimedThresholdFill(drawing.content) === null) return null;
  if (drawing.unit !== 'vwc') return 'threshold_unit';
  if (drawing.shape !== 'h-line') return 'threshold_shape';
  return height < 0 || height > 100 ? 'threshold_height' : null;
}

/** True if the height may be meant as a share: no plant dries soil below 1 %. */
export const isUnclearThreshold = (drawing: AnnotationDrawing): boolean => {
  const height = lineHeightInUnit(drawing);
  return claimedThresholdFill(drawing.content) !== null && height > 0 && height <= 1;
};
