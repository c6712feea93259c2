import { totalsByModule, totalWaterings } from '../../domain/irrigation/watering-totals.ts';
import type { Call } from '../../operation/call.ts';
import type { RainTotal } from '../../schema/rain.ts';
import type { WateringStatus, WateringTotalsBody } from '../../schema/watering.ts';
import { doseSums, irrigationSums, type WateringFilter } from '../../store/irrigation/watering-lists.ts';
import { rainOfPeriod, rainTotals } from '../weather/rain.ts';

const MAX_LISTED_MODULES = 12;

export async function selectionTotals(db: Call['db'], filter: WateringFilter): Promise<WateringTotalsBody> {
  const sums = await doseSums(db, filter);
  const runs = await irrigationSums(db, filter);
  const of = (status: WateringStatus) => sums.filter((each) => each.status === status);
  const totalsOf = (status: WateringStatus) =>
    totalWaterings(
      of(status),
      runs.find((each) => each.status === status),
    );
  const done = of('done');
  return {
    done: totalsOf('done'),
    planned: totalsOf('planned'),
    skipped: totalsOf('skipped').waterings,
    byModule: done.length > MAX_LISTED_MODULES ? [] : totalsByModule(done),
  };
}

/** None for waterings that are ahead, skipped or of one schedule. */
export async function rainBeside(
  db: Call['db'],
  { status = 'done', scheduleId, from, to }: WateringFilter,
  parcelId: number | null | undefined,
): Promise<RainTotal[]> {
  if (status !== 'done' || scheduleId !== undefined) return [];
  return rainTotals(await rainOfPeriod(db, { parcelId: parcelId ?? undefined, from, to }), parcelId);
}

const isNone = (value: unknown): boolean =>
  value === null || value === 0 || (Array.isArray(value) && value.length === 0);

const withoutNone = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, each]) => !isNone(each)));

/** Without what the other figures say already. */
const conciseStatus = (totals: WateringTotalsBody['done']): object =>
  withoutNone({
    ...totals,
    irrigations: totals.irrigations === totals.waterings ? null : totals.irrigations,
    withoutDuration: totals.hours === null ? null : totals.withoutDuration,
    withoutVolume: totals.volumeM3 === null ? null : totals.withoutVolume,
    modules: totals.modules === 1 ? null : totals.modules,
  });

/** Without zeros and nulls, and without the probes where there is only one. */
export const conciseTotals = ({ done, planned, skipped, byModule, rain }: WateringTotalsBody): object =>
  withoutNone({
    done: done.waterings > 0 ? conciseStatus(done) : null,
    planned: planned.waterings > 0 ? conciseStatus(planned) : null,
    skipped,
    byModule: byModule.length > 1 ? byModule.map(withoutNone) : [],
    rain: rain?.map(withoutNone) ?? [],
  });
