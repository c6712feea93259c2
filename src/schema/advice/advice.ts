import { z } from 'zod/v3';
import { CONFIDENCES, MEANWHILE_BASES } from '../../domain/advice/advice.ts';
import { BALANCE_NEEDS, FULL_SOIL_BASES } from '../../domain/advice/reason.ts';
import { REASON_KINDS } from '../../domain/advice/reason-kinds.ts';
import { TURN_VERDICTS } from '../../domain/advice/turn-decision.ts';
import { nonEmpty } from '../../domain/items.ts';
import { CROPS } from '../../domain/soil/allowed-depletion.ts';
import { acceptedRange } from '../../domain/text/figures.ts';
import { say } from '../../domain/text/say.ts';
import { field, withExample } from '../field.ts';
import { lineDoubt, suspectReading, tension } from '../moisture/series.ts';
import { namedSchema } from '../named-schema.ts';
import { dateOutput, explainedDetailField, instantOutput } from '../shared-fields.ts';

export const balanceError = z.object({
  errorMm: z.number().describe('Two of three such balances are no further off, wetted zone.'),
  isErrorOwn: z.boolean().describe('By its own measurements, not those of other fields.'),
});

export const adviceQuery = {
  refillPercent: field(
    z.number().min(1).max(100).describe('Of the deficit: 80 %. Default: its setting.'),
    {
      unit: '%',
      words: 'share to refill',
      hint: say`Give a percentage from 1 to 100.`,
    },
  ).optional(),
  expectedRainMm: field(z.number().min(0).max(300).describe('Until the next watering: 12 mm.'), {
    unit: 'mm',
    restDescription: 'Rain expected before the next watering, in mm.',
    words: 'expected rain',
    hint: say`Give ${acceptedRange([0, 300], 'mm')}.`,
  }).default(0),
  demandPercent: field(
    z
      .number()
      .min(10)
      .max(300)
      .describe('Expected drying: 100 as the last two weeks, 120 a fifth more.'),
    {
      unit: '%',
      words: 'share of the demand',
      hint: say`Give a percentage from 10 to 300; 100 is the pace of the last two weeks.`,
    },
  ).optional(),
  detail: explainedDetailField(),
};

/** The action to take until a doubt is cleared up. */
export const meanwhile = z
  .strictObject({
    basis: z.enum(MEANWHILE_BASES),
    moduleId: z.number().int().nullable().describe('With basis probe: on the same valve.'),
    waterMm: z
      .number()
      .nullable()
      .describe('Whole area; a week, with basis recent or unconfirmed.'),
    durationMin: z.number().nullable(),
    daysToStress: z.number().nullable(),
  })
  .describe('Until it is checked.');

/** In an advice, and in a review of the same waterings. */
export const unseenFields = {
  unseenWaterings: z
    .strictObject({
      startedAt: z.array(instantOutput()),
      areScheduled: z.boolean().describe('Done by a schedule, unconfirmed.'),
      shiftDays: z.number().int().nullable().describe('By which the log seems wrong.'),
    })
    .optional()
    .describe('That no depth showed, newest first.'),
  exchangedWith: z.number().int().optional().describe('A module.'),
};

export const runoff = z
  .strictObject({
    rateMmPerH: z.number().optional(),
    intakeMmPerH: z.number().optional(),
    parts: z.number().int(),
    minutesPerPart: z.number(),
    pauseMin: z.number(),
  })
  .describe('Give it in parts.');

/** The next time at which water can be had, and whether to take it. */
export const turn = namedSchema(
  'TurnDecision',
  z.strictObject({
    verdict: z
      .enum(TURN_VERDICTS)
      .describe('open: more than half of the least dose would drain, and the crop may suffer.'),
    nextAt: instantOutput().describe('In the past while it runs.'),
    isToday: z.boolean(),
    followingAt: instantOutput().nullable().describe('The start of the turn after it.'),
    orderBy: instantOutput().nullable(),
    missedAt: instantOutput().nullable().describe('Too late to order, and nothing is planned.'),
    stressAt: instantOutput().nullable().describe('Where it comes before one of them.'),
    isLate: z.boolean().describe('Stress comes before nextAt.'),
    drainedMm: z.number().nullable().describe('Of the least dose, whole area.'),
    fullLastsDays: z.number().nullable().describe('Where that is less than between turns.'),
  }),
);

export const advice = namedSchema(
  'WateringAdvice',
  z.strictObject({
    moduleId: withExample(z.number().int(), 1),
    time: withExample(
      instantOutput().nullable().describe('Time of the newest moisture.'),
      '2026-07-14T09:15:00.000Z',
    ),
    deficitMm: withExample(
      z.number().nullable().describe('To field capacity, wetted zone.'),
      32.96,
    ),
    settings: z
      .strictObject({
        refillPercent: withExample(z.number(), 80),
        efficiencyPercent: withExample(z.number(), 90),
        leachingPercent: withExample(z.number(), 0),
        hoursPerDay: withExample(z.number(), 2),
      })
      .nullable()
      .describe('Null without an amount by moisture.'),
    netMm: withExample(z.number().nullable().describe('For the roots, whole area.'), 9.229),
    waterMm: withExample(z.number().nullable().describe('To apply, whole area.'), 10.254),
    durationMin: withExample(z.number().nullable(), 192),
    fractionWetted: withExample(z.number().nullable().describe('Of the area, as counted.'), 0.35),
    daily: z
      .strictObject({ days: z.number().int(), minutesPerDay: z.number() })
      .nullable()
      .describe('The run time divided into days, by hoursPerDay.'),
    volumeM3: withExample(z.number().nullable(), 43.067),
    refillMm: field(
      z.number().optional().describe('To refill it, where more than can be given at a time.'),
      { isUnlisted: true },
    ),
    usualRoots: z
      .strictObject({
        crop: z.enum(nonEmpty(CROPS)),
        fromCm: z.number(),
        toCm: z.number(),
        rootDepthCm: z.number().nullable().describe('As set.'),
      })
      .optional()
      .describe('Of its crop, FAO-56.'),
    takenOffMm: z.number().optional().describe('Planned today, left out of the amounts.'),
    runoff: runoff.optional(),
    daysToStress: withExample(z.number().nullable().describe('At most 14.'), 3.6),
    turn: field(turn.nullish().describe('Where water comes by turns.'), { isUnlisted: true }),
    planned: z.strictObject({
      until: withExample(instantOutput(), '2026-07-18T00:43:47.172Z'),
      count: withExample(z.number().int(), 0),
      waterMm: withExample(z.number().nullable().describe('Null where a dose is missing.'), 0),
      nextAt: instantOutput().nullable().describe('In the past while one is running.'),
    }),
    rest: z
      .strictObject({
        until: withExample(dateOutput().nullable().describe('Last day of the rest.'), '2027-03-15'),
        harvestedOn: withExample(dateOutput().nullable(), null),
      })
      .nullable()
      .describe('Null in season.'),
    ripeSince: dateOutput().optional().describe('With RIPE.'),
    confidence: z.enum(CONFIDENCES),
    reasons: z.array(z.enum(REASON_KINDS)),
    doubts: z.array(suspectReading),
    doubtedLines: z.array(lineDoubt).readonly().optional().describe('Drawn, not confirmed.'),
    ...unseenFields,
    basis: z.literal('balance').nullish().describe('Amounts by the water balance.'),
    balance: z
      .strictObject({
        since: dateOutput(),
        from: z.enum(FULL_SOIL_BASES).optional().describe('Why its soil was full then.'),
        deficitMm: z.number(),
        waterUse: z.number().nullish().describe('Learned, over that of the tables.'),
        ...balanceError.partial().shape,
      })
      .optional()
      .describe('Of rain, waterings and evapotranspiration, with a reason that names it.'),
    balanceNeeds: z
      .array(z.enum(BALANCE_NEEDS))
      .optional()
      .describe('Missing for a balance in place of a silent probe.'),
    wetSince: instantOutput().optional().describe('With TOO_WET.'),
    differing: z.array(z.number().int()).optional().describe('Modules on the same valve.'),
    meanwhile: meanwhile.optional(),
    unshownRain: z
      .strictObject({ mm: z.number(), from: instantOutput(), until: instantOutput() })
      .optional()
      .describe('With GAUGE_DOUBTFUL.'),
    tension: tension.optional().describe('Present for a tensiometer.'),
  }),
);
export type AdviceBody = z.output<typeof advice>;
