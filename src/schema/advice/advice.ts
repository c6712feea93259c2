import { z } from 'zod/v3';
import { WATERING_OUTCOMES } from '../../domain/advice/watering-response.ts';
import { MISSING_DOSE_REASONS } from '../../domain/irrigation/dose.ts';
import { QUALITY_FLAGS } from '../../domain/moisture/suspect-readings.ts';
import {
  dateOutput,
  detailField,
  field,
  instantOutput,
  limitField,
  namedSchema,
  periodQuery,
} from '../field.ts';
import { watering } from '../irrigation/watering.ts';
import { agronomicState, moistureSeries, suspectReading, tension } from '../moisture/series.ts';

const CHART_VIEWS = ['summary', 'depths'] as const;
export type MoistureChartView = (typeof CHART_VIEWS)[number];

const CHART_THEMES = ['light', 'dark'] as const;
export type ChartTheme = (typeof CHART_THEMES)[number];

const CONFIDENCES = ['complete', 'partial', 'insufficient'] as const;

const ADVICE_REASONS = [
  'NO_SOIL_MOISTURE',
  'NO_DATA',
  'STALE_DATA',
  'UNCONFIRMED_WATERING',
  'RECENT_WATERING',
  ...QUALITY_FLAGS,
  'RECENT_RAIN',
  'EXPECTED_RAIN',
  'EXPECTED_DEMAND',
  'NO_DRY_LEVEL',
  'TENSION_ONLY',
  'NO_SOIL_PROFILE',
  'FIELD_CAPACITY_ESTIMATED',
  'NO_INSTALLATION',
  'MISSING_FLOW_RATE',
  'MISSING_IRRIGATED_AREA',
  'GAPS',
  'NO_ROOT_DEPTH',
  'SLICE_WITHOUT_VALUE',
  'DEPTH_WITHOUT_LAYER',
  'DEFAULT_FRACTION_WETTED',
  'LONGER_THAN_A_DAY',
  'DAILY_LIMIT_TOO_SHORT',
  'NO_STRESS_POINT',
  'THRESHOLDS_CROSSED',
  'FEW_DRY_DAYS',
  'NOT_DRYING',
] as const;
export type AdviceReason = (typeof ADVICE_REASONS)[number];

export const adviceQuery = {
  refillPercent: field(
    z.number().min(1).max(100).describe('% of the deficit. Default: its setting.'),
    {
      hint: 'Give a percentage from 1 to 100.',
    },
  ).optional(),
  expectedRainMm: field(
    z.number().min(0).max(300).describe('Rain expected before the next watering.'),
    {
      hint: 'Give millimetres from 0 to 300.',
    },
  ).default(0),
  demandPercent: field(
    z.number().min(10).max(300).describe('Expected drying, % of the last two weeks.'),
    {
      hint: 'Give a percentage from 10 to 300; 100 is the pace of the last two weeks.',
    },
  ).optional(),
};
export type AdviceRequest = z.output<z.ZodObject<typeof adviceQuery>>;

export const advice = namedSchema(
  'WateringAdvice',
  z.strictObject({
    moduleId: z.number().int(),
    time: instantOutput().nullable().describe('Time of the newest moisture.'),
    deficitMm: z.number().nullable().describe('To field capacity, wetted zone.'),
    settings: z
      .strictObject({
        refillPercent: z.number(),
        efficiencyPercent: z.number(),
        leachingPercent: z.number(),
        hoursPerDay: z.number(),
      })
      .nullable()
      .describe('Null without an amount by moisture.'),
    netMm: z.number().nullable().describe('For the roots, whole area.'),
    waterMm: z.number().nullable().describe('To apply, whole area.'),
    durationMin: z.number().nullable(),
    daily: z
      .strictObject({ days: z.number().int(), minutesPerDay: z.number() })
      .nullable()
      .describe('The run time divided into days, by hoursPerDay.'),
    volumeM3: z.number().nullable(),
    daysToStress: z.number().nullable(),
    planned: z.strictObject({
      until: instantOutput(),
      count: z.number().int(),
      waterMm: z.number().nullable().describe('Null where a dose is missing.'),
      nextAt: instantOutput().nullable().describe('In the past while one is running.'),
    }),
    confidence: z.enum(CONFIDENCES),
    reasons: z.array(z.enum(ADVICE_REASONS)),
    doubts: z.array(suspectReading),
    tension: tension.optional().describe('Present for a tensiometer.'),
  }),
);
export type AdviceBody = z.output<typeof advice>;

export const thresholdSuggestion = namedSchema(
  'ThresholdSuggestion',
  z.strictObject({
    moduleId: z.number().int(),
    fieldCapacity: z
      .number()
      .nullable()
      .describe('Median of wettings, %; null for fewer than three.'),
    doubt: z
      .enum(['noMoisture', 'tooLow', 'tooWide'])
      .nullable()
      .describe('Why it should not be drawn.'),
    least: z.number().nullable().describe('Lowest of the wettings, %.'),
    most: z.number().nullable(),
    stressPoint: z.number().nullable().describe('Stress point that would follow, %.'),
    inForce: z.number().nullable().describe('Field capacity in force, %.'),
    wettings: z
      .array(z.strictObject({ time: instantOutput(), value_vwc: z.number() }))
      .describe('At the deepest slice, newest first, with the median 24 to 48 h later.'),
    unused: z.strictObject({
      wateredAgain: z.number().int(),
      tooRecent: z.number().int(),
      gaps: z.number().int(),
    }),
  }),
);
export type ThresholdSuggestionBody = z.output<typeof thresholdSuggestion>;

export const reviewQuery = {
  ...periodQuery(14),
  limit: limitField().default(50),
};

const depthResponse = z.strictObject({
  depth: z.number(),
  riseVwc: z.number().nullable().describe('Points; null without data.'),
  startsAfterMin: z
    .number()
    .int()
    .nullable()
    .describe('From the start of the watering or its group.'),
  peaksAfterMin: z.number().int().nullable(),
});

const reviewedWatering = z.strictObject({
  eventId: z.number().int(),
  groupOf: z
    .number()
    .int()
    .nullable()
    .describe('First event of the pulses that are assessed together.'),
  startedAt: instantOutput(),
  waterMm: z.number().nullable(),
  waterMmWetted: z.number().nullable(),
  netMmWetted: z.number().nullable().describe('For the roots, wetted zone.'),
  response: z.enum(WATERING_OUTCOMES),
  deepestCm: z.number().nullable(),
  riseMm: z
    .number()
    .nullable()
    .describe('Gained by the slices, wetted zone; for a group, on its first event.'),
  depths: z.array(depthResponse),
});
export type ReviewedWateringBody = z.output<typeof reviewedWatering>;

const LIKELY_SOURCES = ['watering', 'rain', 'unknown'] as const;

const unloggedWettingEvent = z.strictObject({
  start: instantOutput(),
  end: instantOutput(),
  depths: z.array(z.number()).describe('Depths that got wetter, in cm.'),
  riseMm: z.number().nullable().describe('Water gained in the wetted zone, in mm.'),
  waterMm: z
    .number()
    .nullable()
    .describe('Rough, whole area; if the source is unknown, as irrigation.'),
  likely: z.enum(LIKELY_SOURCES).describe('A hint, not proof.'),
  roseElsewhere: z
    .boolean()
    .nullable()
    .describe('Most other parcels too: rain, or all were watered.'),
  plannedEventId: z.number().int().nullable().describe('Planned for then, not confirmed.'),
  rainMm: z
    .number()
    .nullable()
    .optional()
    .describe('Recorded for then; likely is rain where it is enough.'),
});
export type UnloggedWettingEventBody = z.output<typeof unloggedWettingEvent>;

export const review = namedSchema(
  'WateringReview',
  z.strictObject({
    moduleId: z.number().int(),
    start: instantOutput(),
    end: instantOutput(),
    waterings: z.array(reviewedWatering).describe('Waterings done, newest first.'),
    unlogged: z
      .array(unloggedWettingEvent)
      .describe('Wetting events without a logged watering, newest first.'),
    leftOut: z.strictObject({ waterings: z.number().int(), unlogged: z.number().int() }),
  }),
);
export type ReviewBody = z.output<typeof review>;

export const chartQuery = {
  ...periodQuery(7),
  view: z
    .enum(CHART_VIEWS)
    .describe('One curve, or one per depth. Default summary.')
    .default('summary'),
  theme: z.enum(CHART_THEMES).describe('Background. Default light.').default('light'),
};

export const moistureChart = z.strictObject({
  moduleId: z.number().int(),
  start: instantOutput(),
  end: instantOutput(),
  view: z.enum(CHART_VIEWS),
  theme: z.enum(CHART_THEMES),
  series: moistureSeries,
  newest: z
    .strictObject({
      value: z.number(),
      depths: z.array(z.strictObject({ depth: z.number(), value: z.number() })),
    })
    .nullable()
    .describe('Newest reading, if it is in the period.'),
  state: agronomicState,
  alerts: z.array(z.number()).describe('Thresholds in force, %.'),
  waterings: z.array(watering).describe('Of the period, in order, without skipped ones.'),
  rain: z
    .array(
      z.strictObject({
        day: dateOutput().describe('Local day on which it counts.'),
        startedAt: instantOutput().nullable().describe('Null: of the whole day.'),
        endedAt: instantOutput().nullable(),
        mm: z.number(),
      }),
    )
    .describe('Of the local days of the period, in order, as it counts for the parcel.'),
});
export type MoistureChartBody = z.output<typeof moistureChart>;
export type ChartedRainBody = MoistureChartBody['rain'][number];

export const shownMoisture = z.strictObject({
  moduleId: z.number().int(),
  start: instantOutput(),
  end: instantOutput(),
  series: moistureSeries,
  state: agronomicState,
});
export type ShownMoistureBody = z.output<typeof shownMoisture>;

/** A tool sets concise by itself, and takes no such argument. */
export const briefQuery = { detail: detailField({ isRestOnly: true }).default('full') };

const probe = { moduleId: z.number().int(), name: z.string().nullable() };
const percent = () => z.number().nullable().describe('Moisture in % by volume.');
const event = { eventId: z.number().int(), ...probe, startedAt: instantOutput() };

/**
 * Reasons to check before watering: recent water that sensors do not show yet, or a faulty sensor.
 */
export const CHECK_REASONS = [
  'UNCONFIRMED_WATERING',
  'RECENT_WATERING',
  ...QUALITY_FLAGS,
] as const satisfies readonly AdviceReason[];

/**
 * An object of counts. Its description names them, which is shorter in the list of tools than a
 * field for each.
 */
const counts = <Name extends string>(names: readonly Name[]) =>
  z.record(z.number().int()).describe(`Of ${names.join(', ')}.`) as z.ZodType<
    Record<Name, number>,
    z.ZodTypeDef,
    Record<Name, number>
  >;

const span = z.strictObject({ least: z.number(), most: z.number() }).nullable();

export const brief = namedSchema(
  'MorningBrief',
  z.strictObject({
    time: instantOutput(),
    modules: z.number().int().describe('Number of probes and stations.'),
    needsWater: z
      .array(
        z.strictObject({
          ...probe,
          parcelId: z
            .number()
            .int()
            .nullable()
            .describe('Whose setup waters it; null for a setup of its own.'),
          probes: z.number().int().describe('Probes with the same equipment.'),
          dryProbes: z.number().int(),
          driest: z
            .array(z.strictObject({ ...probe, value_vwc: percent() }))
            .optional()
            .describe('The first of them.'),
          remainingMin: span.describe('To give the dry ones, beyond what is planned.'),
          todayMin: span.describe('The part of it for today, by hoursPerDay.'),
          remainingMm: span,
          waterMm: z.number().nullable().describe('Over the whole area.'),
          durationMin: z.number().nullable(),
          daysToStress: z.number().nullable(),
          confidence: z.enum(CONFIDENCES),
          plannedMm: z
            .number()
            .nullable()
            .describe('Planned until midnight; null where a dose is missing.'),
          value_tensio: z.number().optional().describe('Tension in kPa; higher is drier.'),
          dryLevel: z.number().optional(),
        }),
      )
      .describe('A row for each setup, of its driest probe.'),
    checkFirst: z
      .array(
        z.strictObject({
          ...probe,
          value_vwc: percent(),
          daysToStress: z.number().nullable(),
          reason: z.enum(CHECK_REASONS),
          doubts: z.array(suspectReading),
        }),
      )
      .describe('Uncertain: check or ask before watering.'),
    unjudged: z
      .array(
        z.strictObject({
          ...probe,
          value_vwc: percent(),
          value_tensio: z.number().optional(),
          dryFrom: z.number().optional().describe('kPa; usual for its soil.'),
          dryTo: z.number().optional(),
          isCrossed: z.boolean().optional().describe('Wilting point not below field capacity.'),
        }),
      )
      .describe('No stress point or dry level is known.'),
    alerts: z
      .array(
        z.strictObject({
          alertId: z.string(),
          ...probe,
          since: instantOutput().nullable(),
          value_vwc: z.number().nullable().describe('Newest moisture in % by volume.'),
          time: instantOutput().nullable(),
          threshold: z.string().describe('Threshold in % by volume.'),
        }),
      )
      .describe('Alerts that are firing.'),
    silent: z
      .strictObject({
        modules: z.array(z.strictObject({ ...probe, lastAt: instantOutput().nullable() })),
        gateways: z.array(
          z.strictObject({
            gatewayId: z.number().int(),
            imei: z.string(),
            lastSeen: instantOutput().nullable(),
            modules: z.number().int().describe('Number of modules that send through it.'),
            names: z.array(z.string()).optional().describe('Names of the first of them.'),
          }),
        ),
      })
      .describe('For over 25 hours, or never heard from.'),
    toConfirm: z.array(z.strictObject(event)).describe('Planned, past, of the last 14 days.'),
    missingDoses: z.array(
      z.strictObject({
        ...probe,
        count: z.number().int(),
        missing: z.enum(MISSING_DOSE_REASONS).describe('The commonest reason for missing doses.'),
      }),
    ),
    rain: z
      .array(
        z.strictObject({
          parcelId: z.number().int().nullable(),
          day: dateOutput(),
          mm: z.number(),
        }),
      )
      .optional()
      .describe('Recorded, of the last three days.'),
    schedule: z
      .array(
        z.strictObject({
          ...event,
          durationMin: z.number().int().nullable(),
          waterMm: z.number().nullable(),
        }),
      )
      .describe('Planned: under way, or in the next 48 hours.'),
    leftOut: counts([
      'needsWater',
      'checkFirst',
      'unjudged',
      'alerts',
      'silentModules',
      'silentGateways',
      'toConfirm',
      'missingDoses',
      'schedule',
    ]),
  }),
);
export type BriefBody = z.output<typeof brief>;
