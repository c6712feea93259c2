import type { Call } from '../operation/call.ts';
import { type FiringAlert, firingAlerts, firingAlertsOfModule } from '../store/alert-states.ts';
import type { Store } from '../store/store.ts';
import { alertPhrases, describeFiring } from './say-alert.ts';

/** Firing alerts of one probe that are said one by one. */
const MAX_LISTED_ALERTS = 2;

/** Says where a person looks at a probe that its alert is firing. */
export async function noteFiringAlertsOf(call: Call, moduleId: number): Promise<void> {
  noteFiringAlerts(call, await firingAlertsOfModule(call.db, moduleId));
}

/** The same of alerts that were looked up. */
export function noteFiringAlerts(call: Call, firing: readonly FiringAlert[]): void {
  for (const alert of firing.slice(0, MAX_LISTED_ALERTS)) call.note(describeFiring(alert, call));
  if (firing.length > MAX_LISTED_ALERTS) call.note(alertPhrases(call).moreFiring(firing.length - MAX_LISTED_ALERTS));
}

/** A text that changes when alerts of a company begin or cease to fire. */
export const firingFingerprint = async (store: Store, companyId: number): Promise<string> =>
  JSON.stringify(await store.read(companyId, firingAlerts));
