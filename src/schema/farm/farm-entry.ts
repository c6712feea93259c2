import { z } from 'zod/v3';
import { findOutlineFault, type GeoJsonOutline } from '../../domain/company/geometry.ts';
import { firstOf } from '../../domain/items.ts';
import { isTimeZone, isUtcZone } from '../../domain/time-zone.ts';
import { CATEGORIES, company, module, parcel, user } from '../company/company.ts';
import { effectiveStartField, field, instantOutput, parcelRef } from '../field.ts';
import {
  curveSettingsOfNewProbe,
  type Issues,
  listOfTexts,
  MAX_DEPTH_CM,
  refuse,
} from '../moisture/probe-settings.ts';
import {
  companyFields,
  type FarmSensor,
  farmSensor,
  latitude,
  longitude,
  moduleFields,
  parcelFields,
  requiredText,
  userFields,
} from './farm-file.ts';

/**
 * Arguments for what a farm file says about a company, a parcel and a module. Objects and nested
 * arrays of the file are lists of short texts here, because clients accept no deeper arguments.
 */

const newNameField = () =>
  requiredText('Its new name.')
    .refine((text) => !/^#\d+$/.test(text), 'a name, not an id')
    .optional();

const inCapitals = <S extends z.ZodTypeAny>(schema: z.ZodOptional<z.ZodNullable<S>>) =>
  z
    .preprocess(
      (code) => (typeof code === 'string' ? code.trim().toUpperCase() : code),
      schema.unwrap().unwrap(),
    )
    .nullish();

export const companyEntry = {
  name: requiredText('As the person calls it.').optional(),
  newName: newNameField(),
  timezone: field(
    z
      .string()
      .refine(
        (zone) => isTimeZone(zone) && !isUtcZone(zone),
        'an IANA time zone of a place, not UTC',
      )
      .describe('IANA zone of the place.'),
    {
      code: 'INVALID_TIMEZONE',
      hint: 'Give an IANA time zone such as Europe/Paris: that of the place where the farm is.',
    },
  ).nullish(),
  countryCode: inCapitals(companyFields.countryCode).describe('ISO code, such as FR.'),
  currency: inCapitals(companyFields.currency).describe('ISO code, such as EUR.'),
  legalName: companyFields.legalName.describe('Legal name of the company.'),
  city: companyFields.city.describe('City of the company.'),
  postalCode: companyFields.postalCode.describe('Postal code of the company.'),
  region: companyFields.region.describe('Region of the company.'),
  ownerEmail: userFields.email.describe('Of the person, if new: alerts go there.').optional(),
  ownerName: userFields.name.describe('Name of the owner.').optional(),
};

const POINT = /^(-?\d+(?:\.\d+)?)\s*[,;\s]\s*(-?\d+(?:\.\d+)?)$/;
const POINT_TEXT = 'a point "latitude, longitude" in degrees, such as "43.61, 3.87"';

/** Accepts the points of one ring, which need not be closed, or one GeoJSON text. */
function parseOutline(texts: readonly string[], issues: Issues): GeoJsonOutline {
  if (texts.length === 1 && firstOf(texts).trim().startsWith('{'))
    return parseGeoJson(firstOf(texts), issues);

  const ring: [lon: number, lat: number][] = [];
  for (const [index, text] of texts.entries()) {
    const [, lat, lon] = POINT.exec(text.trim()) ?? [];
    if (lat === undefined || Math.abs(Number(lat)) > 90 || Math.abs(Number(lon)) > 180)
      return refuse(issues, POINT_TEXT, index);
    ring.push([Number(lon), Number(lat)]);
  }

  const [first, last] = [ring[0], ring.at(-1)];
  if (first && last && (first[0] !== last[0] || first[1] !== last[1])) ring.push(first);
  if (ring.length < 4) return refuse(issues, 'a list of at least three points');

  return { type: 'Polygon', coordinates: [ring] };
}

function parseGeoJson(text: string, issues: Issues): GeoJsonOutline {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return refuse(issues, 'GeoJSON', 0);
  }

  const { data } = parcelFields.geometry.unwrap().unwrap().safeParse(json);
  if (data === undefined)
    return refuse(issues, 'a Polygon or MultiPolygon of GeoJSON, with coordinates only', 0);

  const fault = findOutlineFault(data);
  return fault === null
    ? data
    : refuse(issues, `valid at ${fault.path.slice(1)}: ${fault.expected}`, 0);
}

export function formatOutline(outline: GeoJsonOutline): string[] {
  const [ring, ...holes] = outline.coordinates as [number, number][][];
  if (
    outline.type === 'MultiPolygon' ||
    holes.length > 0 ||
    !ring ||
    ring.some((point) => point.length > 2)
  )
    return [JSON.stringify(outline)];
  return ring.slice(0, -1).map(([lon, lat]) => `${lat}, ${lon}`);
}

export const parcelEntry = {
  name: requiredText('As the person calls it.'),
  newName: newNameField(),
  type: parcelFields.type.describe('Crop or use, such as olive.'),
  areaM2: field(z.number().min(1).max(1_000_000_000).describe('1 ha = 10000.'), {
    hint: 'Give square metres (1 ha = 10000), from 1 to 1000000000.',
  }).nullish(),
  outline: z
    .array(
      z.preprocess((each) => (typeof each === 'object' ? JSON.stringify(each) : each), z.string()),
    )
    .max(2_000)
    .transform(parseOutline)
    .nullish()
    .describe('Corners as "latitude, longitude", or one GeoJSON text.'),
};

const SENSOR_TYPES: Readonly<Record<string, FarmSensor['type']>> = {
  humidity: 'humidity',
  moisture: 'humidity',
  temperature: 'temperature',
  tensio: 'tensio',
  tension: 'tensio',
};
const SENSOR = /^([a-z]+)(?:\s+(\d+(?:\.\d+)?)(?:\s*cm)?)?(?:\s*:\s*(\S.*))?$/i;
const SENSOR_TEXT = `humidity, temperature or tensio, and its depth in cm, from 0 to ${MAX_DEPTH_CM}, such as "humidity 20"`;

function parseSensors(texts: readonly string[], issues: Issues): FarmSensor[] {
  const sensors: FarmSensor[] = [];
  for (const [index, text] of texts.entries()) {
    const [, type = '', depth, label = null] = SENSOR.exec(text.trim()) ?? [];
    const { data: sensor } = farmSensor.safeParse({
      type: SENSOR_TYPES[type.toLowerCase()],
      depth: depth === undefined ? null : Number(depth),
      label,
    });
    if (sensor === undefined || (sensor.depth ?? 0) > MAX_DEPTH_CM)
      return refuse(issues, SENSOR_TEXT, index);
    if (sensors.some((other) => other.type === sensor.type && other.depth === sensor.depth))
      return refuse(issues, 'named once', index);

    sensors.push(sensor);
  }

  return sensors;
}

export const formatSensor = ({ type, depth, label }: FarmSensor): string =>
  `${type}${depth === null ? '' : ` ${depth}`}${label == null ? '' : `: ${label}`}`;

export const moduleEntry = {
  name: requiredText('As the person calls it.'),
  newName: newNameField(),
  parcelId: parcelRef({ description: 'Its parcel: name or id.' }).nullish(),
  category: z.enum(CATEGORIES).nullish().describe('Default by its sensors.'),
  sensors: listOfTexts()
    .transform(parseSensors)
    .optional()
    .describe('All, as "humidity 20": humidity, temperature or tensio, depth in cm.'),
  latitude: latitude().describe('Degrees north.').nullish(),
  longitude: longitude().describe('Degrees east.').nullish(),
  commissionedAt: effectiveStartField('In service since. Default now.', {
    hint: 'Give the day ("2026-07-01") or the day and the hour, at most a day ahead.',
  }).nullish(),
  serialHex: moduleFields.serialHex.describe('Serial, hexadecimal.'),
  number: moduleFields.number.describe('Number on the farm.'),
  uid: moduleFields.uid.describe('Id in its readings. Default made up.').optional(),
  gateway: requiredText('Its IMEI, from list_gateways.').nullish(),
  device: requiredText('Sender of its readings, and depths in cm: "EUI 30".').optional(),
  ...curveSettingsOfNewProbe,
};

/** Earlier values of what changed, as the arguments that set them back; null for what is new. */
const changedFrom = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape).partial().nullable();

export const companyAnswer = z.strictObject({
  company,
  owner: user.optional(),
  before: changedFrom({ ...company.omit({ id: true, name: true }).shape, newName: z.string() }),
});
export type CompanyAnswer = z.output<typeof companyAnswer>;

const texts = () => z.array(z.string());

export const parcelAnswer = z.strictObject({
  parcel,
  before: changedFrom({
    newName: z.string(),
    type: z.string().nullable(),
    areaM2: z.number().nullable(),
    outline: texts().nullable(),
  }),
});
export type ParcelAnswer = z.output<typeof parcelAnswer>;

const moduleValues = z.strictObject({
  newName: z.string().nullable(),
  parcel: z.string().nullable(),
  category: z.enum(CATEGORIES).nullable(),
  sensors: texts(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  commissionedAt: instantOutput().nullable(),
  serialHex: z.string().nullable(),
  number: z.number().int().nullable(),
  uid: z.string(),
  gateway: z.string().nullable(),
  rootDepthCm: z.number().nullable(),
  depthWeights: texts().nullable(),
});

export const moduleAnswer = z.strictObject({
  module,
  before: changedFrom(moduleValues.shape),
  after: moduleValues.partial(),
});
export type ModuleAnswer = z.output<typeof moduleAnswer>;
