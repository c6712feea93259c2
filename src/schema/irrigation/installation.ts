import { z } from 'zod/v3';
import { roundRate } from '../../domain/decimal.ts';
import { IRRIGATION_SYSTEMS } from '../../domain/irrigation/dose.ts';
import { acceptedRange, exact, maximum } from '../../domain/text/figures.ts';
import { argument, codes } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import { season } from '../company/season.ts';
import { field, withExample } from '../field.ts';
import { calibrationTexts } from '../moisture/calibration.ts';
import { probeSettings } from '../moisture/setting-fields.ts';
import { namedSchema } from '../named-schema.ts';
import { answerShape, computed, generatedId } from '../resource.ts';
import { computedInstant, effectiveFromField, instantOutput, noteField } from '../shared-fields.ts';
import { EQUIPMENT_SCOPES } from './watering.ts';

export const equipmentFields = {
  system: computed('system', z.enum(IRRIGATION_SYSTEMS)),
  flowMmPerH: computed('flow_mm_per_h', z.number().nullable(), { round: roundRate, example: 3.2 }),
  emitterFlowLph: computed('emitter_flow_lph', z.number().nullable(), { example: 1.6 }),
  emittersPerM2: computed('emitters_per_m2', z.number().nullable(), { example: 2 }),
  emitterSpacingM: computed('emitter_spacing_m', z.number().nullable()),
  lineSpacingM: computed('line_spacing_m', z.number().nullable()),
  fractionWetted: computed('fraction_wetted', z.number(), { example: 0.35 }),
  fractionWettedIsDefault: computed('fraction_wetted_is_default', z.boolean()),
  irrigatedAreaM2: computed('irrigated_area_m2', z.number().nullable(), { example: 12000 }),
};

export const installationFields = {
  id: generatedId(2),
  scope: computed('scope', z.enum(EQUIPMENT_SCOPES)),
  parcelId: computed('parcel_id', z.number().int().nullable(), { example: 1 }),
  moduleId: computed('module_id', z.number().int().nullable(), { example: 1 }),
  ...equipmentFields,
  validFrom: computed('valid_from', computedInstant(), { example: '2026-04-01T06:00:00.000Z' }),
  validTo: computed('valid_to', computedInstant().nullable()),
};

export const versionFields = {
  ...installationFields,
  setAt: computed('set_at', computedInstant()),
  notes: computed('notes', z.string().nullable()),
};

/** The specification has no spacings, so an answer has them where they are known. */
const spacingOutput = () => ({
  emitterSpacingM: withExample(z.number(), 0.5).optional(),
  lineSpacingM: withExample(z.number(), 1).optional(),
});

export const installation = namedSchema(
  'IrrigationInstallation',
  z.strictObject({ ...answerShape(installationFields), ...spacingOutput() }),
);

export const installationVersion = namedSchema(
  'IrrigationInstallationVersion',
  z.strictObject({ ...answerShape(versionFields), ...spacingOutput() }),
);
export type InstallationVersionBody = z.output<typeof installationVersion>;

export const placementFields = {
  emitterDistanceCm: computed('emitter_distance_cm', z.number().int().nullable(), { example: 15 }),
  notes: computed('notes', z.string().nullable()),
  setAt: computed('set_at', computedInstant(), { example: '2026-07-01T10:00:00.167Z' }),
};

export const placement = namedSchema(
  'IrrigationPlacement',
  z.strictObject(answerShape(placementFields)),
);

export const missingDoses = namedSchema(
  'MissingDoses',
  z.strictObject({
    count: withExample(z.number().int(), 0),
    withoutInstallation: withExample(z.number().int(), 0),
    oldestWithoutInstallation: instantOutput().nullable(),
  }),
);
export type MissingDosesBody = z.output<typeof missingDoses>;

export const irrigationConfiguration = namedSchema(
  'IrrigationConfiguration',
  z.strictObject({
    moduleId: withExample(z.number().int(), 1),
    parcelId: withExample(z.number().int().nullable(), 1),
    installation: installation.nullable(),
    defaultFractionWetted: withExample(z.number().nullable(), 0.35),
    placement: placement.nullable(),
    canGeneralize: z.boolean(),
    hasParcelInstallation: z.boolean(),
    siblingOverrides: withExample(z.number().int(), 0),
    versions: z.array(installationVersion),
    missingDoses,
  }),
);
export type IrrigationConfigurationBody = z.output<typeof irrigationConfiguration>;

export const parcelIrrigation = namedSchema(
  'ParcelIrrigation',
  z.strictObject({
    parcelId: withExample(z.number().int(), 1),
    installation: installation.nullable().describe('Of the parcel itself.'),
    versions: z.array(installationVersion).describe('Of the parcel itself, most recent first.'),
    probes: z.array(
      z.strictObject({ moduleId: z.number().int(), installation: installation.nullable() }),
    ),
    settings: probeSettings.describe('Of the parcel itself.'),
    settingsVersions: z.array(probeSettings).describe('Of the parcel itself, most recent first.'),
    season: season.optional().describe('Of its crop.'),
    soil: z
      .array(
        z.strictObject({
          topCm: withExample(z.number(), 0),
          bottomCm: withExample(z.number(), 60),
          fieldCapacity: withExample(z.number(), 0.2796),
          wiltingPoint: withExample(z.number(), 0.137),
        }),
      )
      .optional()
      .describe('Its layers in force; m3/m3.'),
  }),
);
export type ParcelIrrigationBody = z.output<typeof parcelIrrigation>;

export const MAX_FLOW_MM_PER_H = 1000;
/** L/h, mm/h or emitters per m2. No equipment has less, and doses computed from less overflow. */
export const MIN_FLOW = 0.001;
export const MAX_EMITTERS_PER_M2 = 1000;
const MIN_AREA_M2 = 0.01;

const system = () =>
  field(z.enum(IRRIGATION_SYSTEMS).describe('Kind of equipment.'), {
    code: 'INVALID_SYSTEM',
    words: 'kind of equipment',
    hint: say`Give one of ${codes(IRRIGATION_SYSTEMS)}.`,
  });
const emitterFlowLph = () =>
  field(z.number().min(MIN_FLOW).max(10_000).describe('Of one emitter: 2 L/h, 1/2 US gph.'), {
    unit: 'L/h',
    restDescription: 'L/h of one emitter.',
    code: 'INVALID_EMITTER_FLOW',
    words: 'flow of an emitter',
    hint: say`Give the flow of one emitter, ${acceptedRange([MIN_FLOW, 10_000], 'L/h')}.`,
  });
const emittersPerM2 = (description: string) =>
  field(z.number().min(MIN_FLOW).max(MAX_EMITTERS_PER_M2).describe(description), {
    code: 'INVALID_EMITTER_DENSITY',
    words: 'number of emitters per square metre',
    hint: say`Give emitters per square metre, from ${MIN_FLOW} to ${MAX_EMITTERS_PER_M2}.`,
  });
const flowMmPerH = () =>
  field(
    z
      .number()
      .min(MIN_FLOW)
      .max(MAX_FLOW_MM_PER_H)
      .describe('If emitters are unknown, over the whole area: 5 mm/h.'),
    {
      unit: 'mm/h',
      flowOver: 'irrigatedAreaM2',
      restDescription: 'Application rate in mm/h; ignored beside both figures of emitters.',
      ignoredIfSent: [
        ['emitterFlowLph', 'emittersPerM2'],
        ['emitterFlowLph', 'emitterSpacingM', 'lineSpacingM'],
      ],
      code: 'INVALID_FLOW_RATE',
      words: 'application rate',
      hint: say`Give ${acceptedRange([MIN_FLOW, MAX_FLOW_MM_PER_H], 'mm/h')}.`,
    },
  );
const irrigatedAreaM2 = () =>
  field(
    z.number().min(MIN_AREA_M2).max(10_000_000).describe('Needed for volumes: 1.5 ha, 4 acres.'),
    {
      unit: 'm2',
      restDescription: 'Area in m2.',
      code: 'INVALID_IRRIGATED_AREA',
      words: 'irrigated area',
      hint: say`Give the area in m2, 10000 for a hectare, above 0, up to ${maximum(1000, 'ha')}.`,
    },
  );
const fractionWetted = () =>
  field(
    z.number().positive().max(1).describe('Of the ground, if measured: 35 %, a strip of 0.9 m.'),
    {
      unit: 'share',
      widthOver: 'lineSpacingM',
      restDescription: 'Above 0, up to 1; only if measured.',
      code: 'INVALID_FRACTION_WETTED',
      words: 'wetted fraction',
      hint: say`Give a percentage up to 100 %, a fraction above 0 and up to 1 (35 % is 0.35), or the width of the wetted strip with ${argument('lineSpacingM')}, or leave it out for the default of the system.`,
    },
  );
const spacing = (description: string, restDescription: string, words: string) =>
  field(z.number().min(0.01).max(500).describe(description), {
    unit: 'm',
    restDescription,
    words,
    code: 'INVALID_EMITTER_DENSITY',
    hint: say`Give metres, such as 0.3 for ${exact(30, 'cm')}: ${argument('emitterSpacingM')} along a line, ${argument('lineSpacingM')} between two lines.`,
  });

/** Gives the density in place of `emittersPerM2`. */
export const emitterSpacing = {
  emitterSpacingM: spacing(
    'Along a line: 60 cm.',
    'Along a line, in m.',
    'spacing of the emitters',
  ).optional(),
  lineSpacingM: spacing(
    'Between lines: 5 m.',
    'Between lines, in m.',
    'spacing of the lines',
  ).optional(),
};

export const installationBody = {
  system: system(),
  emitterFlowLph: emitterFlowLph().nullish(),
  emittersPerM2: emittersPerM2(
    'Or both spacings. Trees: 4 emitters on 20 m2 each are 0.2.',
  ).nullish(),
  flowMmPerH: flowMmPerH().nullish(),
  irrigatedAreaM2: irrigatedAreaM2().nullish(),
  fractionWetted: fractionWetted().nullish(),
  notes: noteField({ isUnlisted: true }).nullish(),
  effectiveFrom: effectiveFromField('15 July; 2024. Default now; if the first, since ever.', {
    restDescription: 'In the field since. Default now; first setup: always.',
  }),
};

export const installationCorrection = {
  ...installationBody,
  system: system().optional(),
  emittersPerM2: emittersPerM2('Number of emitters per m2.').nullish(),
  effectiveFrom: effectiveFromField('Start, between the neighbouring versions.'),
};

export const placementBody = {
  emitterDistanceCm: field(z.number().int().min(0).max(10_000).describe('20 cm, 8 in.'), {
    unit: 'cm',
    restDescription: 'To the nearest emitter, in cm.',
    code: 'INVALID_EMITTER_DISTANCE',
    words: 'distance to the emitter',
    hint: say`Give whole centimetres, ${acceptedRange([0, 10_000], 'cm')}.`,
  }).nullish(),
  notes: noteField().nullish(),
};

export const TIMELINE_CODES = [
  'EFFECTIVE_FROM_IN_FUTURE',
  'INSTALLATION_VERSION_EXISTS_AT_DATE',
] as const;

export const generalizedInstallation = z.strictObject({
  configuration: irrigationConfiguration,
  probes: z.array(
    z.strictObject({
      moduleId: withExample(z.number().int(), 1),
      before: installation.nullable(),
      after: installation.nullable(),
    }),
  ),
  leftOut: z.strictObject({ changed: z.number().int(), unchanged: z.number().int() }),
});

export const doseRecompute = z.strictObject({
  completed: withExample(z.number().int(), 0),
  missingDoses,
  byReason: z.strictObject({
    NO_INSTALLATION: z.number().int().optional(),
    MISSING_FLOW_RATE: z.number().int().optional(),
    MISSING_IRRIGATED_AREA: z.number().int().optional(),
  }),
});

export const irrigationSetup = irrigationConfiguration.extend({
  settings: probeSettings,
  settingsVersions: z.array(probeSettings).describe('Versions of the settings, most recent first.'),
  calibration: calibrationTexts(),
  season: season.optional().describe('Of the crop of its parcel.'),
  commissioning: z
    .strictObject({ at: instantOutput(), isAssumed: z.boolean() })
    .optional()
    .describe('In service since.'),
});
export type IrrigationSetupBody = z.output<typeof irrigationSetup>;
