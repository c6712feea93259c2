import { belowThreshold, resolveLevel } from '../domain/alert.ts';
import { ageOf } from '../domain/coverage.ts';
import type { Call } from '../operation/call.ts';
import { sayInstant } from '../operation/say-time.ts';
import { firingAlerts, firingOf } from '../store/alert-states.ts';
import type { Alert } from '../store/alerts.ts';
import type { Store } from '../store/store.ts';

/** "18.4 % is below 20 %", "22 % is not yet 25 %". */
export const sayFiringValue = (rule: Pick<Alert, 'threshold' | 'hysteresis'>, value: number): string =>
  belowThreshold(rule)(value)
    ? `${value} % is below ${rule.threshold} %`
    : `${value} % is not yet ${resolveLevel(rule)} %`;

/** Firing alerts of one probe that are said one by one. */
const SAID = 2;

/** Says where a person looks at a probe that its alert is firing. */
export async function remarkFiring(call: Call, moduleId: number): Promise<void> {
  const firing = await firingOf(call.db, moduleId);
  for (const alert of firing.slice(0, SAID)) {
    const since = sayInstant(alert.since, call.zone, call.now);
    const isFresh = alert.evaluatedAt === null || ageOf(alert.evaluatedAt, call.now).isFresh;
    if (!isFresh) {
      const last = sayInstant(alert.evaluatedAt!, call.zone, call.now);
      call.remark(`Its alert counts as firing since ${since}, but the last it heard is of ${last}.`);
      continue;
    }
    const value = alert.value === null ? '' : `: ${sayFiringValue(alert, alert.value)}`;
    call.remark(`Its alert is firing since ${since}${value}.`);
  }
  if (firing.length > SAID) call.remark(`${firing.length - SAID} more of its alerts are firing: see list_alerts.`);
}

/** A text that changes when alerts of a company begin or cease to fire. */
export const firingFingerprint = async (store: Store, companyId: number): Promise<string> =>
  JSON.stringify(await store.read(companyId, firingAlerts));
