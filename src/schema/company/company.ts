import { z } from 'zod/v3';
import { MEASUREMENT_TYPES } from '../../domain/moisture/measurement.ts';
import { GATEWAY_STATUSES } from '../../domain/monitoring/gateway.ts';
import { field } from '../field.ts';
import { namedSchema } from '../named-schema.ts';
import { ROLES } from '../scope.ts';
import { instantOutput, nameOutput } from '../shared-fields.ts';

export const CATEGORIES = ['SOIL_PROBE', 'TENSIOMETER', 'WEATHER_STATION'] as const;
export type Category = (typeof CATEGORIES)[number];
export const LOCATION_SOURCES = ['manual', 'seeded', 'gateway'] as const;

const location = z.strictObject({
  lat: z.number(),
  lon: z.number(),
  source: z.enum(LOCATION_SOURCES),
  stale: z.boolean(),
  driftMeters: z.number().int().nullable(),
});

const sensor = z.strictObject({
  id: z.number().int(),
  type: z.enum(MEASUREMENT_TYPES).nullable(),
  depth: z.number().nullable(),
  label: z.string().nullable(),
});

export const module = namedSchema(
  'Module',
  z.strictObject({
    id: z.number().int(),
    uid: z.string(),
    name: nameOutput().nullable(),
    serialHex: z.string().nullable(),
    category: z.enum(CATEGORIES).nullable(),
    location: location.nullable(),
    parcelId: z.number().int().nullable(),
    sensors: z.array(sensor),
    /** The spec calls this field "the service". */
    gateway: z.strictObject({ id: z.number().int(), imei: z.string() }).nullable(),
  }),
);
export type ModuleBody = z.output<typeof module>;

export const listedModule = namedSchema('ListedModule', module.partial({ sensors: true }));
export type ListedModuleBody = z.output<typeof listedModule>;

const geometry = z.strictObject({
  type: z.enum(['Polygon', 'MultiPolygon']),
  coordinates: z
    .array(z.unknown())
    .describe('Rings of [longitude, latitude], one level deeper for a MultiPolygon.'),
});

export const parcel = namedSchema(
  'Parcel',
  z.strictObject({
    id: z.number().int(),
    name: nameOutput(),
    type: z.string().nullable(),
    geometry,
    areaM2: z.number().optional().describe('Area in m2, if an outline is declared.'),
  }),
);
export type ParcelBody = z.output<typeof parcel>;
export const listedParcel = namedSchema('ListedParcel', parcel.partial({ geometry: true }));

/** Source: spec, "Company". */
export const DEFAULT_TIME_ZONE = 'Europe/Paris';

export const company = namedSchema(
  'Company',
  z.strictObject({
    id: z.number().int(),
    name: nameOutput(),
    legalName: z.string().nullable(),
    countryCode: z.string().nullable(),
    currency: z.string().nullable(),
    city: z.string().nullable(),
    postalCode: z.string().nullable(),
    region: z.string().nullable(),
    timezone: z.string().nullable(),
  }),
);
export type CompanyBody = z.output<typeof company>;

export const categoryField = () =>
  field(z.enum(CATEGORIES).describe('Kind of module.'), {
    hint: `Give one of ${CATEGORIES.join(', ')}.`,
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
    userId: z.string(),
    name: nameOutput(),
    email: z.string(),
    role: z.enum(ROLES),
  }),
);
export type UserBody = z.output<typeof user>;

export const signInLinkFields = {
  email: z.string().max(320).describe('The member. Default you.').optional(),
};

export const signInLink = namedSchema(
  'SignInLink',
  z.strictObject({ url: z.string(), email: z.string(), expiresAt: instantOutput() }),
);
export type SignInLinkBody = z.output<typeof signInLink>;

export const gateway = namedSchema(
  'Gateway',
  z.strictObject({
    id: z.number().int(),
    imei: z.string(),
    serialHex: z.string().nullable(),
    firmware: z.string().nullable(),
    assignedAt: instantOutput(),
    status: z.enum(GATEWAY_STATUSES),
    lastSeen: instantOutput().nullable(),
    soc: z.number().int().nullable().describe('Charge of the battery in %.'),
    level: z.number().int().nullable().describe('Signal bars, 0 to 4.'),
    modules: z.array(module.pick({ id: true, uid: true, name: true, category: true })),
  }),
);
export type GatewayBody = z.output<typeof gateway>;

export const gatewayHealth = namedSchema(
  'GatewayHealth',
  z.strictObject({
    time: instantOutput().nullable(),
    id: z.number().int(),
    imei: z.string(),
    status: z.enum(GATEWAY_STATUSES),
    soc: z.number().int().nullable(),
    charging: z.boolean(),
    level: z.number().int().nullable(),
  }),
);
export type GatewayHealthBody = z.output<typeof gatewayHealth>;

export const gatewayNumber = () =>
  z
    .string()
    .regex(/^(\d{15}|[\dA-F]{16})$/)
    .describe('an IMEI of 15 digits, or the EUI-64 of a LoRaWAN gateway in capitals');
