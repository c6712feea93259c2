import { z } from 'zod/v3';
import { BALANCE_NEEDS, FULL_SOIL_BASES } from '../../domain/advice/reason.ts';
import { isIsoDate } from '../../domain/calendar.ts';
import { say } from '../../domain/text/say.ts';
import { EXPECTED_DATE } from '../expected.ts';
import { field, withExample } from '../field.ts';
import { shortText } from '../length-limits.ts';
import { namedSchema } from '../named-schema.ts';
import { dateOutput } from '../shared-fields.ts';
import { advice, adviceQuery, balanceError } from './advice.ts';

const { refillPercent, expectedRainMm, detail } = adviceQuery;

export const parcelAdviceQuery = {
  refillPercent,
  expectedRainMm,
  filledOn: field(
    shortText()
      .describe('Of a parcel: last day its soil was full.')
      .refine(isIsoDate, EXPECTED_DATE),
    {
      kind: 'date',
      date: { tense: 'past', dayOfMonth: null, clockField: null },
      words: 'day when the soil was full',
      restDescription: 'The last day on which the soil was full. Default: what the records show.',
      hint: say`Give a date of the last 120 days as YYYY-MM-DD, such as 2026-07-01.`,
    },
  ).optional(),
  detail,
};

export const parcelAdvice = namedSchema(
  'ParcelAdvice',
  z.strictObject({
    parcelId: withExample(z.number().int(), 2),
    ...advice.pick({
      deficitMm: true,
      settings: true,
      netMm: true,
      waterMm: true,
      durationMin: true,
      fractionWetted: true,
      daily: true,
      volumeM3: true,
      refillMm: true,
      usualRoots: true,
      takenOffMm: true,
      runoff: true,
      daysToStress: true,
      turn: true,
      rest: true,
      ripeSince: true,
      confidence: true,
      reasons: true,
    }).shape,
    basis: z.literal('balance').optional().describe('Amounts by the water balance.'),
    balance: z
      .strictObject({
        since: dateOutput(),
        from: z
          .enum(FULL_SOIL_BASES)
          .describe(
            'Why its soil was full before: as given, by rain or waterings, or at planting.',
          ),
        deficitMm: z.number(),
        ...balanceError.shape,
        waterings: z.number().int().describe('Counted since then.'),
      })
      .optional()
      .describe('Of rain, waterings and evapotranspiration.'),
    probes: z
      .array(advice)
      .optional()
      .describe('The advice of each probe that measures it, the most urgent first.'),
    balanceNeeds: z.array(z.enum(BALANCE_NEEDS)).optional().describe('Missing for the balance.'),
  }),
);
export type ParcelAdviceBody = z.output<typeof parcelAdvice>;
