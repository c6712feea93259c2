import type { Period } from '../../../domain/periods.ts';
import type { ChartModel } from '../chart-model.ts';

export interface DrawingProps extends ChartModel {
  /** The view within which labels are kept whole; null while it moves. */
  readonly labelView: Period | null;
}
