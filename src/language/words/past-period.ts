import { ISO_DATE, isIsoDate } from '../../domain/calendar.ts';
import { looksLikeIso, parseIsoInstant } from '../../domain/iso-date-time.ts';
import { firstOf } from '../../domain/items.ts';
import { LocalDay } from '../../domain/local-day.ts';
import { DAY_MIN, MINUTE_MS } from '../../domain/periods.ts';
import { failure, ok, type Parsed } from '../../domain/result.ts';
import { say } from '../../domain/text/say.ts';
import { civilAt } from '../../domain/time-zone.ts';
import { LANGUAGE_WORDS } from '../index.ts';
import { PART_OF_DAY_MINUTES } from './clock.ts';
import { NIGHT_ENDS_HOUR, resolveNamedDay, toInstant } from './instant.ts';
import { parseTimePhrase } from './time-phrase.ts';
import type { PartOfDay } from './word-rule.ts';

/** The form on the wire: "2026-07-01", an instant in UTC, or two instants with a slash between them. */
type ParsedPeriod = Parsed<string>;

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
export function parsePastPeriod(wholeText: string, zone: string, now: number): ParsedPeriod {
  const text = wholeText.normalize('NFC').trim();
  const parsed = isIso(text) ? parseIsoPeriod(text, zone) : parseWords(text, zone, now);
  if (!parsed.ok) return parsed;

  const start = firstOf(parsed.value.split('/'));
  const startAt = isIsoDate(start) ? LocalDay.parse(start).startIn(zone) : Date.parse(start);
  return startAt > now ? failure(say`that is still to come`) : parsed;
}

const isDateAlone = (text: string): boolean => ISO_DATE.test(text);

const isIso = (text: string): boolean => text.split('/').every(looksLikeIso);

export function parseIsoPeriod(wholeText: string, zone: string): ParsedPeriod {
  const text = wholeText.trim();
  if (isDateAlone(text)) {
    const day = parseIsoInstant(text, zone, { dateAlone: 'start' });
    return day.ok ? ok(text) : day;
  }

  const parts = text.split('/');
  if (parts.length > 2) return failure(say`it has more than a start and an end`);

  const times: number[] = [];
  for (const part of parts) {
    const parsed = parseIsoInstant(part, zone);
    if (!parsed.ok) return parsed;
    times.push(parsed.value.at);
  }

  const end = times[1];
  if (end !== undefined && end <= firstOf(times))
    return failure(say`its end is not after its start`);

  return ok(times.map((at) => new Date(at).toISOString()).join('/'));
}

function parseWords(text: string, zone: string, now: number): ParsedPeriod {
  const phrase = parseTimePhrase(WHICH_NIGHT.test(text) ? 'last night' : text);
  if (!phrase.ok) return phrase;
  const { clock, elapsedMs, part } = phrase.value;
  if (clock !== null || elapsedMs !== null) {
    const instant = toInstant(phrase.value, zone, now, { yearless: 'past' });
    return instant.ok ? ok(new Date(instant.value.at).toISOString()) : instant;
  }

  const day = resolveNamedDay(phrase.value, LocalDay.at(now, zone), 'past');
  if (!day.ok) return day;
  if (part !== null) return partOfDay(part.name, day.value, zone, now);

  return day.value === null ? failure(say`no day given`) : ok(day.value.iso);
}

/** The period from the first to the last hour that the words can mean. */
function partOfDay(name: PartOfDay, day: LocalDay | null, zone: string, now: number): ParsedPeriod {
  const isLastNight = name === 'last night';
  if (isLastNight && civilAt(now, zone).hour < NIGHT_ENDS_HOUR)
    return failure(say`at this hour last night could be either night: give the date`);

  const date = isLastNight ? LocalDay.at(now, zone).plus(-1) : day;
  if (date === null) return failure(say`no day given`);

  const [fromMin, toMin] = PART_OF_DAY_MINUTES[isLastNight ? 'night' : name];
  const isNight = isLastNight || name === 'night';
  const start = instantOn(date, fromMin, zone);
  const end = isNight
    ? instantOn(date, DAY_MIN + NIGHT_END_MIN, zone)
    : instantOn(date, toMin, zone);
  if (start >= now) return failure(say`that is still to come`);

  return ok([start, Math.min(end, now)].map((at) => new Date(at).toISOString()).join('/'));
}

const instantOn = (day: LocalDay, minutes: number, zone: string): number =>
  day.resolve(minutes * MINUTE_MS, zone).at;
