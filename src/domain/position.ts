/** Mean Earth radius in m (IUGG 1980, R1). */
const EARTH_RADIUS_M = 6_371_008.8;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Great-circle distance between two WGS 84 positions, in m, by the haversine formula. */
export function distanceM(a: { lat: number; lon: number }, b: { lat: number; lon: number }): number {
  const half = (angle: number) => Math.sin(radians(angle) / 2) ** 2;
  const chord = half(b.lat - a.lat) + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * half(b.lon - a.lon);
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(chord)));
}
