import { MAX_ASKED_DAYS, MAX_ASKED_WATERINGS } from '../../../domain/advice/witness/witness.ts';
import type { DoneSum } from '../../../domain/advice/witness/witness-sums.ts';
import { roundTo } from '../../../domain/decimal.ts';
import { DAY_MS } from '../../../domain/periods.ts';
import type { Call } from '../../../operation/call.ts';
import type {
  WateringBody,
  WateringStatus,
  WateringTotalsBody,
} from '../../../schema/irrigation/watering.ts';
import type { RainTotal } from '../../../schema/weather/rain.ts';
import type { DoseSums, IrrigationSums } from '../../../store/irrigation/slice-sums.ts';
import type { Watering } from '../../../store/irrigation/watering-columns.ts';
import { wateringsAfter } from '../../../store/irrigation/watering-lists.ts';
import type { WateringFilter } from '../../../store/irrigation/watering-slices.ts';
import { sumWaterings } from '../../../store/irrigation/watering-sums.ts';
import { storedRainTotals } from '../../weather/rain.ts';

const MAX_LISTED_MODULES = 12;

type Totals = Omit<WateringTotalsBody, 'witness' | 'rain'>;

interface SelectionSums {
  readonly totals: Totals;
  /** The sum of those done. */
  readonly confirmed: DoneSum;
  readonly unconfirmed: DoneSum;
}

export async function sumSelection(
  { db, now }: Pick<Call, 'db' | 'now'>,
  filter: WateringFilter,
): Promise<SelectionSums> {
  const { doses, irrigations } = await sumWaterings(db, filter, now);
  const sumsOf = (status: WateringStatus) => doses.filter((dose) => dose.status === status);
  const totalsOf = (status: WateringStatus) =>
    totalWaterings(
      sumsOf(status),
      irrigations.find((irrigation) => irrigation.status === status),
    );

  const done = sumsOf('done');
  const all = sumOfDoses(done.map(({ count, waterMm }) => ({ count, waterMm })));
  const confirmed = sumOfDoses(
    done.map((dose) => ({ count: dose.confirmed, waterMm: dose.confirmedMm })),
  );
  return {
    totals: {
      done: totalsOf('done'),
      planned: totalsOf('planned'),
      skipped: totalsOf('skipped').waterings,
      byModule: done.length > MAX_LISTED_MODULES ? [] : totalsByModule(done),
    },
    confirmed,
    unconfirmed: {
      waterings: all.waterings - confirmed.waterings,
      waterMm: all.waterMm - confirmed.waterMm,
    },
  };
}

const sumOfDoses = (doses: readonly Pick<DoseSums, 'count' | 'waterMm'>[]): DoneSum => ({
  waterings: doses.reduce((sum, { count }) => sum + count, 0),
  waterMm: doses.reduce((sum, { waterMm }) => sum + (waterMm ?? 0), 0),
});

/** The newest ones about which probes can be asked; planned ones that are due count as done. */
export async function unconfirmedWaterings(
  { db, now }: Pick<Call, 'db' | 'now'>,
  filter: WateringFilter,
): Promise<Watering[]> {
  const since = Math.min(filter.to ?? now, now) - MAX_ASKED_DAYS * DAY_MS;
  const asked = { ...filter, from: Math.max(filter.from ?? since, since) };
  const done = { ...asked, status: 'done', isUnconfirmed: true } as const;
  const due = { ...asked, status: 'planned', isDueAt: now } as const;
  return [
    ...(await wateringsAfter(db, done, null, MAX_ASKED_WATERINGS)),
    ...(await wateringsAfter(db, due, null, MAX_ASKED_WATERINGS)),
  ];
}

/** The planned ones that count as done, from the first of the begun rows to the last. */
export async function dueAround(
  { db, now }: Pick<Call, 'db' | 'now'>,
  filter: WateringFilter,
  rows: readonly WateringBody[],
): Promise<Watering[]> {
  const begun = rows
    .filter(({ status }) => status === 'planned')
    .map(({ startedAt }) => Date.parse(startedAt))
    .filter((startedAt) => startedAt <= now);
  if (begun.length === 0) return [];
  const period = { from: Math.min(...begun), to: Math.max(...begun) + 1 };
  const due = { ...filter, ...period, status: 'planned', isDueAt: now } as const;
  return wateringsAfter(db, due, null, MAX_ASKED_WATERINGS);
}

/**
 * The rain in the period of a list of waterings. A list of planned or skipped ones, or of one
 * schedule, has none.
 */
export async function rainInPeriodOf(
  db: Call['db'],
  { status = 'done', scheduleId, from, to }: WateringFilter,
  parcelId: number | null | undefined,
): Promise<RainTotal[]> {
  if (status !== 'done' || scheduleId !== undefined) return [];
  return storedRainTotals(db, { from, to }, parcelId);
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === 0 || (Array.isArray(value) && value.length === 0);

const withoutEmpty = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));

/** Leaves out figures that follow from the others. */
const conciseStatus = (totals: WateringTotalsBody['done']): object =>
  withoutEmpty({
    ...totals,
    irrigations: totals.irrigations === totals.waterings ? null : totals.irrigations,
    withoutDuration: totals.hours === null ? null : totals.withoutDuration,
    withoutVolume: totals.volumeM3 === null ? null : totals.withoutVolume,
    modules: totals.modules === 1 ? null : totals.modules,
  });

/** Leaves out zeros and nulls, and the totals by probe if there is only one. */
export const conciseTotals = ({
  done,
  planned,
  skipped,
  byModule,
  witness,
  rain,
}: WateringTotalsBody): object =>
  withoutEmpty({
    done: done.waterings > 0 ? conciseStatus(done) : null,
    planned: planned.waterings > 0 ? conciseStatus(planned) : null,
    skipped,
    byModule: byModule.length > 1 ? byModule.map(withoutEmpty) : [],
    witness: witness?.every(({ witness }) => witness === 'confirmed') ? [] : witness,
    rain: rain?.map(withoutEmpty) ?? [],
  });

/**
 * Doses are stored in thousandths of a millimetre, so rounding their sum to these removes only
 * floating-point noise.
 */
const STORED_DECIMALS = 3;
const HOURS_DECIMALS = 2;

const roundOrNull = (value: number | null): number | null =>
  value === null ? null : roundTo(value, STORED_DECIMALS);

/** Null if no probe has a figure. */
function meanOf(values: readonly (number | null)[]): number | null {
  const figures = values.filter((value) => value !== null);
  return figures.length === 0
    ? null
    : roundTo(figures.reduce((sum, figure) => sum + figure, 0) / figures.length, STORED_DECIMALS);
}

/**
 * Millimetres of two probes are depths on two areas and do not add up: `waterMm` is the mean of
 * what each probe got.
 */
function totalWaterings(modules: readonly DoseSums[], runs: IrrigationSums | undefined) {
  const sum = (field: 'count' | 'withoutDose'): number =>
    modules.reduce((total, module) => total + module[field], 0);

  return {
    waterings: sum('count'),
    withoutDose: sum('withoutDose'),
    waterMm: meanOf(modules.map(({ waterMm }) => waterMm)),
    waterMmWetted: meanOf(modules.map(({ waterMmWetted }) => waterMmWetted)),
    irrigations: runs?.irrigations ?? 0,
    hours: runs?.minutes == null ? null : roundTo(runs.minutes / 60, HOURS_DECIMALS),
    withoutDuration: runs?.withoutDuration ?? 0,
    volumeM3: roundOrNull(runs?.volumeM3 ?? null),
    withoutVolume: runs?.withoutVolume ?? 0,
    modules: modules.length,
  };
}

const totalsByModule = (modules: readonly DoseSums[]) =>
  modules.map(({ moduleId, count, withoutDose, waterMm, waterMmWetted }) => ({
    moduleId,
    waterings: count,
    withoutDose,
    waterMm: roundOrNull(waterMm),
    waterMmWetted: roundOrNull(waterMmWetted),
  }));
