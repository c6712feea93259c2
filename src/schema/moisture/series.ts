import { z } from 'zod/v3';
import { TENSION_FLAGS } from '../../domain/facts/suspect-tension.ts';
import { nonEmpty } from '../../domain/items.ts';
import { AGRONOMIC_STATES } from '../../domain/moisture/agronomic-state.ts';
import { JUDGED_LINES, LINE_DOUBT_BASES } from '../../domain/moisture/line-limits.ts';
import { CURVES, MEASUREMENT_TYPES, MEASUREMENTS } from '../../domain/moisture/measurement.ts';
import { QUALITY_FLAGS } from '../../domain/moisture/quality-flags.ts';
import { WEIGHT_BASES } from '../../domain/moisture/summary-curve.ts';
import { recordOf } from '../../domain/records.ts';
import { DEPLETION_BASES } from '../../domain/soil/allowed-depletion.ts';
import { USDA_CLASSES } from '../../domain/soil/soil-catalog.ts';
import { code, codes } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import { field, withExample } from '../field.ts';
import { namedSchema } from '../named-schema.ts';
import {
  acceptTensionAlias,
  detailField,
  instantOutput,
  maxCountField,
  periodQuery,
} from '../shared-fields.ts';

const MAX_INTERVAL_S = 366 * 86_400;

const MAX_POINTS = 50_000;

const SERIES_ALIGNMENTS = ['utc', 'local'] as const;
export type SeriesAlignment = (typeof SERIES_ALIGNMENTS)[number];

export const seriesQuery = {
  type: field(
    acceptTensionAlias(z.enum(MEASUREMENT_TYPES)).describe('What to read. Default humidity.'),
    {
      words: 'kind of measurement',
      hint: say`Give one of ${codes(MEASUREMENT_TYPES)}.`,
    },
  ).default('humidity'),
  ...periodQuery(7),
  interval: field(
    z.number().int().min(1).max(MAX_INTERVAL_S).describe('Seconds from point to point.'),
    {
      plainUnit: 's',
      hint: say`Give whole seconds from 1 to ${MAX_INTERVAL_S}, such as 3600, or leave it out.`,
    },
  ).optional(),
  maxPoints: field(z.number().int().min(1).max(MAX_POINTS).describe('Number of points at most.'), {
    words: 'greatest number of points',
    isUnlisted: true,
    mayBeDropped: true,
    hint: say`Give a whole number from 1 to ${MAX_POINTS}.`,
  }).default(500),
  align: field(z.enum(SERIES_ALIGNMENTS).describe('Clock of the points.'), {
    words: 'clock of the points',
    isUnlisted: true,
    mayBeDropped: true,
    hint: say`Give one of ${codes(SERIES_ALIGNMENTS)}.`,
  }).default('utc'),
  dailyBeyondDays: field(
    z
      .number()
      .int()
      .min(1)
      .max(100_000)
      .describe('Without interval, whole days where the period is longer than this.'),
    {
      isRestOnly: true,
      mayBeDropped: true,
      hint: say`Give a whole number of days, or leave it out.`,
    },
  ).optional(),
  detail: detailField({ isUnlisted: true }).default('full'),
  depths: field(z.boolean().describe('true: the values of each sensor too.'), {
    words: 'choice whether to show each sensor',
  }).default(false),
  refuseAbovePoints: maxCountField(
    'Refuse an interval that gives more points than this, at most 10,000.',
  ).optional(),
  cursor: field(
    z
      .string()
      .max(400)
      .describe('A page of at most 10,000 points of an interval, and next_cursor.'),
    {
      code: 'invalid_cursor',
      isRestOnly: true,
      hint: say`Pass ${code('next_cursor')} of the same series unchanged, or the cursor of the refusal of a long series.`,
    },
  ).optional(),
};
export const seriesInput = z.strictObject(seriesQuery);
/** The input of a caller without the module. */
export type SeriesInput = z.input<typeof seriesInput>;

const optionalNumber = () => z.number().nullable().optional();

const valueOfType = recordOf(
  MEASUREMENT_TYPES.map((type) => [
    CURVES[type].field,
    optionalNumber().describe(MEASUREMENTS[type].description),
  ]),
);

const seriesPoint = namedSchema(
  'WeightedSeriesPoint',
  z.strictObject({
    time: withExample(instantOutput(), '2026-06-30T00:00:00.000Z'),
    ...valueOfType,
    value_vwc_max: optionalNumber().describe('The same, % of saturation.'),
    value_mm: optionalNumber().describe('Water in the soil, mm.'),
  }),
);
export type SeriesPointBody = z.output<typeof seriesPoint>;

const valueAt = z.strictObject({ value: z.number(), time: instantOutput() });

const statistics = z.strictObject({
  min: valueAt,
  max: valueAt,
  mean: withExample(z.number(), 20.9),
  first: valueAt,
  last: valueAt,
});
export type StatisticsBody = z.output<typeof statistics>;

const freshness = field(
  z.strictObject({
    time: withExample(
      instantOutput().nullable().describe('Newest reading of any time.'),
      '2026-07-01T09:00:00.000Z',
    ),
    ageMin: withExample(z.number().int().nullable(), 60),
    isFresh: z.boolean().describe('At most 25 hours old.'),
  }),
  { isExtension: true },
);
export type FreshnessBody = z.output<typeof freshness>;

const weights = field(
  z.strictObject({
    basis: z.enum(WEIGHT_BASES),
    byDepth: z.array(z.strictObject({ depth: z.number().nullable(), weight: z.number() })),
  }),
  { isExtension: true },
);
export type WeightsBody = z.output<typeof weights>;

const soilMoisture = (at: string) =>
  z.number().nullable().describe(`Water content at ${at} in m3/m3.`);

const seriesSensor = z.strictObject({
  id: z.number().int(),
  type: z.enum(MEASUREMENT_TYPES),
  depth: z.number().nullable(),
  weight: z.number(),
  topCm: z.number().nullable(),
  bottomCm: z.number().nullable(),
  fieldCapacity: soilMoisture('field capacity'),
  wiltingPoint: soilMoisture('wilting point'),
  saturation: soilMoisture('saturation'),
  values: z
    .array(z.number().nullable())
    .describe('Values of this sensor, one for each row of data.'),
  calibratedFrom: z
    .array(instantOutput())
    .optional()
    .describe('When calibrations begin in the period: a step there is none of the soil.'),
});
export type SeriesSensorBody = z.output<typeof seriesSensor>;

/** Left out where the answer does not depend on single readings. */
export const hoursBefore = () =>
  instantOutput()
    .nullable()
    .optional()
    .describe('Before it, means of hours stand in place of single readings, which are not kept.');

export const moistureSeries = namedSchema(
  'WeightedSeries',
  z.strictObject({
    module_id: withExample(z.number().int(), 1),
    type: z.enum(MEASUREMENT_TYPES),
    unit: z.enum(nonEmpty(MEASUREMENT_TYPES.map((type) => MEASUREMENTS[type].unit))),
    start: withExample(instantOutput(), '2026-06-30T00:00:00.000Z'),
    end: withExample(instantOutput(), '2026-07-01T00:00:00.000Z'),
    interval_seconds: withExample(z.number().int().nullable(), 43200),
    data: z.array(seriesPoint),
    statistics: statistics.nullable(),
    weights,
    freshness,
    missingShare: withExample(
      z.number().describe('Share of readings that are missing, 0 to 1.'),
      0,
    ),
    hoursBefore: hoursBefore(),
    next_cursor: z.string().nullable().optional(),
    rootDepthCm: z.number().nullable().optional(),
    sensors: z.array(seriesSensor).optional(),
  }),
);
export type MoistureSeriesBody = z.output<typeof moistureSeries>;

export const suspectReading = namedSchema(
  'SensorDoubt',
  z.strictObject({
    reason: z.enum(QUALITY_FLAGS),
    depth: z.number().nullable(),
    value_vwc: z.number(),
    limit_vwc: z
      .number()
      .nullable()
      .describe('What its soil can dry to or hold, or read before it fell.'),
    since: instantOutput().nullable().describe('Since when it is stuck, fell or drifts.'),
  }),
);
export type SuspectReadingBody = z.output<typeof suspectReading>;

export const lineDoubt = namedSchema(
  'LineDoubt',
  z.strictObject({
    line: z.enum(JUDGED_LINES),
    height: withExample(z.number().describe('Drawn, % by volume.'), 45),
    expected: withExample(z.number().describe('By the soil; saturation: at most.'), 28.1),
    basis: z.enum(LINE_DOUBT_BASES),
  }),
);

const thresholdBasis = () => z.enum(['annotation', 'soil_profile']).nullable();

const suspectTension = z.strictObject({
  reason: z.enum(TENSION_FLAGS),
  depth: z.number().nullable(),
  value_tensio: z.number(),
  from_tensio: z.number().nullable().describe('Before it fell.'),
  since: instantOutput(),
});
export type SuspectTensionBody = z.output<typeof suspectTension>;

/** Soil water tension of tensiometers, in kPa. */
export const tension = namedSchema(
  'Tension',
  z.strictObject({
    value: z.number().nullable().describe('kPa; higher is drier.'),
    wetLevel: z.number().nullable(),
    dryLevel: z.number().nullable(),
    isDry: z.boolean().nullable().describe('Above the dry level.'),
    typical: z
      .strictObject({
        usdaClass: z.enum(USDA_CLASSES),
        wetLevel: z.number(),
        dryFrom: z.number(),
        dryTo: z.number(),
      })
      .optional()
      .describe('Usual levels of the texture: a suggestion.'),
    suspect: z
      .array(suspectTension)
      .optional()
      .describe('Sensors to check; one that fell, unless water explains it.'),
  }),
);
export type TensionBody = z.output<typeof tension>;

export const agronomicState = namedSchema(
  'AgronomicState',
  z.strictObject({
    moduleId: withExample(z.number().int(), 1),
    state: z.enum(AGRONOMIC_STATES).nullable(),
    value_vwc: withExample(z.number().nullable().describe('Moisture in % by volume.'), 20.3),
    time: withExample(instantOutput().nullable(), '2026-07-01T09:00:00.000Z'),
    fieldCapacity: withExample(
      z.number().nullable().describe('Field capacity in % by volume.'),
      27.96,
    ),
    wiltingPoint: withExample(
      z.number().nullable().describe('Wilting point in % by volume.'),
      13.7,
    ),
    stressPoint: withExample(
      z.number().nullable().describe('Stress point (refill point) in % by volume.'),
      20.83,
    ),
    allowedDepletion: withExample(z.number().describe('Allowed depletion, 0 to 1.'), 0.5),
    basis: z.strictObject({
      fieldCapacity: thresholdBasis(),
      wiltingPoint: thresholdBasis(),
      stressPoint: thresholdBasis(),
      allowedDepletion: z.enum(DEPLETION_BASES),
    }),
    doubts: z.array(suspectReading).describe('Sensors to check before the rest is trusted.'),
    doubtedLines: z.array(lineDoubt).readonly().optional().describe('Drawn, not confirmed.'),
    tension: tension.optional().describe('Of tensiometers.'),
  }),
);
export type AgronomicStateBody = z.output<typeof agronomicState>;
