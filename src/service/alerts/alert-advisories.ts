import { resolutionThreshold } from '../../domain/alerts/alert-episodes.ts';
import { ALERT_KINDS, type AlertKind, UNNAMED_KIND } from '../../domain/alerts/alert-kinds.ts';
import { compareWithDecimal, roundTo } from '../../domain/decimal.ts';
import { soilHorizonById } from '../../domain/soil/soil-catalog.ts';
import { moduleName } from '../../language/summary-context.ts';
import type { Call } from '../../operation/call.ts';
import type { AlertStateBody } from '../../schema/alerts/alert.ts';
import { toSuspectReadingBody } from '../../schema/moisture/suspect-bodies.ts';
import {
  type AlertState,
  type FiringAlert,
  firingAlertsOfModule,
} from '../../store/alerts/alert-states.ts';
import { activeAlertCounts, type UnnumberedAlert } from '../../store/alerts/alerts.ts';
import type { Module } from '../../store/company/modules.ts';
import { layersOfModule } from '../../store/soil/soil-layers.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { WATCHED_VALUES } from './kinds/watched-values.ts';
import { adviseOfNotice } from './means-of-notice.ts';

export async function adviseOfNewAlert(
  call: Call,
  alert: UnnumberedAlert,
  { module, state }: { readonly module: Module; readonly state: AlertState | null },
): Promise<void> {
  if (await WATCHED_VALUES[alert.kind].isMeasuredBy(call, module))
    await adviseOfNotice(call, alert.id, [{ moduleId: module.id, state }]);
  else call.advise({ kind: 'no_sensor_for_alert', alertKind: alert.kind });
}

export async function adviseOfSuspectReadings(
  call: Call,
  kind: AlertKind,
  module: Module,
): Promise<void> {
  const doubts = await WATCHED_VALUES[kind].suspectReadings(call, module);
  if (doubts.length > 0)
    call.advise({ kind: 'suspect_readings', doubts: doubts.map(toSuspectReadingBody) });
}

export async function adviseOfAlertState(
  call: Call,
  alert: UnnumberedAlert,
  state: AlertStateBody | null,
): Promise<void> {
  const { kind: alertKind, threshold, hysteresis, reminderTime } = alert;
  if (state)
    call.advise({ kind: 'alert_state', alertKind, threshold, hysteresis, reminderTime, state });

  await adviseOfHysteresis(call, alert);
}

/** Below it, two readings that alternate around the threshold are an episode each. */
const LEAST_HYSTERESIS = 1;

export async function adviseOfHysteresis(call: Call, alert: UnnumberedAlert): Promise<void> {
  const { kind: alertKind, moduleId, hysteresis } = alert;
  const resolvesAt = resolutionThreshold(alert);
  const soilMax = moduleId === null ? null : await saturationPercent(call, moduleId);
  const isReachable = (max: number): boolean => compareWithDecimal(resolvesAt)(max) >= 0;
  if (!isReachable(Math.min(soilMax ?? Number.POSITIVE_INFINITY, ALERT_KINDS[alertKind].max)))
    call.advise({ kind: 'alert_never_resolves', alertKind, resolvesAt, soilMax });

  if (Number(hysteresis) < LEAST_HYSTERESIS) call.advise({ kind: 'alert_may_flap', hysteresis });
}

/** The saturation of the layer that can hold most; null without a soil profile. */
async function saturationPercent({ db }: Call, moduleId: number): Promise<number | null> {
  const layers = (await layersOfModule(db, moduleId)).filter(({ endedAt }) => endedAt === null);
  const shares = layers.flatMap(
    ({ soilHorizonId }) => soilHorizonById(soilHorizonId)?.saturation ?? [],
  );
  return shares.length === 0 ? null : roundTo(Math.max(...shares) * 100, 1);
}

/** Counts the active alerts on these modules with this threshold. */
export async function sameAlertCount(
  db: CompanyDb,
  threshold: string,
  moduleIds: readonly number[],
): Promise<number> {
  const counts = await activeAlertCounts(db, moduleIds);
  const sameRule = counts.filter((counted) => Number(counted.threshold) === Number(threshold));
  return sameRule.reduce((sum, { count }) => sum + count, 0);
}

/** Each alert sends messages of its own. `count` is that of before the new one. */
export function adviseOfSameAlert({ advise }: Call, threshold: string, count: number): void {
  if (count > 0) advise({ kind: 'same_alert_exists', threshold, count });
}

const MAX_LISTED_ALERTS = 2;

export async function adviseOfFiringAlertsOnModule(call: Call, moduleId: number): Promise<void> {
  adviseOfFiringAlerts(call, await firingAlertsOfModule(call.db, moduleId));
}

export function adviseOfFiringAlerts(call: Call, firing: readonly FiringAlert[]): void {
  for (const { threshold, hysteresis, since, evaluatedAt, value } of firing.slice(
    0,
    MAX_LISTED_ALERTS,
  ))
    call.advise({
      kind: 'alert_firing',
      alertKind: UNNAMED_KIND,
      threshold,
      hysteresis,
      since,
      evaluatedAt,
      value,
    });
  const more = firing.length - MAX_LISTED_ALERTS;
  if (more > 0) call.advise({ kind: 'more_alerts_firing', count: more });
}

const MAX_NAMED_PROBES = 3;

export async function adviseOfProbesWithFiringAlerts(
  call: Call,
  moduleIds: readonly number[],
): Promise<void> {
  if (moduleIds.length === 0) return;
  const probes: string[] = [];
  for (const id of moduleIds.slice(0, MAX_NAMED_PROBES))
    probes.push(await moduleName(call.directory, id));
  call.advise({
    kind: 'probes_with_firing_alert',
    probes,
    others: moduleIds.length - probes.length,
  });
}
