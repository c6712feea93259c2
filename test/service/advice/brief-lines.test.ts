import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect } from 'vitest';
import { AcequiaError } from '../../../src/schema/error.ts';
import { DAY, HOUR, iso, it, type TestFarm } from '../../farm.ts';
import { isDeepRun, propertyRuns } from '../../property-runs.ts';
import { addManyProbes } from './brief-farm.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of tools, of any shape
type Answer = any;

async function rowsOf(
  farm: TestFarm,
  list: string,
  query: Record<string, unknown> = {},
): Promise<Answer[]> {
  const rows: Answer[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Answer = await farm.wire(list, {
      ...query,
      limit: 200,
      cursor: cursor ?? undefined,
    });
    rows.push(...page.data);
    cursor = page.next_cursor;
  }
  return rows;
}

async function ofEach(farm: TestFarm, name: string, ids: number[]): Promise<Answer[]> {
  const result: Answer[] = [];
  for (const moduleId of ids)
    try {
      result.push(await farm.wire(name, { moduleId }));
    } catch (error) {
      if (!(error instanceof AcequiaError) || error.status !== 404) throw error;
    }
  return result;
}

async function watch(farm: TestFarm): Promise<void> {
  const probes = await rowsOf(farm, 'list_modules', { category: 'SOIL_PROBE' });
  for (const { id } of probes.slice(0, 12))
    await farm.tool('create_alert', { module: `#${id}`, threshold: 20 });
}

/**
 * Expects the shown rows to be rows of the whole list, without duplicates, none of a lower rank
 * than one that was left out.
 */
function expectPart(
  shown: Answer[],
  leftOut: number,
  all: Answer[],
  rank: (row: Answer) => number = () => 0,
): void {
  for (const row of shown) expect(all).toContainEqual(row);
  expect(new Set(shown.map((row) => JSON.stringify(row))).size).toBe(shown.length);
  expect(shown.length + leftOut).toBe(all.length);
  const ranks = all.map(rank).sort((a, b) => a - b);
  expect(shown.map(rank)).toEqual(ranks.slice(0, shown.length));
}

const lateness = (time: string | null): number => (time === null ? 0 : -Date.parse(time));

interface Single {
  readonly now: number;
  readonly modules: Answer[];
  readonly planned: Answer[];
  readonly advices: Answer[];
  readonly states: Answer[];
  readonly series: Answer[];
  readonly setups: Answer[];
  readonly gateways: Answer[];
  readonly alerts: Answer[];
}

async function singleOf(farm: TestFarm): Promise<Single> {
  const modules = await rowsOf(farm, 'list_modules');
  const ids = modules.map(({ id }) => id);
  const soil = modules.filter(({ category }) => category === 'SOIL_PROBE').map(({ id }) => id);
  const around = { from: iso(farm.now - 14 * DAY), to: iso(farm.now + 2 * DAY) };
  const series = await ofEach(farm, 'get_moisture_series', ids);
  return {
    now: farm.now,
    modules,
    planned: await rowsOf(farm, 'list_waterings', { status: 'planned', ...around }),
    advices: await ofEach(farm, 'advise_watering', soil),
    states: await ofEach(farm, 'get_agronomic_state', soil),
    series,
    setups: await ofEach(
      farm,
      'get_irrigation_setup',
      series.map(({ module_id }) => module_id),
    ),
    gateways: await rowsOf(farm, 'list_gateways'),
    alerts: await rowsOf(farm, 'list_alerts'),
  };
}

const line = ({ modules }: Single, moduleId: number, fields: Record<string, unknown>) => ({
  moduleId,
  name: modules.find(({ id }) => id === moduleId).name,
  ...fields,
});

const moistureOf = ({ states }: Single, id: number): number | null =>
  states.find(({ moduleId }) => moduleId === id).value_vwc;

const endOf = (row: Answer): number => Date.parse(row.endedAt ?? row.startedAt);
const aheadIn = ({ planned, now }: Single): Answer[] => planned.filter((row) => endOf(row) > now);

const DOUBTS = [
  'NO_RESPONSE',
  'SOIL_IN_DOUBT',
  'TOO_DRY_FOR_SOIL',
  'TOO_WET_FOR_SOIL',
  'SENSOR_STUCK',
];
/** Reasons of a probe that may be dry without showing it. */
const HIDING = ['NO_RESPONSE', 'SOIL_IN_DOUBT', 'TOO_WET_FOR_SOIL', 'SENSOR_STUCK'];
const CHECKS = ['UNCONFIRMED_WATERING', 'RECENT_WATERING', ...DOUBTS];

/** Probes with a sensor in doubt, whether they seem dry or not. */
const doubtedIn = (single: Single, thirsty: readonly Answer[]): Answer[] =>
  single.advices
    .filter(({ moduleId }) => !thirsty.some((row) => row.moduleId === moduleId))
    .flatMap(({ moduleId, daysToStress, reasons, doubts, meanwhile }) => {
      const reason = DOUBTS.find((doubt) => reasons.includes(doubt));
      return reason === undefined
        ? []
        : [
            line(single, moduleId, {
              value_vwc: moistureOf(single, moduleId),
              daysToStress,
              reason,
              doubts,
              ...(meanwhile ? { meanwhile } : {}),
            }),
          ];
    });

/** An advice takes off what is planned for today; the brief says both. */
function wholeNeed({ waterMm, durationMin, takenOffMm }: Answer) {
  if (waterMm === null || !takenOffMm) return { waterMm, durationMin };
  const wholeMm = Number((waterMm + takenOffMm).toFixed(3));
  const wholeMin = durationMin && Math.round((10 * durationMin * wholeMm) / waterMm) / 10;
  return { waterMm: wholeMm, durationMin: wholeMin };
}

/**
 * Probes that are advised to get more within a day than is planned until midnight in Paris, twelve
 * hours ahead.
 */
function thirstyIn(single: Single): Answer[] {
  const dosesToday = (id: number): (number | null)[] =>
    aheadIn(single)
      .filter(
        ({ moduleId, startedAt }) =>
          moduleId === id && Date.parse(startedAt) < single.now + 12 * HOUR,
      )
      .map(({ waterMm }) => waterMm);
  const todayMm = (id: number): number =>
    dosesToday(id).reduce<number>((sum, mm) => sum + (mm ?? 0), 0);
  return single.advices
    .filter(({ daysToStress: days }) => days !== null && days <= 1)
    .filter(
      ({ moduleId, waterMm, takenOffMm, daily }) =>
        waterMm === null || todayMm(moduleId) < (waterMm + (takenOffMm ?? 0)) / (daily?.days ?? 1),
    )
    .map(({ moduleId, daysToStress, confidence, reasons, doubts, ...advised }) =>
      CHECKS.some((check) => reasons.includes(check))
        ? line(single, moduleId, {
            value_vwc: moistureOf(single, moduleId),
            daysToStress,
            doubts,
            reason: CHECKS.find((check) => reasons.includes(check)),
          })
        : line(single, moduleId, {
            ...wholeNeed(advised),
            daysToStress,
            confidence,
            plannedMm: dosesToday(moduleId).includes(null)
              ? null
              : Number(
                  dosesToday(moduleId)
                    .reduce((sum, mm) => sum! + mm!, 0)!
                    .toFixed(3),
                ),
          }),
    );
}

function differingFrom(single: Single, id: number): Answer {
  const { differing } = single.advices.find(({ moduleId }) => moduleId === id);
  return differing && { differing: differing.slice(0, 3) };
}

/** Rows of the driest probe of each parcel's setup, and of each probe with a setup of its own. */
function rowsBySetup(single: Single, sure: Answer[], maxDriest: number): Answer[] {
  const { setups, advices } = single;
  const parcelOf = (id: number): number | null => {
    const { installation, parcelId } = setups.find(({ moduleId }) => moduleId === id);
    return installation?.scope === 'parcel' ? parcelId : null;
  };
  const wetterThan = (a: Answer, b: Answer): boolean =>
    a.daysToStress === b.daysToStress ? a.waterMm < b.waterMm : a.daysToStress > b.daysToStress;
  return sure.flatMap((driest) => {
    const parcelId = parcelOf(driest.moduleId);
    const dry =
      parcelId === null ? [driest] : sure.filter(({ moduleId }) => parcelOf(moduleId) === parcelId);
    if (!dry.every((each) => each === driest || wetterThan(each, driest))) return [];
    const onSetup = advices.filter(
      ({ moduleId, reasons }) =>
        !reasons.includes('NO_SOIL_MOISTURE') && parcelOf(moduleId) === parcelId,
    );
    const daysOf = (id: number, durationMin: number): number => {
      const { daily, takenOffMm, settings } = advices.find(({ moduleId }) => moduleId === id);
      // What is planned takes its time of the day, too.
      return takenOffMm ? Math.ceil(durationMin / (60 * settings.hoursPerDay)) : daily.days;
    };
    const [mm, min, today] = [
      dry.map(({ waterMm, plannedMm }) =>
        waterMm === null ? null : Number((waterMm - (plannedMm ?? 0)).toFixed(3)),
      ),
      dry.map(({ durationMin, waterMm, plannedMm }) =>
        durationMin === null
          ? null
          : Math.round(10 * durationMin * (1 - (plannedMm ?? 0) / waterMm)) / 10,
      ),
      dry.map(({ moduleId, durationMin, waterMm, plannedMm }) =>
        durationMin === null
          ? null
          : Math.round(
              10 * durationMin * (1 / daysOf(moduleId, durationMin) - (plannedMm ?? 0) / waterMm),
            ) / 10,
      ),
    ].map((values) => values.filter((each) => each !== null));
    const span = (values: number[]) =>
      values.length === 0 ? null : { least: Math.min(...values), most: Math.max(...values) };
    return [
      {
        ...driest,
        parcelId,
        probes: parcelId === null ? 1 : onSetup.length,
        dryProbes: dry.length,
        driest: dry
          .toSorted((a, b) => (wetterThan(a, b) ? 1 : -1))
          .slice(0, maxDriest)
          .map(({ moduleId }) =>
            line(single, moduleId, { value_vwc: moistureOf(single, moduleId) }),
          ),
        ...differingFrom(single, driest.moduleId),
        remainingMin: span(min!),
        todayMin: span(today!),
        remainingMm: span(mm!),
      },
    ];
  });
}

/**
 * Compares the probes whose soil moisture can be judged; `sure` are those that need water by the
 * brief.
 */
async function expectOverview(farm: TestFarm, single: Single, sure: Answer[]): Promise<void> {
  const rows = await rowsOf(farm, 'farm_overview');
  const probes = single.modules.filter(({ category }) => category !== 'WEATHER_STATION');
  expect(idsIn(rows)).toEqual(idsIn(probes.map(({ id: moduleId }) => ({ moduleId }))));
  expect(idsIn(rows.filter(({ needsWater }) => needsWater))).toEqual(idsIn(sure));
  const done = await rowsOf(farm, 'list_waterings', { status: 'done' });
  const firing = single.alerts.filter(({ isActive, state }) => isActive && state.firing);
  const compared = single.states.map(({ moduleId, state, value_vwc }) => {
    const of = (each: Answer): boolean => each.moduleId === moduleId;
    const { daysToStress, time } = single.advices.find(of);
    const lastWateredAt = done.find(of)?.startedAt ?? null;
    const row = rows.find(of);
    // Nobody knows the state of a probe in doubt.
    const known = row.state === null && row.check !== null ? null : state;
    expect(row).toMatchObject({ state: known, value_vwc, daysToStress, time, lastWateredAt });
    expect(row.alert === 'firing').toBe(firing.some(of));
    return row;
  });
  expect(compared.length).toBeGreaterThan(rows.length / 2);
  expect(await saidToNeedWater(farm, compared)).toEqual(idsIn(sure));
}

/** Returns the probes whose own advice says in its first sentence that they need water now. */
async function saidToNeedWater(farm: TestFarm, probes: readonly Answer[]): Promise<number[]> {
  const said: Answer[] = [];
  for (const { moduleId } of probes) {
    const { summary } = await farm.tool<{ summary: string }>('advise_watering', {
      module: `#${moduleId}`,
    });
    if (/^[^.]* needs water now: /.test(summary)) said.push({ moduleId });
  }
  return idsIn(said);
}

const idsIn = (rows: Answer[]): number[] =>
  rows.map(({ moduleId }) => moduleId).sort((a, b) => a - b);

describe.each([1, 2, 3].slice(0, propertyRuns(3)))('random farm %i', (seed) => {
  it('has the answer of the single tool in every line of the brief and row of the overview', async ({
    farm,
  }) => {
    await addManyProbes(farm, isDeepRun ? 40 : 24, seed);
    await watch(farm);
    const { leftOut, ...brief }: Answer = await farm.wire('morning_brief');
    const single = await singleOf(farm);
    expect(brief.modules).toBe(single.modules.length);
    const dry = thirstyIn(single);
    const sooner = ({ daysToStress }: Answer): number => daysToStress;
    const [sure, unsure] = [
      dry.filter(({ reason }) => !reason),
      dry.filter(({ reason }) => reason),
    ];
    await expectOverview(farm, single, sure);
    // Of more than 8 rows, each names only its driest probe.
    const maxDriest = brief.needsWater.length > 8 ? 1 : 3;
    expectPart(brief.needsWater, leftOut.needsWater, rowsBySetup(single, sure, maxDriest), sooner);
    expectPart(
      brief.checkFirst,
      leftOut.checkFirst,
      [...unsure, ...doubtedIn(single, dry)],
      ({ reason, daysToStress }) => (HIDING.includes(reason) ? 0 : 1e9) + (daysToStress ?? 1e8),
    );
    expectPart(
      brief.schedule,
      leftOut.schedule,
      aheadIn(single).map(({ id, moduleId, startedAt, durationMin, waterMm }) =>
        line(single, moduleId, { eventId: id, startedAt, durationMin, waterMm }),
      ),
      ({ startedAt }) => Date.parse(startedAt),
    );
    // Evaluates the farm now, so that automatic waterings already count as done.
    expectPart(
      brief.toConfirm,
      leftOut.toConfirm,
      single.planned
        .filter((row) => endOf(row) <= single.now)
        .map(({ id, moduleId, startedAt }) => line(single, moduleId, { eventId: id, startedAt })),
      ({ startedAt }) => lateness(startedAt),
    );
    expectPart(
      brief.silent.modules,
      leftOut.silentModules,
      single.series
        .filter(({ freshness }) => !freshness.isFresh)
        .map(({ module_id, freshness }) => line(single, module_id, { lastAt: freshness.time })),
      ({ lastAt }) => lateness(lastAt),
    );
    expectPart(
      brief.silent.gateways,
      leftOut.silentGateways,
      single.gateways
        .filter(({ status }) => status === 'faulty')
        .map(({ id, imei, lastSeen, modules }) => ({
          gatewayId: id,
          imei,
          lastSeen,
          modules: modules.length,
          names: modules.slice(0, 3).map(({ name }: Answer) => name),
        })),
      ({ lastSeen }) => lateness(lastSeen),
    );
    expectPart(
      brief.alerts,
      leftOut.alerts,
      single.alerts
        .filter(({ state }) => state?.firing)
        .map(({ id, moduleId, threshold, state: { since, value_vwc, time } }) =>
          line(single, moduleId, { alertId: id, since, value_vwc, time, threshold }),
        ),
      ({ value_vwc, threshold }) => value_vwc - Number(threshold),
    );
    expectPart(
      brief.missingDoses.map(({ missing: _, ...row }: Answer) => row),
      leftOut.missingDoses,
      single.setups
        .filter(({ missingDoses }) => missingDoses.count > 0)
        .map(({ moduleId, missingDoses }) => line(single, moduleId, { count: missingDoses.count })),
      ({ count }) => -count,
    );
    for (const { moduleId, missing } of brief.missingDoses) {
      const { byReason }: Answer = await farm.tool('recompute_doses', { module: `#${moduleId}` });
      expect(byReason[missing]).toBe(Math.max(...(Object.values(byReason) as number[])));
    }
  });
});

const MANY = isDeepRun ? 300 : 80;

describe(`the brief of a farm of ${MANY} probes`, () => {
  it('is short enough to be read aloud, and counts what it leaves out', async ({ farm }) => {
    await addManyProbes(farm, MANY, 4);
    await watch(farm);
    const brief: Answer = await farm.tool('morning_brief');
    expect(brief.summary.split(/\s+/).length).toBeLessThan(280);
    expect(encode(JSON.stringify(brief)).length).toBeLessThan(4400);
    expect(brief.summary).toMatch(/^Water today(, \d+ h in all)?: /);
    expect(brief.leftOut.needsWater ?? 0).toBe(0);
    expect(brief.leftOut.checkFirst).toBeGreaterThan(0);
  });
});
