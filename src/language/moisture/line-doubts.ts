import type { LineDoubt } from '../../domain/moisture/line-limits.ts';
import { formatMoisture, formatPrecise } from '../number-format.ts';

const LINES: Readonly<Record<LineDoubt['line'], string>> = {
  fieldCapacity: 'field capacity',
  wiltingPoint: 'wilting point',
};

const EXPECTATIONS: Readonly<Record<LineDoubt['basis'], (percent: string) => string>> = {
  suggestion: (percent) => `past waterings suggest ${percent} %`,
  soil_profile: (percent) => `its texture class has ${percent} %`,
  saturation: (percent) => `soil that drains holds at most ${percent} % there`,
};

/** "The field capacity is drawn at 45 %, but its texture class has 28 %". */
export const describeLineDoubt = ({ line, height, expected, basis }: LineDoubt): string =>
  `The ${LINES[line]} is drawn at ${formatPrecise(height)} %, but ${EXPECTATIONS[basis](formatMoisture(expected))}`;
