import type { CompanyDb } from '../tables.ts';

export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** The mean position of the modules, or else of the corners of the parcels, in degrees. */
export async function farmPosition(db: CompanyDb): Promise<Position | null> {
  const modules = await db
    .selectFrom('modules')
    .select(['lat', 'lon'])
    .where('lat', 'is not', null)
    .where('lon', 'is not', null)
    .$narrowType<{ lat: number; lon: number }>()
    .execute();
  if (modules.length > 0)
    return meanPosition(modules.map(({ lat, lon }): GeoJsonPosition => [lon, lat]));

  const parcels = await db
    .selectFrom('parcels')
    .select('geometry')
    .where('geometry', 'is not', null)
    .$narrowType<{ geometry: string }>()
    .execute();
  const corners = parcels.flatMap(({ geometry }) => positionsIn(JSON.parse(geometry).coordinates));

  return corners.length === 0 ? null : meanPosition(corners);
}

type GeoJsonPosition = readonly [longitude: number, latitude: number];

function meanPosition(positions: readonly GeoJsonPosition[]): Position {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;

  // Near the date line the mean of 179 and -179 degrees is 180 degrees, not 0.
  const longitudes = positions.map(([longitude]) => longitude);
  const crossesDateLine = Math.max(...longitudes) - Math.min(...longitudes) > 180;
  const eastward = (longitude: number) => (longitude < 0 ? longitude + 360 : longitude);
  const longitude = mean(crossesDateLine ? longitudes.map(eastward) : longitudes);

  return {
    latitude: mean(positions.map(([, latitude]) => latitude)),
    longitude: longitude > 180 ? longitude - 360 : longitude,
  };
}

/** The corners of a polygon or of several, however deep their coordinates are nested. */
function positionsIn(coordinates: unknown): GeoJsonPosition[] {
  if (!Array.isArray(coordinates)) return [];
  if (typeof coordinates[1] === 'number') return [[coordinates[0], coordinates[1]]];
  return coordinates.flatMap(positionsIn);
}
