import { z } from 'zod/v3';
import { isIsoDate } from '../../domain/calendar.ts';
import { NO_WATER_TIMES, type WaterTimes } from '../../domain/moisture/water-times.ts';
import { MAX_SHORT_LIST } from '../../domain/text/greatest-lengths.ts';
import { operationName } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import { expected } from '../expected.ts';
import { type FieldMetadata, field, withExample } from '../field.ts';
import { shortText } from '../length-limits.ts';
import { namedSchema } from '../named-schema.ts';
import {
  instantField,
  instantOutput,
  nameOutput,
  periodBoundField,
  requiredText,
} from '../shared-fields.ts';

const MIN_TURN_HOURS = 24;
const MAX_TURN_HOURS = 1440;
const MAX_NOTICE_HOURS = 720;

const clockField = (description: string, words: string) =>
  field(
    shortText()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a local time HH:MM')
      .describe(description),
    {
      clock: 'minutes',
      words,
      hint: say`Give a local time as HH:MM, such as 22:00.`,
    },
  ).nullish();

const dayField = (description: string, words: string) =>
  field(
    shortText()
      .refine((day) => isIsoDate(`2000-${day}`), expected(say`a day and a month, MM-DD`))
      .describe(description),
    {
      kind: 'dayOfYear',
      words,
      hint: say`Give a day and a month, such as 04-15.`,
    },
  ).nullish();

const figureField = (
  schema: z.ZodNumber,
  description: string,
  metadata: Partial<FieldMetadata> & Pick<FieldMetadata, 'words'>,
) => field(schema.describe(description), metadata).nullish();

const turnHours = () => z.number().min(MIN_TURN_HOURS).max(MAX_TURN_HOURS);
const noticeHours = () => z.number().min(0).max(MAX_NOTICE_HOURS);
const flow = () => z.number().min(1).max(100_000_000);
const depth = () => z.number().min(1).max(500);
const runMinutes = () => z.number().min(1).max(1440);
const hours = () => z.number().min(0.25).max(24);

/** "Saturday" is the next one. */
const COMING: FieldMetadata['date'] = { tense: 'coming', dayOfMonth: null, clockField: null };

/** When and how water can be had, as a person says it. Null unsets a field. */
export const waterTimesEntry = {
  everyHours: figureField(turnHours(), 'Hours from turn to turn: 192.', {
    restDescription: 'Hours from turn to turn, 24 to 1,440; whole days keep the clock time.',
    words: 'time between turns',
    hint: say`Give hours from ${MIN_TURN_HOURS} to ${MAX_TURN_HOURS}: 192 for 8 days.`,
  }),
  turnAt: instantField('Start of any of them.', {
    words: 'start of a turn',
    restDescription: 'Start of one turn, past or ahead.',
  }).nullish(),
  weekdays: field(
    z
      .array(field(z.number().int().min(1).max(7), { words: 'weekday' }))
      .min(1)
      .max(MAX_SHORT_LIST)
      .describe('Or days: 1 Monday to 7 Sunday.'),
    {
      words: 'list of weekdays',
      hint: say`Give numbers from 1 (Monday) to 7 (Sunday).`,
    },
  ).nullish(),
  fromTime: clockField('On these days: 22:00.', 'start of the water on a day'),
  untilTime: clockField('May be on the next day.', 'end of the water on a day'),
  noticeHours: figureField(noticeHours(), 'To order ahead: 48.', {
    restDescription: 'Hours ahead by which water has to be ordered.',
    words: 'notice',
    hint: say`Give hours up to ${MAX_NOTICE_HOURS}: 48 for 2 days.`,
  }),
  flowLPerH: figureField(flow(), 'Of a turn: 20 L/s.', {
    unit: 'L/h',
    restDescription: 'Flow of a turn in L/h, over the irrigated area of the equipment.',
    words: 'flow of the water',
    hint: say`Give a flow, such as 20 L/s.`,
  }),
  leastMm: figureField(depth(), 'Least dose: 40 mm.', {
    unit: 'mm',
    restDescription: 'Least dose in mm over the whole area.',
    words: 'least dose',
    hint: say`Give a depth from 1 to 500 mm.`,
  }),
  largestMm: figureField(depth(), 'Largest one: 80 mm.', {
    unit: 'mm',
    restDescription: 'Largest dose in mm over the whole area.',
    words: 'largest dose',
    hint: say`Give a depth from 1 to 500 mm.`,
  }),
  longestRunMin: figureField(runMinutes(), 'Longest run: 2 h.', {
    unit: 'min',
    restDescription: 'Longest run in minutes; longer ones are given in runs with pauses.',
    words: 'longest run',
    hint: say`Give a time from 1 min to 24 h.`,
  }),
  pauseMin: figureField(runMinutes(), 'Pause between runs.', {
    unit: 'min',
    restDescription: 'Pause in minutes between two runs.',
    words: 'pause between runs',
    hint: say`Give a time from 1 min to 24 h.`,
  }),
  seasonFrom: dayField('First day of water.', 'first day of the water'),
  seasonUntil: dayField('Its last day.', 'last day of the water'),
  movedFrom: periodBoundField('A turn that moves.', {
    words: 'turn that moves',
    date: COMING,
    restDescription: 'The start of a turn that moves to movedTo, or without it is dropped.',
  }).nullish(),
  movedTo: instantField('New start; none: dropped.', {
    date: COMING,
    words: 'new start of the turn',
    restDescription: 'Its new start.',
  }).nullish(),
};

const sourceField = () =>
  field(requiredText('Canal or pump that parcels share.'), {
    words: 'source of water',
    restDescription: 'Name of the source that several parcels share, such as a canal or a pump.',
    hint: say`Give the name of a canal, well or pump, such as North canal.`,
    example: 'North canal',
  });

export const parcelSourceEntry = {
  source: sourceField().nullish(),
};

export const sourceEntry = {
  source: sourceField(),
  hoursPerDay: figureField(hours(), 'What it gives in a day: 10 h.', {
    unit: 'h',
    restDescription: 'How long it gives water in a day, in hours, one parcel after another.',
    words: 'hours of water a day',
    hint: say`Give hours from 0.25 to 24.`,
  }),
  parcels: field(
    z
      .array(field(shortText().min(1), { words: 'parcel' }))
      .min(1)
      .max(MAX_SHORT_LIST)
      .describe('Those that draw from it.'),
    {
      words: 'list of parcels',
      restDescription: 'Names or ids of parcels that draw from it from now on; others stay.',
      hint: say`Give names of parcels, from ${operationName('list_parcels')}.`,
    },
  ).optional(),
};

const clockInFile = (description: string) =>
  shortText()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .nullable()
    .describe(description);
const dayInFile = (description: string) =>
  shortText()
    .refine((day) => isIsoDate(`2000-${day}`))
    .nullable()
    .describe(description);
const instantInFile = (description: string) =>
  shortText().datetime({ offset: true }).describe(description);
const figureInFile = (schema: z.ZodNumber, description: string) =>
  schema.nullable().describe(description);

const waterTimesShape = {
  everyHours: figureInFile(turnHours(), 'hours from turn to turn, 24 to 1,440, or null'),
  turnAt: instantInFile('the start of one turn, in ISO 8601 with an offset, or null').nullable(),
  weekdays: z
    .array(z.number().int().min(1).max(7))
    .min(1)
    .max(MAX_SHORT_LIST)
    .readonly()
    .nullable()
    .describe('days from 1 (Monday) to 7 (Sunday) on which water comes, or null'),
  fromTime: clockInFile('when water begins on a day, HH:MM, or null'),
  untilTime: clockInFile('when it ends, HH:MM, or null'),
  noticeHours: figureInFile(noticeHours(), 'hours ahead by which it has to be ordered, or null'),
  seasonFrom: dayInFile('the first day of the year with water, MM-DD, or null'),
  seasonUntil: dayInFile('the last day of the year with water, MM-DD, or null'),
  moved: z
    .array(
      z.strictObject({
        from: instantInFile('the start of a turn that moved'),
        to: instantInFile('its new start, or null where it was dropped').nullable(),
      }),
    )
    .max(MAX_SHORT_LIST)
    .readonly()
    .nullable()
    .describe('turns that moved or were dropped, or null'),
  flowLPerH: figureInFile(flow(), 'the flow of a turn in L/h, or null'),
  leastMm: figureInFile(depth(), 'the least dose in mm over the whole area, or null'),
  largestMm: figureInFile(depth(), 'the largest dose in mm over the whole area, or null'),
  longestRunMin: figureInFile(runMinutes(), 'the longest run in minutes, or null'),
  pauseMin: figureInFile(runMinutes(), 'the pause between two runs in minutes, or null'),
  hoursPerDay: figureInFile(hours(), 'how many hours a source gives in a day, or null'),
};

export const waterTimes = namedSchema('WaterTimes', z.strictObject(waterTimesShape));

const change = {
  waterTimes: field(waterTimes.nullable().describe('In force now; null: at any time.'), {
    isUnlisted: true,
  }),
  before: field(waterTimes.nullable().describe('Null where water came at any time.'), {
    isUnlisted: true,
  }),
  upcoming: field(z.array(instantOutput()).describe('The next starts, whatever the notice.'), {
    isUnlisted: true,
  }),
};

export const probeWaterTimesAnswer = z.strictObject({
  moduleId: withExample(z.number().int(), 1),
  ...change,
  timesOfParcel: field(
    z
      .enum(['replaced', 'in_force'])
      .nullable()
      .describe('What this does with those of its parcel; null if neither.'),
    { isUnlisted: true },
  ),
});
export type ProbeWaterTimesAnswer = z.output<typeof probeWaterTimesAnswer>;

export const parcelWaterTimesAnswer = z.strictObject({
  parcelId: withExample(z.number().int(), 2),
  ...change,
  source: field(nameOutput().nullable().describe('From which it draws.'), { isUnlisted: true }),
  sourceBefore: field(nameOutput().nullable(), { isUnlisted: true }),
  timesOfSource: field(
    z
      .enum(['replaced', 'in_force'])
      .nullable()
      .describe('What this does with those of its source; null if neither.'),
    { isUnlisted: true },
  ),
});
export type ParcelWaterTimesAnswer = z.output<typeof parcelWaterTimesAnswer>;

export const sourceWaterTimesAnswer = z.strictObject({
  source: field(nameOutput(), { isUnlisted: true, example: 'North canal' }),
  isNew: field(z.boolean(), { isUnlisted: true }),
  ...change,
  parcelIds: field(z.array(z.number().int()).describe('All that draw from it.'), {
    isUnlisted: true,
  }),
  withOwnTimes: field(z.array(z.number().int()).describe('Those that do not follow its times.'), {
    isUnlisted: true,
  }),
});
export type SourceWaterTimesAnswer = z.output<typeof sourceWaterTimesAnswer>;

export const listedSource = namedSchema(
  'WaterSource',
  z.strictObject({
    name: withExample(nameOutput(), 'North canal'),
    waterTimes: waterTimes.nullable().describe('In force now; null: at any time.'),
    parcelIds: z.array(z.number().int()).describe('All that draw from it.'),
  }),
);
export type ListedSource = z.output<typeof listedSource>;

/** What a farm file leaves out is not set. */
export const waterTimesInFile = z
  .strictObject(waterTimesShape)
  .partial()
  .transform((times): WaterTimes => ({ ...NO_WATER_TIMES, ...times }));

export const waterSourceInFile = z.strictObject({
  name: requiredText('the name of a canal, well or pump that parcels share'),
  waterTimes: waterTimesInFile.nullish().describe('when it gives water, or null for at any time'),
});
