import { MAX_PERCENT, toTenth } from './line-values.ts';
import {
  lineOf,
  type ProbeLevels,
  type ThresholdLine,
  thresholdLinesOf,
} from './threshold-lines.ts';

/**
 * Lines that a person may add. Where nothing says where they belong, they begin in the middle of
 * what plants can use.
 */
export function offersOf(facts: ProbeLevels): ThresholdLine[] {
  const drawn = thresholdLinesOf(facts);
  return possibleLines(facts).filter(({ kind }) => !drawn.some((line) => line.kind === kind));
}

function possibleLines({ state, alerts }: ProbeLevels): ThresholdLine[] {
  const { tension, value_vwc: moisture } = state;
  if (tension !== undefined)
    return [
      lineOf('wetLevel', tension.typical?.wetLevel ?? 10),
      lineOf('dryLevel', tension.typical?.dryFrom ?? 50),
    ];

  if (moisture === null) return [];

  const wilting = state.wiltingPoint ?? 10;
  const capacity = state.fieldCapacity ?? MAX_PERCENT;
  const lines = [
    lineOf('fieldCapacity', toTenth(Math.max(wilting + 1, moisture))),
    lineOf('wiltingPoint', toTenth(Math.min(wilting, capacity / 2))),
  ];
  const alertValue = state.stressPoint ?? Math.max(wilting + 1, moisture - 2);
  return alerts.length > 0 ? lines : [lineOf('newAlert', toTenth(alertValue)), ...lines];
}
