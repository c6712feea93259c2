import { z } from 'zod/v3';
import { CONFIDENCES } from '../../domain/advice/advice.ts';
import { CHECK_REASONS } from '../../domain/advice/reason-kinds.ts';
import { MISSING_DOSE_REASONS } from '../../domain/irrigation/dose.ts';
import { field, withExample } from '../field.ts';
import { suspectReading } from '../moisture/series.ts';
import { namedSchema } from '../named-schema.ts';
import { dateOutput, instantOutput } from '../shared-fields.ts';
import { meanwhile, runoff, turn } from './advice.ts';

const probe = { moduleId: z.number().int(), name: z.string().nullable() };
const percent = () => z.number().nullable().describe('Moisture in % by volume.');
const event = { eventId: z.number().int(), ...probe, startedAt: instantOutput() };

const planned = {
  ...event,
  moduleId: z.number().int().nullable(),
  parcelId: z.number().int().optional().describe('If it has no probe.'),
};

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
    time: withExample(instantOutput(), '2026-07-15T06:00:00.017Z'),
    modules: withExample(z.number().int().describe('Number of probes and stations.'), 5),
    needsWater: z
      .array(
        z.strictObject({
          ...probe,
          parcelId: z
            .number()
            .int()
            .nullable()
            .describe('Whose setup waters it; null for a setup of its own.'),
          probes: withExample(z.number().int().describe('Probes with the same equipment.'), 1),
          dryProbes: withExample(z.number().int(), 1),
          driest: z
            .array(z.strictObject({ ...probe, value_vwc: percent() }))
            .optional()
            .describe('The first of them.'),
          remainingMin: span.describe('To give the dry ones, beyond what is planned.'),
          todayMin: span.describe('The part of it for today, by hoursPerDay.'),
          remainingMm: span,
          runoff: runoff.optional(),
          waterMm: withExample(z.number().nullable().describe('Over the whole area.'), 13.515),
          durationMin: withExample(z.number().nullable(), 270.3),
          daysToStress: withExample(z.number().nullable(), 0.6),
          confidence: z.enum(CONFIDENCES),
          plannedMm: z
            .number()
            .nullable()
            .describe('Planned until midnight; null where a dose is missing.'),
          differing: z
            .array(z.number().int())
            .optional()
            .describe('Modules on the same valve, much wetter or drier.'),
          value_tensio: z.number().optional().describe('Tension in kPa; higher is drier.'),
          dryLevel: z.number().optional(),
        }),
      )
      .describe('A row for each setup, of its driest probe.'),
    byBalance: field(
      z
        .strictObject({
          parcels: z.array(
            z.strictObject({
              parcelId: z.number().int(),
              name: z.string(),
              isInNeed: z.boolean(),
              waterMm: z.number().nullable(),
              durationMin: z.number().nullable(),
              todayMin: z.number().nullable(),
              daysToStress: z.number().nullable(),
              turn: turn.optional(),
            }),
          ),
          isUnknown: z.boolean().describe('Facts for the balance are missing, of each of them.'),
        })
        .nullish()
        .describe('Of parcels without a probe, by the water balance of each.'),
      { isUnlisted: true },
    ),
    checkFirst: z
      .array(
        z.strictObject({
          ...probe,
          value_vwc: percent(),
          daysToStress: z.number().nullable(),
          reason: z.enum(CHECK_REASONS),
          doubts: z.array(suspectReading),
          meanwhile: meanwhile.optional(),
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
    restUnknown: z
      .array(z.number().int())
      .optional()
      .describe('A probe of each parcel of which to ask whether its crop rests.'),
    alerts: z
      .array(
        z.strictObject({
          alertId: withExample(z.string(), '5c0211a1-7b7a-4f4b-bcb9-cb1842548b9f'),
          ...probe,
          since: withExample(instantOutput().nullable(), '2026-07-14T09:15:00.000Z'),
          value_vwc: withExample(
            z.number().nullable().describe('Newest moisture in % by volume.'),
            25.5,
          ),
          time: withExample(instantOutput().nullable(), '2026-07-14T09:15:00.000Z'),
          threshold: withExample(z.string().describe('Threshold in % by volume.'), '26'),
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
    toConfirm: z.array(z.strictObject(planned)).describe('Planned, past, of the last 14 days.'),
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
          day: withExample(dateOutput(), '2026-06-30'),
          mm: withExample(z.number(), 14.5),
        }),
      )
      .optional()
      .describe('Recorded, of the last three days.'),
    schedule: z
      .array(
        z.strictObject({
          ...planned,
          durationMin: withExample(z.number().int().nullable(), 40),
          waterMm: withExample(z.number().nullable(), 2.4),
        }),
      )
      .describe('Planned: under way, or in the next 48 hours.'),
    assumed: z
      .array(
        z.strictObject({
          ...event,
          parcelId: z.number().int().nullable(),
          count: z.number().int().describe('Of its valve, in seven days.'),
        }),
      )
      .nullish()
      .describe('Done by a schedule, seen by nobody; the newest of each valve.'),
    ifItRuns: z
      .array(
        z.strictObject({
          ...event,
          parcelId: z.number().int().nullable(),
          neededMin: z.number().nullable(),
          durationMin: z.number().int().nullable(),
        }),
      )
      .nullish()
      .describe('Dry today; what is planned is enough if it runs.'),
    turns: z
      .array(z.strictObject({ ...probe, parcelId: z.number().int().nullable(), turn }))
      .nullish()
      .describe('Of water that comes at some times only: what to know today.'),
    shortSources: field(
      z
        .array(
          z.strictObject({
            source: z.string(),
            from: instantOutput().describe('The start of its next water.'),
            givenMin: z.number().describe('What that gives, less what is planned.'),
            neededMin: z.number(),
            shares: z
              .array(
                z.strictObject({
                  moduleId: z.number().int().nullable(),
                  parcelId: z.number().int(),
                  name: z.string().nullable(),
                  minutes: z.number(),
                  startsAt: instantOutput().describe('When water is left for it.'),
                  isAfterStress: z.boolean(),
                }),
              )
              .describe('Soonest stress first.'),
          }),
        )
        .nullish()
        .describe('Sources whose hours do not suffice for what needs water today.'),
      { isUnlisted: true },
    ),
    leftOut: counts([
      'needsWater',
      'checkFirst',
      'unjudged',
      'restUnknown',
      'alerts',
      'silentModules',
      'silentGateways',
      'toConfirm',
      'missingDoses',
      'schedule',
      'assumed',
      'ifItRuns',
    ]),
    leftOutMin: withExample(z.number().describe('What needsWater leaves out, today.'), 0),
    estimatedCapacities: withExample(
      z.number().int().describe('Probes in need with the capacity of a texture class.'),
      1,
    ),
  }),
);
export type BriefBody = z.output<typeof brief>;
