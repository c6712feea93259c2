import { z } from 'zod/v3';
import { isIsoDate } from '../../domain/calendar.ts';
import { MULCHES } from '../../domain/moisture/mulch.ts';
import { NEVER_AT_REST } from '../../domain/moisture/probe-settings.ts';
import { acceptedRange, exact } from '../../domain/text/figures.ts';
import { codes } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { expected } from '../expected.ts';
import { type FieldMetadata, field, withExample } from '../field.ts';
import { shortText } from '../length-limits.ts';
import { namedSchema } from '../named-schema.ts';
import { answerShape, computed, entered, entryShape } from '../resource.ts';
import { effectiveFromField, instantOutput, nameOutput, requiredText } from '../shared-fields.ts';
import { failTransform, type Issues, textList } from '../text-list.ts';
import { calibrationChange } from './calibration.ts';
import { waterTimes, waterTimesInFile } from './water-times.ts';

/** The form of figures by depth in a farm file. */
const byDepthInFile = (figure: z.ZodNumber) =>
  z
    .record(figure)
    .refine((figures) =>
      Object.keys(figures).every((depth) => /^(0|[1-9]\d*)(\.\d*[1-9])?$/.test(depth)),
    );

const depthWeightsInFile = byDepthInFile(
  z.number().min(0).max(1_000_000).describe('a weight from 0 up'),
)
  .refine((weights) => Object.values(weights).some((weight) => weight > 0))
  .nullish()
  .describe(
    'weights by depth in cm, at least one above 0, such as { "10": 0.5, "20": 0.5 }, or null',
  );

const MAX_STONES_PERCENT = 90;

const stonesInFile = byDepthInFile(
  z.number().min(0).max(MAX_STONES_PERCENT).describe('a percentage of volume, 0 to 90'),
)
  .nullish()
  .describe(
    'stones in % by volume from each depth in cm down, such as { "0": 10, "40": 50 }, or null',
  );

/** Maximum depth of roots and sensors. A farm file may have deeper ones. */
export const MAX_DEPTH_CM = 500;

/** Keys are depths in cm. */
type FiguresByDepth = Readonly<Record<string, number>>;

const FIGURE_PATTERN = /^(\d+(?:\.\d+)?)(?:\s*cm)?\s*[:=]\s*(\d+(?:\.\d+)?)(\s*%)?$/;

interface FigureReading {
  readonly isPercent: boolean;
  /** The form of a single text, and of all figures together, for refusals. */
  readonly form: Text;
  readonly allowed: Text;
  readonly schema: z.ZodType<FiguresByDepth | null | undefined>;
}

const parseFigures =
  ({ isPercent, form, allowed, schema }: FigureReading) =>
  (texts: readonly string[], issues: Issues): FiguresByDepth => {
    const figures: Record<string, number> = {};
    for (const [index, text] of texts.entries()) {
      const [, depth, figure, percent] = FIGURE_PATTERN.exec(text.trim()) ?? [];
      if (depth === undefined || (percent !== undefined && !isPercent))
        return failTransform(issues, form, index);
      const depthCm = String(Number(depth));
      if (depthCm in figures)
        return failTransform(
          issues,
          say`each depth once, and ${exact(Number(depthCm), 'cm')} is given twice`,
          index,
        );
      figures[depthCm] = Number(figure);
    }

    const { data } = schema.safeParse(figures);
    return data ?? failTransform(issues, allowed);
  };

export const formatFigures = (figures: FiguresByDepth): string[] =>
  Object.entries(figures).map(([depth, figure]) => `${depth}: ${figure}`);

/** Reads texts of `formatFigures`; a summary gets such texts in quotes. */
export const readFigures = (
  texts: readonly string[],
): { readonly depthCm: number; readonly figure: number }[] =>
  texts.map((text) => {
    const [depth, figure] = text.replaceAll('"', '').split(': ');
    return { depthCm: Number(depth), figure: Number(figure) };
  });

const parseDepthWeights = parseFigures({
  isPercent: false,
  form: say`a depth in cm and its weight, such as "20: 0.5"`,
  allowed: say`weights from 0 up, at least one above 0`,
  schema: depthWeightsInFile,
});

const depthWeightsField = (metadata: Partial<FieldMetadata> = {}) =>
  field(textList('weight').transform(parseDepthWeights).describe('One a depth: "20 cm: 0.5".'), {
    namesDepths: true,
    words: 'list of weights by depth',
    ...metadata,
  }).nullable();

const parseStones = parseFigures({
  isPercent: true,
  form: say`a depth in cm and the % of stones from there down, such as "40: 30"`,
  allowed: say`percentages of volume from 0 to ${MAX_STONES_PERCENT}`,
  schema: stonesInFile,
});

const stonesField = field(
  textList('share of stones')
    .transform(parseStones)
    .describe('% of volume from a depth down: "40 cm: 30 %".'),
  { namesDepths: true, words: 'list of stones by depth' },
).nullable();

const percentField = (
  description: string,
  { min, max, words }: { min: number; max: number; words: string },
) =>
  field(z.number().min(min).max(max).describe(description), {
    unit: '%',
    words,
    hint: say`Give a percentage from ${min} to ${max}.`,
  }).nullable();

const dayOfYearField = (
  description: string,
  { hint, words }: { hint: Text; words: string },
  isValid: (text: string) => boolean = isDayOfYear,
) =>
  field(
    shortText().refine(isValid, expected(say`a day and a month, MM-DD`)).describe(description),
    {
      kind: 'dayOfYear',
      words,
      hint,
    },
  ).nullable();

/** MM-DD; 29 February is one. */
const isDayOfYear = (text: string): boolean => isIsoDate(`2000-${text}`);

const rootDepthField = (metadata: Partial<FieldMetadata> = {}) =>
  field(z.number().min(5).max(MAX_DEPTH_CM).describe('Depth of roots: 60 cm, 2 ft.'), {
    unit: 'cm',
    restDescription: 'Depth of the roots in cm.',
    words: 'root depth',
    hint: say`Give ${acceptedRange([5, MAX_DEPTH_CM], 'cm')}.`,
    ...metadata,
  }).nullable();

/** Null where unset. */
export const settingFields = {
  rootDepthCm: entered('root_depth_cm', rootDepthField(), { example: 60 }),
  depthWeights: entered('depth_weights', depthWeightsField()),
  stonesByDepth: entered('stones_by_depth', stonesField),
  emitterDepthCm: entered(
    'emitter_depth_cm',
    field(z.number().min(1).max(MAX_DEPTH_CM).describe('Of buried drippers: 30 cm.'), {
      unit: 'cm',
      restDescription: 'Depth of emitters below the surface, in cm.',
      words: 'depth of the emitters',
      hint: say`Give ${acceptedRange([1, MAX_DEPTH_CM], 'cm')}.`,
    }).nullable(),
    { example: 30 },
  ),
  mulch: entered(
    'mulch',
    field(z.enum(MULCHES).describe('Over the bed.'), {
      restDescription: 'What covers the bed.',
      words: 'mulch',
      hint: say`Give one of ${codes(MULCHES)}.`,
    }).nullable(),
    { example: 'plastic' },
  ),
  allowedDepletion: entered(
    'allowed_depletion',
    field(z.number().min(0.1).max(0.8).describe('Of available water: 40 %.'), {
      unit: 'share',
      restDescription: 'Share of available water, 0.1 to 0.8.',
      words: 'allowed depletion',
      hint: say`Give 10 to 80 %, or a share from 0.1 to 0.8.`,
    }).nullable(),
    { example: 0.5 },
  ),
  refillPercent: entered(
    'refill_percent',
    percentField('Of the deficit to refill: 80 %.', { min: 1, max: 100, words: 'share to refill' }),
    {
      example: 80,
    },
  ),
  // Source of the values: FAO Irrigation Water Management Training Manual 4, annex 1, field
  // application efficiency.
  efficiencyPercent: entered(
    'efficiency_percent',
    percentField('Share that reaches the roots: 90 %.', { min: 20, max: 100, words: 'efficiency' }),
    { example: 90 },
  ),
  leachingPercent: entered(
    'leaching_percent',
    percentField('Extra, to wash out salt: 10 %.', {
      min: 0,
      max: 60,
      words: 'share for leaching',
    }),
    { example: 0 },
  ),
  hoursPerDay: entered(
    'hours_per_day',
    field(z.number().min(0.25).max(24).describe('Longest watering a day: 2 h, 90 min.'), {
      unit: 'h',
      restDescription: 'Longest watering a day, in hours.',
      words: 'longest watering a day',
      hint: say`Give hours from 0.25 to 24.`,
    }).nullable(),
    { example: 2 },
  ),
  restFrom: entered(
    'rest_from',
    dayOfYearField(
      'First day of yearly rest: 15 November; or never.',
      {
        words: 'first day of the rest',
        hint: say`Give a day and a month, such as 11-15, or never.`,
      },
      (text) => text === NEVER_AT_REST || isDayOfYear(text),
    ),
    { example: '11-15' },
  ),
  restUntil: entered(
    'rest_until',
    dayOfYearField('Its last day.', {
      words: 'last day of the rest',
      hint: say`Give a day and a month, such as 03-15.`,
    }),
    { example: '03-15' },
  ),
  waterTimes: computed('water_times', waterTimes.nullable(), { example: null }),
  waterSource: computed('water_source', nameOutput().nullable(), { example: null }),
};

export const probeSettingsEntry = {
  ...entryShape(settingFields),
  effectiveFrom: effectiveFromField('Default now; may be ahead.', {
    date: { tense: null, dayOfMonth: 'first', clockField: null },
  }),
};

const {
  rootDepthCm: _,
  depthWeights: __,
  stonesByDepth: ___,
  ...amountSettings
} = entryShape(settingFields);

/** The settings of a probe or parcel as a farm file states them. A rest is in days MM-DD. */
const settingsInFile = {
  rootDepthCm: z
    .number()
    .positive()
    .max(10_000)
    .nullish()
    .describe('the depth of the root zone in cm, above 0, or null'),
  stonesByDepth: stonesInFile,
  ...amountSettings,
  waterTimes: waterTimesInFile.nullish().describe('when water can be had, or null'),
};

export const parcelSettingsInFile = {
  ...settingsInFile,
  waterSource: requiredText('the source of water from which it draws').nullish(),
};

export const probeSettingsInFile = { ...settingsInFile, depthWeights: depthWeightsInFile };

/** The settings that set_module takes too; set_probe_settings lists them. */
export const curveSettingsOfNewProbe = {
  rootDepthCm: rootDepthField({ isUnlisted: true }).optional(),
  depthWeights: depthWeightsField({ isUnlisted: true }).optional(),
};

const settingsValues = z.strictObject(answerShape(settingFields));
export type SettingsValues = z.output<typeof settingsValues>;

export const probeSettings = namedSchema(
  'ProbeSettings',
  settingsValues.extend({ validFrom: instantOutput().nullable() }),
);
export type ProbeSettingsBody = z.output<typeof probeSettings>;

const settingsChange = {
  settings: probeSettings,
  validTo: instantOutput().nullable().describe('Later settings take over.'),
  before: settingsValues.partial().describe('Earlier values of what changed.'),
  defaults: settingsValues.describe('Values that hold where none is set.'),
};

export const probeSettingsAnswer = z.strictObject({
  moduleId: withExample(z.number().int(), 1),
  ...settingsChange,
});
export type ProbeSettingsAnswer = z.output<typeof probeSettingsAnswer>;

export const parcelSettingsAnswer = z.strictObject({
  parcelId: withExample(z.number().int(), 2),
  ...settingsChange,
});
export type ParcelSettingsAnswer = z.output<typeof parcelSettingsAnswer>;

export const calibratedSettingsAnswer = probeSettingsAnswer.extend({
  calibration: calibrationChange.nullable(),
});
export type CalibratedSettingsAnswer = z.output<typeof calibratedSettingsAnswer>;
