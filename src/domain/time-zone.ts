/**
 * Local time and instants. Offsets are luxon's (the runtime's zone data); which instant a local time names is decided
 * here alone, so that neither the process's zone nor the current date has a say in it.
 *
 * All of it rests on one fact, found by walking through the zone data from 1970 to 2037: a zone never changes its offset
 * twice within four days.
 */
import { IANAZone } from 'luxon';
import {
  type CivilDate,
  type CivilTime,
  civilFromUtcMs,
  civilToUtcMs,
  padTwo,
  utcMidnightMs,
  weekdayOfUtcMs,
} from './calendar.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** How often a zone's clocks showed a local time: once, never (gap), or twice (fold). */
export type LocalTimeResolution = 'unique' | 'gap' | 'fold';

/** Whether `name` is an IANA zone that the runtime resolves. Bare offsets such as "+02:00" are not zones. */
export function isTimeZone(name: string): boolean {
  return /^[A-Za-z]/.test(name) && IANAZone.isValidZone(name);
}

/** Whether a zone has no local time of its own: UTC under any of its names, or an `Etc/` zone. */
export function isUtcZone(name: string): boolean {
  const canonical = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  return [name, canonical].some((each) => /^(Etc\/.*|UTC|UCT|GMT([+-]?0)?|Universal|Zulu|Greenwich)$/i.test(each));
}

/** Offset from UTC in minutes, east positive; whole seconds of an old local mean time make it fractional. */
export function offsetMinutesAt(at: number, zone: string): number {
  return offsetMs(at, toIanaZone(zone)) / MINUTE_MS;
}

/** What calendar and clock of `zone` show at an instant; weekday 1 is Monday. */
export function civilAt(at: number, zone: string): CivilTime & { offsetMinutes: number; weekday: number } {
  const offset = offsetMs(at, toIanaZone(zone));
  return { ...civilFromUtcMs(at + offset), offsetMinutes: offset / MINUTE_MS, weekday: weekdayOfUtcMs(at + offset) };
}

/**
 * The instant that a local time names. In a gap the offset before the gap holds (02:30 becomes 03:30), in a fold the
 * first pass counts. `candidates` are all instants at which the clocks showed it, earliest first: none in a gap.
 * The civil time must exist on the calendar (`isCivilDate`, `isClockTime`).
 */
export function resolveCivil(
  civil: CivilTime,
  zone: string,
): { at: number; resolution: LocalTimeResolution; candidates: number[] } {
  const iana = toIanaZone(zone);
  const localMs = civilToUtcMs(civil);
  const before = offsetMs(localMs - DAY_MS, iana);
  const after = offsetMs(localMs + DAY_MS, iana);
  if (before === after) return { at: localMs - before, resolution: 'unique', candidates: [localMs - before] };
  const candidates = [before, after].map((offset) => ({ offset, at: localMs - offset }));
  const matching = candidates.filter(({ offset, at }) => offsetMs(at, iana) === offset).map(({ at }) => at);
  if (matching.length === 0) return { at: localMs - before, resolution: 'gap', candidates: [] };
  return { at: matching[0]!, resolution: matching.length === 1 ? 'unique' : 'fold', candidates: matching };
}

/** The instant at which a local day begins, in ms. */
export const midnightAt = ({ year, month, day }: CivilDate, zone: string): number =>
  resolveCivil({ year, month, day, hour: 0, minute: 0, second: 0, millisecond: 0 }, zone).at;

/** A resolver for hot loops. `resolution` and `later` describe the latest call of `resolve`. */
export interface CivilTimeResolver {
  /** As `resolveCivil(…).at`, in ms, without allocating. The civil time must exist on the calendar. */
  resolve(
    year: number,
    month: number,
    day: number,
    hour: number,
    minute: number,
    second: number,
    millisecond: number,
  ): number;
  readonly resolution: LocalTimeResolution;
  /** The second pass where the local time occurs twice; otherwise what `resolve` returned. */
  readonly later: number;
}

/** The one change of offset that local times of a day can meet; without one, `before` equals `after`. */
interface OffsetsOfDay {
  readonly before: number;
  readonly after: number;
  /** First instant of the offset `after`. */
  readonly changeAt: number;
}

/** As `resolveCivil` for millions of local times of one zone: looks up the offsets once per civil day. */
export function civilTimeResolver(zone: string): CivilTimeResolver {
  const iana = toIanaZone(zone);
  const days = new Map<number, OffsetsOfDay>();
  let current: OffsetsOfDay = { before: 0, after: 0, changeAt: 0 };
  let currentDay = Number.NaN;

  const selectDay = (day: number): void => {
    let offsets = days.get(day);
    if (offsets === undefined) {
      offsets = offsetsOfDay(day, iana);
      days.set(day, offsets);
    }
    current = offsets;
    currentDay = day;
  };

  const resolver = {
    resolution: 'unique' as LocalTimeResolution,
    later: Number.NaN,
    resolve(y: number, mo: number, d: number, h: number, mi: number, s: number, ms: number): number {
      const localMs = utcMidnightMs(y, mo, d) + h * 3_600_000 + mi * MINUTE_MS + s * 1000 + ms;
      const day = Math.floor(localMs / DAY_MS);
      if (day !== currentDay) selectDay(day);
      const { before, after, changeAt } = current;
      const first = localMs - before;
      resolver.resolution = 'unique';
      resolver.later = first;
      if (before === after) return first;
      const second = localMs - after;
      if (first < changeAt) {
        if (second < changeAt) return first;
        resolver.resolution = 'fold';
        resolver.later = second;
        return first;
      }
      if (second < changeAt) {
        resolver.resolution = 'gap';
        return first;
      }
      resolver.later = second;
      return second;
    },
  };
  return resolver;
}

function toIanaZone(zone: string): IANAZone {
  const iana = IANAZone.create(zone);
  if (!iana.isValid) throw new RangeError(`${zone} is not a time zone`);
  return iana;
}

/** Time from 1970 on is cut into stretches of this length; a zone changes its offset at most once in each. */
const OFFSET_CACHE_STEP_MS = 3 * DAY_MS;
/** The first instant that the zone data was not walked through to. */
const VERIFIED_UNTIL = Date.UTC(2038, 0, 1);
/** Stretches of a zone that are remembered: some years of them. */
const MAX_CACHED_OFFSETS = 1_000;

/** The offset of each stretch by its number, NaN where it changes within: to ask the runtime takes far longer. */
const offsetCache = new WeakMap<IANAZone, Map<number, number>>();

function offsetMs(at: number, iana: IANAZone): number {
  if (!(at >= 0 && at < VERIFIED_UNTIL)) return lookUpOffsetMs(at, iana);
  const offset = cachedOffsetMs(Math.floor(at / OFFSET_CACHE_STEP_MS), iana);
  return Number.isNaN(offset) ? lookUpOffsetMs(at, iana) : offset;
}

function cachedOffsetMs(stretch: number, iana: IANAZone): number {
  let offsets = offsetCache.get(iana);
  if (offsets === undefined) {
    offsets = new Map();
    offsetCache.set(iana, offsets);
  }
  let offset = offsets.get(stretch);
  if (offset === undefined) {
    const first = lookUpOffsetMs(stretch * OFFSET_CACHE_STEP_MS, iana);
    offset = lookUpOffsetMs((stretch + 1) * OFFSET_CACHE_STEP_MS, iana) === first ? first : Number.NaN;
    if (offsets.size >= MAX_CACHED_OFFSETS) offsets.clear();
    offsets.set(stretch, offset);
  }
  return offset;
}

/** luxon gives minutes; offsets with seconds come back as whole milliseconds. */
const lookUpOffsetMs = (at: number, iana: IANAZone): number => Math.round(iana.offset(at) * MINUTE_MS);

function offsetsOfDay(day: number, iana: IANAZone): OffsetsOfDay {
  let low = (day - 1) * DAY_MS;
  let high = (day + 2) * DAY_MS;
  const before = offsetMs(low, iana);
  const after = offsetMs(high, iana);
  if (before === after) return { before, after, changeAt: high };
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000;
    if (offsetMs(middle, iana) === before) low = middle;
    else high = middle;
  }
  return { before, after, changeAt: high };
}

/** "UTC+02:00". */
export function formatUtcOffset(offsetMinutes: number): string {
  const minutes = Math.floor(Math.abs(offsetMinutes));
  return `UTC${offsetMinutes < 0 ? '-' : '+'}${padTwo(Math.floor(minutes / 60))}:${padTwo(minutes % 60)}`;
}
