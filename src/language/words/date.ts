import { padTwo } from '../../domain/calendar.ts';
import { LocalDay } from '../../domain/local-day.ts';
import { failure, ok, type Parsed } from '../../domain/result.ts';
import { say } from '../../domain/text/say.ts';
import { resolveClock } from './clock.ts';
import { resolveNamedDay, UNTIL, withComingWeekdays } from './instant.ts';
import type { DayOfPeriod } from './month-day.ts';
import { parseTimePhrase, type TimePhrase } from './time-phrase.ts';

interface DateOptions {
  /** For a weekday, and for a date without a year. Null: they must leave no doubt. */
  readonly tense: 'past' | 'coming' | null;
  /** The day for which "April" or "the end of April" stands. Null: neither is a date. */
  readonly dayOfMonth: DayOfPeriod | null;
}

/** `clock` is the hour that the words name too, as HH:MM. */
interface ParsedDate {
  readonly date: LocalDay;
  readonly clock: string | null;
}

export function parseDate(
  wholeText: string,
  zone: string,
  now: number,
  { tense, dayOfMonth }: DateOptions,
): Parsed<ParsedDate> {
  const today = LocalDay.at(now, zone);
  const text = wholeText.normalize('NFC').replace(dayOfMonth === 'last' ? UNTIL : '', '');
  const phrase = parseTimePhrase(
    text,
    dayOfMonth === null ? undefined : { of: dayOfMonth, thisYear: today.civil.year },
  );
  if (!phrase.ok) return phrase;

  const days = tense === 'coming' ? withComingWeekdays(phrase.value) : phrase.value.days;
  if (tense === null && days.some((day) => day.type === 'weekday' && day.which === null))
    return failure(say`that day could be past or coming: say last or next, or the date`);
  const day = resolveNamedDay({ ...phrase.value, days }, today, tense ?? undefined);
  if (!day.ok) return day;
  if (day.value === null) return failure(say`no date given`);

  const clock = clockOf(phrase.value);
  return clock.ok ? ok({ date: day.value, clock: clock.value }) : clock;
}

function clockOf({ clock, part }: TimePhrase): Parsed<string | null> {
  if (clock === null) return ok(null);
  const resolved = resolveClock(clock, part);
  if (!resolved.ok) return resolved;
  const { minutes, dayShift } = resolved.value;
  if (dayShift !== 0) return failure(say`that hour is on another day: say its date`);
  return ok(`${padTwo(Math.floor(minutes / 60))}:${padTwo(minutes % 60)}`);
}
