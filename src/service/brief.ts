import { byNeed, byShortfall, firstOf, latestFirst, needsWaterToday } from '../domain/brief.ts';
import { type DoseLack, sumOfDoses } from '../domain/dose.ts';
import type { Call } from '../operation/call.ts';
import type { AdviceBody } from '../schema/advice.ts';
import type { WatchedAlertBody } from '../schema/alert.ts';
import { type BriefBody, CHECKS } from '../schema/brief.ts';
import type { GatewayBody } from '../schema/gateway.ts';
import type { ModuleBody } from '../schema/place.ts';
import { whatDosesLack } from './brief-doses.ts';
import { type Looked, lookAt } from './brief-probes.ts';
import { type Planned, plannedWaterings } from './brief-waterings.ts';
import { everyRow } from './every-page.ts';
import { isoOf, roundedOrNull } from './wire.ts';

/** What a brief is composed of; it performs nothing else. */
export const BRIEF_PERFORMS = [
  'list_modules',
  'advise_watering',
  'get_moisture_series',
  'list_alerts',
  'list_gateways',
  'list_waterings',
  'list_schedules',
  'get_irrigation_setup',
] as const;

/** Rows of each list, at most: all of it is listened to, or read by a model in one go. */
const MOST = {
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

type Lists = { -readonly [List in keyof typeof MOST]: number };

/** What a company should hear in the morning, each line as its single operation says it. */
export async function morningBrief(call: Call): Promise<BriefBody> {
  const leftOut = Object.fromEntries(Object.keys(MOST).map((list) => [list, 0])) as Lists;
  const first = <T>(list: keyof Lists, rows: readonly T[], order: (a: T, b: T) => number = () => 0): T[] => {
    const { rows: shown, leftOut: rest } = firstOf(rows, MOST[list], order);
    leftOut[list] = rest;
    return shown;
  };

  const modules = await everyRow<ModuleBody>(call, 'list_modules', { detail: 'concise', lang: call.lang });
  const names = new Map(modules.map(({ id, name }) => [id, name]));
  const probe = (moduleId: number) => ({ moduleId, name: names.get(moduleId) ?? null });
  const planned = await plannedWaterings(call);
  const looked = await lookAt(call, modules);
  const dry = dryToday(looked, planned.today);
  const missing = first('missingDoses', looked.filter(missesDoses), byMissing);
  return {
    time: isoOf(call.now),
    modules: modules.length,
    needsWater: first('needsWater', thirsty(dry), byNeed).map(({ moduleId, ...need }) => ({
      ...probe(moduleId),
      ...need,
    })),
    checkFirst: first('checkFirst', toCheck(dry), (a, b) => a.daysToStress - b.daysToStress).map(
      ({ moduleId, ...check }) => ({ ...probe(moduleId), ...check }),
    ),
    unjudged: first('unjudged', looked.filter(isUnjudged)).map(({ id }) => probe(id)),
    alerts: first('alerts', await firingAlerts(call), byShortfall).map(({ moduleId, ...alert }) => ({
      ...alert,
      ...probe(moduleId),
    })),
    silent: {
      modules: first(
        'silentModules',
        looked.filter(({ isSilent }) => isSilent),
        (a, b) => latestFirst(a.lastAt, b.lastAt),
      ).map(({ id, lastAt }) => ({ ...probe(id), lastAt })),
      gateways: first('silentGateways', await silentGateways(call), (a, b) => latestFirst(a.lastSeen, b.lastSeen)),
    },
    toConfirm: first('toConfirm', planned.toConfirm).map(({ id, moduleId, startedAt }) => ({
      eventId: id,
      ...probe(moduleId),
      startedAt,
    })),
    missingDoses: (await lackingDoses(call, missing)).map(({ moduleId, ...lacking }) => ({
      ...probe(moduleId),
      ...lacking,
    })),
    schedule: first('schedule', planned.ahead).map(({ id, moduleId, startedAt, durationMin, waterMm }) => ({
      eventId: id,
      ...probe(moduleId),
      startedAt,
      durationMin,
      waterMm,
    })),
    leftOut,
  };
}

const missesDoses = ({ setup }: Looked): boolean => setup.missingDoses.count > 0;

const byMissing = (a: Looked, b: Looked): number => b.setup.missingDoses.count - a.setup.missingDoses.count;

async function lackingDoses(call: Call, looked: readonly Looked[]) {
  const lacking: { moduleId: number; count: number; missing: DoseLack }[] = [];
  for (const { id, setup } of looked)
    lacking.push({ moduleId: id, count: setup.missingDoses.count, missing: await whatDosesLack(call, setup) });
  return lacking;
}

/** A probe that needs water today beyond what is planned for it: what is advised, and those doses in mm, null unknown. */
interface Dry {
  readonly advice: AdviceBody;
  readonly doses: readonly (number | null)[];
}

const dryToday = (looked: readonly Looked[], today: Planned['today']): Dry[] =>
  looked.flatMap(({ id, advice }) => {
    const doses = today.get(id) ?? [];
    return advice !== null && needsWaterToday(advice, doses) ? [{ advice, doses }] : [];
  });

/** Why what is advised for a probe is in doubt; what counts most first. */
const checkOf = ({ advice }: Dry) => CHECKS.find((check) => advice.reasons.includes(check));

const thirsty = (dry: readonly Dry[]) =>
  dry
    .filter((each) => checkOf(each) === undefined)
    .map(({ advice: { moduleId, waterMm, durationMin, daysToStress, confidence }, doses }) => ({
      moduleId,
      waterMm,
      durationMin,
      daysToStress,
      confidence,
      plannedMm: roundedOrNull(sumOfDoses(doses)),
    }));

/** Those whose water of late, or whose sensor, must be looked at before any more is given. */
const toCheck = (dry: readonly Dry[]) =>
  dry.flatMap((each) => {
    const reason = checkOf(each);
    const { moduleId, daysToStress } = each.advice;
    return reason === undefined ? [] : [{ moduleId, daysToStress: daysToStress!, reason }];
  });

const isUnjudged = ({ advice, isSilent }: Looked): boolean =>
  advice !== null && !isSilent && advice.daysToStress === null && advice.reasons.includes('NO_STRESS_POINT');

/** An alert that is stale goes on firing until fresh data say otherwise. */
async function firingAlerts(call: Call) {
  const alerts = await everyRow<WatchedAlertBody>(call, 'list_alerts', { isActive: true });
  return alerts.flatMap(({ id, moduleId, threshold, state }) => {
    if (moduleId === null || !state?.firing) return [];
    const { since, value_vwc, time } = state;
    return [{ alertId: id, moduleId, since, value_vwc, time, threshold }];
  });
}

async function silentGateways(call: Call): Promise<BriefBody['silent']['gateways']> {
  const gateways = await everyRow<GatewayBody>(call, 'list_gateways');
  return gateways
    .filter(({ status }) => status === 'faulty')
    .map(({ id, imei, lastSeen, modules }) => ({ gatewayId: id, imei, lastSeen, modules: modules.length }));
}
