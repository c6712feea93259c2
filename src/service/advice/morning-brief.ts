import {
  compareByNeed,
  compareByShortfall,
  compareLatestFirst,
  needsWaterToday,
  topRows,
} from '../../domain/advice/brief.ts';
import { type MissingDoseReason, sumDoses } from '../../domain/irrigation/dose.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { AdviceBody } from '../../schema/advice.ts';
import { type BriefBody, CHECK_REASONS } from '../../schema/brief.ts';
import { roundAmountOrNull, toIso } from '../wire-format.ts';
import { commonestMissingInput, loadProbes, type ProbeOverview } from './brief-probes.ts';
import { type PlannedWaterings, plannedWaterings } from './brief-waterings.ts';
import { allResultRows } from './operation-reads.ts';
import type { PerformedOperations } from './performed-operations.ts';

/** What a brief is composed of. */
type BriefOperations = Pick<
  PerformedOperations,
  | 'adviseWatering'
  | 'getIrrigationSetup'
  | 'getMoistureSeries'
  | 'listAlerts'
  | 'listGateways'
  | 'listModules'
  | 'listSchedules'
  | 'listWaterings'
>;

/** Rows of each list, at most: all of it is listened to, or read by a model in one go. */
const MAX_ROWS = {
  needsWater: 12,
  checkFirst: 6,
  unjudged: 3,
  alerts: 6,
  silentModules: 6,
  silentGateways: 4,
  toConfirm: 6,
  missingDoses: 5,
  schedule: 8,
} as const;

type ListCounts = { -readonly [List in keyof typeof MAX_ROWS]: number };

/** What a company should hear in the morning, each line as its single operation says it. */
export async function morningBrief(call: ComposedCall, operations: BriefOperations): Promise<BriefBody> {
  const leftOut = Object.fromEntries(Object.keys(MAX_ROWS).map((list) => [list, 0])) as ListCounts;
  const first = <T>(list: keyof ListCounts, rows: readonly T[], order: (a: T, b: T) => number = () => 0): T[] => {
    const { rows: shown, leftOut: rest } = topRows(rows, MAX_ROWS[list], order);
    leftOut[list] = rest;
    return shown;
  };

  const modules = await allResultRows((page) =>
    operations.listModules({ detail: 'concise', lang: call.lang, ...page }),
  );
  const names = new Map(modules.map(({ id, name }) => [id, name]));
  const probe = (moduleId: number) => ({ moduleId, name: names.get(moduleId) ?? null });
  const planned = await plannedWaterings(call, operations);
  const overviews = await loadProbes(call, operations, modules);
  const needing = probesNeedingWater(overviews, planned.dosesToday);
  const missing = first('missingDoses', overviews.filter(hasMissingDoses), byMissingDoses);
  return {
    time: toIso(call.now),
    modules: modules.length,
    needsWater: first('needsWater', wateringNeeds(needing), compareByNeed).map(({ moduleId, ...need }) => ({
      ...probe(moduleId),
      ...need,
    })),
    checkFirst: first('checkFirst', probesToCheck(needing), (a, b) => a.daysToStress - b.daysToStress).map(
      ({ moduleId, ...check }) => ({ ...probe(moduleId), ...check }),
    ),
    unjudged: first('unjudged', overviews.filter(lacksStressPoint)).map(({ id }) => probe(id)),
    alerts: first('alerts', await firingAlerts(operations), compareByShortfall).map(({ moduleId, ...alert }) => ({
      ...alert,
      ...probe(moduleId),
    })),
    silent: {
      modules: first(
        'silentModules',
        overviews.filter(({ isSilent }) => isSilent),
        (a, b) => compareLatestFirst(a.lastAt, b.lastAt),
      ).map(({ id, lastAt }) => ({ ...probe(id), lastAt })),
      gateways: first('silentGateways', await silentGateways(operations), (a, b) =>
        compareLatestFirst(a.lastSeen, b.lastSeen),
      ),
    },
    toConfirm: first('toConfirm', planned.toConfirm).map(({ id, moduleId, startedAt }) => ({
      eventId: id,
      ...probe(moduleId),
      startedAt,
    })),
    missingDoses: (await missingDoseRows(operations, missing)).map(({ moduleId, ...lacking }) => ({
      ...probe(moduleId),
      ...lacking,
    })),
    schedule: first('schedule', planned.upcoming).map(({ id, moduleId, startedAt, durationMin, waterMm }) => ({
      eventId: id,
      ...probe(moduleId),
      startedAt,
      durationMin,
      waterMm,
    })),
    leftOut,
  };
}

const hasMissingDoses = ({ setup }: ProbeOverview): boolean => setup.missingDoses.count > 0;

const byMissingDoses = (a: ProbeOverview, b: ProbeOverview): number =>
  b.setup.missingDoses.count - a.setup.missingDoses.count;

async function missingDoseRows(operations: BriefOperations, overviews: readonly ProbeOverview[]) {
  const rows: { moduleId: number; count: number; missing: MissingDoseReason }[] = [];
  for (const { id, setup } of overviews)
    rows.push({
      moduleId: id,
      count: setup.missingDoses.count,
      missing: await commonestMissingInput(operations, setup),
    });
  return rows;
}

/** A probe that needs water today beyond what is planned for it: what is advised, and those doses in mm, null unknown. */
interface ProbeNeedingWater {
  readonly advice: AdviceBody;
  readonly doses: readonly (number | null)[];
}

const probesNeedingWater = (
  overviews: readonly ProbeOverview[],
  today: PlannedWaterings['dosesToday'],
): ProbeNeedingWater[] =>
  overviews.flatMap(({ id, advice }) => {
    const doses = today.get(id) ?? [];
    return advice !== null && needsWaterToday(advice, doses) ? [{ advice, doses }] : [];
  });

/** Why what is advised for a probe is in doubt; what counts most first. */
const checkReason = ({ advice }: ProbeNeedingWater) => CHECK_REASONS.find((check) => advice.reasons.includes(check));

const wateringNeeds = (needing: readonly ProbeNeedingWater[]) =>
  needing
    .filter((each) => checkReason(each) === undefined)
    .map(({ advice: { moduleId, waterMm, durationMin, daysToStress, confidence }, doses }) => ({
      moduleId,
      waterMm,
      durationMin,
      daysToStress,
      confidence,
      plannedMm: roundAmountOrNull(sumDoses(doses)),
    }));

/** Those whose water of late, or whose sensor, must be looked at before any more is given. */
const probesToCheck = (needing: readonly ProbeNeedingWater[]) =>
  needing.flatMap((each) => {
    const reason = checkReason(each);
    const { moduleId, daysToStress } = each.advice;
    return reason === undefined ? [] : [{ moduleId, daysToStress: daysToStress!, reason }];
  });

const lacksStressPoint = ({ advice, isSilent }: ProbeOverview): boolean =>
  advice !== null && !isSilent && advice.daysToStress === null && advice.reasons.includes('NO_STRESS_POINT');

/** An alert that is stale goes on firing until fresh data say otherwise. */
async function firingAlerts({ listAlerts }: BriefOperations) {
  const alerts = await allResultRows((page) => listAlerts({ isActive: true, ...page }));
  return alerts.flatMap(({ id, moduleId, threshold, state }) => {
    if (moduleId === null || !state?.firing) return [];
    const { since, value_vwc, time } = state;
    return [{ alertId: id, moduleId, since, value_vwc, time, threshold }];
  });
}

async function silentGateways({ listGateways }: BriefOperations): Promise<BriefBody['silent']['gateways']> {
  const gateways = await allResultRows(listGateways);
  return gateways
    .filter(({ status }) => status === 'faulty')
    .map(({ id, imei, lastSeen, modules }) => ({ gatewayId: id, imei, lastSeen, modules: modules.length }));
}
