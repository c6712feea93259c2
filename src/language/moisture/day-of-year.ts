import { ISO_DATE, isCivilDate, padTwo } from '../../domain/calendar.ts';
import { NEVER_AT_REST } from '../../domain/moisture/probe-settings.ts';
import { say } from '../../domain/text/say.ts';
import { LANGUAGE_WORDS } from '../index.ts';
import type { ParseFailure } from '../words/instant.ts';
import { normalizeWords } from '../words/number.ts';
import { parseTimePhrase } from '../words/time-phrase.ts';

const DAY_OF_YEAR = /^\d{2}-\d{2}$/;

/** Reads "15 November", "1er novembre" or 11-15 as MM-DD; a year is left out. */
export function parseDayOfYear(text: string): { readonly day: string } | ParseFailure {
  const written = text.trim();
  if (DAY_OF_YEAR.test(written)) return { day: written };
  if (ISO_DATE.test(written)) return { day: written.slice(5) };
  if (isNever(written)) return { day: NEVER_AT_REST };

  const phrase = parseTimePhrase(written);
  if ('error' in phrase) return phrase;

  const { days, clock, part, elapsedMs } = phrase;
  const [day] = days;
  if (days.length !== 1 || day?.type !== 'calendar' || clock || part || elapsedMs !== null)
    return { error: say`it is not a day and a month` };
  return isCivilDate(LEAP_YEAR, day.month, day.day)
    ? { day: `${padTwo(day.month)}-${padTwo(day.day)}` }
    : { error: say`that day does not exist` };
}

/** A year that has every date, also 29 February. */
const LEAP_YEAR = 2000;

const isNever = (text: string): boolean =>
  LANGUAGE_WORDS.some(({ days }) => new RegExp(`^(?:${days.never})$`).test(normalizeWords(text)));
