import type { Call, WriteContext } from '../../../operation/call.ts';
import type { WateredTargets } from '../../../store/irrigation/watering-target.ts';
import { applyRegenerationsAfterCommit } from '../planning/pending-regenerations.ts';
import { updateDosesOfSchedules } from '../planning/regeneration.ts';
import type { RegenerationResult } from '../planning/regeneration-steps.ts';
import { bringSchedulesOfTargetUpToDate } from '../planning/schedule-progress.ts';
import { DOSES_WITH_EQUIPMENT } from '../planning/step-limits.ts';
import { type CompletedDoses, WATERINGS_PER_STEP } from './dose-completion.ts';
import { completeDosesOf, finishDosesOfChange } from './doses-of-change.ts';
import { adviseOfOutdatedDoses, type EffectivePeriod } from './outdated-doses.ts';

/** The transaction also stores which of hundreds of probes are left to later ones. */
const WATERINGS_WITH_EQUIPMENT = WATERINGS_PER_STEP / 2;

export interface EquipmentChangeEffects {
  readonly period: EffectivePeriod;
  readonly doses: CompletedDoses;
  readonly regeneration: RegenerationResult;
  readonly targets: WateredTargets;
}

/** Schedules are brought up to date before the change, so that past waterings keep their dose. */
export async function applyEquipmentChange(
  context: WriteContext,
  targets: WateredTargets,
  change: () => Promise<EffectivePeriod>,
): Promise<EquipmentChangeEffects> {
  const schedules = await bringSchedulesOfTargetUpToDate(context, targets);
  const period = await change();
  const regeneration = await updateDosesOfSchedules(context, schedules, targets);
  // Both share what one transaction may write.
  const share = Math.max(0, 1 - regeneration.occurrences / DOSES_WITH_EQUIPMENT);
  const limit = Math.floor(WATERINGS_WITH_EQUIPMENT * share);
  const doses = await completeDosesOf(context, targets, 'recorded', limit);
  return { period, doses, regeneration, targets };
}

/** Reports the effects, and has what remains of them applied after the commit. */
export async function finishEquipmentChange(
  call: Call,
  { period, doses, regeneration, targets }: EquipmentChangeEffects,
): Promise<void> {
  finishDosesOfChange(call, doses);
  const withDose = regeneration.updatedDoses - regeneration.missingDoses;
  if (withDose > 0) call.advise({ kind: 'planned_doses_updated', count: withDose });
  applyRegenerationsAfterCommit(call, regeneration.pending);
  await adviseOfOutdatedDoses(call, { ...targets, period });
}
