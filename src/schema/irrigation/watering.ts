import { z } from 'zod/v3';
import { UNSEEN_REASONS, WITNESSES } from '../../domain/advice/witness/witness.ts';
import { roundAmount, roundRate } from '../../domain/decimal.ts';
import { IRRIGATION_SYSTEMS, IRRIGATION_WARNINGS } from '../../domain/irrigation/dose.ts';
import { INPUT_MODES, MAX_DURATION_MIN } from '../../domain/irrigation/watering-amount.ts';
import { maximum } from '../../domain/text/figures.ts';
import { code } from '../../domain/text/program-names.ts';
import { list, say } from '../../domain/text/say.ts';
import { type FieldMetadata, field, withExample } from '../field.ts';
import { namedSchema } from '../named-schema.ts';
import {
  answerShape,
  computed,
  entered,
  entryShape,
  generated,
  generatedId,
  group,
  internal,
} from '../resource.ts';
import { computedInstant, detailField, instantField, noteField } from '../shared-fields.ts';
import { rainTotal } from '../weather/rain.ts';

export const WATERING_STATUSES = ['planned', 'done', 'skipped'] as const;
export type WateringStatus = (typeof WATERING_STATUSES)[number];
export const WATERING_SOURCES = ['manual', 'schedule', 'api', 'mcp'] as const;
export type WateringSource = (typeof WATERING_SOURCES)[number];
const WATERING_ORDERS = ['newest_first', 'past_first'] as const;

/**
 * `past_first` is for people: what has begun, newest first; with a status or a period also what is
 * ahead, nearest first.
 */
export interface WateringListOrder {
  readonly order: (typeof WATERING_ORDERS)[number];
  readonly status?: WateringStatus | undefined;
  /** In ms. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export const listsPastAlone = ({ order, status, from, to }: WateringListOrder): boolean =>
  order === 'past_first' && status === undefined && from === undefined && to === undefined;

export const EQUIPMENT_SCOPES = ['module', 'parcel'] as const;

/** When the examples were written. */
const LOGGED_AT = '2026-07-01T10:00:00.099Z';

const inputModeField = (
  description = 'Which amount is given.',
  metadata: Partial<FieldMetadata> = {},
) =>
  field(z.enum(INPUT_MODES).describe(description), {
    code: 'INVALID_INPUT_MODE',
    words: 'kind of amount',
    hint: say`Give ${list(INPUT_MODES.map(code), 'or')}, and the amount that goes with it, never a guess.`,
    restDescription: 'Which amount is given; its field is required.',
    // A tool takes it from the amount.
    isUnlisted: true,
    ...metadata,
  });

const durationMinField = () =>
  field(z.number().int().min(1).max(MAX_DURATION_MIN).describe('45 min, 1h20.'), {
    unit: 'min',
    restDescription: 'Run time in minutes.',
    code: 'INVALID_DURATION',
    words: 'duration',
    hint: say`Give whole minutes from 1 to 44640 (31 days).`,
  });

const inputDepthMmField = (description: string) =>
  field(z.number().positive().max(1000).describe(description), {
    unit: 'mm',
    restDescription: 'mm over the whole area.',
    code: 'INVALID_DEPTH',
    words: 'depth of water',
    hint: say`Give more than 0, up to ${maximum(1000, 'mm')}.`,
  });

const inputVolumeM3Field = (description: string) =>
  field(z.number().positive().max(1_000_000).describe(description), {
    unit: 'm3',
    restDescription: 'Volume in m3.',
    code: 'INVALID_VOLUME',
    words: 'volume of water',
    hint: say`Give more than 0, up to ${maximum(1_000_000, 'm3')}.`,
  });

const wateringStatusField = (description: string) =>
  field(z.enum(WATERING_STATUSES).describe(description), {
    code: 'INVALID_STATUS',
    hint: say`Give planned, done or skipped; done only for what has started.`,
  });

const startedAtField = (description: string, metadata: Partial<FieldMetadata> = {}) =>
  instantField(description, {
    code: 'INVALID_STARTED_AT',
    words: 'start',
    restDescription: 'Start of the watering.',
    ...metadata,
  });
const endedAtField = () =>
  instantField('End, instead of durationMin.', {
    endOf: 'startedAt',
    code: 'INVALID_ENDED_AT',
    words: 'end',
    isAbsentIfNull: true,
  });

/** Amounts that belong to one mode alone. */
const amountsOfOneMode = {
  inputDepthMm: entered(
    'input_depth_mm',
    inputDepthMmField('Over the whole area: 12 mm, 1/2 inch.').nullable(),
  ),
  inputVolumeM3: entered(
    'input_volume_m3',
    inputVolumeM3Field('Total of the area: 40 m3, 350 US gpm for 4 h.').nullable(),
  ),
};

export const amountsByMode = {
  durationMin: entered('duration_min', durationMinField().nullable(), { example: 40 }),
  ...amountsOfOneMode,
};

/** How much water a watering, or each of a schedule, gives. */
export const amountFields = {
  inputMode: entered('input_mode', inputModeField(), { example: 'duration' }),
  ...amountsByMode,
};

/** For what changes amounts: the tools that enter them have examples in US units too. */
export const changedAmounts = {
  inputDepthMm: inputDepthMmField('Over the whole area: 12 mm.').nullish(),
  inputVolumeM3: inputVolumeM3Field('Total of the area: 40 m3.').nullish(),
};

/** The remarks that a person may add; no rule depends on them. */
export const wateringRemarks = {
  note: entered('note', noteField().nullable(), { example: 'Before the wind' }),
};

/** The equipment of which the dose was computed. */
const configSnapshot = group(
  { name: 'IrrigationConfigSnapshot', presentIf: ['computedAt'], isConcise: false },
  {
    installationId: computed('dose_installation_id', z.number().int().nullable(), { example: 2 }),
    scope: computed('dose_scope', z.enum(EQUIPMENT_SCOPES).nullable(), { example: 'module' }),
    system: computed('dose_system', z.enum(IRRIGATION_SYSTEMS).nullable(), { example: 'drip' }),
    flowMmPerH: computed('dose_flow_mm_per_h', z.number().nullable(), {
      round: roundRate,
      example: 3.2,
    }),
    fractionWetted: computed('dose_fraction_wetted', z.number().nullable(), { example: 0.35 }),
    fractionWettedIsDefault: computed('dose_fraction_wetted_is_default', z.boolean(), {
      example: true,
    }),
    irrigatedAreaM2: computed('dose_irrigated_area_m2', z.number().nullable()),
    computedAt: computed('dose_computed_at', computedInstant(), { example: LOGGED_AT }),
  },
);

export const doseFields = {
  waterMm: computed('water_mm', z.number().nullable(), { round: roundAmount, example: 2.133 }),
  waterMmWetted: computed('water_mm_wetted', z.number().nullable(), {
    round: roundAmount,
    example: 6.095,
  }),
  configSnapshot,
};

export const wateringFields = {
  id: generatedId(),
  moduleId: computed('module_id', z.number().int(), { example: 1 }),
  scheduleId: computed('schedule_id', z.number().int().nullable()),
  isDetached: computed('is_detached', z.boolean()),
  startedAt: entered('started_at', startedAtField('Local, 24 h: today 06:00; ISO 8601.'), {
    example: '2026-07-01T04:00:00.000Z',
  }),
  durationMin: amountFields.durationMin,
  /** Null without a duration. */
  endedAt: generated('ended_at', computedInstant().nullable(), {
    isConcise: false,
    example: '2026-07-01T04:40:00.000Z',
  }),
  inputMode: amountFields.inputMode,
  ...amountsOfOneMode,
  ...doseFields,
  status: entered('status', wateringStatusField('Default done once started, else planned.'), {
    example: 'done',
  }),
  source: computed('source', z.enum(WATERING_SOURCES), { example: 'api' }),
  verifiedAt: computed('verified_at', computedInstant().nullable(), {
    isConcise: false,
    example: LOGGED_AT,
  }),
  ...wateringRemarks,
  createdAt: computed('created_at', computedInstant(), { isConcise: false, example: LOGGED_AT }),
  createdBy: internal('created_by', z.number().int().nullable()),
  /**
   * Local time of an occurrence ("2026-07-01T06:00"), unique within schedule and probe; null for
   * other waterings.
   */
  scheduledStart: internal('scheduled_start', z.string().nullable()),
  /**
   * Shared by the waterings of one irrigation of a whole parcel: the id of the first of them. Null
   * for others.
   */
  irrigationId: internal('irrigation_id', z.number().int().nullable()),
  /** Where the note is that the waterings of one irrigation share; null for one of its own. */
  noteId: internal('note_id', z.number().int().nullable()),
  /** Of one on a parcel that had no probe, which is on no module; null for others. */
  parcelId: internal('parcel_id', z.number().int().nullable()),
};

export const watering = namedSchema('IrrigationEvent', z.strictObject(answerShape(wateringFields)));
export type WateringBody = z.output<typeof watering>;

const { id, moduleId: _module, irrigationId: _irrigation, noteId: _note, ...rest } = wateringFields;

/** A watering of a parcel that had no probe. */
export const parcelWateringFields = {
  id,
  ...rest,
  parcelId: computed('parcel_id', z.number().int(), { example: 2 }),
};

export const parcelWatering = namedSchema(
  'ParcelWatering',
  z.strictObject(answerShape(parcelWateringFields)),
);
export type ParcelWateringBody = z.output<typeof parcelWatering>;

const doseTotals = {
  waterings: withExample(z.number().int(), 1),
  withoutDose: withExample(z.number().int(), 0),
  waterMm: withExample(
    z.number().nullable().describe('Mean of what each probe is counted with, in mm.'),
    2.4,
  ),
  waterMmWetted: withExample(z.number().nullable(), 6.857),
};

const statusTotals = z.strictObject({
  ...doseTotals,
  irrigations: z
    .number()
    .int()
    .describe('A parcel watered at once counts once, also in hours and volume.'),
  hours: withExample(z.number().nullable(), 0.75),
  withoutDuration: withExample(z.number().int(), 0),
  volumeM3: z.number().nullable(),
  withoutVolume: withExample(z.number().int(), 1),
  modules: withExample(z.number().int().describe('Probes that were watered.'), 1),
});

/** Totals of the whole selection, on the first page only. */
export const wateringTotals = namedSchema(
  'WateringTotals',
  z.strictObject({
    done: statusTotals,
    planned: statusTotals.describe('Not given yet, or not confirmed.'),
    skipped: withExample(z.number().int(), 0),
    byModule: z
      .array(z.strictObject({ moduleId: z.number().int(), ...doseTotals }))
      .describe('Done, of at most 12 probes.'),
    witness: z
      .array(
        z.strictObject({
          witness: z.enum(WITNESSES),
          waterings: z.number().int(),
          waterMm: z.number().nullable(),
        }),
      )
      .nullish()
      .describe('Those done, by who saw them; the amounts add up to that of done.'),
    rain: z
      .array(rainTotal)
      .nullish()
      .describe('Recorded for the same time, where it was asked for.'),
  }),
);
export type WateringTotalsBody = z.output<typeof wateringTotals>;

/** Apart from those on probes, which no total adds to them. */
export const wateringsOfParcels = z.strictObject({
  data: z.array(parcelWatering).describe('The first ones.'),
  totals: z
    .array(
      z.strictObject({
        parcelId: withExample(z.number().int(), 2),
        waterings: withExample(z.number().int(), 1),
        done: withExample(z.number().int(), 1),
        withoutDose: withExample(z.number().int().describe('Of those done.'), 0),
        waterMm: withExample(z.number().nullable().describe('Of those done.'), 2.4),
      }),
    )
    .describe('Of all.'),
});
export type WateringsOfParcelsBody = z.output<typeof wateringsOfParcels>;

/** Who saw that a watering ran. */
export const wateringWitness = z.strictObject({
  eventId: withExample(z.number().int(), 1),
  witness: z
    .enum(WITNESSES)
    .describe('By a person, by a probe, by nobody; unconfirmed: no probe was asked.'),
  unseen: z.enum(UNSEEN_REASONS).optional().describe('Why its own probe does not show it.'),
});
export type WateringWitnessBody = z.output<typeof wateringWitness>;

export const irrigationWarning = namedSchema('IrrigationWarning', z.enum(IRRIGATION_WARNINGS));

export const wateringAnswer = namedSchema(
  'WateringAnswer',
  z.strictObject({ event: watering, warnings: z.array(irrigationWarning) }),
);
export type WateringAnswer = z.output<typeof wateringAnswer>;

export const singleParcelAnswer = namedSchema(
  'SingleParcelWateringAnswer',
  z.strictObject({ event: parcelWatering, warnings: z.array(irrigationWarning) }),
);
export type SingleParcelAnswer = z.output<typeof singleParcelAnswer>;

export const witnessedWatering = wateringAnswer.extend({
  witness: wateringWitness
    .nullish()
    .describe('Who saw it; absent for one that was skipped, or that is only planned.'),
});
export type WitnessedWateringAnswer = z.output<typeof witnessedWatering>;

/** One watering for each soil probe and tensiometer of a parcel, or one of the parcel itself. */
export const parcelWateringAnswer = namedSchema(
  'ParcelWateringAnswer',
  z.strictObject({
    parcelId: withExample(z.number().int(), 2),
    count: withExample(z.number().int().describe('Of probes.'), 2),
    waterings: z.array(wateringAnswer),
    ofParcel: field(singleParcelAnswer, { isUnlisted: true })
      .nullish()
      .describe('In their place, where the parcel has no probe.'),
  }),
);
export type ParcelWateringAnswer = z.output<typeof parcelWateringAnswer>;

export const wateringBody = {
  startedAt: wateringFields.startedAt.schema,
  inputMode: amountFields.inputMode.schema,
  durationMin: amountFields.durationMin.schema.optional(),
  endedAt: endedAtField().nullish(),
  ...entryShape(amountsOfOneMode),
  status: wateringFields.status.schema.optional(),
  ...entryShape(wateringRemarks),
};

export const wateringDetailField = () => detailField({ isUnlisted: true }).default('full');

export const wateringCorrectionBody = {
  ...wateringBody,
  startedAt: startedAtField('New start; the end moves along.', {
    isRequiredInRest: true,
  }).optional(),
  inputMode: inputModeField('Default that of the amount given.', {
    isRequiredInRest: true,
  }).optional(),
  ...changedAmounts,
  status: wateringStatusField('done confirms, skipped cancels.').optional(),
};

export const wateringOrderField = () =>
  field(
    z
      .enum(WATERING_ORDERS)
      .describe(
        'newest_first: by start. past_first: what has begun, newest first; with status, from or to also what is ahead, nearest first.',
      ),
    // The page asks for it, in a chat through the tool.
    { isUnlisted: true, mayBeDropped: true },
  );

export const wateringRainField = () =>
  field(
    z
      .enum(['none', 'totals'])
      .describe('totals: with the rain that was recorded for the same time.'),
    {
      isRestOnly: true,
      mayBeDropped: true,
    },
  );

export const wateringWitnessField = () =>
  field(
    z
      .enum(['rows', 'none'])
      .describe('rows: who saw those that were done, or that count as done because they are due.'),
    { isRestOnly: true, mayBeDropped: true },
  );

export const AMOUNT_CODES = ['MISSING_DURATION', 'MISSING_DEPTH', 'MISSING_VOLUME'] as const;
