import { z } from 'zod/v3';
import { isAbbreviatedZone, placeZoneFault } from '../../domain/company/place-zones.ts';
import { firstStartDate, type Recurrence } from '../../domain/irrigation/recurrence.ts';
import type {
  InputMode,
  SentAmounts,
  WateringInput,
} from '../../domain/irrigation/watering-amount.ts';
import { argument, operationName } from '../../domain/text/program-names.ts';
import { say, verbatim } from '../../domain/text/say.ts';
import { localDay } from '../../domain/text/times.ts';
import { isTimeZone } from '../../domain/time-zone.ts';
import type { CheckContext } from '../../operation/call.ts';
import { invalidInputError } from '../../schema/error.ts';
import { type ConfirmationPolicy, SCHEDULE_FREQS } from '../../schema/irrigation/schedule.ts';
import type { Schedule } from '../../store/irrigation/schedules.ts';
import { assertAmountOfMode, requireInput } from './watering-entry.ts';

export interface ScheduleEntry extends SentAmounts {
  readonly targetModuleId?: number | null;
  readonly targetParcelId?: number | null;
  readonly label?: string | null;
  readonly freq?: Recurrence['freq'];
  readonly intervalDays?: number | null;
  readonly weekdays?: readonly number[] | null;
  readonly startTimes?: readonly string[];
  readonly timezone?: string;
  readonly startsOn?: string;
  readonly endsOn?: string | null;
  readonly inputMode?: InputMode;
  readonly confirmationPolicy?: ConfirmationPolicy;
  readonly isActive?: boolean;
}

type ScheduleTerms = Recurrence &
  WateringInput &
  Pick<Schedule, 'label' | 'confirmationPolicy' | 'isActive'>;

const MAX_START_TIMES = 12;

const WEEKDAYS = argument('weekdays');
const INTERVAL_DAYS = argument('intervalDays');

/**
 * Fields of the other frequency become null; times and days are unique and sorted. `storedZone` may
 * be an abbreviation of a company or schedule from before these were refused.
 */
export function normalizeRecurrence(recurrence: Recurrence, storedZone: string): Recurrence {
  const { freq, timezone, startsOn, endsOn } = recurrence;
  const days = daysOfFreq(recurrence);
  const startTimes = uniqueStartTimes(recurrence);
  assertPlaceZone(timezone, storedZone);

  if (endsOn !== null && endsOn < startsOn)
    throw invalidInputError(
      'INVALID_ENDS_ON',
      say`${argument('endsOn')}, ${localDay(endsOn)}, is before ${argument('startsOn')}, ${localDay(startsOn)}.`,
      {
        hint: say`Give a last date on or after the first.`,
        field: 'endsOn',
      },
    );

  return { freq, ...days, startTimes, timezone, startsOn, endsOn };
}

function daysOfFreq({
  freq,
  intervalDays,
  weekdays,
}: Recurrence): Pick<Recurrence, 'intervalDays' | 'weekdays'> {
  const hasWeekdays = weekdays !== null && weekdays.length > 0;
  if (freq === 'daily') {
    if (hasWeekdays)
      throw invalidInputError('INVALID_WEEKDAYS', say`${WEEKDAYS} go with freq weekly only.`, {
        hint: say`Leave ${WEEKDAYS} out of a daily schedule, or choose weekly.`,
        field: 'weekdays',
      });
    return { intervalDays: intervalDays ?? 1, weekdays: null };
  }

  if (intervalDays !== null)
    throw invalidInputError('INVALID_INTERVAL', say`${INTERVAL_DAYS} goes with freq daily only.`, {
      hint: say`Leave ${INTERVAL_DAYS} out of a weekly schedule, or choose daily.`,
      field: 'intervalDays',
    });

  if (!hasWeekdays)
    throw invalidInputError(
      'INVALID_WEEKDAYS',
      say`A weekly schedule needs at least one weekday.`,
      {
        hint: say`Give the days that the person named, from 1 (Monday) to 7 (Sunday).`,
        field: 'weekdays',
      },
    );
  return { intervalDays: null, weekdays: [...new Set(weekdays)].sort((a, b) => a - b) };
}

function uniqueStartTimes(recurrence: Recurrence): string[] {
  const startTimes = [...new Set(recurrence.startTimes)].sort();
  if (startTimes.length >= 1 && startTimes.length <= MAX_START_TIMES) return startTimes;

  throw invalidInputError(
    'INVALID_START_TIMES',
    say`${startTimes.length || say`No`} start times are given.`,
    {
      hint: say`Give 1 to ${MAX_START_TIMES} local times as HH:MM.`,
      field: 'startTimes',
    },
  );
}

function assertPlaceZone(timezone: string, storedZone: string): void {
  if (timezone === storedZone && isAbbreviatedZone(timezone)) return;
  const fault = placeZoneFault(timezone);
  if (fault === null) return;

  throw invalidInputError(
    'INVALID_TIMEZONE',
    say`${argument('timezone')} ${verbatim(JSON.stringify(timezone))} is not valid: it must be ${fault}.`,
    {
      hint: say`Give the zone of the place where the water runs; ${operationName('get_company')} shows the company’s.`,
      field: 'timezone',
    },
  );
}

function checkedInput(
  mode: InputMode,
  amounts: SentAmounts,
  current?: WateringInput,
): WateringInput {
  assertAmountOfMode(mode, amounts);
  return requireInput(mode, amounts, current && { current });
}

function assertOneTarget({ targetModuleId, targetParcelId }: ScheduleEntry): void {
  if ((targetModuleId == null) !== (targetParcelId == null)) return;
  throw invalidInputError(
    'INVALID_TARGET',
    targetModuleId == null
      ? say`Neither a probe nor a parcel is given.`
      : say`Both a probe and a parcel are given.`,
    {
      hint: say`Give a module or a parcel, one of the two.`,
      field: 'module',
    },
  );
}

export type NewScheduleEntry = ScheduleEntry &
  Required<Pick<ScheduleEntry, 'freq' | 'startTimes' | 'timezone' | 'startsOn' | 'inputMode'>>;

export function checkScheduleEntry(
  entry: NewScheduleEntry,
  { zone: companyZone }: Pick<CheckContext, 'zone'>,
): {
  input: WateringInput;
  recurrence: Recurrence;
} {
  const input = checkedInput(entry.inputMode, entry);
  assertOneTarget(entry);
  const recurrence = normalizeRecurrence(
    {
      ...entry,
      intervalDays: entry.intervalDays ?? null,
      weekdays: entry.weekdays ?? null,
      endsOn: entry.endsOn ?? null,
    },
    companyZone,
  );
  return { input, recurrence };
}

const recurrenceStart = z.object({
  freq: z.enum(SCHEDULE_FREQS),
  weekdays: z.array(z.number()).nullish(),
  startTimes: z.array(z.string().regex(/^\d\d:\d\d$/)),
  timezone: z.string(),
});

/** Undefined if other fields are invalid; the check of the whole entry then refuses these. */
export function nextStartDate(
  fields: unknown,
  { now, zone }: { now: number; zone: string },
): string | undefined {
  const { data } = recurrenceStart.safeParse(fields);
  if (!data) return undefined;
  const timezone = isTimeZone(data.timezone) ? data.timezone : zone;
  return firstStartDate({ ...data, timezone, weekdays: data.weekdays ?? null }, now);
}

export function applyScheduleChanges(schedule: Schedule, changes: ScheduleEntry): ScheduleTerms {
  const freq = changes.freq ?? schedule.freq;
  const keepsFreq = freq === schedule.freq;
  const {
    label = schedule.label,
    intervalDays = keepsFreq ? schedule.intervalDays : null,
    weekdays = keepsFreq ? schedule.weekdays : null,
    endsOn = schedule.endsOn,
  } = changes;

  return {
    label,
    freq,
    intervalDays,
    weekdays,
    startTimes: changes.startTimes ?? schedule.startTimes,
    timezone: changes.timezone ?? schedule.timezone,
    startsOn: changes.startsOn ?? schedule.startsOn,
    endsOn,
    ...checkedInput(changes.inputMode ?? schedule.amount.mode, changes, schedule),
    confirmationPolicy: changes.confirmationPolicy ?? schedule.confirmationPolicy,
    isActive: changes.isActive ?? schedule.isActive,
  };
}
