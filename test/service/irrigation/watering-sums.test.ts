import fc from 'fast-check';
import { expect } from 'vitest';
import {
  WATERING_STATUSES,
  type WateringTotalsBody,
} from '../../../src/schema/irrigation/watering.ts';
import { wateringFacts, wateringsInPeriod } from '../../../src/store/irrigation/watering-facts.ts';
import { DAY, FARM_NOW, HOUR, iso, it, type TestFarm } from '../../farm.ts';
import { isDeepRun, propertyRuns } from '../../property-runs.ts';
import { fillWithWaterings, HOURS, PROBES, type WateringRow as Row } from './many-waterings.ts';

interface Filter {
  readonly moduleId?: number;
  readonly parcelId?: number;
  readonly scheduleId?: number;
  readonly status?: (typeof WATERING_STATUSES)[number];
  readonly from?: number;
  readonly to?: number;
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits));
const sum = (values: readonly (number | null)[]): number | null => {
  const figures = values.filter((value) => value !== null);
  return figures.length === 0 ? null : figures.reduce((total, value) => total + value, 0);
};
const largest = (values: readonly (number | null)[]): number | null => {
  const figures = values.filter((value) => value !== null);
  return figures.length === 0 ? null : Math.max(...figures);
};
const mean = (values: readonly (number | null)[]): number | null => {
  const figures = values.filter((value) => value !== null);
  return figures.length === 0 ? null : round(sum(figures)! / figures.length, 3);
};
const grouped = <Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Row[][] => {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return [...groups.values()];
};

const irrigationOf = ({ irrigation_id, schedule_id, scheduled_start, id }: Row): string => {
  if (irrigation_id !== null) return `block ${irrigation_id}`;
  return scheduled_start === null
    ? `alone ${id}`
    : `scheduled_start ${schedule_id} ${scheduled_start}`;
};

const amountsOf = (rows: readonly Row[]) => ({
  waterings: rows.length,
  withoutDose: rows.filter(({ water_mm }) => water_mm === null).length,
  waterMm: sum(rows.map(({ water_mm }) => water_mm)),
  waterMmWetted: rows.every(({ water_mm_wetted }) => water_mm_wetted === null)
    ? null
    : sum(rows.map((row) => (row.dose_fraction_wetted === 1 ? row.water_mm : row.water_mm_wetted))),
});

function statusTotals(rows: readonly Row[]) {
  const modules = grouped(rows, ({ module_id }) => module_id).map(amountsOf);
  const irrigations = grouped(rows, irrigationOf).map((group) => ({
    minutes: largest(group.map(({ duration_min }) => duration_min)),
    volume: largest(group.map(({ input_volume_m3, water_mm }) => input_volume_m3 ?? water_mm)),
  }));
  const minutes = sum(irrigations.map((each) => each.minutes));
  return {
    ...amountsOf(rows),
    waterMm: mean(modules.map(({ waterMm }) => waterMm)),
    waterMmWetted: mean(modules.map(({ waterMmWetted }) => waterMmWetted)),
    irrigations: irrigations.length,
    hours: minutes === null ? null : round(minutes / 60, 2),
    withoutDuration: irrigations.filter((each) => each.minutes === null).length,
    volumeM3: sum(irrigations.map(({ volume }) => volume)),
    withoutVolume: irrigations.filter(({ volume }) => volume === null).length,
    modules: modules.length,
  };
}

function naiveTotals(rows: readonly Row[]): WateringTotalsBody {
  const ofStatus = (status: string): Row[] => rows.filter((row) => row.status === status);
  const byModule = grouped(ofStatus('done'), ({ module_id }) => module_id);
  return {
    done: statusTotals(ofStatus('done')),
    planned: statusTotals(ofStatus('planned')),
    skipped: ofStatus('skipped').length,
    byModule: byModule
      .map((group) => ({ moduleId: group[0]!.module_id, ...amountsOf(group) }))
      .sort((a, b) => a.moduleId - b.moduleId),
  };
}

/** Its schedule counts it as done from now on. */
const onceRun = (row: Row): Row =>
  row.status === 'planned' && row.schedule_id !== null && row.started_at === FARM_NOW
    ? { ...row, status: 'done' }
    : row;

const hour = fc.integer({ min: -HOURS, max: HOURS }).map((hours) => FARM_NOW + hours * HOUR);

const filters = (farm: TestFarm, schedules: readonly number[]) =>
  fc
    .record(
      {
        moduleId: fc.constantFrom(...PROBES.map((probe) => farm.idOf(probe))),
        parcelId: fc.constantFrom(
          ...['North block', 'South block', 'Fallow'].map((name) => farm.idOf(name)),
        ),
        scheduleId: fc.constantFrom(...schedules),
        status: fc.constantFrom(...WATERING_STATUSES),
        period: fc
          .tuple(hour, hour)
          .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) + HOUR })),
      },
      { requiredKeys: [] },
    )
    .map(({ period, ...filter }): Filter => ({ ...filter, ...period }));

function selectedBy(farm: TestFarm, filter: Filter): (row: Row) => boolean {
  const parcels = new Map([
    [farm.idOf('North block'), ['North 1', 'North 2', 'North 3'].map((probe) => farm.idOf(probe))],
    [farm.idOf('South block'), [farm.idOf('South 1')]],
  ]);
  const { moduleId, parcelId, scheduleId, status, from, to } = filter;
  return (row) =>
    (moduleId === undefined || row.module_id === moduleId) &&
    (parcelId === undefined || (parcels.get(parcelId) ?? []).includes(row.module_id)) &&
    (scheduleId === undefined || row.schedule_id === scheduleId) &&
    (status === undefined || row.status === status) &&
    (from === undefined || row.started_at >= from) &&
    (to === undefined || row.started_at < to);
}

it('the totals of thousands of waterings are those of a naive computation', async ({ farm }) => {
  const rows = await fillWithWaterings(farm, 7);
  const schedules = [...new Set(rows.flatMap(({ schedule_id }) => schedule_id ?? []))];
  const matches = async (filter: Filter) => {
    const fields = { ...withInstants(filter), limit: 1 };
    const { totals } = await farm.wire<{ totals: WateringTotalsBody }>('list_waterings', fields);
    const { witness, ...sums } = totals;
    const { done, ...others } = naiveTotals(rows.map(onceRun).filter(selectedBy(farm, filter)));
    expect(sums).toEqual({ done, ...others });
    const counts = (witness ?? []).map(({ waterings }) => waterings);
    expect(sum(counts) ?? 0).toBe(done.waterings);
    const shares = (witness ?? []).map(({ waterMm }) => waterMm);
    expect(round(sum(shares) ?? 0, 3)).toBe(done.waterMm ?? 0);
  };
  await matches({});
  await fc.assert(fc.asyncProperty(filters(farm, schedules), matches), {
    numRuns: propertyRuns(200),
  });
});

const ids = (rows: readonly Row[], sign: 1 | -1): number[] =>
  [...rows].sort((a, b) => sign * (a.started_at - b.started_at || a.id - b.id)).map(({ id }) => id);
const newestFirst = (rows: readonly Row[]): number[] => ids(rows, -1);
const isAhead = ({ status, started_at }: Row): boolean =>
  started_at > FARM_NOW && status !== 'done';

const LISTS = [
  { parcelId: 'South block' },
  { parcelId: 'South block', status: 'skipped' },
  { moduleId: 'North 1', status: 'planned' },
  { scheduleId: 'shared', from: FARM_NOW - DAY },
  { scheduleId: 'shared', moduleId: 'North 2' },
  { scheduleId: 'shared', parcelId: 'South block' },
  // As many pages as all others have together.
  ...(isDeepRun ? [{}] : []),
] as const;

it('every watering of a list is on one page, in order', async ({ farm }) => {
  const rows = await fillWithWaterings(farm, 8);
  const shared = rows.find(
    (row) => row.schedule_id !== null && row.module_id !== farm.idOf('North 1'),
  )!;
  for (const named of LISTS) {
    const filter: Filter = Object.fromEntries(
      Object.entries(named).map(([field, value]) => {
        if (value === 'shared') return [field, shared.schedule_id];
        return [field, farm.idOf(String(value)) ?? value];
      }),
    );
    const matching = rows.filter(selectedBy(farm, filter));
    expect(matching.length, JSON.stringify(named)).toBeGreaterThan(200);

    const listed = (fields: object) => allPages(farm, { ...filter, ...fields });
    expect(await listed({}), JSON.stringify(named)).toEqual(newestFirst(matching));
    const past = newestFirst(matching.filter((row) => !isAhead(row)));
    const ahead = ids(matching.filter(isAhead), 1);
    const parts =
      'status' in named && named.status === 'planned' ? [...ahead, ...past] : [...past, ...ahead];
    const pastFirst = await listed({ order: 'past_first', to: FARM_NOW + 100 * DAY });
    expect(pastFirst, JSON.stringify(named)).toEqual(parts);
  }
});

it('those of a period are read whole in several slices, oldest first', async ({ farm }) => {
  const rows = await fillWithWaterings(farm, 8);
  const period = { from: FARM_NOW - 40 * DAY, to: FARM_NOW + 40 * DAY };
  const inPeriod = rows.filter(
    ({ started_at }) => started_at >= period.from && started_at < period.to,
  );
  expect(inPeriod.length).toBeGreaterThan(2 * 2_500);
  const moduleIds = [...new Set(rows.map(({ module_id }) => module_id))];
  const idsOf = (read: readonly { readonly id: number }[]) => read.map(({ id }) => id);

  for (const modules of [undefined, moduleIds])
    for (const status of [undefined, ...WATERING_STATUSES]) {
      const selection = { ...period, status };
      const ofStatus = (all: readonly Row[]) =>
        all.filter((row) => status === undefined || row.status === status);
      const facts = await farm.write((db) => wateringFacts(db, modules, selection, FARM_NOW));
      const stored = await farm.write((db) => wateringsInPeriod(db, modules, selection));
      expect(idsOf(facts)).toEqual(ids(ofStatus(inPeriod.map(onceRun)), 1));
      expect(idsOf(stored)).toEqual(ids(ofStatus(inPeriod), 1));
    }
});

const withInstants = ({ from, to, ...filter }: Filter) => ({
  ...filter,
  from: from === undefined ? undefined : iso(from),
  to: to === undefined ? undefined : iso(to),
});

async function allPages(farm: TestFarm, filter: Filter): Promise<number[]> {
  const found: number[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const fields = {
      ...withInstants(filter),
      limit: 200,
      totals: 'none',
      cursor: cursor ?? undefined,
    };
    const page = await farm.wire<{ data: { id: number }[]; next_cursor: string | null }>(
      'list_waterings',
      fields,
    );
    found.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  return found;
}
