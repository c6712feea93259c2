import { padTwo } from '../../domain/calendar.ts';
import { DEFAULT_LANG, type Lang } from '../../domain/lang.ts';
import { DAY_MIN, HOUR_MIN } from '../../domain/periods.ts';
import { programPart } from '../../domain/text/program-text.ts';
import type { Duration, Time } from '../../domain/text/text.ts';
import {
  civilAt,
  formatOffset,
  localMsAt,
  offsetMinutesAt,
  passOfRepeatedHour,
} from '../../domain/time-zone.ts';
import { withDe } from '../fr/grammar.ts';
import { languageOf } from '../index.ts';
import {
  formatAdvisedMinutes,
  formatDaysAhead,
  formatMinutes,
  formatTotalHours,
} from '../number-format.ts';
import {
  formatAge,
  formatDate,
  formatDayOfYear,
  formatInstant,
  formatLocalDay,
  formatMove,
  formatTimeSpan,
  formatWeekday,
  type TimeContext,
} from '../time.ts';
import type { Reader } from './reader.ts';

export function renderDuration({ minutes, style }: Duration, lang: Lang): string {
  switch (style) {
    case 'minutes':
      return formatMinutes(minutes);
    case 'advised':
      return formatAdvisedMinutes(minutes);
    case 'age':
      return formatAge(minutes, lang);
    case 'total':
      return formatTotalHours(minutes / HOUR_MIN, lang);
    case 'long':
      return formatLongDuration(minutes, lang);
    case 'ahead':
      return formatDaysAhead(minutes / DAY_MIN, lang);
  }
}

export function renderTime(time: Time, reader: Reader): string {
  const text = renderAlone(time, reader);
  return time.afterDe ? withDe(text) : text;
}

/** "2026-08-01T08:00:00+02:00", in the zone of the reader, or "2026-08-01T06:00:00Z". */
export function localIsoTime(time: Time, { zone }: Pick<Reader, 'zone'>): string {
  const inZone = time.inZone ?? zone;
  switch (time.kind) {
    case 'instant':
    case 'dateOf':
    case 'longInstant':
    case 'longDate':
      return localIso(time.at, inZone);
    case 'period':
      return [time.from, ...(time.to === null ? [] : [time.to])]
        .map((at) => localIso(at, inZone))
        .join('/');
    case 'zone':
      return inZone;
    default:
      return programPart(time);
  }
}

function localIso(at: number, zone: string): string {
  const clock = new Date(localMsAt(at, zone)).toISOString().slice(0, -'.000Z'.length);
  return `${clock}${zone === 'UTC' ? 'Z' : formatOffset(offsetMinutesAt(at, zone))}`;
}

/** Without the preposition before it. */
function renderAlone(time: Time, { zone, ...others }: Reader): string {
  const reader = { ...others, zone: time.inZone ?? zone };
  switch (time.kind) {
    case 'dateOf':
      return formatDate(new Date(time.at).toISOString(), reader);
    case 'longInstant':
      return formatLongInstant(time.at, reader);
    case 'longDate':
      return formatLongDate(time.at, reader);
    case 'day':
      return formatLocalDay(time.day, reader);
    case 'weekday':
      return formatWeekday(time.day);
    case 'dayOfYear':
      return formatDayOfYear(time.day);
    case 'instant':
      return time.sameDayAs === undefined
        ? formatInstant(time.at, reader)
        : formatMove({ from: time.sameDayAs, to: time.at }, reader).to;
    case 'period':
      return formatTimeSpan(time.from, time.to, reader);
    case 'clock':
      return time.clock;
    case 'zone':
      return reader.zone;
  }
}

// Mail is read days later, so it says no "today".

/** "1 July", in another year with the year. */
function formatLongDate(at: number, { now, zone, lang = DEFAULT_LANG }: TimeContext): string {
  const local = civilAt(at, zone);
  const isThisYear = local.year === civilAt(now, zone).year;
  return languageOf(lang).mail.format.day(local.day, local.month, isThisYear ? null : local.year);
}

/** "1 July, 06:00"; in a repeated hour with which of the two it is. */
function formatLongInstant(at: number, context: TimeContext): string {
  const { dateTimeSeparator, repeatedHour } = languageOf(context.lang ?? DEFAULT_LANG).mail.format;
  const local = civilAt(at, context.zone);
  const clock = `${padTwo(local.hour)}:${padTwo(local.minute)}`;
  const pass = passOfRepeatedHour(at, context.zone);
  const whichPass = pass === null ? '' : ` (${repeatedHour[pass]})`;
  return `${formatLongDate(at, context)}${dateTimeSeparator}${clock}${whichPass}`;
}

/** "2 days 4 h", "26 h 20 min", "25 min"; with days from 48 h on. */
function formatLongDuration(duration: number, lang = DEFAULT_LANG): string {
  const { days, hour, minute } = languageOf(lang).mail.format.units;
  const minutes = Math.max(0, Math.round(duration));
  const hours = Math.floor(minutes / HOUR_MIN);
  if (hours >= 48)
    return `${Math.floor(hours / 24)} ${days}${hours % 24 > 0 ? ` ${hours % 24} ${hour}` : ''}`;
  if (hours > 0) {
    const rest = minutes % HOUR_MIN;
    return `${hours} ${hour}${rest > 0 ? ` ${rest} ${minute}` : ''}`;
  }
  return `${minutes} ${minute}`;
}
