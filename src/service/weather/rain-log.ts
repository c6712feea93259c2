import { roundAmount } from '../../domain/decimal.ts';
import { LocalDay } from '../../domain/local-day.ts';
import { HOUR_MS } from '../../domain/periods.ts';
import { argument, bracketedId, operationName } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import { timeOf } from '../../domain/text/times.ts';
import { MAX_RAIN_HOURS, mayBeSameRain, rainByDay } from '../../domain/weather/rain.ts';
import { inWords } from '../../language/text/render.ts';
import type { Call, CheckContext } from '../../operation/call.ts';
import { invalidInputError } from '../../schema/error.ts';
import type { LocalPeriod } from '../../schema/shared-fields.ts';
import type { RainAnswer } from '../../schema/weather/rain.ts';
import type { CompanyDb } from '../../store/tables.ts';
import {
  gaugeKeyOf,
  insertRain,
  type Rain,
  rainById,
  rainOfGauge,
  updateRain,
} from '../../store/weather/rain.ts';
import { assertOwnParcel, ownershipError, requireOwnModule } from '../ownership.ts';
import { rainAround, toRainBody, wholeDay } from './rain.ts';

interface RainEntry {
  readonly mm: number;
  readonly when: LocalPeriod;
  readonly parcelId?: number | undefined;
  readonly moduleId?: number | undefined;
  readonly note?: string | undefined;
}

/** Throws unless measured rain can have fallen then. */
function assertRainTime(when: LocalPeriod, { now, zone }: CheckContext): void {
  const { startedAt, endedAt } = timesOfPeriod(when, zone);
  if (when.localDay === null && (endedAt ?? 0) - startedAt > MAX_RAIN_HOURS * HOUR_MS)
    throw invalidInputError(
      'INVALID_RAIN_TIME',
      say`A record of rain covers ${MAX_RAIN_HOURS} hours at most.`,
      {
        hint: say`Record the rain of each day by itself; for a sum alone, ask how it fell.`,
        field: 'when',
      },
    );

  const hasFallen = startedAt <= now && (when.localDay !== null || (endedAt ?? 0) <= now);
  if (startedAt >= 0 && hasFallen) return;

  const wrongAt = hasFallen ? startedAt : Math.max(startedAt, endedAt ?? 0);
  throw invalidInputError(
    'INVALID_RAIN_TIME',
    say`Measured rain cannot be from ${inWords(timeOf(wrongAt), { zone, now })}.`,
    {
      hint: say`Give when it fell, from 1970 until now. A forecast goes to ${operationName('advise_watering')} as ${argument('expectedRainMm')}.`,
      field: 'when',
    },
  );
}

/** When rain fell: from one instant to another, or on a local day. */
type TimesOfRain = Pick<Rain, 'localDay' | 'startedAt' | 'endedAt' | 'isWholeDay'>;

function timesOfPeriod({ localDay, startedAt, endedAt }: LocalPeriod, zone: string): TimesOfRain {
  if (localDay !== null) return wholeDay(localDay, zone);
  return {
    localDay: LocalDay.at(startedAt!, zone).iso,
    startedAt: startedAt!,
    endedAt,
    isWholeDay: false,
  };
}

export async function logRain(call: Call, entry: RainEntry): Promise<RainAnswer> {
  const { db, now, zone, caller } = call;
  assertRainTime(entry.when, call);
  if (entry.parcelId !== undefined) await assertOwnParcel(call, entry.parcelId);
  const gauge = entry.moduleId === undefined ? null : await requireGauge(call, entry.moduleId);
  const rain: Omit<Rain, 'id'> = {
    ...timesOfPeriod(entry.when, zone),
    parcelId: entry.parcelId ?? gauge?.parcelId ?? null,
    moduleId: gauge?.id ?? null,
    mm: entry.mm,
    source: gauge ? 'gauge' : enteredBy(call),
    gaugeKey: null,
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

  throw invalidInputError(
    'INVALID_TARGET',
    say`The module${bracketedId(moduleId)} is no weather station, so it has no rain gauge.`,
    {
      hint: say`Name a module of category WEATHER_STATION, or leave the module out.`,
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
  const { when } = sent;
  if (when !== undefined) assertRainTime(when, call);
  const rain = await rainById(call.db, rainId);
  if (rain === null)
    throw await ownershipError(call, 'rain', rainId, {
      kind: say`rain record`,
      hint: say`See ids in ${operationName('list_rain')}.`,
    });

  const corrected = correctedRain(call, rain, sent);
  if (when !== undefined) await assertOnlyRainOfGauge(call.db, corrected);

  await updateRain(call.db, corrected);
  if (corrected.mm !== rain.mm) call.advise({ kind: 'rain_corrected', mm: roundAmount(rain.mm) });
  if (corrected.mm > 0) await adviseOfCountedRain(call, corrected);

  return { rain: toRainBody(corrected) };
}

function correctedRain(call: Call, rain: Rain, { mm = rain.mm, when, note }: RainCorrection): Rain {
  const { localDay, startedAt, endedAt, isWholeDay } =
    when === undefined ? rain : timesOfPeriod(when, call.zone);
  const isIdentifiedByTime = rain.moduleId !== null || rain.source === 'import';

  return {
    ...rain,
    localDay,
    startedAt,
    endedAt,
    isWholeDay,
    mm,
    note: note === undefined ? rain.note : note || null,
    // The record is no longer what the gauge sent, and what the gauge sends next does not replace it.
    source: rain.source === 'gauge' ? enteredBy(call) : rain.source,
    // With an author, it is not replaced when the same file is imported again.
    createdBy: rain.source === 'import' ? call.caller.userId : rain.createdBy,
    gaugeKey:
      when !== undefined && isIdentifiedByTime
        ? (rain.gaugeKey ?? gaugeKeyOf(rain))
        : rain.gaugeKey,
  };
}

async function assertOnlyRainOfGauge(db: CompanyDb, rain: Rain): Promise<void> {
  const other = rain.moduleId === null ? null : await rainOfGauge(db, rain.moduleId, rain);
  if (other === null || other.id === rain.id) return;

  throw invalidInputError(
    'INVALID_RAIN_TIME',
    say`Another record${bracketedId(other.id)} of the same gauge has that time already.`,
    {
      hint: say`Correct that one, or give another time.`,
      field: 'when',
    },
  );
}

/** If two records may be of the same rain, says which one counts. */
async function adviseOfCountedRain(call: Call, rain: Rain): Promise<void> {
  const around = await rainAround(call.db, rain);
  const days = rainByDay(around, rain.parcelId);
  const counted = days.flatMap((day) => day.counted);
  const isNewCounted = counted.some(({ id }) => id === rain.id);

  const others = isNewCounted
    ? countedWithout(rain, around).filter((record) => !counted.includes(record))
    : counted.filter((record) => mayBeSameRain(record, rain));
  // Two records of gauges are never advised of: gauges measure the same rain as a matter of course.
  const advisable = others.filter(({ moduleId }) => rain.moduleId === null || moduleId === null);
  const [other] = advisable;
  if (other === undefined) return;

  // The day of the record that counts.
  const { localDay } = isNewCounted ? rain : other;
  call.advise({
    kind: 'rain_counted_once',
    id: other.id,
    mm: roundAmount(advisable.reduce((sum, { mm }) => sum + mm, 0)),
    others: advisable.length - 1,
    isNewCounted,
    totalMm: roundAmount(days.find((day) => day.localDay === localDay)!.mm),
  });
}

/** The records that would count if this one did not exist. */
const countedWithout = (rain: Rain, around: readonly Rain[]): Rain[] =>
  rainByDay(
    around.filter(({ id }) => id !== rain.id),
    rain.parcelId,
  ).flatMap((day) => day.counted);
