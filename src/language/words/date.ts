import { type CivilDate, padTwo } from '../../domain/calendar.ts';
import { say } from '../../domain/text/say.ts';
import { civilAt } from '../../domain/time-zone.ts';
import { resolveClock } from './clock.ts';
import { type ParseFailure, resolveNamedDay, UNTIL } from './instant.ts';
import type { DayOfPeriod } from './month-day.ts';
import { parseTimePhrase, type TimePhrase } from './time-phrase.ts';

interface DateOptions {
  /** Of a weekday, and of a date without a year. Null: they must leave no doubt. */
  readonly tense: 'past' | 'coming' | null;
  /** The day for which "April" or "the end of April" stands. Null: neither is a date. */
  readonly dayOfMonth: DayOfPeriod | null;
}

/** `clock` is the hour that the words name too, as HH:MM. */
interface ParsedDate {
  readonly date: CivilDate;
  readonly clock: string | null;
}

export function parseDate(
  wholeText: string,
  zone: string,
  now: number,
  { tense, dayOfMonth }: DateOptions,
): ParsedDate | ParseFailure {
  const today = civilAt(now, zone);
  const text = wholeText.normalize('NFC').replace(dayOfMonth === 'last' ? UNTIL : '', '');
  const phrase = parseTimePhrase(
    text,
    dayOfMonth === null ? undefined : { of: dayOfMonth, thisYear: today.year },
  );
  if ('error' in phrase) return phrase;

  const days = tense === 'coming' ? withComingWeekdays(phrase) : phrase.days;
  if (tense === null && days.some((day) => day.type === 'weekday' && day.which === null))
    return { error: say`that day could be past or coming: say last or next, or the date` };
  const date = resolveNamedDay({ ...phrase, days }, today, tense ?? undefined) ?? {
    error: say`no date given`,
  };
  if ('error' in date) return date;

  const clock = clockOf(phrase);
  return clock !== null && typeof clock !== 'string' ? clock : { date, clock };
}

/** A weekday alone is never today. */
const withComingWeekdays = ({ days }: TimePhrase): TimePhrase['days'] =>
  days.map((word) =>
    word.type === 'weekday' && word.which === null ? ({ ...word, which: 'coming' } as const) : word,
  );

function clockOf({ clock, part }: TimePhrase): string | ParseFailure | null {
  if (clock === null) return null;
  const resolved = resolveClock(clock, part);
  if ('error' in resolved) return resolved;
  if (resolved.dayShift !== 0) return { error: say`that hour is on another day: say its date` };
  return `${padTwo(Math.floor(resolved.minutes / 60))}:${padTwo(resolved.minutes % 60)}`;
}
