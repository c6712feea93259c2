import { z } from 'zod/v3';
import { MEASUREMENT_TYPES } from '../../domain/moisture/measurement.ts';
import { GATEWAY_STATUSES } from '../../domain/monitoring/gateway.ts';
import { MAX_FREE_LIST } from '../../domain/text/greatest-lengths.ts';
import { codes } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import { UNIT_SYSTEMS } from '../../domain/units.ts';
import { field, withExample } from '../field.ts';
import { shortText } from '../length-limits.ts';
import { namedSchema } from '../named-schema.ts';
import { answerShape, computed, entered, generatedId, group, internal } from '../resource.ts';
import { ROLES } from '../scope.ts';
import {
  computedInstant,
  instantOutput,
  nameOutput,
  requiredText,
  textOrNull,
} from '../shared-fields.ts';
import { season } from './season.ts';

export const CATEGORIES = ['SOIL_PROBE', 'TENSIOMETER', 'WEATHER_STATION'] as const;
export type Category = (typeof CATEGORIES)[number];
export const LOCATION_SOURCES = ['manual', 'seeded', 'gateway'] as const;

const positionFields = {
  lat: computed('lat', z.number(), { example: 43.61 }),
  lon: computed('lon', z.number(), { example: 3.87 }),
  source: computed('location_source', z.enum(LOCATION_SOURCES), { valueIfNull: 'manual' }),
  /** The gateway when the position was set; the position is stale if the module has another one. */
  gatewayId: internal('location_gateway_id', z.number().int().nullable()),
};

export const moduleFields = {
  id: generatedId(),
  uid: entered(
    'uid',
    requiredText(
      'the identifier that the gateway transmits, by which the module is known again',
      100,
    ),
    { example: 'A1B2C3' },
  ),
  name: entered('name', requiredText('a name, unique in the company, or null').nullable()),
  number: entered(
    'number',
    z
      .number()
      .int()
      .min(0)
      .max(1_000_000)
      .nullable()
      .describe('a whole number from 0 to 1,000,000, or null'),
  ),
  serialHex: entered(
    'serial_hex',
    shortText()
      .regex(/^[0-9a-fA-F]{1,64}$/, 'in hexadecimal characters, at most 64')
      .nullable()
      .describe('a serial in hexadecimal characters, or null'),
    { example: '0a1b2c' },
  ),
  category: entered(
    'category',
    z
      .enum(CATEGORIES)
      .nullable()
      .describe(`one of ${CATEGORIES.join(', ')}, or null`),
  ),
  parcelId: computed('parcel_id', z.number().int().nullable(), { example: 1 }),
  gatewayId: internal('gateway_id', z.number().int().nullable()),
  commissionedAt: internal('commissioned_at', computedInstant().nullable()),
  /** Nobody said when: it counts as in service since it was entered. */
  isCommissioningAssumed: internal('commissioning_is_assumed', z.boolean()),
  /** When it was last entered that it stands elsewhere. */
  movedAt: internal('moved_at', computedInstant().nullable()),
  position: group(
    { name: 'ModulePosition', presentIf: ['lat', 'lon'], isConcise: true },
    positionFields,
  ),
};

const sensor = z.strictObject({
  id: withExample(z.number().int(), 1),
  type: z.enum(MEASUREMENT_TYPES).nullable(),
  depth: withExample(z.number().nullable(), 10),
  label: withExample(z.string().nullable(), 'Moisture 10 cm'),
});

const { id, uid, serialHex, category, parcelId } = answerShape(moduleFields);

export const module = namedSchema(
  'Module',
  z.strictObject({
    id,
    uid,
    /** Its default name if it has none of its own. */
    name: withExample(nameOutput().nullable(), 'North 1'),
    serialHex,
    category,
    location: z
      .strictObject({
        ...answerShape(positionFields),
        stale: z.boolean(),
        driftMeters: withExample(z.number().int().nullable(), 11),
      })
      .nullable(),
    parcelId,
    sensors: z.array(sensor),
    /** The spec calls this field "the service". */
    gateway: z.strictObject({ id: z.number().int(), imei: z.string() }).nullable(),
  }),
);
export type ModuleBody = z.output<typeof module>;

export const listedModule = namedSchema('ListedModule', module.partial({ sensors: true }));
export type ListedModuleBody = z.output<typeof listedModule>;

export const outlineGeometry = z.strictObject({
  type: z.enum(['Polygon', 'MultiPolygon']).describe('Polygon or MultiPolygon'),
  coordinates: z
    .array(z.unknown())
    .max(MAX_FREE_LIST)
    .describe(
      'rings of [longitude, latitude], each closed on its first point; one level deeper for a MultiPolygon',
    ),
});

export const parcelFields = {
  id: generatedId(),
  name: entered('name', requiredText('the name of the parcel, which identifies it')),
  type: entered('type', textOrNull('the crop or use'), { example: 'olive' }),
  areaM2: entered(
    'area_m2',
    z
      .number()
      .positive()
      .max(1_000_000_000)
      .nullable()
      .describe('the area in m2 (1 ha = 10000), above 0, or null'),
  ),
  geometry: entered('geometry', outlineGeometry.nullable().describe('a GeoJSON outline, or null')),
};

/** The empty one of a parcel without an outline is answered too. */
const geometry = z.strictObject({
  type: z.enum(['Polygon', 'MultiPolygon']),
  coordinates: z
    .array(z.unknown())
    .describe('Rings of [longitude, latitude], one level deeper for a MultiPolygon.'),
});

export const parcel = namedSchema(
  'Parcel',
  z.strictObject({
    id,
    name: withExample(nameOutput(), 'North block'),
    type: answerShape(parcelFields).type,
    geometry,
    areaM2: z.number().optional().describe('Area in m2, if an outline is declared.'),
    season: season.optional().describe('What is known of the crop, if anything.'),
  }),
);
export type ParcelBody = z.output<typeof parcel>;
export const listedParcel = namedSchema('ListedParcel', parcel.partial({ geometry: true }));

/** Source: spec, "Company". */
export const DEFAULT_TIME_ZONE = 'Europe/Paris';

export const company = namedSchema(
  'Company',
  z.strictObject({
    id: withExample(z.number().int(), 1),
    name: withExample(nameOutput(), 'Mas Rouge'),
    legalName: withExample(z.string().nullable(), 'Mas Rouge EARL'),
    countryCode: withExample(z.string().nullable(), 'FR'),
    currency: withExample(z.string().nullable(), 'EUR'),
    city: withExample(z.string().nullable(), 'Saint-Gilles'),
    postalCode: withExample(z.string().nullable(), '30800'),
    region: withExample(z.string().nullable(), 'Occitanie'),
    timezone: withExample(z.string().nullable(), 'Europe/Paris'),
    units: z
      .enum(UNIT_SYSTEMS)
      .nullish()
      .describe('Of the sentences of answers. Null: us in the United States, else metric.'),
  }),
);
export type CompanyBody = z.output<typeof company>;

export const categoryField = () =>
  field(z.enum(CATEGORIES).describe('Kind of module.'), {
    hint: say`Give one of ${codes(CATEGORIES)}.`,
  });

const labelledCode = z.strictObject({ code: z.string(), label: z.string() });
export const enums = namedSchema(
  'Enumerations',
  z.strictObject({
    measurement_types: z.array(labelledCode),
    company_roles: z.array(labelledCode),
    agronomic_states: z.array(labelledCode),
    irrigation_systems: z.array(labelledCode),
    irrigation_input_modes: z.array(labelledCode),
    irrigation_event_statuses: z.array(labelledCode),
    irrigation_event_sources: z.array(labelledCode),
    irrigation_schedule_freqs: z.array(labelledCode),
    irrigation_confirmation_policies: z.array(labelledCode),
    irrigation_warnings: z.array(labelledCode),
  }),
);
export type EnumsBody = z.output<typeof enums>;

export const user = namedSchema(
  'CompanyUser',
  z.strictObject({
    userId: withExample(z.string(), '1'),
    name: withExample(nameOutput(), 'Ana'),
    email: withExample(z.string(), 'ana@example.org'),
    role: z.enum(ROLES),
  }),
);
export type UserBody = z.output<typeof user>;

export const signInLinkFields = {
  email: field(z.string().max(320).describe('E-mail of a member. Default you.'), {
    words: 'e-mail address',
  }).optional(),
};

export const signInLink = namedSchema(
  'SignInLink',
  z.strictObject({ url: z.string(), email: z.string(), expiresAt: instantOutput() }),
);
export type SignInLinkBody = z.output<typeof signInLink>;

export const gateway = namedSchema(
  'Gateway',
  z.strictObject({
    id: withExample(z.number().int(), 1),
    imei: withExample(z.string(), '356938035643809'),
    serialHex: withExample(z.string().nullable(), '0123456789abcdef01234567'),
    firmware: withExample(z.string().nullable(), '2.4.1'),
    assignedAt: withExample(instantOutput(), '2025-01-10T00:00:00.000Z'),
    status: z.enum(GATEWAY_STATUSES),
    lastSeen: withExample(instantOutput().nullable(), '2026-07-01T09:45:00.000Z'),
    soc: withExample(z.number().int().nullable().describe('Charge of the battery in %.'), 76),
    level: withExample(z.number().int().nullable().describe('Signal bars, 0 to 4.'), 3),
    modules: z.array(module.pick({ id: true, uid: true, name: true, category: true })),
  }),
);
export type GatewayBody = z.output<typeof gateway>;

export const gatewayHealth = namedSchema(
  'GatewayHealth',
  z.strictObject({
    time: withExample(instantOutput().nullable(), '2026-07-01T09:45:00.000Z'),
    id: withExample(z.number().int(), 1),
    imei: withExample(z.string(), '356938035643809'),
    status: z.enum(GATEWAY_STATUSES),
    soc: withExample(z.number().int().nullable(), 76),
    charging: z.boolean(),
    level: withExample(z.number().int().nullable(), 3),
  }),
);
export type GatewayHealthBody = z.output<typeof gatewayHealth>;

export const gatewayNumber = () =>
  shortText()
    .regex(/^(\d{15}|[\dA-F]{16})$/)
    .describe('an IMEI of 15 digits, or the EUI-64 of a LoRaWAN gateway in capitals');
