import { isClockTime, padTwo } from '../../domain/calendar.ts';
import { withoutNulls } from '../../domain/items.ts';
import { failure, ok, type Parsed } from '../../domain/result.ts';
import { say, verbatim, word } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { clock as clockTime } from '../../domain/text/times.ts';
import { monthPatterns } from './day.ts';
import type { ClockWording, LanguageWords } from './language-words.ts';
import { minutesIn, numberValue, TWO_DIGITS, unmarkNumbers } from './number.ts';
import {
  type ClockPhrase,
  type DayPart,
  errorToken,
  type Groups,
  groupOf,
  offsetToken,
  type PartOfDay,
  type TimeToken,
  type WordRule,
  wordRule,
} from './word-rule.ts';

const AM_PM = '(?<amPm>am|pm)';

export function clockRules(words: LanguageWords): WordRule[] {
  const { clock, days, fillers } = words;

  const phrase = (wording: ClockWording): WordRule =>
    wordRule(wording.pattern, (g, text) =>
      withoutNulls([
        wording.day === undefined ? null : offsetToken(wording.day),
        ...readClockPhrase(words, wording.form, g, text),
      ]),
    );

  const written = (pattern: string, form: ClockWording['form'] = 'figures'): WordRule =>
    phrase({ pattern, form });

  return withoutNulls([
    written(`(?<h>\\d{1,2}):(?<m>\\d{2})(?::(?<s>\\d{2}))?(?: ?${AM_PM}| ?(?:h|${clock.hours}))?`),
    wordRule('\\d+(?::\\d*)+(?: ?(?:am|pm))?', (_, text) => notAClock(text)),
    written('(?<h>\\d{1,2}) ?h ?(?<m>\\d{2})(?: ?(?:min|mn|minut[eo]s?))?', '24-hour'),
    clock.hourOrSpan === undefined
      ? null
      : wordRule(clock.hourOrSpan, () =>
          errorToken(
            say`that could be an hour or a span of hours: write the hour in figures, for example 06:50`,
          ),
        ),
    ...clock.phrases.map(phrase),
    written('(?<h>\\d{1,2}) ?h', '24-hour'),
    wordRule('\\d+ ?h ?\\d+', (_, text) => notAClock(text)),
    written(`(?<h>\\d{1,2})\\.(?<m>\\d{2}) ?${AM_PM}`),
    // 6.10 could be a date unless "at" stands before it.
    written(`(?:${fillers.hour}) (?<h>\\d{1,2})\\.(?<m>\\d{2})`),
    written(`(?<h>\\d{1,2}) ?(?<m>[0-5]\\d) ?${AM_PM}`),
    written(
      `(?<h>\\d{1,2}) (?<m>[0-5]\\d)(?! (?:(?:${days.of}) )?(?:${[...monthPatterns(words), days.days, days.weeks].join('|')}))`,
    ),
    phrase({
      pattern: `(?<h>${TWO_DIGITS}) (?:#0 (?<m>#[1-9])|(?<past>#[1-5]\\d))(?: ${AM_PM})?`,
    }),
    phrase({ pattern: `(?<h>${TWO_DIGITS}) ?${AM_PM}` }),
    written(`(?<h>${clock.noon})`, 'exact'),
    written(`(?<h>${clock.midnight})`, 'midnight'),
  ]);
}

export function partRules({ clock }: LanguageWords): WordRule[] {
  const whichNight = say`that could be last night or tonight: give the date and the hour`;
  return withoutNulls([
    clock.whichNight === undefined
      ? null
      : wordRule(clock.whichNight, () => errorToken(whichNight)),
    ...clock.parts.map(({ pattern, part, isThis = false, day }) =>
      wordRule(pattern, () =>
        withoutNulls([
          day === undefined ? null : offsetToken(day),
          { kind: 'part', part: { name: part, isThis } },
        ]),
      ),
    ),
  ]);
}

/**
 * A bare number that the words around it make an hour ("at six", "6 du matin"), or hours and
 * minutes ("at 630").
 */
export function bareHourTokens(text: string): TimeToken[] {
  const joined = /^(?<h>\d{1,2})(?<m>\d{2})$/.exec(text)?.groups;
  if (joined !== undefined) return clockTokens(text, joined, formOfFigures(groupOf(joined, 'h')));

  const hour = numberValue(text);
  return clockTokens(text, { h: String(hour) }, hour === 0 ? 'exact' : 'spoken');
}

function readClockPhrase(
  words: LanguageWords,
  form: ClockWording['form'],
  g: Groups,
  text: string,
): TimeToken[] {
  const { clock, numbers } = words;
  const { past, to } = g;
  const hour = groupOf(g, 'h');
  const isShifted = past !== undefined || to !== undefined;
  const isHour = (pattern: string): boolean => new RegExp(`^(?:${pattern})$`, 'u').test(hour);

  const readBase = (): TimeToken[] => {
    if (isHour(clock.noon)) return clockToken({ hour: 12, minute: 0, second: 0, form: 'exact' });
    if (isHour(clock.midnight))
      return clockToken({ hour: 0, minute: 0, second: 0, form: 'midnight' });
    // "4h et demie" is said, and of the afternoon too.
    const baseForm = isShifted && form === '24-hour' ? 'figures' : form;
    return clockTokens(text, g, readForm(baseForm, hour));
  };

  const base = readBase();
  if (to !== undefined) return shiftMinutes(base, -minutesIn(to, numbers.fractions), text);
  return past === undefined ? base : shiftMinutes(base, minutesIn(past, numbers.fractions), text);
}

function readForm(form: ClockWording['form'], hour: string): ClockPhrase['form'] {
  if (form === 'figures') return formOfFigures(hour);
  return form === '24-hour' ? formOfFigures(hour, form) : (form ?? 'spoken');
}

function clockTokens(text: string, g: Groups, form: ClockPhrase['form']): TimeToken[] {
  const hour = numberValue(groupOf(g, 'h'));
  const minute = numberValue(g.m ?? '0');
  const second = numberValue(g.s ?? '0');
  if (!isClockTime(hour, minute, second)) return notAClock(text);
  if (g.amPm === undefined)
    return clockToken({ hour, minute, second, form: hour > 12 ? 'exact' : form });
  if (hour < 1 || hour > 12) return notAClock(text);

  return clockToken({
    hour: (hour % 12) + (g.amPm === 'pm' ? 12 : 0),
    minute,
    second,
    form: 'exact',
  });
}

/** `minutes` may be negative. Going back over midnight is refused, because the day would be ambiguous. */
function shiftMinutes(base: TimeToken[], minutes: number, text: string): TimeToken[] {
  const [first] = base;
  if (first?.kind !== 'clock') return base;
  if (Math.abs(minutes) > 59 || (first.clock.hour === 0 && minutes < 0)) return notAClock(text);
  return clockToken({ ...first.clock, minute: minutes });
}

/** "06:30" is on the 24-hour clock; "6:30" may be moved to the evening by words. */
const formOfFigures = (
  hour: string,
  unpadded: ClockPhrase['form'] = 'written',
): ClockPhrase['form'] =>
  Number(hour) === 0 || (hour.length === 2 && Number(hour) < 10) ? 'exact' : unpadded;

const clockToken = (value: ClockPhrase): TimeToken[] => [{ kind: 'clock', clock: value }];
const notAClock = (text: string): TimeToken[] =>
  errorToken(say`${verbatim(unmarkNumbers(text))} is not a time of day`);

/** Minutes on the 24-hour clock, `dayShift` days after the named day. */
export interface ResolvedClock {
  minutes: number;
  second: number;
  dayShift: number;
}

export const PART_OF_DAY_MINUTES: Record<Exclude<PartOfDay, 'last night'>, [number, number]> = {
  morning: [0, 12 * 60],
  'middle of the day': [12 * 60, 16 * 60],
  afternoon: [12 * 60, 19 * 60],
  'afternoon or early evening': [12 * 60, 21 * 60],
  evening: [16 * 60, 24 * 60],
  night: [18 * 60, 24 * 60],
};

/**
 * An hour is on the 24-hour clock unless a part of the day moves it; one that could be in either
 * half of the day is refused.
 */
export function resolveClock(clock: ClockPhrase, part: DayPart | null): Parsed<ResolvedClock> {
  if (clock.form === 'midnight') return resolveMidnight(clock, part);
  if (part === null) return resolveWithoutPart(clock);
  return part.name === 'last night' ? resolveLastNight(clock) : resolveInPart(clock, part.name);
}

function resolveWithoutPart(clock: ClockPhrase): Parsed<ResolvedClock> {
  const { form, hour, minute, second } = clock;
  const total = hour * 60 + minute;
  // Minutes may lie outside the hour: "a quarter to five" is five with -15 minutes.
  const isEarly = hour < 5 || total < 5 * 60;
  const isAmbiguous =
    (form === 'spoken' && (hour === 12 || isEarly)) || (form === 'written' && isEarly);

  return isAmbiguous ? failure(ambiguousHalf(total)) : ok({ minutes: total, second, dayShift: 0 });
}

function resolveLastNight(clock: ClockPhrase): Parsed<ResolvedClock> {
  const { second } = clock;
  for (const minutes of possibleMinutes(clock)) {
    if (minutes >= 0 && minutes < 5 * 60) return ok({ minutes, second, dayShift: 0 });
    if (minutes >= 18 * 60 && minutes < 24 * 60) return ok({ minutes, second, dayShift: -1 });
  }
  return failure(say`that hour is not in the night`);
}

function resolveInPart(
  clock: ClockPhrase,
  part: Exclude<PartOfDay, 'last night'>,
): Parsed<ResolvedClock> {
  const [from, to] = PART_OF_DAY_MINUTES[part];
  const isTwelveAsMidnight = (minutes: number): boolean => minutes === 0 && clock.hour === 12;

  const minutes = possibleMinutes(clock).find(
    (candidate) => candidate >= from && candidate < to && !isTwelveAsMidnight(candidate),
  );
  if (minutes === undefined)
    return failure(say`that hour is not in the ${word(part)}: say the date and the hour`);

  return ok({ minutes, second: clock.second, dayShift: 0 });
}

export function ambiguousHalf(total: number): Text {
  const hour = Math.floor(total / 60) % 12;
  const clockText = (h: number): string => `${padTwo(h)}:${padTwo(total % 60)}`;
  return say`the hour could be ${clockTime(clockText(hour))} or ${clockTime(clockText(hour + 12))}: say which`;
}

/**
 * "midnight" alone may be the start or the end of a day; with an evening or a night it is the end.
 */
function resolveMidnight(clock: ClockPhrase, part: DayPart | null): Parsed<ResolvedClock> {
  if (part?.name === 'last night') return ok({ minutes: clock.minute, second: 0, dayShift: 0 });
  if (part?.name === 'evening' || part?.name === 'night')
    return ok({ minutes: clock.minute, second: 0, dayShift: 1 });
  return failure(say`midnight could be the start or the end of that day: say 00:00 and the date`);
}

/** Minutes from midnight at which the hour can be, in either half of the day and in the next. */
function possibleMinutes({ form, hour, minute }: ClockPhrase): number[] {
  const hour12 = hour % 12;
  const hours = form === 'exact' ? [hour] : [hour12, hour12 + 12, hour12 + 24];
  return hours.map((possibleHour) => possibleHour * 60 + minute);
}
