import { z } from 'zod/v3';
import { addressFault } from '../../domain/company/mail-address.ts';
import { isAbbreviatedZone, placeZoneFault } from '../../domain/company/place-zones.ts';
import { MEASUREMENT_TYPES } from '../../domain/moisture/measurement.ts';
import { isRecord } from '../../domain/records.ts';
import { USDA_CLASSES } from '../../domain/soil/soil-catalog.ts';
import { MAX_SHORT_LIST } from '../../domain/text/greatest-lengths.ts';
import { say } from '../../domain/text/say.ts';
import { isTimeZone } from '../../domain/time-zone.ts';
import { UNIT_SYSTEMS } from '../../domain/units.ts';
import { gatewayNumber, LOCATION_SOURCES, moduleFields, parcelFields } from '../company/company.ts';
import { seasonInFile } from '../company/season.ts';
import { expected } from '../expected.ts';
import { fieldMetadata, withoutIgnoredFields } from '../field.ts';
import { emitterSpacing, installationBody, placementBody } from '../irrigation/installation.ts';
import { shortText } from '../length-limits.ts';
import { parcelSettingsInFile, probeSettingsInFile } from '../moisture/setting-fields.ts';
import { waterSourceInFile } from '../moisture/water-times.ts';
import { entryShape } from '../resource.ts';
import { ROLES } from '../scope.ts';
import { requiredText, textOrNull } from '../shared-fields.ts';

// A field's description says what is expected there, in the JSON Schema and in error messages. A
// field left out keeps its stored value, or is null in a new row; null clears it.

/** The greatest count of rows of a kind in the file. */
const MAX_ROWS = 100_000;
/** The greatest count of parts of a kind in a module. */
const MAX_PARTS = 1_000;

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));
const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Excludes aliases (UK for GB) and the code for "unknown". */
const isCountry = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) &&
  code !== 'ZZ' &&
  regionNames.of(code) !== undefined &&
  Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`;

const optionalText = (description: string) => textOrNull(description).optional();
const instantText = (description: string) =>
  shortText().describe(
    `${description}, in ISO 8601 (2026-07-01, or 2026-07-01T06:00); without an offset in the company's zone`,
  );

export const latitude = () =>
  z.number().min(-90).max(90).describe('a latitude from -90 to 90, in degrees');
export const longitude = () =>
  z.number().min(-180).max(180).describe('a longitude from -180 to 180, in degrees');

export const countryCode = shortText().refine(
  isCountry,
  expected(say`a country of ISO 3166-1 in two capital letters, such as FR`),
);
export const currency = shortText().refine(
  (code) => CURRENCIES.has(code),
  expected(say`a currency of ISO 4217 in three capital letters, such as EUR`),
);

export const companyInFile = {
  name: requiredText('the name of the company, which identifies it'),
  legalName: optionalText('the legal name'),
  countryCode: countryCode
    .nullish()
    .describe('a country of ISO 3166-1 in two capital letters, such as FR, or null'),
  currency: currency
    .nullish()
    .describe('a currency of ISO 4217 in three capital letters, such as EUR, or null'),
  city: optionalText('the city'),
  postalCode: optionalText('the postal code'),
  region: optionalText('the region'),
  timezone: shortText()
    .refine(isTimeZone)
    .superRefine((zone, context) => {
      const fault = isAbbreviatedZone(zone) ? placeZoneFault(zone) : null;
      if (fault !== null)
        context.addIssue({ code: 'custom', ...expected(fault, { isAboutValue: true }) });
    })
    .nullish()
    .describe('an IANA time zone such as Europe/Paris (the default), or null'),
  units: z.enum(UNIT_SYSTEMS).nullish().describe('metric or us, or null for those of the country'),
};

export const userInFile = {
  email: z
    .string()
    .trim()
    .max(254)
    .regex(/^[^\s@]+@[^\s@]+$/, 'an e-mail address')
    .superRefine((address, context) => {
      const fault = addressFault(address);
      if (fault !== null)
        context.addIssue({
          code: 'custom',
          ...expected(say`an e-mail address; this one ${fault}`),
        });
    })
    .describe('an e-mail address of visible characters in NFC, which identifies the user'),
  name: requiredText('the name of the user'),
  role: z.enum(ROLES).describe(`one of ${ROLES.join(', ')}`),
};

const soilLayer = z.strictObject({
  usdaClass: z.enum(USDA_CLASSES).describe(`one of ${USDA_CLASSES.join(', ')}`),
  depthTopCm: z.number().int().min(0).max(10_000).describe('the top in whole cm, 0 = surface'),
  depthBottomCm: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .describe('the bottom in whole cm, below the top'),
});

const { effectiveFrom: _, ...equipment } = installationBody;
const installationShape = {
  ...equipment,
  ...emitterSpacing,
  effectiveFrom: instantText('when the equipment took effect in the field').nullish(),
};
const installationMetadata = new Map(
  Object.entries(installationShape).map(([name, schema]) => [name, fieldMetadata(schema)]),
);
const installation = z
  .preprocess(
    (sent) =>
      isRecord(sent) ? withoutIgnoredFields(sent, (name) => installationMetadata.get(name)) : sent,
    z.strictObject(installationShape),
  )
  .nullish()
  .describe(
    'irrigation equipment: system, and emitterFlowLph with emittersPerM2 or both spacings, or flowMmPerH; irrigatedAreaM2',
  );

export const parcelInFile = {
  ...entryShape(parcelFields),
  soilProfile: z
    .array(soilLayer)
    .max(MAX_SHORT_LIST)
    .optional()
    .describe('the soil layers, none overlapping'),
  installation,
  settings: z
    .strictObject(parcelSettingsInFile)
    .nullish()
    .describe('what advice assumes at its probes that have no settings of their own, or null'),
  season: z
    .strictObject(seasonInFile)
    .nullish()
    .describe(
      'of its crop: plantedOn, harvestedOn, stage, stageOn, earlierStages, rootDepthCm; or null',
    ),
};
const parcel = z.strictObject(parcelInFile);

const gateway = z.strictObject({
  imei: gatewayNumber(),
  serialHex: shortText()
    .regex(/^[0-9a-fA-F]{24}$/)
    .nullish()
    .describe('a serial of 24 hexadecimal characters, or null'),
  firmware: optionalText('the software version'),
  assignedAt: instantText('when the gateway was assigned to the company'),
  status: z
    .strictObject({
      lastSeen: instantText('the last transmission').nullish(),
      batteryMv: z
        .number()
        .int()
        .min(0)
        .max(100_000)
        .nullish()
        .describe('battery voltage in whole mV, or null'),
      level: z.number().int().min(0).max(4).nullish().describe('signal bars from 0 to 4, or null'),
      lat: latitude().nullish(),
      lon: longitude().nullish(),
    })
    .nullish()
    .describe('the last status of the gateway, or null'),
});

export const farmSensor = z.strictObject({
  type: z.enum(MEASUREMENT_TYPES).describe(`one of ${MEASUREMENT_TYPES.join(', ')}`),
  depth: z
    .number()
    .min(0)
    .max(10_000)
    .nullish()
    .describe('a depth in cm, 0 = surface, or null for a sensor without one'),
  label: optionalText('the label'),
});

const percent = (description: string) => z.number().min(0).max(100).describe(description);

const calibrationPoint = z.strictObject({
  depthCm: z.number().min(0).describe('the depth of a moisture sensor in cm'),
  readPercent: percent('what the sensor read, in %'),
  truePercent: percent('what the soil held, in % of its volume'),
  from: shortText()
    .nullish()
    .describe('when it begins to hold, in ISO 8601; by default commissionedAt, null for always'),
});

export const moduleInFile = {
  ...entryShape(moduleFields),
  parcel: requiredText('the name of a parcel of the file or the store, or null').nullish(),
  gateway: requiredText('the IMEI of a gateway of the file or the store, or null').nullish(),
  commissionedAt: instantText('when the module came into service; by default the import').nullish(),
  isCommissioningAssumed: z
    .boolean()
    .optional()
    .describe('true if nobody said when it came into service, so that advice asks'),
  location: z
    .strictObject({
      lat: latitude(),
      lon: longitude(),
      source: z
        .enum(LOCATION_SOURCES)
        .default('manual')
        .describe(`one of ${LOCATION_SOURCES.join(', ')}`),
    })
    .nullish()
    .describe('a position, declared under the gateway of the module, or null'),
  sensors: z.array(farmSensor).max(MAX_PARTS).optional().describe('the sensors of the module'),
  calibration: z
    .array(calibrationPoint)
    .max(MAX_PARTS)
    .nullish()
    .describe('all points of its calibration, one or two a depth and date, or null'),
  settings: z
    .strictObject(probeSettingsInFile)
    .nullish()
    .describe('what advice assumes: roots, weights of the curve, losses, rest; or null'),
  installation,
  placement: z
    .strictObject(placementBody)
    .optional()
    .describe('where it stands: emitterDistanceCm, notes'),
};
const module = z.strictObject(moduleInFile);

export const farmFile = z.strictObject({
  company: z.strictObject(companyInFile).describe('the company that everything belongs to'),
  users: z.array(z.strictObject(userInFile)).max(MAX_ROWS).optional().describe('the users'),
  waterSources: z
    .array(waterSourceInFile)
    .max(MAX_ROWS)
    .optional()
    .describe('the sources of water that parcels share'),
  parcels: z.array(parcel).max(MAX_ROWS).optional().describe('the parcels'),
  gateways: z.array(gateway).max(MAX_ROWS).optional().describe('the gateways'),
  modules: z.array(module).max(MAX_ROWS).optional().describe('the probes and stations'),
});
export type FarmFile = z.output<typeof farmFile>;
export type FarmModule = z.output<typeof module>;
export type FarmCalibration = readonly z.output<typeof calibrationPoint>[];
export type FarmSensor = z.output<typeof farmSensor>;
export type FarmSeason = NonNullable<FarmParcel['season']>;
export type FarmParcel = z.output<typeof parcel>;
export type FarmInstallation = NonNullable<z.output<typeof installation>>;
