import { z } from 'zod/v3';
import { NEEDS } from '../../domain/advice/farm/need.ts';
import { WITNESSES } from '../../domain/advice/witness/witness.ts';
import { INPUT_MODES } from '../../domain/irrigation/watering-amount.ts';
import { LANGS } from '../../domain/lang.ts';
import { say } from '../../domain/text/say.ts';
import { UNIT_SYSTEMS } from '../../domain/units.ts';
import { type FieldsOf, field, withExample } from '../field.ts';
import { irrigationWarning, WATERING_STATUSES, watering } from '../irrigation/watering.ts';
import { namedSchema } from '../named-schema.ts';
import { ROLES, SCOPES } from '../scope.ts';
import { instantOutput, langField } from '../shared-fields.ts';
import { overview, overviewRow } from './overview.ts';

const MAX_MODULES = 20;
/** In characters, including the comma after it. */
const MAX_ID_LENGTH = 16;
const ID = '[1-9]\\d{0,14}';

export const farmPageQuery = {
  moduleIds: field(
    z
      .string()
      .max(MAX_MODULES * MAX_ID_LENGTH)
      .regex(new RegExp(`^${ID}(,${ID}){0,${MAX_MODULES - 1}}$`))
      .describe(
        `At most ${MAX_MODULES} ids with commas between them: only the rows of these modules, and of the tensiometers of their parcels. Default all.`,
      )
      .transform((text) => [...new Set(text.split(',').map(Number))]),
    {
      words: 'list of probes',
      hint: say`Give at most ${MAX_MODULES} ids of modules, such as "3,7".`,
    },
  ).optional(),
  lang: langField().optional(),
};
export type FarmPageQuery = FieldsOf<typeof farmPageQuery>;

const sparkline = z.strictObject({
  start: withExample(instantOutput(), '2026-11-16T03:00:00.000Z'),
  stepMin: withExample(z.number().int(), 180),
  values: z.array(z.number().nullable()).describe('% or kPa, one for each step; null is a gap.'),
});
export type SparklineBody = z.output<typeof sparkline>;

const pageProbe = overviewRow.extend({
  wateredBy: z
    .enum([...WITNESSES, 'otherProbe'])
    .nullish()
    .describe('Who saw the last watering.'),
  need: z.enum(NEEDS).describe('The order of the probes.'),
  checkText: z.string().nullable().describe('The check in words, in lang or that of the farm.'),
  sparkline: sparkline.nullable().describe('The last seven days.'),
  comfort: z
    .strictObject({ low: z.number().nullable(), high: z.number().nullable() })
    .nullable()
    .describe('Stress point to field capacity in %, or wet level to dry level in kPa.'),
});
export type PageProbe = z.output<typeof pageProbe>;

export const farmPage = namedSchema(
  'FarmPage',
  overview.omit({ leftOut: true, next_cursor: true }).extend({
    user: z
      .strictObject({
        id: withExample(z.number().int().nullable().describe('Null for a key without a user.'), 1),
        name: withExample(z.string().nullable(), 'Ana'),
        role: z.enum(ROLES),
        scopes: z.array(z.enum(SCOPES)),
      })
      .nullable()
      .describe('The caller, and what the caller may read and write.'),
    withheld: z
      .array(z.enum(SCOPES))
      .optional()
      .describe('In a chat: the scopes of writes whose tools are not offered there.'),
    company: z.strictObject({
      name: withExample(z.string().nullable(), 'Mas Rouge (demo)'),
      timezone: withExample(z.string(), 'Europe/Paris'),
      lang: z.enum(LANGS),
      units: z.enum(UNIT_SYSTEMS),
    }),
    data: z.array(pageProbe).describe('Probes, most urgent first.'),
    parcels: z
      .array(
        z.strictObject({
          parcelId: withExample(z.number().int(), 2),
          name: withExample(z.string(), 'East field'),
        }),
      )
      .optional()
      .describe('Those that have no probe: a watering of them can be logged too.'),
    waiting: z
      .string()
      .optional()
      .describe(
        'Devices that are not assigned, and senders whose messages are not read, in words.',
      ),
    toConfirm: z
      .array(watering.omit({ configSnapshot: true }))
      .describe('Planned, over, and neither done nor skipped.'),
  }),
);
export type FarmPageBody = z.output<typeof farmPage>;

const previewedWatering = z.strictObject({
  moduleId: withExample(
    z.number().int().optional().describe('Absent for a parcel that has no probe.'),
    1,
  ),
  waterMm: withExample(z.number().nullable().describe('mm over the whole area.'), 2.133),
  waterMmWetted: withExample(
    z.number().nullable().describe('mm over the wetted part, by the fraction that advice takes.'),
    6.095,
  ),
  fractionWetted: withExample(
    z.number().nullable().optional().describe('That fraction; null without equipment.'),
    0.35,
  ),
  durationMin: withExample(
    z.number().int().nullable().describe('As given, or as its equipment needs.'),
    40,
  ),
  volumeM3: z.number().nullable(),
  warnings: z.array(irrigationWarning),
  overlaps: z
    .array(
      z.strictObject({
        id: withExample(z.number().int(), 1),
        startedAt: withExample(instantOutput(), '2026-07-01T04:00:00.000Z'),
        status: z.enum(WATERING_STATUSES),
      }),
    )
    .describe('Waterings of the probe at the same time.'),
});

export const wateringPreview = namedSchema(
  'WateringPreview',
  z.strictObject({
    startedAt: withExample(instantOutput(), '2026-11-22T05:00:00.000Z'),
    inputMode: z.enum(INPUT_MODES),
    status: z.enum(WATERING_STATUSES),
    waterings: z.array(previewedWatering).describe('One for each probe that would get one.'),
  }),
);
export type WateringPreviewBody = z.output<typeof wateringPreview>;
