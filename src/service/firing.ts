import type { Call } from '../operation/call.ts';
import { type FiringAlert, firingAlerts, firingOf } from '../store/alert-states.ts';
import type { Store } from '../store/store.ts';
import { alertWords, sayFiring } from './say-alert.ts';

/** Firing alerts of one probe that are said one by one. */
const SAID = 2;

/** Says where a person looks at a probe that its alert is firing. */
export async function remarkFiring(call: Call, moduleId: number): Promise<void> {
  remarkThatFire(call, await firingOf(call.db, moduleId));
}

/** The same of alerts that were looked up. */
export function remarkThatFire(call: Call, firing: readonly FiringAlert[]): void {
  for (const alert of firing.slice(0, SAID)) call.remark(sayFiring(alert, call));
  if (firing.length > SAID) call.remark(alertWords(call).moreFiring(firing.length - SAID));
}

/** A text that changes when alerts of a company begin or cease to fire. */
export const firingFingerprint = async (store: Store, companyId: number): Promise<string> =>
  JSON.stringify(await store.read(companyId, firingAlerts));
