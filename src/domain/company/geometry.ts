import { say } from '../text/say.ts';
import type { Text } from '../text/text.ts';

/** A GeoJSON outline in WGS 84. Source: RFC 7946, sections 3.1.6 and 3.1.7. */
export interface GeoJsonOutline {
  readonly type: 'Polygon' | 'MultiPolygon';
  readonly coordinates: unknown[];
}

interface GeometryFault {
  readonly path: string;
  readonly expected: Text;
}

export function findOutlineFault({ type, coordinates }: GeoJsonOutline): GeometryFault | null {
  const polygons = type === 'Polygon' ? [coordinates] : coordinates;
  return firstFault(polygons, (polygon, index) => {
    const path = type === 'Polygon' ? '.coordinates' : `.coordinates[${index}]`;
    if (!Array.isArray(polygon)) return { path, expected: say`a polygon: an array of rings` };
    return firstFault(polygon, (ring, ringIndex) => ringFault(ring, `${path}[${ringIndex}]`));
  });
}

function ringFault(ring: unknown, path: string): GeometryFault | null {
  if (!Array.isArray(ring))
    return { path, expected: say`a ring: an array of [longitude, latitude] positions` };

  const fault = firstFault(ring, (position, index) => positionFault(position, `${path}[${index}]`));
  if (fault) return fault;
  if (ring.length < 4)
    return {
      path,
      expected: say`a ring of at least four positions, the last one equal to the first`,
    };

  const [first, last] = [ring[0], ring.at(-1)];
  if (first[0] === last[0] && first[1] === last[1]) return null;

  return {
    path: `${path}[${ring.length - 1}]`,
    expected: say`the first position of the ring again, which closes it`,
  };
}

function positionFault(position: unknown, path: string): GeometryFault | null {
  const isPosition =
    Array.isArray(position) &&
    (position.length === 2 || position.length === 3) &&
    position.every((value) => typeof value === 'number' && Number.isFinite(value));
  if (!isPosition) return { path, expected: say`a position [longitude, latitude]` };

  const [lon, lat] = position as [number, number];
  if (Math.abs(lon) > 180)
    return { path: `${path}[0]`, expected: say`a longitude from -180 to 180` };
  if (Math.abs(lat) > 90)
    return {
      path: `${path}[1]`,
      expected: say`a latitude from -90 to 90 (GeoJSON puts the longitude first)`,
    };

  return null;
}

function firstFault<T>(
  list: readonly T[],
  faultOf: (part: T, index: number) => GeometryFault | null,
): GeometryFault | null {
  for (const [index, part] of list.entries()) {
    const fault = faultOf(part, index);
    if (fault) return fault;
  }
  return null;
}

/** Mean Earth radius in m (IUGG 1980, R1). */
const EARTH_RADIUS_M = 6_371_008.8;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

export interface SentPosition {
  readonly lat?: number | null | undefined;
  readonly lon?: number | null | undefined;
}

/** A device without a position sends 0 and 0. */
export const isNoPosition = ({ lat, lon }: SentPosition): boolean => lat === 0 && lon === 0;

/** The distance in m by the haversine formula, WGS 84. */
export function distanceM(
  a: { lat: number; lon: number },
  b: { lat: number; lon: number },
): number {
  const haversine = (angle: number) => Math.sin(radians(angle) / 2) ** 2;
  const haversineOfAngle =
    haversine(b.lat - a.lat) +
    Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * haversine(b.lon - a.lon);
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(haversineOfAngle)));
}
