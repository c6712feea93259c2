import { median } from '../../src/domain/statistics.ts';

/** Of estimates less what was measured. */
export interface ErrorStatistics {
  readonly count: number;
  readonly rmse: number;
  readonly meanAbsolute: number;
  readonly medianAbsolute: number;
  readonly bias: number;
  readonly largest: number;
}

export function errorStatistics(errors: readonly number[]): ErrorStatistics {
  const count = errors.length;
  const absolute = errors.map(Math.abs);
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / count;
  return {
    count,
    rmse: Math.sqrt(mean(errors.map((error) => error ** 2))),
    meanAbsolute: mean(absolute),
    medianAbsolute: median(absolute),
    bias: mean(errors),
    largest: Math.max(...absolute),
  };
}
