/*
 * Zones and their offsets come from luxon. The instant of a local time is computed here, because in
 * a fold luxon's own choice depends on the current date. This computation and the cache rest on one
 * verified fact: from 1970 to 2037 no zone changes its offset twice within four days.
 */
import { type CivilTime, civilToUtcMs, padTwo } from './calendar.ts';
import { bucketStart, DAY_MS, MINUTE_MS, type Period } from './periods.ts';
import { civilOfUtcMs, findZoneOffset, type ZoneOffset } from './zones.ts';

/** A local time occurs once (unique), never (gap) or twice (fold). */
export type LocalTimeResolution = 'unique' | 'gap' | 'fold';

export interface ResolvedLocalTime {
  readonly at: number;
  readonly resolution: LocalTimeResolution;
  /** All instants with that local time. */
  readonly candidates: number[];
}

/** The zones of the tz database: those of `zoneOfClock` with minutes are not among them. */
export function isTimeZone(name: string): boolean {
  return /^[A-Za-z][^:]*$/.test(name) && findZone(name) !== null;
}

export function isUtcZone(name: string): boolean {
  const canonical = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  return [name, canonical].some((alias) =>
    /^(Etc\/)?(UTC|UCT|GMT([+-]?0)?|Universal|Zulu|Greenwich)$/i.test(alias),
  );
}

/** East positive; fractional for an old local mean time. */
export function offsetMinutesAt(at: number, zone: string): number {
  return offsetMs(at, zoneNamed(zone)) / MINUTE_MS;
}

/** The local time of an instant, read as UTC. */
export const localMsAt = (at: number, zone: string): number => at + offsetMs(at, zoneNamed(zone));

export function civilAt(
  at: number,
  zone: string,
): CivilTime & { offsetMinutes: number; weekday: number } {
  const offset = offsetMs(at, zoneNamed(zone));
  return { ...civilOfUtcMs(at + offset), offsetMinutes: offset / MINUTE_MS };
}

/**
 * The offset before a gap applies in it (02:30 becomes 03:30), and the first pass counts in a fold.
 * The civil time must exist on the calendar (`isCivilDate`, `isClockTime`).
 */
export function resolveCivil(civil: CivilTime, zone: string): ResolvedLocalTime {
  return resolveLocal(civilToUtcMs(civil), zone);
}

/** 0 in the first of two hours with the same clock times, 1 in the second, null in all others. */
export function passOfRepeatedHour(at: number, zone: string): 0 | 1 | null {
  const { resolution, candidates } = resolveLocal(localMsAt(at, zone), zone);
  if (resolution !== 'fold') return null;
  return at === candidates[0] ? 0 : 1;
}

/** The same as `resolveCivil`; `localMs` is the local time read as UTC. */
export function resolveLocal(localMs: number, zone: string): ResolvedLocalTime {
  const clock = zoneNamed(zone);
  const before = offsetMs(localMs - DAY_MS, clock);
  const after = offsetMs(localMs + DAY_MS, clock);
  if (before === after)
    return { at: localMs - before, resolution: 'unique', candidates: [localMs - before] };

  const candidates = [before, after].map((offset) => ({ offset, at: localMs - offset }));
  const matching = candidates
    .filter(({ offset, at }) => offsetMs(at, clock) === offset)
    .map(({ at }) => at);
  const [first] = matching;
  if (first === undefined) return { at: localMs - before, resolution: 'gap', candidates: [] };

  return {
    at: first,
    resolution: matching.length === 1 ? 'unique' : 'fold',
    candidates: matching,
  };
}

/**
 * The offset of every local time of a civil day, for callers that resolve millions of times; null
 * near a change of clocks. `midnightMs` is the day's midnight read as UTC.
 */
export function constantOffsetMs(midnightMs: number, zone: string): number | null {
  const clock = zoneNamed(zone);
  const before = offsetMs(midnightMs - DAY_MS, clock);
  return before === offsetMs(midnightMs + 2 * DAY_MS, clock) ? before : null;
}

interface OffsetSpan extends Period {
  readonly offsetMs: number;
}

/** A period cut where the zone changes its offset. */
export function offsetSpans({ start, end }: Period, zone: string): OffsetSpan[] {
  const clock = zoneNamed(zone);
  const spans: OffsetSpan[] = [];
  for (let from = start; from < end; ) {
    const to = nextOffsetChange({ start: from, end }, clock);
    spans.push({ start: from, end: to, offsetMs: offsetMs(from, clock) });
    from = to;
  }
  return spans;
}

/** The offset changes at most once within a step. */
const CHANGE_SEARCH_STEP_MS = 3 * DAY_MS;

function nextOffsetChange({ start, end }: Period, clock: ZoneClock): number {
  const offset = offsetMs(start, clock);
  for (let unchangedAt = start; unchangedAt < end; ) {
    let changedAt = Math.min(end, unchangedAt + CHANGE_SEARCH_STEP_MS);
    if (offsetMs(changedAt, clock) === offset) {
      unchangedAt = changedAt;
      continue;
    }

    while (changedAt - unchangedAt > 1) {
      const middle = Math.floor((unchangedAt + changedAt) / 2);
      if (offsetMs(middle, clock) === offset) unchangedAt = middle;
      else changedAt = middle;
    }

    return changedAt;
  }

  return end;
}

interface ZoneClock {
  readonly offsetAt: ZoneOffset;
  /** The longer steps first. */
  readonly caches: readonly OffsetCache[];
}

interface OffsetCache {
  readonly stepMs: number;
  /** By the start of each step; NaN if the offset changes within it. */
  readonly offsets: Map<number, number>;
}

const zoneClocks = new Map<string, ZoneClock>();

function findZone(name: string): ZoneClock | null {
  const cached = zoneClocks.get(name);
  if (cached) return cached;

  const offsetAt = findZoneOffset(name);
  if (offsetAt === null) return null;

  const caches = CACHE_STEPS_MS.map((stepMs) => ({ stepMs, offsets: new Map<number, number>() }));
  const clock = { offsetAt, caches };
  zoneClocks.set(name, clock);
  return clock;
}

function zoneNamed(name: string): ZoneClock {
  const clock = findZone(name);
  if (clock === null) throw new RangeError(`${name} is not a time zone`);
  return clock;
}

/**
 * A look-up takes about 10 us, so offsets are cached for steps of time, shorter ones near a change.
 */
const CACHE_STEPS_MS = [3 * DAY_MS, 15 * MINUTE_MS];
/** The end of the verified time zone data. */
const VERIFIED_UNTIL = Date.UTC(2038, 0, 1);
const MAX_CACHED_STEPS = 2_000;

function offsetMs(at: number, clock: ZoneClock): number {
  if (at >= 0 && at < VERIFIED_UNTIL)
    for (const cache of clock.caches) {
      const offset = cachedOffsetMs(at, cache, clock.offsetAt);
      if (!Number.isNaN(offset)) return offset;
    }
  return clock.offsetAt(at);
}

function cachedOffsetMs(
  at: number,
  { stepMs, offsets }: OffsetCache,
  offsetAt: ZoneOffset,
): number {
  const start = bucketStart(at, stepMs);
  const cached = offsets.get(start);
  if (cached !== undefined) return cached;

  const first = offsetAt(start);
  const offset = offsetAt(start + stepMs) === first ? first : Number.NaN;
  if (offsets.size >= MAX_CACHED_STEPS) offsets.clear();
  offsets.set(start, offset);
  return offset;
}

/** "+01:00" */
export function formatOffset(offsetMinutes: number): string {
  const sign = offsetMinutes < 0 ? '-' : '+';
  const minutes = Math.floor(Math.abs(offsetMinutes));
  return `${sign}${padTwo(Math.floor(minutes / 60))}:${padTwo(minutes % 60)}`;
}

export const formatUtcOffset = (offsetMinutes: number): string =>
  `UTC${formatOffset(offsetMinutes)}`;

/** "UTC+2" for Etc/GMT-2, whose sign is the opposite; any other zone by its name. */
export function zoneLabel(zone: string): string {
  const [, sign, hours] = /^Etc\/GMT([+-])(\d{1,2})$/.exec(zone) ?? [];
  return sign === undefined ? zone : `UTC${sign === '+' ? '-' : '+'}${hours}`;
}
