import {
  addCivilDays,
  type CivilDate,
  formatIsoDate,
  ISO_DATE,
  isIsoDate,
  parseIsoDate,
} from '../../domain/calendar.ts';
import { looksLikeIso, type ParseFailure, parseIsoInstant } from '../../domain/iso-date-time.ts';
import { firstOf } from '../../domain/items.ts';
import { DAY_MIN } from '../../domain/periods.ts';
import { say } from '../../domain/text/say.ts';
import { civilAt, midnightAt, resolveCivil } from '../../domain/time-zone.ts';
import { LANGUAGE_WORDS } from '../index.ts';
import { PART_OF_DAY_MINUTES } from './clock.ts';
import { NIGHT_ENDS_HOUR, resolveNamedDay, toInstant } from './instant.ts';
import { parseTimePhrase } from './time-phrase.ts';
import type { PartOfDay } from './word-rule.ts';

/** The form on the wire: "2026-07-01", an instant in UTC, or two instants with a slash between them. */
interface ParsedPeriod {
  readonly period: string;
}

/** The end of a night, in minutes after its midnight. */
const NIGHT_END_MIN = 5 * 60;

/** In a phrase about the past, "cette nuit" means last night. */
const WHICH_NIGHT = new RegExp(
  `^(?:${LANGUAGE_WORDS.flatMap(({ clock }) => clock.whichNight ?? []).join('|')})$`,
  'iu',
);

/**
 * "last night", "yesterday", "on Tuesday afternoon", "at 18:30", or ISO 8601. What is still to come
 * is refused.
 */
export function parsePastPeriod(
  wholeText: string,
  zone: string,
  now: number,
): ParsedPeriod | ParseFailure {
  const text = wholeText.normalize('NFC').trim();
  const parsed = isIso(text) ? parseIsoPeriod(text, zone) : parseWords(text, zone, now);
  if ('error' in parsed) return parsed;

  const start = firstOf(parsed.period.split('/'));
  const startAt = isIsoDate(start) ? midnightAt(parseIsoDate(start), zone) : Date.parse(start);
  return startAt > now ? { error: say`that is still to come` } : parsed;
}

const isDateAlone = (text: string): boolean => ISO_DATE.test(text);

const isIso = (text: string): boolean => text.split('/').every(looksLikeIso);

export function parseIsoPeriod(wholeText: string, zone: string): ParsedPeriod | ParseFailure {
  const text = wholeText.trim();
  if (isDateAlone(text)) {
    const day = parseIsoInstant(text, zone, { dateAlone: 'start' });
    return 'error' in day ? day : { period: text };
  }

  const parts = text.split('/');
  if (parts.length > 2) return { error: say`it has more than a start and an end` };

  const times: number[] = [];
  for (const part of parts) {
    const parsed = parseIsoInstant(part, zone);
    if ('error' in parsed) return parsed;
    times.push(parsed.at);
  }

  const end = times[1];
  if (end !== undefined && end <= firstOf(times))
    return { error: say`its end is not after its start` };

  return { period: times.map((at) => new Date(at).toISOString()).join('/') };
}

function parseWords(text: string, zone: string, now: number): ParsedPeriod | ParseFailure {
  const phrase = parseTimePhrase(WHICH_NIGHT.test(text) ? 'last night' : text);
  if ('error' in phrase) return phrase;
  if (phrase.clock !== null || phrase.elapsedMs !== null) {
    const parsed = toInstant(phrase, zone, now, { yearless: 'past' });
    return 'error' in parsed ? parsed : { period: new Date(parsed.at).toISOString() };
  }

  const day = resolveNamedDay(phrase, civilAt(now, zone), 'past');
  if (day !== null && 'error' in day) return day;
  if (phrase.part !== null) return partOfDay(phrase.part.name, day, zone, now);

  return day === null ? { error: say`no day given` } : { period: formatIsoDate(day) };
}

/** The period from the first to the last hour that the words can mean. */
function partOfDay(
  name: PartOfDay,
  day: CivilDate | null,
  zone: string,
  now: number,
): ParsedPeriod | ParseFailure {
  const today = civilAt(now, zone);
  const isLastNight = name === 'last night';
  if (isLastNight && today.hour < NIGHT_ENDS_HOUR)
    return { error: say`at this hour last night could be either night: give the date` };

  const date = isLastNight ? addCivilDays(today, -1) : day;
  if (date === null) return { error: say`no day given` };

  const [fromMin, toMin] = PART_OF_DAY_MINUTES[isLastNight ? 'night' : name];
  const isNight = isLastNight || name === 'night';
  const start = instantOn(date, fromMin, zone);
  const end = isNight
    ? instantOn(addCivilDays(date, 1), NIGHT_END_MIN, zone)
    : instantOn(date, toMin, zone);
  if (start >= now) return { error: say`that is still to come` };

  return { period: [start, Math.min(end, now)].map((at) => new Date(at).toISOString()).join('/') };
}

function instantOn(date: CivilDate, minutes: number, zone: string): number {
  const { year, month, day } = addCivilDays(date, Math.floor(minutes / DAY_MIN));
  const hour = Math.floor((minutes % DAY_MIN) / 60);
  return resolveCivil(
    { year, month, day, hour, minute: minutes % 60, second: 0, millisecond: 0 },
    zone,
  ).at;
}
