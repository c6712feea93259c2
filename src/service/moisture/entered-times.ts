import { LocalDay } from '../../domain/local-day.ts';
import {
  NO_WATER_TIMES,
  nextOpenings,
  type WaterTimes,
} from '../../domain/moisture/water-times.ts';
import { DAY_MS, type Period } from '../../domain/periods.ts';
import { definedFields } from '../../domain/records.ts';
import { MAX_SHORT_LIST } from '../../domain/text/greatest-lengths.ts';
import { argument } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import { dateOf } from '../../domain/text/times.ts';
import type { Call } from '../../operation/call.ts';
import type { FieldsOf } from '../../schema/field.ts';
import type { sourceEntry, waterTimesEntry } from '../../schema/moisture/water-times.ts';
import { toIso, toIsoOrNull } from '../../schema/wire-format.ts';
import { assertWholeTimes, invalidTimes } from './whole-water-times.ts';

export type EnteredTimes = FieldsOf<typeof waterTimesEntry> &
  Partial<Pick<FieldsOf<typeof sourceEntry>, 'hoursPerDay'>>;
type Clock = Pick<Call, 'now' | 'zone'>;

/**
 * The times of a target itself, which begin with those that it inherits unless the entry says when
 * water comes; null for none.
 */
export function timesAfter(
  clock: Clock,
  { own, inherited }: { readonly own: WaterTimes | null; readonly inherited: WaterTimes | null },
  entry: EnteredTimes,
): WaterTimes | null {
  if (Object.values(entry).every((value) => value === undefined)) return own;
  const base = own ?? (saysWhen(entry) ? null : inherited) ?? NO_WATER_TIMES;
  const changed = changedTimes(clock, base, entry);
  return Object.values(changed).every((value) => value === null) ? null : changed;
}

/** A rule of its own; without one, it differs from its parcel in what is entered. */
const saysWhen = ({ everyHours, turnAt, weekdays, fromTime }: EnteredTimes): boolean =>
  [everyHours, turnAt, weekdays, fromTime].some((value) => value != null);

/** What is not entered stays. */
function changedTimes(
  clock: Clock,
  before: WaterTimes,
  { turnAt, movedFrom, movedTo, ...entry }: EnteredTimes,
): WaterTimes {
  const entered: Partial<WaterTimes> = definedFields({
    ...entry,
    turnAt: turnAt === undefined ? undefined : toIsoOrNull(turnAt),
  });
  const times = { ...before, ...withoutRuleBefore(before, entered), ...entered };
  assertWholeTimes(times);
  if (movedFrom != null) return withMove(clock, times, { movedFrom, movedTo: movedTo ?? null });
  if (movedTo == null) return times;

  throw invalidTimes(say`It is not said which turn moves.`, 'movedFrom', {
    hint: say`Give its usual start as ${argument('movedFrom')}.`,
  });
}

/**
 * Turns and days exclude each other: who enters one of them means that one, with hours of its own.
 * Moves name turns of the rule before.
 */
function withoutRuleBefore(
  before: WaterTimes,
  { everyHours, turnAt, weekdays }: Partial<WaterTimes>,
): Partial<WaterTimes> {
  if (everyHours === undefined && turnAt === undefined && weekdays === undefined) return {};

  const hadTurns = before.everyHours !== null;
  if (everyHours != null && !hadTurns)
    return { weekdays: null, fromTime: null, untilTime: null, moved: null };
  const endsTurns = everyHours === null || (everyHours === undefined && weekdays != null);
  return hadTurns && endsTurns
    ? { everyHours: null, turnAt: null, untilTime: null, moved: null }
    : { moved: null };
}

/** Moves that are over are forgotten. */
const KEPT_MOVE_MS = 30 * DAY_MS;

function withMove(
  { now, zone }: Clock,
  times: WaterTimes,
  { movedFrom, movedTo }: { readonly movedFrom: number; readonly movedTo: number | null },
): WaterTimes {
  const others = (times.moved ?? []).filter(
    ({ from }) =>
      Date.parse(from) > now - KEPT_MOVE_MS && Math.abs(Date.parse(from) - movedFrom) >= DAY_MS / 2,
  );
  const meant = turnNear(movedFrom, times, zone);
  if (meant === undefined)
    throw invalidTimes(say`No turn begins on ${dateOf(movedFrom)}.`, 'movedFrom', {
      hint: say`Give the start of a turn that was to come.`,
    });
  if (meant.end <= now)
    throw invalidTimes(say`The turn of ${dateOf(meant.start)} is over.`, 'movedFrom', {
      hint: say`Give the date of a turn that is still to come.`,
    });
  if (movedTo !== null && movedTo <= now)
    throw invalidTimes(say`The new start is past.`, 'movedTo', {
      hint: say`Give the date of a start that is still to come.`,
    });

  const isMoved = movedTo !== meant.start;
  const moved = isMoved
    ? [...others, { from: toIso(meant.start), to: toIsoOrNull(movedTo) }]
    : others;
  if (moved.length > MAX_SHORT_LIST)
    throw invalidTimes(say`At most ${MAX_SHORT_LIST} turns can be moved or dropped.`, 'movedFrom', {
      hint: say`Change the turns, or set a season.`,
    });
  return { ...times, moved: moved.length === 0 ? null : moved };
}

/** The turn of that local day, else one that begins within half a day. */
function turnNear(at: number, times: WaterTimes, zone: string): Period | undefined {
  const regular = { ...times, noticeHours: null, moved: null };
  const near = nextOpenings(regular, { now: at - 2 * DAY_MS, zone, count: 5 });
  const day = LocalDay.at(at, zone).iso;
  return (
    near.find(({ start }) => LocalDay.at(start, zone).iso === day) ??
    near.find(({ start }) => Math.abs(start - at) < DAY_MS / 2)
  );
}
