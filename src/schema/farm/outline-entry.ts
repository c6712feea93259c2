import { z } from 'zod/v3';
import { findOutlineFault, type GeoJsonOutline } from '../../domain/company/geometry.ts';
import { firstOf } from '../../domain/items.ts';
import { MAX_NESTED_TEXT, MAX_SHORT_TEXT } from '../../domain/text/greatest-lengths.ts';
import { say, verbatim } from '../../domain/text/say.ts';
import { outlineGeometry } from '../company/company.ts';
import { field } from '../field.ts';
import { failTransform, type Issues } from '../text-list.ts';

const POINT_PATTERN = /^(-?\d+(?:\.\d+)?)(?:\s*[,;]\s*|\s+)(-?\d+(?:\.\d+)?)$/;
const EXPECTED_POINT = say`a point "latitude, longitude" in degrees, such as "43.61, 3.87"`;

/** The outline of a parcel as texts: the points of one ring, or one GeoJSON text. */
export const outlineTexts = () =>
  z
    .array(
      field(
        z.preprocess(
          (item) => (typeof item === 'object' ? JSON.stringify(item) : item),
          z.string().max(MAX_NESTED_TEXT),
        ),
        { words: 'corner of the outline' },
      ),
    )
    .max(2_000)
    .transform(parseOutline);

function parseOutline(texts: readonly string[], issues: Issues): GeoJsonOutline {
  if (texts.length === 1 && firstOf(texts).trim().startsWith('{'))
    return parseGeoJson(firstOf(texts), issues);

  const ring: [lon: number, lat: number][] = [];
  for (const [index, text] of texts.entries()) {
    const point = text.length > MAX_SHORT_TEXT ? null : POINT_PATTERN.exec(text.trim());
    const [, lat, lon] = point ?? [];
    if (lat === undefined || Math.abs(Number(lat)) > 90 || Math.abs(Number(lon)) > 180)
      return failTransform(issues, EXPECTED_POINT, index);
    ring.push([Number(lon), Number(lat)]);
  }

  const [first, last] = [ring[0], ring.at(-1)];
  const isOpen = first && last && (first[0] !== last[0] || first[1] !== last[1]);
  if (isOpen) ring.push(first);
  if (ring.length < 4) return failTransform(issues, say`a list of at least three points`);

  return { type: 'Polygon', coordinates: [ring] };
}

function parseGeoJson(text: string, issues: Issues): GeoJsonOutline {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return failTransform(issues, say`GeoJSON`, 0);
  }

  const { data: outline } = outlineGeometry.safeParse(json);
  if (outline === undefined)
    return failTransform(
      issues,
      say`a Polygon or MultiPolygon of GeoJSON, with coordinates only`,
      0,
    );

  const fault = findOutlineFault(outline);
  if (fault === null) return outline;
  const path = fault.path.replace(/^\./, '');
  return failTransform(issues, say`valid at ${verbatim(path)}: ${fault.expected}`, 0);
}

/** The texts that `outlineTexts` reads as this outline. */
export function formatOutline(outline: GeoJsonOutline): string[] {
  const ring = onlyRing(outline);
  if (ring === null || ring.some((position) => position.length > 2))
    return [JSON.stringify(outline)];

  const corners = ring.slice(0, -1);
  return corners.map(([lon, lat]) => `${lat}, ${lon}`);
}

type Ring = readonly (readonly number[])[];

function onlyRing({ type, coordinates }: GeoJsonOutline): Ring | null {
  if (type === 'MultiPolygon') return null;
  const [ring, ...holes] = coordinates as Ring[];
  return ring !== undefined && holes.length === 0 ? ring : null;
}
