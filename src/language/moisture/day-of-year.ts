import { ISO_DATE, isCivilDate, padTwo } from '../../domain/calendar.ts';
import { NEVER_AT_REST } from '../../domain/moisture/probe-settings.ts';
import { failure, ok, type Parsed } from '../../domain/result.ts';
import { say } from '../../domain/text/say.ts';
import { LANGUAGE_WORDS } from '../index.ts';
import { normalizeWords } from '../words/number.ts';
import { parseTimePhrase } from '../words/time-phrase.ts';

const DAY_OF_YEAR = /^\d{2}-\d{2}$/;

/** Reads "15 November", "1er novembre" or 11-15 as MM-DD; a year is left out. */
export function parseDayOfYear(text: string): Parsed<string> {
  const written = text.trim();
  if (DAY_OF_YEAR.test(written)) return ok(written);
  if (ISO_DATE.test(written)) return ok(written.slice(5));
  if (isNever(written)) return ok(NEVER_AT_REST);

  const phrase = parseTimePhrase(written);
  if (!phrase.ok) return phrase;

  const { days, clock, part, elapsedMs } = phrase.value;
  const [day] = days;
  if (days.length !== 1 || day?.type !== 'calendar' || clock || part || elapsedMs !== null)
    return failure(say`it is not a day and a month`);
  return isCivilDate(LEAP_YEAR, day.month, day.day)
    ? ok(`${padTwo(day.month)}-${padTwo(day.day)}`)
    : failure(say`that day does not exist`);
}

/** A year that has every date, also 29 February. */
const LEAP_YEAR = 2000;

const isNever = (text: string): boolean =>
  LANGUAGE_WORDS.some(({ days }) => new RegExp(`^(?:${days.never})$`).test(normalizeWords(text)));
