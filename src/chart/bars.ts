import { LocalDay } from '../domain/local-day.ts';
import { TEXT_SIZES } from './layout.ts';
import { textWidth } from './scene.ts';

/** In px, from the start of one bar to that of the next. */
export const MIN_BAR_DISTANCE = 9;

/** The local day, week or month that contains the instant. */
export function barPeriodBounds(
  at: number,
  span: 'day' | 'week' | 'month',
  zone: string,
): [from: number, to: number] {
  const today = LocalDay.at(at, zone);
  if (span === 'day') return [today.startIn(zone), today.next().startIn(zone)];
  if (span === 'week') {
    const monday = today.plus(1 - today.weekday);
    return [monday.startIn(zone), monday.plus(7).startIn(zone)];
  }

  const first = firstOfMonth(today);
  // No month is longer than 31 days, so that the day found is in the next one.
  return [first.startIn(zone), firstOfMonth(first.plus(31)).startIn(zone)];
}

const firstOfMonth = (day: LocalDay): LocalDay => day.plus(1 - day.civil.day);

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
    const halfWidth = (textWidth(bar.label, TEXT_SIZES.small) + BAR_LABEL_GAP) / 2;
    const [from, to] = [middleOf(bar) - halfWidth, middleOf(bar) + halfWidth];

    const coversTallerBar = bars.some(
      (other) => heightOf(other) > heightOf(bar) && other.left < to && other.right > from,
    );
    const overlapsLabel = occupied.some((label) => label.from < to && label.to > from);
    if (coversTallerBar || overlapsLabel) continue;

    occupied.push({ from, to });
    labelled.add(bar);
  }

  return bars.map((bar) => (labelled.has(bar) ? bar : { ...bar, label: '' }));
}
