import type { AlertFacts } from '../../facts/farm-facts.ts';
import type { ModuleFacts } from '../../facts/probe-facts.ts';
import type { AgronomicState } from '../../moisture/agronomic-state.ts';
import { type CheckReason, isAlwaysChecked, withholdsAmount } from '../reason-kinds.ts';
import { checkBeforeWatering, type FarmProbe, isUnjudged } from './farm-probe.ts';
import { compareSortKeys, type Need, needOf, needSortKey, type ProbeCondition } from './need.ts';
import type { ProbeInNeed } from './needs.ts';

type AlertStatus = 'quiet' | 'firing' | 'stale';

/** A probe compared with the others of the farm. */
export interface AssessedProbe {
  readonly probe: FarmProbe;
  /** It needs more water today than is planned, and nothing is to be checked before. */
  readonly needsWater: boolean;
  readonly check: CheckReason | null;
  readonly isUnjudged: boolean;
  /** Null without an active alert. */
  readonly alert: AlertStatus | null;
  /** A reading is in doubt, the amount is withheld, or the probe is to be checked in any case. */
  readonly isInDoubt: boolean;
  /** Null while the probe is in doubt: its readings say neither stress nor comfort. */
  readonly state: AgronomicState | null;
  readonly need: Need;
  readonly sortKey: readonly number[];
}

/** Most urgent first. */
export function assessProbes(
  probes: readonly FarmProbe[],
  needingWater: readonly ProbeInNeed[],
  alerts: readonly AlertFacts[],
): AssessedProbe[] {
  const inNeed = new Set(needingWater.map(({ probe }) => probe));
  const statuses = alertStatuses(alerts);

  return probes
    .map((probe) => assess(probe, inNeed.has(probe), statuses.get(probe.module.id) ?? null))
    .sort((a, b) => compareSortKeys(a.sortKey, b.sortKey));
}

function assess(probe: FarmProbe, isInNeed: boolean, alert: AlertStatus | null): AssessedProbe {
  const { module, state, trustedState, advice } = probe;
  const check = checkBeforeWatering(probe, isInNeed);
  const isWithheld = advice?.reasons.some(withholdsAmount) === true;
  const condition: ProbeCondition = {
    id: module.id,
    state: trustedState,
    isAboveDryLevel: state?.tension?.isDry === true && !isWithheld,
    // A probe that is to be checked first may not need it.
    needsWater: isInNeed && check === null,
    daysToStress: probe.daysToStress,
    moisture: state?.moisture ?? null,
    tension: state?.tension?.value ?? null,
    hasFiringAlert: alert === 'firing',
    check,
    isSilent: probe.isSilent,
  };
  const need = needOf(condition);
  const isInDoubt =
    isWithheld || advice?.reasons.some(({ kind }) => isAlwaysChecked(kind)) === true;

  return {
    probe,
    needsWater: condition.needsWater,
    check,
    isUnjudged: isUnjudged(probe),
    alert,
    isInDoubt,
    state: isInDoubt ? null : trustedState,
    need,
    sortKey: needSortKey(need, condition),
  };
}

const SEVERITY = { quiet: 0, stale: 1, firing: 2 } as const satisfies Record<AlertStatus, number>;

/** The keys are module ids. Of several alerts, the most serious one counts. */
function alertStatuses(alerts: readonly AlertFacts[]): ReadonlyMap<number, AlertStatus> {
  const statuses = new Map<number, AlertStatus>();
  for (const { moduleId, state } of alerts) {
    if (moduleId === null || state === null) continue;
    // A stale alert keeps firing until fresh readings resolve it.
    const status = state.isFiring ? 'firing' : state.status;
    const worst = statuses.get(moduleId);
    if (worst === undefined || SEVERITY[status] > SEVERITY[worst]) statuses.set(moduleId, status);
  }

  return statuses;
}

/** A tensiometer often has no watering of its own: those of its parcel count. */
export const usesWateringsOfParcel = (
  module: ModuleFacts,
): module is ModuleFacts & { readonly parcelId: number } =>
  module.category === 'TENSIOMETER' && module.parcelId !== null;

/** The modules with these ids, and the tensiometers of their parcels. */
export function withTensiometersOfParcels(
  moduleIds: readonly number[],
  modules: readonly ModuleFacts[],
): ModuleFacts[] {
  const ids = new Set(moduleIds);
  const parcelIds = new Set(
    modules.filter(({ id }) => ids.has(id)).map(({ parcelId }) => parcelId),
  );
  return modules.filter(
    (module) =>
      ids.has(module.id) || (usesWateringsOfParcel(module) && parcelIds.has(module.parcelId)),
  );
}
