import { z } from 'zod/v3';
import { placeZoneFault } from '../../domain/company/place-zones.ts';
import { maximum } from '../../domain/text/figures.ts';
import { say } from '../../domain/text/say.ts';
import { CATEGORIES, company, module, parcel, user } from '../company/company.ts';
import { season, seasonEntry } from '../company/season.ts';
import { expected } from '../expected.ts';
import { field, withExample } from '../field.ts';
import { shortText } from '../length-limits.ts';
import { curveSettingsOfNewProbe } from '../moisture/setting-fields.ts';
import { effectiveStartField, instantOutput, parcelRef, requiredText } from '../shared-fields.ts';
import {
  companyInFile,
  countryCode,
  currency,
  latitude,
  longitude,
  moduleInFile,
  parcelInFile,
  userInFile,
} from './farm-file.ts';
import { outlineTexts } from './outline-entry.ts';
import { sensorTexts } from './sensor-entry.ts';

/** Arguments for what a farm file says about a company, a parcel and a module. */

const newNameField = () =>
  field(
    requiredText('Its new name.').refine(
      (text) => !/^#\d+$/.test(text),
      expected(say`a name, not an id`),
    ),
    { words: 'new name' },
  ).optional();

/** For what people seldom say: every listed argument costs each conversation. */
const unlisted = <S extends z.ZodTypeAny>(schema: S, words: string | null = null) =>
  field(schema, { isUnlisted: true, words });

/** Accepts a code in small letters too. */
const inCapitals = <S extends z.ZodTypeAny>(schema: S) =>
  z.preprocess((code) => (typeof code === 'string' ? code.trim().toUpperCase() : code), schema);

export const companyEntry = {
  name: requiredText('As the person calls it.').optional(),
  newName: newNameField(),
  timezone: field(
    shortText()
      .superRefine((zone, context) => {
        const fault = placeZoneFault(zone);
        if (fault !== null) context.addIssue({ code: 'custom', ...expected(fault) });
      })
      .describe('IANA zone, Europe/Paris.'),
    {
      code: 'INVALID_TIMEZONE',
      words: 'time zone',
      hint: say`Give an IANA time zone such as Europe/Paris: that of the place where the farm is.`,
    },
  ).nullish(),
  countryCode: field(inCapitals(countryCode), { words: 'country code' })
    .nullish()
    .describe('ISO code: FR.'),
  currency: unlisted(inCapitals(currency)).nullish().describe('ISO code: EUR.'),
  legalName: unlisted(companyInFile.legalName.describe('Its legal name.'), 'legal name'),
  city: companyInFile.city.describe('Town it is in.'),
  postalCode: unlisted(companyInFile.postalCode.describe('Its postal code.'), 'postal code'),
  region: unlisted(companyInFile.region.describe('Region or province.')),
  units: field(companyInFile.units.describe('Of sentences. Default us in the US.'), {
    words: 'choice of units',
  }),
  ownerEmail: field(userInFile.email.describe('Of the person, never guessed: alerts go there.'), {
    words: 'e-mail address of the owner',
  }).optional(),
  ownerName: field(userInFile.name.describe('Name of the owner.'), {
    words: 'name of the owner',
  }).optional(),
};

export const parcelEntry = {
  name: requiredText('As the person calls it.'),
  newName: newNameField(),
  type: field(parcelInFile.type.describe('Crop or use, such as olive.'), {
    words: 'crop or use',
  }),
  areaM2: field(z.number().min(1).max(1_000_000_000).describe('Area: 1.5 ha, 4 acres.'), {
    unit: 'm2',
    restDescription: 'Area in m2 (1 ha = 10000).',
    words: 'area',
    hint: say`Give the area in m2, 10000 for a hectare, up to ${maximum(100_000, 'ha')}.`,
  }).nullish(),
  outline: outlineTexts()
    .nullish()
    .describe('Corners as latitude, longitude; or one GeoJSON text.'),
  ...seasonEntry,
};

export const moduleEntry = {
  name: requiredText('As the person calls it.'),
  newName: newNameField(),
  parcelId: parcelRef({ description: 'Its parcel: name or id.' }).nullish(),
  category: z.enum(CATEGORIES).nullish().describe('Default by its sensors.'),
  sensors: field(
    sensorTexts().describe('The whole list: humidity 20 cm, temperature 20 cm, tensio 30 cm.'),
    { namesDepths: true, words: 'list of sensors' },
  ).optional(),
  latitude: latitude().describe('Degrees north: 43.61.').nullish(),
  longitude: longitude().describe('Degrees east: 3.87.').nullish(),
  commissionedAt: effectiveStartField('In service since. Default now.', {
    words: 'start of service',
    hint: say`Give the day ("2026-07-01") or the day and the hour, at most a day ahead.`,
  }).nullish(),
  serialHex: field(moduleInFile.serialHex.describe('Serial in hexadecimal.'), {
    isUnlisted: true,
    words: 'serial number',
    hint: say`Give at most 64 of the characters 0 to 9 and A to F. Leave out a serial that has others, such as SN-1234: the probe works without it.`,
  }),
  number: unlisted(moduleInFile.number.describe('Number on the farm.'), 'number on the farm'),
  uid: unlisted(
    moduleInFile.uid.describe('Id in its readings. Default made up.'),
    'id in its readings',
  ).optional(),
  gateway: unlisted(requiredText('Its IMEI, from list_gateways.')).nullish(),
  device: unlisted(requiredText('What sends its readings, and depths in cm: EUI 30.')).optional(),
  ...curveSettingsOfNewProbe,
};

/** Earlier values of what changed, as the arguments that set them back; null for what is new. */
const earlierValues = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape).partial().nullable();

export const companyAnswer = z.strictObject({
  company,
  owner: user.optional(),
  before: earlierValues({
    ...company.omit({ id: true, name: true }).shape,
    newName: z.string(),
    ownerEmail: z.null(),
  }),
});
export type CompanyAnswer = z.output<typeof companyAnswer>;

const texts = () => z.array(z.string());

export const parcelAnswer = z.strictObject({
  parcel,
  before: earlierValues({
    newName: z.string(),
    type: z.string().nullable(),
    areaM2: z.number().nullable(),
    outline: texts().nullable(),
    ...season.omit({ crop: true, stageOn: true, earlierStages: true }).shape,
  }),
});
export type ParcelAnswer = z.output<typeof parcelAnswer>;

const moduleValues = z.strictObject({
  newName: withExample(z.string().nullable(), 'Olive 1'),
  parcel: withExample(z.string().nullable(), '#1'),
  category: z.enum(CATEGORIES).nullable(),
  sensors: texts(),
  latitude: withExample(z.number().nullable(), 43.612),
  longitude: withExample(z.number().nullable(), 3.875),
  commissionedAt: withExample(instantOutput().nullable(), '2026-07-01T10:00:00.000Z'),
  serialHex: z.string().nullable(),
  number: z.number().int().nullable(),
  uid: withExample(z.string(), 'olive-1'),
  gateway: z.string().nullable(),
  rootDepthCm: z.number().nullable(),
  depthWeights: texts().nullable(),
});

export const moduleAnswer = z.strictObject({
  module,
  before: earlierValues(moduleValues.shape),
  after: moduleValues.partial(),
});
export type ModuleAnswer = z.output<typeof moduleAnswer>;
