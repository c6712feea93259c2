import { settingsVersionAt } from '../../domain/moisture/probe-settings.ts';
import {
  isRestricted,
  NO_WATER_TIMES,
  nextOpenings,
  type WaterTimes,
} from '../../domain/moisture/water-times.ts';
import { DAY_MS } from '../../domain/periods.ts';
import { argument } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { dateOf } from '../../domain/text/times.ts';
import type { Call } from '../../operation/call.ts';
import { invalidInputError } from '../../schema/error.ts';
import type { FieldsOf } from '../../schema/field.ts';
import type {
  ParcelWaterTimesAnswer,
  ProbeWaterTimesAnswer,
  waterTimesEntry,
} from '../../schema/moisture/water-times.ts';
import { toIso, toIsoOrNull } from '../../schema/wire-format.ts';
import {
  ownSettingsVersions,
  type SettingsTarget,
} from '../../store/moisture/settings-versions.ts';
import { assertOwnParcel, requireOwnModule } from '../ownership.ts';
import { changeSettingsOf } from './probe-settings.ts';

type EnteredTimes = FieldsOf<typeof waterTimesEntry>;
type Clock = Pick<Call, 'now' | 'zone'>;

/** They replace those of its parcel, all of them. */
export async function setProbeWaterTimes(
  call: Call,
  moduleId: number,
  entry: EnteredTimes,
): Promise<ProbeWaterTimesAnswer> {
  await requireOwnModule(call, moduleId);
  return { moduleId, ...(await changeWaterTimes(call, { moduleId }, entry)) };
}

/** They hold for the parcel itself, and for its probes that have none of their own. */
export async function setParcelWaterTimes(
  call: Call,
  parcelId: number,
  entry: EnteredTimes,
): Promise<ParcelWaterTimesAnswer> {
  await assertOwnParcel(call, parcelId);
  return { parcelId, ...(await changeWaterTimes(call, { parcelId }, entry)) };
}

const UPCOMING = 3;

async function changeWaterTimes(call: Call, target: SettingsTarget, entry: EnteredTimes) {
  const { db, now, zone } = call;
  const versions = await ownSettingsVersions(db, target);
  const before = settingsVersionAt(versions, now)?.waterTimes ?? null;
  const changed = changedTimes(call, before ?? NO_WATER_TIMES, entry);
  const waterTimes = Object.values(changed).every((value) => value === null) ? null : changed;

  await changeSettingsOf(call, target, { waterTimes });
  const openings = nextOpenings(
    { ...changed, noticeHours: null },
    { now, zone, count: UPCOMING + 1 },
  );
  const upcoming = openings.filter(({ start }) => start >= now).slice(0, UPCOMING);
  return { waterTimes, before, upcoming: upcoming.map(({ start }) => toIso(start)) };
}

/** What is not entered stays. */
function changedTimes(
  clock: Clock,
  before: WaterTimes,
  { turnAt, movedFrom, movedTo, ...entry }: EnteredTimes,
): WaterTimes {
  const entered: Partial<WaterTimes> = definedOf({
    ...entry,
    turnAt: turnAt === undefined ? undefined : toIsoOrNull(turnAt),
  });
  const times = { ...before, ...withoutOtherKind(before, entered), ...entered };
  assertWhole(times);
  if (movedFrom != null) return withMove(clock, times, { movedFrom, movedTo: movedTo ?? null });
  if (movedTo == null) return times;

  throw refusal(say`It is not said which turn moves.`, 'movedFrom', {
    hint: say`Give its usual start as ${argument('movedFrom')}.`,
  });
}

const definedOf = (values: Partial<Record<keyof WaterTimes, unknown>>): Partial<WaterTimes> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** Turns and days exclude each other: who enters one of them means that one, with hours of its own. */
function withoutOtherKind(
  before: WaterTimes,
  { everyHours, weekdays }: Partial<WaterTimes>,
): Partial<WaterTimes> {
  const hadTurns = before.everyHours !== null;
  if (everyHours != null && !hadTurns) return { weekdays: null, fromTime: null, untilTime: null };
  const endsTurns = everyHours === null || (everyHours === undefined && weekdays != null);
  return hadTurns && endsTurns
    ? { everyHours: null, turnAt: null, untilTime: null, moved: null }
    : {};
}

function assertWhole(times: WaterTimes): void {
  const { everyHours, turnAt, weekdays, fromTime, seasonFrom, seasonUntil } = times;
  if (everyHours !== null && turnAt === null)
    throw refusal(say`Turns need the start of one of them.`, 'turnAt', {
      hint: say`Give the start of any turn, past or ahead, as ${argument('turnAt')}.`,
    });
  if (everyHours === null && turnAt !== null)
    throw refusal(say`One turn does not say when the next one comes.`, 'everyHours', {
      hint: say`Give the time between turns as ${argument('everyHours')}.`,
    });
  if (everyHours !== null && (weekdays !== null || fromTime !== null))
    throw refusal(
      say`Water comes by turns or on weekdays, not both.`,
      weekdays === null ? 'fromTime' : 'weekdays',
      {
        hint: say`Give ${argument('everyHours')} with ${argument('turnAt')}, or ${argument('weekdays')} with ${argument('fromTime')}.`,
      },
    );
  if ((seasonFrom === null) !== (seasonUntil === null))
    throw refusal(
      say`A season has a first and a last day.`,
      seasonFrom === null ? 'seasonFrom' : 'seasonUntil',
      { hint: say`Give ${argument('seasonFrom')} and ${argument('seasonUntil')}.` },
    );
  if (times.leastMm !== null && times.largestMm !== null && times.leastMm > times.largestMm)
    throw refusal(say`The least dose is above the largest.`, 'leastMm', {
      hint: say`Give a least dose of at most ${argument('largestMm')}.`,
    });
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
  const regular = { ...times, noticeHours: null, moved: null };
  const meant = nextOpenings(regular, { now: movedFrom - DAY_MS / 2, zone, count: 2 }).find(
    ({ start }) => Math.abs(start - movedFrom) < DAY_MS / 2,
  );
  if (!isRestricted(times) || meant === undefined)
    throw refusal(say`No turn begins on ${dateOf(movedFrom)}.`, 'movedFrom', {
      hint: say`Give the start of a turn that was to come.`,
    });
  const isMoved = movedTo !== meant.start;
  const moved = isMoved
    ? [...others, { from: toIso(meant.start), to: toIsoOrNull(movedTo) }]
    : others;
  return { ...times, moved: moved.length === 0 ? null : moved };
}

const refusal = (message: Text, field: string, { hint }: { readonly hint: Text }) =>
  invalidInputError('invalid_body', message, { hint, field });
