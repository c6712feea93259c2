import { padTwo } from '../../domain/calendar.ts';
import { DEFAULT_LANG } from '../../domain/lang.ts';
import { HOUR_MIN } from '../../domain/periods.ts';
import { civilAt, passOfRepeatedHour } from '../../domain/time-zone.ts';
import { languageOf } from '../index.ts';
import type { TimeContext } from '../time.ts';

// Mail is read days later, so it says no "today".

/** "1 July", in another year with the year. */
export function formatLongDate(
  at: number,
  { now, zone, lang = DEFAULT_LANG }: TimeContext,
): string {
  const local = civilAt(at, zone);
  const isThisYear = local.year === civilAt(now, zone).year;
  return languageOf(lang).mail.format.day(local.day, local.month, isThisYear ? null : local.year);
}

/** "1 July, 06:00"; in a repeated hour with which of the two it is. */
export function formatLongInstant(at: number, context: TimeContext): string {
  const { dateTimeSeparator, repeatedHour } = languageOf(context.lang ?? DEFAULT_LANG).mail.format;
  const local = civilAt(at, context.zone);
  const clock = `${padTwo(local.hour)}:${padTwo(local.minute)}`;
  const pass = passOfRepeatedHour(at, context.zone);
  const whichPass = pass === null ? '' : ` (${repeatedHour[pass]})`;
  return `${formatLongDate(at, context)}${dateTimeSeparator}${clock}${whichPass}`;
}

/** "2 days 4 h", "26 h 20 min", "25 min"; with days from 48 h on. */
export function formatLongDuration(duration: number, lang = DEFAULT_LANG): string {
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
