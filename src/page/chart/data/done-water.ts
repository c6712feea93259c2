import type { ChartedWatering } from '../../../chart/moisture-chart.ts';

interface DoneWords {
  readonly unknown: string;
  readonly assumed: string;
  water(mm: number): string;
}

/** "24 mm (12 mm assumed)", or "24 mm + ?" where doses are not known. */
export function describeDone(waterings: readonly ChartedWatering[], words: DoneWords): string {
  const done = waterings.filter(({ isPlanned }) => !isPlanned);
  const assumed = done.filter(({ isAssumed }) => isAssumed);
  const amounts = sumOf(done, words);
  return assumed.length === 0
    ? amounts
    : `${amounts} (${assumed.length < done.length ? `${sumOf(assumed, words)} ` : ''}${words.assumed})`;
}

function sumOf(waterings: readonly ChartedWatering[], { water, unknown }: DoneWords): string {
  const mm = waterings.reduce((sum, watering) => sum + (watering.mm ?? 0), 0);
  return [mm > 0 && water(mm), waterings.some((watering) => watering.mm === null) && unknown]
    .filter(Boolean)
    .join(' + ');
}
