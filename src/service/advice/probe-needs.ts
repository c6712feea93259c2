import { needsWaterToday } from '../../domain/advice/brief.ts';
import { SENSOR_DOUBTS } from '../../domain/moisture/sensor-doubts.ts';
import { type AdviceBody, CHECK_REASONS } from '../../schema/advice.ts';
import type { ProbeOverview } from './brief-probes.ts';
import type { PlannedWaterings } from './brief-waterings.ts';

/** Doses in mm, null for an unknown one. */
export interface ProbeNeedingWater {
  readonly probe: ProbeOverview;
  readonly advice: AdviceBody;
  readonly doses: readonly (number | null)[];
}

export function probesNeedingWater(
  probes: readonly ProbeOverview[],
  today: PlannedWaterings['dosesToday'],
): ProbeNeedingWater[] {
  // A tensiometer cannot tell how much is enough: any watering of its parcel today will do.
  const wateredParcels = new Set(probes.flatMap(({ id, setup }) => (today.has(id) ? (setup.parcelId ?? []) : [])));
  return probes.flatMap((probe) => {
    const { id, advice, setup } = probe;
    if (advice === null) return [];
    if (advice.tension && setup.parcelId !== null && wateredParcels.has(setup.parcelId)) return [];
    const doses = today.get(id) ?? [];
    return needsWaterToday(advice, doses, daysOfWatering(advice)) ? [{ probe, advice, doses }] : [];
  });
}

/** An earlier version of a remote service does not split. */
export const daysOfWatering = ({ daily }: AdviceBody): number => daily?.days ?? 1;

/** A sensor in doubt may also hide that a probe needs water. */
export function checkBeforeWatering({ advice }: Pick<ProbeOverview, 'advice'>, needsWater: boolean) {
  const checks = needsWater ? CHECK_REASONS : SENSOR_DOUBTS;
  return checks.find((check) => advice?.reasons.includes(check)) ?? null;
}

const UNJUDGED_REASONS = ['NO_STRESS_POINT', 'THRESHOLDS_CROSSED', 'NO_DRY_LEVEL'] as const;

export const lacksLevel = ({ advice, isSilent }: ProbeOverview): boolean =>
  advice !== null &&
  !isSilent &&
  advice.daysToStress === null &&
  UNJUDGED_REASONS.some((reason) => advice.reasons.includes(reason));
