import type { LocalDay } from '../local-day.ts';
import { offsetMinutesAt } from '../time-zone.ts';

/** The tropics have no winter in which crops rest for the cold. */
const TROPIC_DEGREES = 23.5;

const MONTHS = { north: [12, 1, 2], south: [6, 7, 8] } as const;
type Hemisphere = keyof typeof MONTHS;

interface Site {
  /** In degrees north; null where nothing of the farm has a position. */
  readonly latitude: number | null;
  readonly zone: string;
}

/** True in the three coldest months outside the tropics; false where the hemisphere is unknown. */
export function isWinter(today: LocalDay, { latitude, zone }: Site): boolean {
  const { year, month } = today.civil;
  const hemisphere =
    latitude === null ? hemisphereOfZone(zone, year) : hemisphereOfLatitude(latitude);
  return hemisphere !== null && MONTHS[hemisphere].some((winterMonth) => winterMonth === month);
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
