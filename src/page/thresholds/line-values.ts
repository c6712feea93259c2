import { roundTo } from '../../domain/decimal.ts';
import { MAX_TENSION_KPA } from '../../domain/moisture/tension/tension-state.ts';
import { isTensionLevel, type LineKind, type ThresholdLine } from './threshold-lines.ts';

/** The service refuses lower figures, which may be meant as fractions. */
const MIN_PERCENT = 1;
export const MAX_PERCENT = 100;
const MIN_TENSION_KPA = 1;

const PERCENT_STEP = 0.1;
const TENSION_STEP_KPA = 1;

export const toTenth = (value: number): number => roundTo(value, 1);

const stepOf = (line: ThresholdLine): number =>
  isTensionLevel(line) ? TENSION_STEP_KPA : PERCENT_STEP;

/** The change in value that a key makes; null for other keys. */
export function keyStep(
  line: ThresholdLine,
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
): number | null {
  const steps: Readonly<Record<string, number>> = {
    ArrowUp: shiftKey ? 10 : 1,
    ArrowDown: shiftKey ? -10 : -1,
    ArrowRight: 1,
    ArrowLeft: -1,
    PageUp: 10,
    PageDown: -10,
  };
  const count = steps[key];

  return count === undefined ? null : count * stepOf(line);
}

/**
 * In tenths of a percent or whole kPa, within what the service accepts, and on its own side of the
 * other line.
 */
export function allowedValue(
  line: ThresholdLine,
  value: number,
  storedLines: readonly ThresholdLine[],
): number {
  const step = stepOf(line);
  const otherValue = (kind: LineKind): number | undefined =>
    storedLines.find((stored) => stored.kind === kind)?.value;
  const above = (kind: LineKind): number => (otherValue(kind) ?? 0) + step;
  const below = (kind: LineKind): number => (otherValue(kind) ?? Number.POSITIVE_INFINITY) - step;

  let least = isTensionLevel(line) ? MIN_TENSION_KPA : MIN_PERCENT;
  let most = isTensionLevel(line) ? MAX_TENSION_KPA : MAX_PERCENT;
  if (line.kind === 'fieldCapacity') least = Math.max(least, above('wiltingPoint'));
  if (line.kind === 'wiltingPoint') most = Math.min(most, below('fieldCapacity'));
  if (line.kind === 'wetLevel') most = Math.min(most, below('dryLevel'));
  if (line.kind === 'dryLevel') least = Math.max(least, above('wetLevel'));

  const rounded = Math.round(value / step) * step;
  return toTenth(Math.min(Math.max(rounded, least), most));
}
