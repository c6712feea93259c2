import type { LocalDay } from '../local-day.ts';
import { offsetMinutesAt } from '../time-zone.ts';

/** The tropics have no winter in which crops rest for the cold. */
const TROPIC_DEGREES = 23.5;

type Hemisphere = 'north' | 'south';
type MonthsByHemisphere = Readonly<Record<Hemisphere, readonly number[]>>;

const WINTER: MonthsByHemisphere = { north: [12, 1, 2], south: [6, 7, 8] };
/** What is sown then grows over winter. */
const AUTUMN_SOWING: MonthsByHemisphere = { north: [10, 11, 12, 1], south: [4, 5, 6, 7] };

export interface SeasonSite {
  /** In degrees north; null where nothing of the farm has a position. */
  readonly latitude: number | null;
  readonly zone: string;
}

/** True in the three coldest months outside the tropics; false where the hemisphere is unknown. */
export const isWinter = (day: LocalDay, site: SeasonSite): boolean => isInMonths(day, site, WINTER);

/** What is sown on that day grows over winter; false in the tropics or an unknown hemisphere. */
export const isSownForWinter = (day: LocalDay, site: SeasonSite): boolean =>
  isInMonths(day, site, AUTUMN_SOWING);

function isInMonths(
  day: LocalDay,
  { latitude, zone }: SeasonSite,
  months: MonthsByHemisphere,
): boolean {
  const { year, month } = day.civil;
  const hemisphere =
    latitude === null ? hemisphereOfZone(zone, year) : hemisphereOfLatitude(latitude);
  return hemisphere !== null && months[hemisphere].includes(month);
}

function hemisphereOfLatitude(latitude: number): Hemisphere | null {
  if (Math.abs(latitude) <= TROPIC_DEGREES) return null;
  return latitude > 0 ? 'north' : 'south';
}

/** Clocks are put forward in summer, and only outside of the tropics. */
function hemisphereOfZone(zone: string, year: number): Hemisphere | null {
  const offset = (month: number): number => offsetMinutesAt(Date.UTC(year, month - 1, 15), zone);
  const difference = offset(7) - offset(1);
  if (difference === 0) return null;
  return difference > 0 ? 'north' : 'south';
}
