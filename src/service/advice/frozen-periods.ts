import { DAYS_OF_FROST, frozenIn } from '../../domain/advice/probe/frozen-depths.ts';
import { LocalDay } from '../../domain/local-day.ts';
import type { Period } from '../../domain/periods.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { FactSource } from '../../operation/fact-source.ts';

/** When the soil at a depth was frozen or thawing in this period. */
export async function loadFrozenSoil(
  { zone }: Pick<ComposedCall, 'zone'>,
  facts: Pick<FactSource, 'thermometers' | 'weather'>,
  moduleId: number,
  period: Period,
): Promise<(depthCm: number) => readonly Period[]> {
  const dateAt = (at: number, days: number): string => LocalDay.at(at, zone).plus(days).iso;
  return frozenIn(period, {
    thermometers: await facts.thermometers(moduleId, period),
    weather: await facts.weather({
      from: dateAt(period.start, -DAYS_OF_FROST),
      to: dateAt(period.end, 0),
    }),
    zone,
  });
}
