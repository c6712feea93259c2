import { addCivilDays, formatIsoDate, parseIsoDate } from '../../domain/calendar.ts';
import { HOUR_MS } from '../../domain/periods.ts';
import { civilAt, midnightAt } from '../../domain/time-zone.ts';
import {
  MAX_RAIN_HOURS,
  mayBeSameRain,
  type RainOfPeriod,
  type RainPeriod,
  rainByDay,
  withMargin,
} from '../../domain/weather/rain.ts';
import { type RainSum, RainSums } from '../../domain/weather/rain-sums.ts';
import { formatInstant } from '../../language/time.ts';
import type { Call, CheckContext } from '../../operation/call.ts';
import { invalidInput } from '../../schema/error.ts';
import type { ListTotals, LocalPeriod } from '../../schema/field.ts';
import type { RainAnswer, RainBody, RainTotal } from '../../schema/weather/rain.ts';
import type { CompanyDb } from '../../store/tables.ts';
import {
  gaugeTimeOf,
  insertRain,
  type Rain,
  type RainFilter,
  rainAfter,
  rainById,
  rainIn,
  rainOfGauge,
  rainSlices,
  updateRain,
} from '../../store/weather/rain.ts';
import { ownershipError, requireOwnModule, requireOwnParcel } from '../ownership.ts';
import { decodeCursor, toPage } from '../pagination.ts';
import { roundAmount, toIso, toIsoOrNull } from '../wire-format.ts';

interface RainEntry {
  readonly mm: number;
  readonly when: LocalPeriod;
  readonly parcelId?: number | undefined;
  readonly moduleId?: number | undefined;
  readonly note?: string | undefined;
}

function refuseRainTime(
  { when }: { readonly when?: LocalPeriod | undefined },
  { now, zone }: CheckContext,
): void {
  if (when === undefined) return;

  const { startedAt, endedAt } = timesOfPeriod(when, zone);
  if (when.localDay === null && (endedAt ?? 0) - startedAt > MAX_RAIN_HOURS * HOUR_MS)
    throw invalidInput(
      'INVALID_RAIN_TIME',
      `A record of rain covers ${MAX_RAIN_HOURS} hours at most.`,
      {
        hint: 'Record the rain of each day by itself; for a sum alone, ask how it fell.',
        field: 'when',
      },
    );

  const hasFallen = startedAt <= now && (when.localDay !== null || (endedAt ?? 0) <= now);
  if (startedAt >= 0 && hasFallen) return;

  throw invalidInput(
    'INVALID_RAIN_TIME',
    `Measured rain cannot be from ${formatInstant(hasFallen ? startedAt : Math.max(startedAt, endedAt ?? 0), { zone, now })}.`,
    {
      hint: 'Give when it fell, from 1970 until now. A forecast goes to advise_watering as expectedRainMm.',
      field: 'when',
    },
  );
}

type RainTimes = Pick<Rain, 'localDay' | 'startedAt' | 'endedAt' | 'isWholeDay'>;

function timesOfPeriod({ localDay, startedAt, endedAt }: LocalPeriod, zone: string): RainTimes {
  if (localDay === null)
    return {
      localDay: formatIsoDate(civilAt(startedAt!, zone)),
      startedAt: startedAt!,
      endedAt,
      isWholeDay: false,
    };
  return wholeDay(localDay, zone);
}

export function wholeDay(localDay: string, zone: string) {
  const date = parseIsoDate(localDay);
  const [startedAt, endedAt] = [midnightAt(date, zone), midnightAt(addCivilDays(date, 1), zone)];
  return { localDay, startedAt, endedAt, isWholeDay: true };
}

export async function logRain(call: Call, entry: RainEntry): Promise<RainAnswer> {
  const { db, now, zone, caller } = call;
  refuseRainTime(entry, call);
  if (entry.parcelId !== undefined) await requireOwnParcel(call, entry.parcelId);
  const gauge = entry.moduleId === undefined ? null : await requireGauge(call, entry.moduleId);
  const rain: Omit<Rain, 'id'> = {
    ...timesOfPeriod(entry.when, zone),
    parcelId: entry.parcelId ?? gauge?.parcelId ?? null,
    moduleId: gauge?.id ?? null,
    mm: entry.mm,
    source: gauge ? 'gauge' : enteredBy(call),
    gaugeTime: null,
    note: entry.note || null,
    createdBy: caller.userId,
    createdAt: now,
  };

  const stored = gauge && (await rainOfGauge(db, gauge.id, rain));
  const written = stored
    ? { ...rain, id: stored.id, createdAt: stored.createdAt }
    : await insertRain(db, rain);
  if (stored) await updateRain(db, written);
  await adviseOfCountedRain(call, written);

  return { rain: toRainBody(written) };
}

const enteredBy = ({ source }: Call): Rain['source'] => (source === 'schedule' ? 'manual' : source);

async function requireGauge(call: Call, moduleId: number) {
  const module = await requireOwnModule(call, moduleId);
  if (module.category === 'WEATHER_STATION') return module;

  throw invalidInput(
    'INVALID_TARGET',
    `Module ${moduleId} is no weather station, so it has no rain gauge.`,
    {
      hint: 'Name a module of category WEATHER_STATION, or leave the module out.',
      field: 'moduleId',
    },
  );
}

interface RainCorrection {
  readonly mm?: number | undefined;
  readonly when?: LocalPeriod | undefined;
  readonly note?: string | undefined;
}

export async function correctRain(
  call: Call,
  rainId: number,
  sent: RainCorrection,
): Promise<RainAnswer> {
  refuseRainTime(sent, call);
  const rain = await rainById(call.db, rainId);
  if (rain === null)
    throw await ownershipError(call, 'rain', rainId, {
      kind: 'rain record',
      hint: 'See ids in list_rain.',
    });

  const corrected: Rain = {
    ...rain,
    ...(sent.when && timesOfPeriod(sent.when, call.zone)),
    mm: sent.mm ?? rain.mm,
    // The record is no longer what the gauge sent, and the next row of the gauge does not replace
    // it.
    ...(rain.source === 'gauge' && { source: enteredBy(call) }),
    // With an author, it is not replaced when the same file is imported again.
    ...(rain.source === 'import' && { createdBy: call.caller.userId }),
    ...((rain.moduleId !== null || rain.source === 'import') &&
      sent.when !== undefined && { gaugeTime: rain.gaugeTime ?? gaugeTimeOf(rain) }),
    note: sent.note === undefined ? rain.note : sent.note || null,
  };
  if (corrected.moduleId !== null && sent.when !== undefined) {
    const other = await rainOfGauge(call.db, corrected.moduleId, corrected);
    if (other !== null && other.id !== rainId)
      throw invalidInput(
        'INVALID_RAIN_TIME',
        `Record ${other.id} of the same gauge has that time already.`,
        {
          hint: 'Correct that one, or give another time.',
          field: 'when',
        },
      );
  }

  await updateRain(call.db, corrected);
  if (corrected.mm !== rain.mm) call.advise({ kind: 'rain_corrected', mm: roundAmount(rain.mm) });
  if (corrected.mm > 0) await adviseOfCountedRain(call, corrected);

  return { rain: toRainBody(corrected) };
}

/** If two records may be of the same rain, notes which one counts. */
async function adviseOfCountedRain(call: Call, rain: Rain): Promise<void> {
  const around = await rainAround(call.db, rain);
  const days = rainByDay(around, rain.parcelId);
  const counted = days.flatMap((day) => day.counted);
  const isNewCounted = counted.some(({ id }) => id === rain.id);
  const countedBefore = rainByDay(
    around.filter(({ id }) => id !== rain.id),
    rain.parcelId,
  ).flatMap((day) => day.counted);
  const others = (
    isNewCounted
      ? countedBefore.filter((each) => !counted.includes(each))
      : counted.filter((each) => mayBeSameRain(each, rain))
  ).filter(({ moduleId }) => rain.moduleId === null || moduleId === null);

  const [other] = others;
  if (other === undefined) return;

  call.advise({
    kind: 'rain_counted_once',
    id: other.id,
    mm: roundAmount(others.reduce((sum, { mm }) => sum + mm, 0)),
    others: others.length - 1,
    isNewCounted,
    totalMm: roundAmount(
      days.find(({ localDay }) => localDay === (isNewCounted ? rain : other).localDay)!.mm,
    ),
  });
}

/** The record and those that may be of the same rain. */
export const rainAround = (
  db: CompanyDb,
  { startedAt, endedAt }: Pick<Rain, 'startedAt' | 'endedAt'>,
): Promise<Rain[]> => rainIn(db, withMargin({ from: startedAt, to: endedAt ?? startedAt }));

interface RainListQuery extends RainFilter {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly totals: ListTotals;
}

export async function listRain(call: Call, query: RainListQuery) {
  const { db, company } = call;
  const list = ['rain', company.id] as const;
  const position = decodeCursor(list, query.cursor, 2);
  if (query.parcelId !== undefined) await requireOwnParcel(call, query.parcelId);

  const after = position && { startedAt: position[0]!, id: position[1]! };
  const rows = await rainAfter(db, query, after, query.limit + 1);
  const page = toPage(list, rows, query.limit, (row) => [row.startedAt, row.id]);
  await adviseOfUncountedRows(call, page.data, query.parcelId);

  const data = page.data.map(toRainBody);
  if (query.totals === 'none' || query.cursor !== undefined) return { ...page, data };

  return { ...page, data, totals: await storedRainTotals(db, query, query.parcelId) };
}

const MAX_NOTED = 5;

/** Notes which rows do not count for the requested parcel, or else for their own. */
async function adviseOfUncountedRows(
  call: Call,
  rows: readonly Rain[],
  parcelId: number | undefined,
): Promise<void> {
  if (rows.length === 0) return;

  const starts = rows.map(({ startedAt }) => startedAt);
  const around = withMargin({ from: Math.min(...starts), to: Math.max(...starts) + 1 });
  const records = await rainIn(call.db, { parcelId, ...around });

  const places = new Set(rows.map((row) => parcelId ?? row.parcelId));
  const counted = new Set(
    [...places].flatMap((place) =>
      rainByDay(records, place).flatMap((day) => day.counted.map(({ id }) => id)),
    ),
  );
  const ids = rows.filter(({ id, mm }) => mm > 0 && !counted.has(id)).map(({ id }) => id);
  if (ids.length > 0)
    call.advise({
      kind: 'rain_not_counted',
      ids: ids.slice(0, MAX_NOTED),
      others: Math.max(0, ids.length - MAX_NOTED),
    });
}

/**
 * Like `rainTotals`, of the stored records. They include those shortly before and after the period,
 * because they decide what counts.
 */
export async function storedRainTotals(
  db: CompanyDb,
  period: RainPeriod,
  parcelId: number | null | undefined,
): Promise<RainTotal[]> {
  const { from, to } = period;
  const sums = new RainSums({ from, to }, parcelId);
  const filter = { parcelId: parcelId ?? undefined, ...withMargin({ from, to }) };
  for await (const records of rainSlices(db, filter)) sums.add(records);
  return sums.result().map(toRainTotal);
}

/**
 * For the requested parcel (null: the whole farm); undefined: for the farm and each parcel with
 * records of its own.
 */
export function rainTotals(
  { records, from, to }: RainOfPeriod,
  parcelId: number | null | undefined,
): RainTotal[] {
  const sums = new RainSums({ from, to }, parcelId);
  sums.add([...records].sort((a, b) => a.startedAt - b.startedAt || a.id - b.id));
  return sums.result().map(toRainTotal);
}

const toRainTotal = ({ parcelId, mm, days }: RainSum): RainTotal => ({
  parcelId,
  mm: roundAmount(mm),
  days,
});

const toRainBody = (rain: Rain): RainBody => ({
  id: rain.id,
  parcelId: rain.parcelId,
  moduleId: rain.moduleId,
  day: rain.localDay,
  startedAt: rain.isWholeDay ? null : toIso(rain.startedAt),
  // The record of a gauge may be the total of a day so far.
  endedAt: rain.isWholeDay && rain.moduleId === null ? null : toIsoOrNull(rain.endedAt),
  mm: roundAmount(rain.mm),
  source: rain.source,
  note: rain.note,
});
