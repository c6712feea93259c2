import type { DateOrder } from '../../domain/ingest/import-options.ts';
import { parseIsoInstant } from '../../domain/iso-date-time.ts';
import { bucketStart, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/periods.ts';
import { constantOffsetMs, offsetMinutesAt, resolveLocal } from '../../domain/time-zone.ts';
import type { RejectionCode } from '../../schema/ingest/rejection.ts';
import type { DateForms } from './date-forms.ts';
import { isoClockEnd, isoClockMs, isoDayMs, isoOffsetMs } from './iso-times.ts';
import { BARE_DAY, parseSpreadsheetTime } from './spreadsheet-times.ts';

interface TimeFormat {
  /** The zone of times without an offset. */
  readonly zone: string;
  readonly now: number;
  /** The order of day and month in a spreadsheet. */
  readonly dates?: DateOrder | null;
  /** True if a day without a time of day stands for its noon. */
  readonly isDaily?: boolean;
  /** The forms of dates in the whole file. */
  readonly forms?: DateForms;
  /** Instants before it (ms) are rejected. */
  readonly keptFrom?: number | null;
}

/** A local time that the zone does not have, because its clocks go forward. */
export interface SkippedHour {
  /** Read with the offset before. */
  readonly at: number;
  /** Before the clocks go forward. */
  readonly offsetMinutes: number;
  readonly offsetMinutesAfter: number;
  readonly text: string;
  /** True if the local times parsed before it are all of that offset, or of years before. */
  readonly isFirst: boolean;
}

/** In characters. */
const MAX_TIME_LENGTH = 100;

/** Seconds or ms since 1970. Ten digits of seconds are instants from 2001 on. */
const UNIX_TIME = /^\d{10}(?:\.\d{1,6}|\d{3})?$/;
const UNIX_MS = /^\d{13}$/;
/** Days since 1900, of the years 1982 to 2064: as likely seconds since the start of a logger. */
const SERIAL_DATE = /^[3-5]\d{4}(?:[.,]\d+)?$/;

const UTC_NAME = / ?(?:utc|gmt|z)$/i;
const OFFSET = / ?(?:utc|gmt)? ?([+-])(\d{1,2})(?::?(\d{2}))?$/i;
const MAX_OFFSET_HOURS = 14;

/** "2026-06-29 04:15:00 UTC", "29/06/2026 04:15 UTC+2" or "… GMT-03:00"; null for other text. */
function splitOffset(text: string): { readonly local: string; readonly offsetMs: number } | null {
  const withoutName = text.replace(UTC_NAME, '');
  const [offset, sign, hours, minutes = 0] = OFFSET.exec(withoutName) ?? [];
  const local = withoutName.slice(0, withoutName.length - (offset?.length ?? 0));
  // The end of a date is no offset.
  if (offset === undefined || !/[:h]/i.test(local))
    return withoutName === text ? null : { local: withoutName, offsetMs: 0 };
  if (Number(hours) > MAX_OFFSET_HOURS) return null;

  const ms = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS;
  return { local, offsetMs: sign === '-' ? -ms : ms };
}

/**
 * Parses ISO 8601 times and the forms of spreadsheets. Instants before 1970, before single readings
 * are kept, and more than a day after `now` are rejected. The getters describe the last parsed text, so that no object is
 * allocated for each row.
 */
export class ReadingTimeParser {
  readonly #zone: string;
  readonly #latest: number;
  readonly #keptFrom: number;
  readonly #dates: DateOrder | null;
  readonly #isDaily: boolean;
  readonly #forms: DateForms | undefined;

  #lastText: string | null = null;
  #lastAt = Number.NaN;
  #isLocal = false;
  #isRepeated = false;
  #secondPassAt = Number.NaN;
  #rejection: RejectionCode = 'no_time';
  #latestLocalAt = Number.NEGATIVE_INFINITY;
  #skippedHour: SkippedHour | null = null;

  /** The last local day, and its offset from UTC; null if the offset changes within the day. */
  #lastMidnight = Number.NaN;
  #dayOffsetMs: number | null = null;

  constructor({ zone, now, dates = null, isDaily = false, forms, keptFrom }: TimeFormat) {
    this.#zone = zone;
    this.#latest = now + DAY_MS;
    this.#keptFrom = keptFrom ?? 0;
    this.#dates = dates;
    this.#isDaily = isDaily;
    this.#forms = forms;
  }

  /** True if the time has no offset of its own. */
  get isLocal(): boolean {
    return this.#isLocal;
  }

  /** True if the local time occurs twice. */
  get isRepeated(): boolean {
    return this.#isRepeated;
  }

  /** The later of the two instants of a repeated local time. */
  get secondPassAt(): number {
    return this.#secondPassAt;
  }

  /** Why the text is rejected. */
  get rejection(): RejectionCode {
    return this.#rejection;
  }

  /** Null unless the time is in an hour that the zone skips. */
  get skippedHour(): SkippedHour | null {
    return this.#skippedHour;
  }

  /** In ms, the first pass in a repeated hour; NaN if the text is rejected. */
  parse(text: string, line = 0): number {
    if (text === this.#lastText) return this.#lastAt;

    this.#forms?.add(text, line);
    this.#isLocal = false;
    this.#isRepeated = false;
    this.#skippedHour = null;
    this.#lastText = text;
    const isNoon = this.#isDaily && BARE_DAY.test(text);
    this.#lastAt = this.#parseByPosition(isNoon ? `${text.trim()} 12:00` : text);
    return this.#lastAt;
  }

  #parseByPosition(text: string): number {
    const clockEnd = isoClockEnd(text);
    const localMs = isoDayMs(text) + isoClockMs(text, clockEnd);
    if (Number.isNaN(localMs)) return this.#parseLeniently(text.trim());
    if (clockEnd === text.length) return this.#resolveLocal(localMs);

    const offsetMs = isoOffsetMs(text, clockEnd);
    return Number.isNaN(offsetMs)
      ? this.#parseLeniently(text.trim())
      : this.#checkRange(localMs - offsetMs);
  }

  #parseLeniently(text: string): number {
    if (text === '') return this.#reject('no_time');
    if (UNIX_TIME.test(text)) {
      const unitMs = UNIX_MS.test(text) ? 1 : SECOND_MS;
      return this.#checkRange(Math.round(Number(text) * unitMs));
    }
    if (SERIAL_DATE.test(text)) return this.#reject('serial_date');
    if (text.length > MAX_TIME_LENGTH) return this.#reject('unreadable_time');

    const localMs = parseSpreadsheetTime(text, this.#dates);
    if (!Number.isNaN(localMs)) return this.#resolveLocal(localMs);

    const zoned = splitOffset(text);
    const zonedMs = zoned === null ? Number.NaN : this.#localMs(zoned.local);
    if (zoned !== null && !Number.isNaN(zonedMs)) return this.#checkRange(zonedMs - zoned.offsetMs);

    // A local time may occur twice, so it is parsed as UTC and resolved here.
    const asUtc = parseIsoInstant(text, 'UTC');
    if (!asUtc.ok) return this.#reject('unreadable_time');
    const { at, resolution } = asUtc.value;
    return resolution === null ? this.#checkRange(at) : this.#resolveLocal(at);
  }

  #localMs(text: string): number {
    const clockEnd = isoClockEnd(text);
    const isoMs =
      clockEnd === text.length ? isoDayMs(text) + isoClockMs(text, clockEnd) : Number.NaN;
    return Number.isNaN(isoMs) ? parseSpreadsheetTime(text, this.#dates) : isoMs;
  }

  /** `localMs` is the local time read as UTC. */
  #resolveLocal(localMs: number): number {
    this.#isLocal = true;
    const midnight = bucketStart(localMs, DAY_MS);
    if (midnight !== this.#lastMidnight) {
      this.#lastMidnight = midnight;
      this.#dayOffsetMs = constantOffsetMs(midnight, this.#zone);
    }

    if (this.#dayOffsetMs !== null) return this.#acceptLocal(localMs - this.#dayOffsetMs);

    const { at, resolution, candidates } = resolveLocal(localMs, this.#zone);
    if (resolution === 'gap') {
      this.#skippedHour = this.#skippedHourAt(at, (localMs - at) / MINUTE_MS);
      return this.#reject('skipped_hour');
    }

    if (resolution === 'fold') {
      this.#isRepeated = true;
      this.#secondPassAt = candidates[1]!;
    }

    return this.#acceptLocal(at);
  }

  #acceptLocal(at: number): number {
    if (at > this.#latestLocalAt && at <= this.#latest) this.#latestLocalAt = at;
    return this.#checkRange(at);
  }

  #skippedHourAt(at: number, offsetMinutes: number): SkippedHour {
    const latest = this.#latestLocalAt;
    const isFirst =
      latest === Number.NEGATIVE_INFINITY ||
      (latest < at && offsetMinutesAt(latest, this.#zone) === offsetMinutes);
    const offsetMinutesAfter = offsetMinutesAt(at, this.#zone);
    const text = this.#lastText?.trim() ?? '';
    return { at, offsetMinutes, offsetMinutesAfter, text, isFirst };
  }

  #checkRange(at: number): number {
    if (at < 0) return this.#reject('time_before_1970');
    if (at > this.#latest) return this.#reject('time_ahead');
    if (at < this.#keptFrom) return this.#reject('before_kept');
    return at;
  }

  #reject(code: RejectionCode): number {
    this.#rejection = code;
    return Number.NaN;
  }
}
