/*
 * A wrong hour harms a crop, so every word must be understood, and a phrase that could mean two instants is refused:
 * - Hours are on the 24-hour clock ("yesterday at 6" is 06:00) unless am, pm or a part of the day moves them; one to
 *   four (and twelve, when spoken) need such a word, or a form that nobody uses for the afternoon: two figures
 *   ("02:30"), "2h30", "2h", or figures beside a date that begins with its year. So does a spoken hour of today when
 *   both halves of the day are past ("at six", said at nine in the evening).
 * - A date in figures counts if it can be read in one way: "22/11/2026" can, "5/11/2026" is refused.
 * - An hour without a day is today's if it is past. A weekday is the latest one, today included if it is past; "last"
 *   excludes today, "next" is next week's and refused while this week's is still to come, unless that is tomorrow. A
 *   date without a year must lie within 90 days.
 * - Midnight is the end of a named evening or night; otherwise it is refused. Before four in the morning "last night"
 *   is refused, and so is "this …" for a coming hour, since both can mean either day.
 */
import type { CivilTime } from '../../domain/calendar.ts';
import {
  BEGINNING,
  type InstantParseOptions,
  looksLikeIso,
  NO_HOUR,
  type ParsedInstant,
  parseDateAlone,
  parseIsoInstant,
  parseIsoStart,
  withinSupportedYears,
  type YearlessDate,
} from '../../domain/iso-date-time.ts';
import { firstOf } from '../../domain/items.ts';
import { LocalDay } from '../../domain/local-day.ts';
import { DAY_MIN, MINUTE_MS, SECOND_MS } from '../../domain/periods.ts';
import { failure, ok, type Parsed } from '../../domain/result.ts';
import { say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { civilAt } from '../../domain/time-zone.ts';
import { LANGUAGE_WORDS } from '../index.ts';
import { ambiguousHalf, type ResolvedClock, resolveClock } from './clock.ts';
import { resolveDay } from './day.ts';
import { parseTimePhrase, type TimePhrase } from './time-phrase.ts';
import type { ClockPhrase, DayPart } from './word-rule.ts';

/** Until this hour people may still be in the night of the day before. */
export const NIGHT_ENDS_HOUR = 4;
const HALF_DAY_MIN = DAY_MIN / 2;
/** "until", in front of an end. */
export const UNTIL = new RegExp(
  `^\\s*(?:${LANGUAGE_WORDS.map(({ until }) => until).join('|')})\\s+`,
  'iu',
);

export function parseInstant(
  text: string,
  zone: string,
  now: number,
  options: InstantParseOptions = {},
): Parsed<ParsedInstant> {
  if (looksLikeIso(text)) return parseIsoInstant(text, zone, options);
  const { dateAlone } = options;
  const phrase = parseTimePhrase(
    text,
    dateAlone && {
      of: dateAlone === 'start' ? 'first' : 'last',
      thisYear: civilAt(now, zone).year,
    },
  );
  if (!phrase.ok) return phrase;
  const isComing = options.yearless === 'coming';
  const days = isComing ? withComingWeekdays(phrase.value) : phrase.value.days;
  return toInstant({ ...phrase.value, days }, zone, now, options);
}

/** A weekday alone is never today. */
export const withComingWeekdays = ({ days }: TimePhrase): TimePhrase['days'] =>
  days.map((word) =>
    word.type === 'weekday' && word.which === null ? ({ ...word, which: 'coming' } as const) : word,
  );

/** When something begins to hold: by day, month or year. */
export function parseStart(
  text: string,
  zone: string,
  now: number,
  yearless: YearlessDate,
): Parsed<ParsedInstant> {
  if (looksLikeIso(text)) return parseIsoStart(text, zone);
  const phrase = parseTimePhrase(text, { of: 'start', thisYear: civilAt(now, zone).year });
  return phrase.ok ? toInstant(phrase.value, zone, now, { dateAlone: 'start', yearless }) : phrase;
}

/** An hour without a day is the first such hour after `startedAt` (ms), if it is not ambiguous. */
export function parseEndInstant(
  wholeText: string,
  zone: string,
  now: number,
  startedAt: number,
): Parsed<ParsedInstant> {
  const text = wholeText.normalize('NFC').replace(UNTIL, '');
  if (looksLikeIso(text)) return parseIsoInstant(text, zone);

  const phrase = parseTimePhrase(text);
  if (!phrase.ok) return phrase;
  const { clock, part } = phrase.value;
  if (clock === null || !hasNoDay(phrase.value)) return toInstant(phrase.value, zone, now, {});

  const times = possibleEndMinutes(clock, part);
  if (!times.ok) return times;

  const ends = times.value.map((minutes) => firstAfter(startedAt, minutes, clock.second, zone));
  const likeliest = firstOf(ends);
  if (likeliest.ok && ends.some((end) => end.ok && end.value.at < likeliest.value.at))
    return failure(
      say`it could be the same day or the next: say the end on the 24-hour clock, with its day`,
    );

  return likeliest;
}

const hasNoDay = ({ days, part }: TimePhrase): boolean =>
  days.length === 0 && part?.isThis !== true && part?.name !== 'last night';

export function isHourAlone(text: string): boolean {
  if (looksLikeIso(text)) return false;
  const phrase = parseTimePhrase(text.normalize('NFC').replace(UNTIL, ''));
  return phrase.ok && phrase.value.clock !== null && hasNoDay(phrase.value);
}

/**
 * Minutes of the day: on the 24-hour clock first, then in the other half of the day if that is
 * open.
 */
function possibleEndMinutes(clock: ClockPhrase, part: DayPart | null): Parsed<number[]> {
  const total = clock.hour * 60 + clock.minute;
  if (clock.form === 'midnight') return ok([clock.minute]);
  if (part !== null) {
    const resolved = resolveClock(clock, part);
    return resolved.ok ? ok([resolved.value.minutes]) : resolved;
  }

  const minuteOfDay = (minutes: number): number => ((minutes % DAY_MIN) + DAY_MIN) % DAY_MIN;

  return ok(
    clock.form === 'exact' || total >= 13 * 60
      ? [minuteOfDay(total)]
      : [minuteOfDay(total), minuteOfDay(total + HALF_DAY_MIN)],
  );
}

function firstAfter(
  startedAt: number,
  minutes: number,
  second: number,
  zone: string,
): Parsed<ParsedInstant> {
  const startsOn = LocalDay.at(startedAt, zone);
  const sameDay = instantOn(startsOn, { minutes, second }, zone);
  if (!sameDay.ok || sameDay.value.at > startedAt) return sameDay;
  return instantOn(startsOn.next(), { minutes, second }, zone);
}

export function toInstant(
  phrase: TimePhrase,
  zone: string,
  now: number,
  options: InstantParseOptions,
): Parsed<ParsedInstant> {
  if (phrase.elapsedMs !== null) {
    // Nobody means the second.
    const at = Math.floor((now + phrase.elapsedMs) / MINUTE_MS) * MINUTE_MS;
    return withinSupportedYears({ at, resolution: null });
  }
  return resolveTimePhrase(phrase, zone, now, options);
}

function resolveTimePhrase(
  phrase: TimePhrase,
  zone: string,
  now: number,
  options: InstantParseOptions,
): Parsed<ParsedInstant> {
  const local = civilAt(now, zone);
  const today = LocalDay.of(local);
  const day = resolveNamedDay(phrase, today, options.yearless);
  if (!day.ok) return day;
  if (phrase.clock === null) return resolveDayAlone(day.value, phrase.part, zone, options);

  const isLateAtNight = local.hour < NIGHT_ENDS_HOUR;
  const clock = resolveClockOfPhrase(phrase, phrase.clock, isLateAtNight);
  if (!clock.ok) return clock;

  const impliedDay =
    options.dayOf === undefined || !hasNoDay(phrase) ? null : LocalDay.at(options.dayOf, zone);
  const instantDay = (day.value ?? impliedDay ?? today).plus(clock.value.dayShift);
  const instant = instantOn(instantDay, clock.value, zone);
  if (!instant.ok || impliedDay !== null) return instant;

  const refusal = findRefusal(phrase, instant.value.at > now, isLateAtNight);
  if (refusal !== null) return failure(refusal);

  return areBothHalvesPast(phrase, day.value ?? today, local)
    ? failure(ambiguousHalf(clock.value.minutes))
    : instant;
}

function resolveDayAlone(
  day: LocalDay | null,
  part: DayPart | null,
  zone: string,
  options: InstantParseOptions,
): Parsed<ParsedInstant> {
  if (day !== null && part !== null && options.dateAlone !== undefined)
    return failure(say`${NO_HOUR}: say the hour, or the day alone`);

  if (day === null || part !== null) return failure(NO_HOUR);
  return options.dateAlone === 'start' && day.daysUntil(BEGINNING) === 0
    ? ok({ at: 0, resolution: null })
    : parseDateAlone(day, zone, options);
}

function resolveClockOfPhrase(
  { days, part }: TimePhrase,
  clock: ClockPhrase,
  isLateAtNight: boolean,
): Parsed<ResolvedClock> {
  if (days.some((word) => word.type === 'computed' && word.isOfPeriod))
    return failure(say`an hour needs its day`);
  if (part?.name === 'last night' && isLateAtNight)
    return failure(say`at this hour last night could be either night: give the date`);

  const isIsoDate = days.some((word) => word.type === 'calendar' && word.isIso);
  return resolveClock(isIsoDate ? on24HourClock(clock) : clock, part);
}

/** "2026-07-01 4:30" is written by people and programs that count to 24. */
const on24HourClock = (clock: ClockPhrase): ClockPhrase =>
  clock.form === 'written' ? { ...clock, form: '24-hour' } : clock;

/**
 * "At six" on the same evening: both six o'clocks of today are past, and the later one is likelier.
 */
function areBothHalvesPast({ clock, part }: TimePhrase, day: LocalDay, local: CivilTime): boolean {
  if (clock?.form !== 'spoken' || clock.hour > 12 || part !== null) return false;
  const isToday = day.daysUntil(LocalDay.of(local)) === 0;
  return isToday && clock.hour * 60 + clock.minute + HALF_DAY_MIN <= local.hour * 60 + local.minute;
}

export function resolveNamedDay(
  phrase: TimePhrase,
  today: LocalDay,
  yearless: YearlessDate,
): Parsed<LocalDay | null> {
  const weekdays = phrase.days.filter((word) => word.type === 'weekday');
  const others = phrase.days.filter((word) => word.type !== 'weekday');
  if (phrase.part?.name === 'last night' && phrase.days.length > 0) {
    return failure(say`last night spans two dates: say which`);
  }

  if (phrase.part?.isThis) others.push({ type: 'offset', days: 0 });
  const dates = (others.length > 0 ? others : weekdays).map((word) =>
    resolveDay(word, today, yearless),
  );
  const [first] = dates;
  if (first === undefined) return ok(null);

  for (const date of dates) {
    if (!date.ok) return date;
    if (first.ok && first.value.daysUntil(date.value) !== 0)
      return failure(say`it names more than one day`);
  }

  if (!first.ok) return first;
  const day = first.value;
  if (weekdays.some(({ weekday }) => weekday !== day.weekday))
    return failure(say`the weekday does not match the date`);

  return first;
}

const instantOn = (
  day: LocalDay,
  { minutes, second }: Pick<ResolvedClock, 'minutes' | 'second'>,
  zone: string,
): Parsed<ParsedInstant> =>
  withinSupportedYears(day.resolve(minutes * MINUTE_MS + second * SECOND_MS, zone));

function findRefusal(phrase: TimePhrase, isFuture: boolean, isLateAtNight: boolean): Text | null {
  if (phrase.tense === 'past' && isFuture) return say`that hour is still to come`;
  if (phrase.tense === 'future' && !isFuture) return say`that hour is already past`;
  if (!isFuture) return null;
  if (phrase.days.length === 0 && phrase.part?.isThis !== true)
    return say`that hour is still to come today: say today, yesterday or tomorrow`;
  if (phrase.days.length === 0) {
    return isLateAtNight ? say`at this hour it could be either day: give the date` : null;
  }

  const isBareWeekday = phrase.days.every((word) => word.type === 'weekday' && word.which === null);
  if (isBareWeekday && phrase.part?.isThis !== true) {
    return say`that weekday is today and the hour is still to come: say today, last or next`;
  }

  return null;
}
