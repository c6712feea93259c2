import { addCivilDays, weekdayOf } from '../domain/calendar.ts';
import { civilAt, midnightAt } from '../domain/time-zone.ts';
import { TEXT_SIZES } from './layout.ts';
import { textWidth } from './scene.ts';

/** In px, from the start of one bar to that of the next. */
export const MIN_BAR_DISTANCE = 9;

export function barPeriodBounds(
  at: number,
  span: 'day' | 'week' | 'month',
  zone: string,
): [from: number, to: number] {
  const { year, month, day } = civilAt(at, zone);
  if (span === 'month') {
    const first = { year, month, day: 1 };
    const next = addCivilDays(first, 31);
    return [midnightAt(first, zone), midnightAt({ ...next, day: 1 }, zone)];
  }
  const date = { year, month, day };
  const first = span === 'day' ? date : addCivilDays(date, 1 - weekdayOf(date));
  return [midnightAt(first, zone), midnightAt(addCivilDays(first, span === 'day' ? 1 : 7), zone)];
}

export interface LabelledBar {
  readonly left: number;
  readonly right: number;
  readonly label: string;
}

export const middleOf = ({ left, right }: LabelledBar): number => (left + right) / 2;

const BAR_LABEL_GAP = 6;

/**
 * Leaves labels out where they have no room. Of two overlapping labels the one with the higher rank
 * stays; no label overlaps a taller bar.
 */
export function withRoomForLabels<B extends LabelledBar>(
  bars: readonly B[],
  heightOf: (bar: B) => number,
  rankOf: (bar: B) => number = heightOf,
): B[] {
  const occupied: { readonly from: number; readonly to: number }[] = [];
  const labelled = new Set<B>();

  for (const bar of bars.toSorted((a, b) => rankOf(b) - rankOf(a))) {
    const half = (textWidth(bar.label, TEXT_SIZES.small) + BAR_LABEL_GAP) / 2;
    const [from, to] = [middleOf(bar) - half, middleOf(bar) + half];
    const isCovered = bars.some(
      (other) => heightOf(other) > heightOf(bar) && other.left < to && other.right > from,
    );
    if (isCovered || occupied.some((label) => label.from < to && label.to > from)) continue;

    occupied.push({ from, to });
    labelled.add(bar);
  }

  return bars.map((bar) => (labelled.has(bar) ? bar : { ...bar, label: '' }));
}
