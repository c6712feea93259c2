import { z } from 'zod/v3';
import { GROWTH_STAGES } from '../../domain/balance/growth-stages.ts';
import { isIsoDate } from '../../domain/calendar.ts';
import { acceptedRange } from '../../domain/text/figures.ts';
import { MAX_SHORT_LIST } from '../../domain/text/greatest-lengths.ts';
import { codes } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import { EXPECTED_DATE } from '../expected.ts';
import { field } from '../field.ts';
import { shortText } from '../length-limits.ts';
import { namedSchema } from '../named-schema.ts';
import { answerShape, computed, entered, entryShape } from '../resource.ts';
import { computedDate, dateOutput } from '../shared-fields.ts';

const MAX_ROOT_DEPTH_CM = 500;

const day = (
  description: string,
  {
    tense = null,
    dayOfMonth = null,
    words = null,
  }: { tense?: 'past' | null; dayOfMonth?: 'first' | null; words?: string | null } = {},
) =>
  field(shortText().describe(description).refine(isIsoDate, EXPECTED_DATE), {
    kind: 'date',
    date: { tense, dayOfMonth, clockField: null },
    words,
    hint: say`Give a date as YYYY-MM-DD, such as 2026-04-20.`,
  }).nullable();

const datedStage = z.strictObject({ stage: z.enum(GROWTH_STAGES), on: dateOutput() });

/** The season of the crop of a parcel. Null where unknown. */
export const seasonFields = {
  crop: computed('crop', z.string().nullable(), { example: 'olive' }),
  plantedOn: entered(
    'planted_on',
    day('Day; of trees and vines, when growth began this year.', {
      dayOfMonth: 'first',
      words: 'day of planting',
    }),
    {
      example: '2026-03-20',
    },
  ),
  harvestedOn: entered(
    'harvested_on',
    day('Day of last harvest, also ahead.', { tense: 'past', words: 'day of harvest' }),
  ),
  stage: entered(
    'stage',
    field(z.enum(GROWTH_STAGES).describe('Stage of growth now.'), {
      hint: say`Give one of ${codes(GROWTH_STAGES)}.`,
    }).nullable(),
  ),
  stageOn: computed('stage_on', computedDate().nullable()),
  earlierStages: computed('earlier_stages', z.array(datedStage).readonly().nullable()),
  rootDepthCm: entered(
    'root_depth_cm',
    field(
      z
        .number()
        .min(5)
        .max(MAX_ROOT_DEPTH_CM)
        .describe('Only without probes, else set_probe_settings: 60 cm.'),
      {
        unit: 'cm',
        restDescription: 'Depth of the roots in cm.',
        words: 'root depth',
        hint: say`Give ${acceptedRange([5, MAX_ROOT_DEPTH_CM], 'cm')}.`,
      },
    ).nullable(),
    { example: 60 },
  ),
};

export const seasonEntry = entryShape(seasonFields);

/** The form of a season in a farm file. */
export const seasonInFile = {
  ...seasonEntry,
  stageOn: day('The day on which the crop was in the stage. Default the import.').optional(),
  earlierStages: z
    .array(
      z.strictObject({
        stage: z.enum(GROWTH_STAGES),
        on: shortText().refine(isIsoDate, EXPECTED_DATE),
      }),
    )
    .max(MAX_SHORT_LIST)
    .readonly()
    .nullable()
    .optional(),
};

export const season = namedSchema('CropSeason', z.strictObject(answerShape(seasonFields)));
export type SeasonBody = z.output<typeof season>;
