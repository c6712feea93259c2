import {
  completeEquipment,
  type EquipmentInput,
  type SetupEquipment,
  type SetupVersion,
} from '../domain/setup-timeline.ts';
import { invalidInput } from '../schema/error.ts';
import { roundRate } from './setups.ts';

/** Body of the setup writes; instants in ms. */
export interface InstallationEntry extends EquipmentInput {
  readonly notes?: string | null;
  readonly effectiveFrom?: number | null;
}

/** Highest application rate, in mm/h, entered or computed. */
const MAX_FLOW_MM_PER_H = 1000;

/** Entered equipment made whole; refuses emitter figures that together are beyond any equipment. */
export function checkedEquipment(entered: EquipmentInput): SetupEquipment {
  const equipment = completeEquipment(entered);
  if (equipment.flowMmPerH !== null && equipment.flowMmPerH > MAX_FLOW_MM_PER_H)
    throw invalidInput(
      'INVALID_FLOW_RATE',
      `emitterFlowLph x emittersPerM2 gives ${roundRate(equipment.flowMmPerH)} mm/h, more than ${MAX_FLOW_MM_PER_H}.`,
      {
        hint: 'Check both: litres per hour of one emitter, and emitters per square metre (not per tree).',
        field: 'emittersPerM2',
      },
    );
  return equipment;
}

/** A version with the fields of a correction laid over it; what is not sent stays. */
export function correctedEquipment(version: SetupVersion, sent: Partial<InstallationEntry>) {
  const valueOrStored = <T>(value: T | undefined, stored: T): T => (value === undefined ? stored : value);
  const emitterFlowLph = valueOrStored(sent.emitterFlowLph, version.emitterFlowLph);
  const emittersPerM2 = valueOrStored(sent.emittersPerM2, version.emittersPerM2);
  const wasComputed = version.emitterFlowLph !== null && version.emittersPerM2 !== null;
  const isComputed = emitterFlowLph != null && emittersPerM2 != null;
  if (isComputed && sent.flowMmPerH != null && sent.emitterFlowLph === undefined && sent.emittersPerM2 === undefined)
    throw invalidInput('INVALID_FLOW_RATE', 'The flow of this version is computed from its two emitter figures.', {
      hint: 'Correct emitterFlowLph or emittersPerM2, or empty both (clear) when you give flowMmPerH.',
      field: 'flowMmPerH',
    });
  return checkedEquipment({
    system: sent.system ?? version.system,
    emitterFlowLph,
    emittersPerM2,
    flowMmPerH: sent.flowMmPerH !== undefined ? sent.flowMmPerH : wasComputed ? null : version.flowMmPerH,
    irrigatedAreaM2: valueOrStored(sent.irrigatedAreaM2, version.irrigatedAreaM2),
    fractionWetted: valueOrStored(sent.fractionWetted, version.fractionWettedIsDefault ? null : version.fractionWetted),
  });
}
