import { z } from 'zod/v3';
import { isIsoDate } from '../../domain/calendar.ts';
import { MAX_SHORT_LIST } from '../../domain/text/greatest-lengths.ts';
import { operationName } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import { EXPECTED_DATE } from '../expected.ts';
import { type FieldMetadata, field } from '../field.ts';
import { shortText } from '../length-limits.ts';
import { namedSchema } from '../named-schema.ts';
import { answerShape, computed, entryShape, generatedId, internal } from '../resource.ts';
import {
  computedDate,
  computedInstant,
  isActiveField,
  moduleRef,
  parcelRef,
} from '../shared-fields.ts';
import { amountFields, amountsByMode, changedAmounts } from './watering.ts';

export const SCHEDULE_FREQS = ['daily', 'weekly'] as const;
export const CONFIRMATION_POLICIES = ['auto', 'manual'] as const;
export type ConfirmationPolicy = (typeof CONFIRMATION_POLICIES)[number];

export const scheduleFields = {
  id: generatedId(),
  targetModuleId: computed('target_module_id', z.number().int().nullable(), { example: 1 }),
  targetParcelId: computed('target_parcel_id', z.number().int().nullable()),
  label: computed('label', z.string().nullable(), { example: 'Nights' }),
  freq: computed('freq', z.enum(SCHEDULE_FREQS)),
  intervalDays: computed('interval_days', z.number().int().nullable(), { example: 2 }),
  weekdays: computed('weekdays', z.array(z.number().int()).nullable()),
  startTimes: computed('start_times', z.array(z.string())),
  timezone: computed('timezone', z.string(), { example: 'Europe/Paris' }),
  ...amountFields,
  startsOn: computed('starts_on', computedDate(), { example: '2026-07-02' }),
  endsOn: computed('ends_on', computedDate().nullable(), { example: '2026-09-30' }),
  confirmationPolicy: computed('confirmation_policy', z.enum(CONFIRMATION_POLICIES)),
  /**
   * Past occurrences from this instant on become done without confirmation; null if each waits for
   * its confirmation.
   */
  autoConfirmFrom: internal('auto_confirm_from', computedInstant().nullable()),
  isActive: computed('is_active', z.boolean()),
  /** Occurrences exist up to this instant; null while inactive. */
  materializedUntil: computed('materialized_until', computedInstant().nullable(), {
    example: '2026-09-29T10:00:00.123Z',
  }),
  createdBy: internal('created_by', z.number().int().nullable()),
  createdAt: internal('created_at', computedInstant()),
};

export const schedule = namedSchema('Schedule', z.strictObject(answerShape(scheduleFields)));
export type ScheduleBody = z.output<typeof schedule>;

const date = (
  description: string,
  { code, words, date }: Pick<FieldMetadata, 'code' | 'words' | 'date'>,
) =>
  field(shortText().describe(description).refine(isIsoDate, EXPECTED_DATE), {
    kind: 'date',
    date,
    code,
    words,
    hint: say`Give a date as YYYY-MM-DD, such as 2026-07-01.`,
  });

const freq = () =>
  field(z.enum(SCHEDULE_FREQS).describe('weekly needs weekdays.'), {
    code: 'INVALID_FREQ',
    words: 'frequency',
    hint: say`Give daily or weekly.`,
  });

const intervalDays = (description: string) =>
  field(z.number().int().min(1).max(365).describe(description), {
    code: 'INVALID_INTERVAL',
    words: 'interval in days',
    hint: say`Give whole days from 1 (every day) to 365; every other day is 2.`,
  });

const weekdays = () =>
  field(
    z
      .array(field(z.number().int().min(1).max(7), { words: 'weekday' }))
      .max(MAX_SHORT_LIST)
      .describe('Weekly: 1 Monday to 7 Sunday.'),
    {
      code: 'INVALID_WEEKDAYS',
      words: 'list of weekdays',
      hint: say`Give at least one number from 1 (Monday) to 7 (Sunday).`,
    },
  );

const startTimes = () =>
  field(
    z
      .array(
        field(shortText().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a local time HH:MM'), {
          words: 'start time',
        }),
      )
      .max(MAX_SHORT_LIST)
      .describe('Local times of day, HH:MM.'),
    {
      clock: 'minutes',
      listLength: { min: 1, max: 12 },
      code: 'INVALID_START_TIMES',
      words: 'start time',
      hint: say`Give 1 to 12 local times as HH:MM from 00:00 to 23:59, such as 05:30.`,
    },
  );

/** Farms have one time zone, that of the company, which tools fill in. */
const timezone = () =>
  field(z.string().max(100).describe('IANA zone of startTimes.'), {
    code: 'INVALID_TIMEZONE',
    words: 'time zone',
    hint: say`Give an IANA zone such as Europe/Paris; ${operationName('get_company')} shows the company’s.`,
    isUnlisted: true,
  });

const confirmationPolicy = (description: string) =>
  field(z.enum(CONFIRMATION_POLICIES).describe(description), {
    code: 'INVALID_CONFIRMATION_POLICY',
    words: 'kind of confirmation',
    hint: say`Give auto or manual.`,
  });

const startsOn = (description: string, clockField: string | null) =>
  date(description, {
    code: 'INVALID_STARTS_ON',
    words: 'first day',
    date: { tense: 'coming', dayOfMonth: 'first', clockField },
  });

const endsOn = (description: string) =>
  date(description, {
    code: 'INVALID_ENDS_ON',
    words: 'last day',
    date: { tense: 'coming', dayOfMonth: 'last', clockField: null },
  });

const label = () => z.string().max(200).describe('Name of the schedule.');

const sharedFields = {
  label: label().nullish(),
  intervalDays: intervalDays('Daily: every N days. Default 1.').nullish(),
  weekdays: weekdays().nullish(),
  ...entryShape(amountsByMode),
  endsOn: endsOn('Last day: end of March.').nullish(),
  confirmationPolicy: confirmationPolicy(
    'Default auto: past ones count as done; manual: they wait.',
  ).optional(),
};

export const scheduleBody = {
  targetModuleId: moduleRef({
    description: 'Name or id.',
    restDescription: 'Id of the probe; exclusive with targetParcelId.',
    code: 'INVALID_TARGET',
    unknownCode: 'MODULE_NOT_OWNED',
    hint: null,
  }).nullish(),
  targetParcelId: parcelRef({
    description: 'Or a whole parcel.',
    restDescription: 'Id of the parcel; exclusive with targetModuleId.',
    code: 'INVALID_TARGET',
    unknownCode: 'PARCEL_NOT_FOUND',
    hint: null,
  }).nullish(),
  freq: freq(),
  startTimes: startTimes(),
  timezone: timezone(),
  startsOn: startsOn('First date. Default the next start.', 'startTimes'),
  inputMode: amountFields.inputMode.schema,
  ...sharedFields,
  isActive: isActiveField('false: plan nothing yet.', { isUnlisted: true }),
};

export const scheduleChange = {
  freq: freq().optional(),
  startTimes: startTimes().optional(),
  timezone: timezone().optional(),
  startsOn: startsOn('First day, YYYY-MM-DD.', null).optional(),
  inputMode: amountFields.inputMode.schema.optional(),
  ...sharedFields,
  ...changedAmounts,
  intervalDays: intervalDays('Daily: every N days.').nullish(),
  endsOn: endsOn('Last day: end of March.').nullish(),
  confirmationPolicy: confirmationPolicy('As in create_schedule.').optional(),
  isActive: isActiveField('false stops it, true resumes.'),
};
