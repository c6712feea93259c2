import { isCivilDate } from '../../domain/calendar.ts';
import type { MeasurementType } from '../../domain/moisture/series.ts';
import { bucketStart, DAY_MS, MINUTE_MS } from '../../domain/periods.ts';
import { civilAt, constantOffsetMs, resolveCivil } from '../../domain/time-zone.ts';
import { parseIsoInstant } from '../../language/iso-date-time.ts';

/** The widest offset in use, as in parseIsoInstant. */
const MAX_OFFSET_MIN = 14 * 60;

/** The fields describe the text parsed last, so that a row allocates no object. */
export interface ReadingTimeParser {
  /** In ms, the first pass in a repeated hour; NaN if the text is refused. */
  parse(text: string): number;
  readonly isRepeated: boolean;
  readonly secondPassAt: number;
  /** One of a fixed set of reasons, so that rows can be counted by reason. */
  readonly refusalReason: string;
}

/**
 * Parses ISO 8601 times, those without an offset in `zone`. Common shapes are read by position, a million in well
 * under a second (bench/import.mjs); others by the general parser, which also explains a refusal. Instants before
 * 1970 and more than a day after `now` are refused.
 */
export function createReadingTimeParser(zone: string, now: number): ReadingTimeParser {
  const latest = now + DAY_MS;
  const gap = `local time does not exist in ${zone} (clocks went forward): give an offset, or the zone with --timezone`;
  let lastText: string | null = null;
  let lastAt = Number.NaN;
  let lastMidnight = Number.NaN;
  let dayOffset: number | null = null;

  const refuse = (reason: string): number => {
    times.refusalReason = reason;
    return Number.NaN;
  };

  const checkRange = (at: number): number => {
    if (at < 0) return refuse('time before 1970');
    if (at > latest) return refuse('time more than a day ahead');
    return at;
  };

  /** `localMs` is the local time read as UTC. */
  const resolveLocal = (localMs: number): number => {
    const midnight = bucketStart(localMs, DAY_MS);
    if (midnight !== lastMidnight) {
      lastMidnight = midnight;
      dayOffset = constantOffsetMs(midnight, zone);
    }
    if (dayOffset !== null) return checkRange(localMs - dayOffset);
    const { at, resolution, candidates } = resolveCivil(civilAt(localMs, 'UTC'), zone);
    if (resolution === 'gap') return refuse(gap);
    if (resolution === 'fold') {
      times.isRepeated = true;
      times.secondPassAt = candidates[1]!;
    }
    return checkRange(at);
  };

  /** parseIsoInstant returns one instant, so a local time is resolved again here: it may occur twice. */
  const parseLeniently = (text: string): number => {
    if (text === '') return refuse('no time');
    const asUtc = text.length > MAX_TIME_LENGTH ? null : parseIsoInstant(text, 'UTC');
    if (asUtc === null || 'error' in asUtc) return refuse('time cannot be read (ISO 8601, such as 2026-07-01T06:00)');
    if (asUtc.resolution === null) return checkRange(asUtc.at);
    return resolveLocal(asUtc.at);
  };

  const parseByPosition = (text: string): number => {
    const length = text.length;
    const y = parseDigits(text, 0, 4);
    const mo = parseDigits(text, 5, 2);
    const d = parseDigits(text, 8, 2);
    const h = parseDigits(text, 11, 2);
    const mi = parseDigits(text, 14, 2);
    const between = text.charCodeAt(10);
    const isShaped =
      length >= 16 &&
      text.charCodeAt(4) === DASH &&
      text.charCodeAt(7) === DASH &&
      (between === LETTER_T || between === SPACE) &&
      text.charCodeAt(13) === COLON;
    if (!isShaped || !(h < 24 && mi < 60) || !isCalendarDay(y, mo, d)) return parseLeniently(text.trim());
    let position = 16;
    let s = 0;
    let ms = 0;
    if (text.charCodeAt(position) === COLON) {
      s = parseDigits(text, position + 1, 2);
      if (!(s < 60)) return parseLeniently(text.trim());
      position += 3;
      if (text.charCodeAt(position) === POINT && position + 4 <= length) {
        ms = parseDigits(text, position + 1, 3);
        if (Number.isNaN(ms)) return parseLeniently(text.trim());
        position += 4;
      }
    }
    const utc = Date.UTC(y, mo - 1, d, h, mi, s, ms);
    if (position === length) return resolveLocal(utc);
    const sign = text.charCodeAt(position);
    if (sign === LETTER_Z && position + 1 === length) return checkRange(utc);
    if ((sign !== PLUS && sign !== DASH) || position + 6 !== length || text.charCodeAt(position + 3) !== COLON)
      return parseLeniently(text.trim());
    const offset = parseDigits(text, position + 1, 2) * 60 + parseDigits(text, position + 4, 2);
    if (!(offset <= MAX_OFFSET_MIN) || !(parseDigits(text, position + 4, 2) < 60)) return parseLeniently(text.trim());
    return checkRange(utc - (sign === PLUS ? offset : -offset) * MINUTE_MS);
  };

  const times = {
    isRepeated: false,
    secondPassAt: Number.NaN,
    refusalReason: '',
    parse(text: string): number {
      if (text === lastText) return lastAt;
      times.isRepeated = false;
      lastText = text;
      lastAt = parseByPosition(text);
      return lastAt;
    },
  };
  return times;
}

/** In characters. */
const MAX_TIME_LENGTH = 100;

const SPACE = 32;
const PLUS = 43;
const DASH = 45;
const POINT = 46;
const COLON = 58;
const LETTER_T = 84;
const LETTER_Z = 90;

function parseDigits(text: string, start: number, count: number): number {
  let number = 0;
  for (let index = start; index < start + count; index++) {
    const digit = text.charCodeAt(index) - 48;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

/** Years below 1000 are left to the general parser. */
const isCalendarDay = (year: number, month: number, day: number): boolean =>
  year >= 1000 && month >= 1 && month <= 12 && day >= 1 && (day <= 28 || isCivilDate(year, month, day));

/** Loggers write codes such as 9999 for a failed measurement. */
export interface ValueRange {
  readonly min: number;
  readonly max: number;
  readonly description: string;
}

const MEASUREMENT_RANGES: Record<MeasurementType, ValueRange> = {
  humidity: { min: 0, max: 100, description: 'moisture from 0 to 100 %' },
  temperature: { min: -60, max: 80, description: 'a temperature from -60 to 80 deg C' },
  tensio: { min: -1500, max: 1500, description: 'a tension from -1500 to 1500 kPa' },
};

export const measurementRange = (type: MeasurementType): ValueRange => MEASUREMENT_RANGES[type];

export function parseMeasurement(text: string, { min, max }: ValueRange): number {
  const value = parseDecimal(text);
  return value >= min && value <= max ? value : Number.NaN;
}

export function parseDecimal(text: string): number {
  const value = Number(text);
  // Number('') is 0, Number('0x10') is 16, Number('Infinity') is infinite.
  if (value - value !== 0) return Number.NaN;
  const second = text.charCodeAt(1);
  const isPlain = text.charCodeAt(0) > 32 && !(second > 57 && second !== 69 && second !== 101);
  return isPlain || /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? value : Number.NaN;
}

export function describeInvalidValue(text: string, range: ValueRange): string {
  const value = text.trim();
  if (value === '') return 'no value';
  if (/^[+-]?\d+,\d+$/.test(value)) return 'value has a decimal comma';
  const isBounded = !/^[+-]?(nan|inf)$/i.test(value) && Math.abs(Number(value)) !== Number.POSITIVE_INFINITY;
  if (!isBounded) return 'value is not finite';
  return Number.isNaN(parseDecimal(text)) ? 'value is not a number' : `value is not ${range.description}`;
}
