import { HOUR_MS, type Period } from '../periods.ts';
import { type DayOfRain, fallenRain } from '../weather/rain.ts';
import { isImplausibleGain } from './watering-response.ts';

/** Clocks differ. */
const BEFORE_MS = HOUR_MS;
/** Rain soaks down to the sensors within this time; also what reaches all probes of a farm. */
const AFTER_MS = 6 * HOUR_MS;

export interface RainOfRise {
  readonly mm: number;
  /** Whether it may have made the soil gain as much: one mm of rain is at most about one mm in the soil. */
  readonly isEnough: boolean;
}

/** Recorded rain at the time of a rise, of the days as they count for its parcel; null for none. */
export function rainOfRise(
  { start, riseMm }: { readonly start: number; readonly riseMm: number | null },
  days: readonly DayOfRain[],
): RainOfRise | null {
  const isThen = (period: Period): boolean => start >= period.start - BEFORE_MS && start <= period.end + AFTER_MS;
  const then = fallenRain(days).filter(({ record: { startedAt, endedAt } }) =>
    isThen({ start: startedAt, end: endedAt ?? startedAt }),
  );
  if (then.length === 0) return null;
  const mm = then.reduce((sum, each) => sum + each.mm, 0);
  return { mm, isEnough: !isImplausibleGain(riseMm, mm) };
}
