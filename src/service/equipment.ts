import { type EnteredEquipment, type Equipment, equipmentOf, type Version } from '../domain/setup-timeline.ts';
import { refuse } from '../schema/error.ts';
import { roundedRate } from './setups.ts';

/** Body of the setup writes; instants in ms. */
export interface InstallationEntry extends EnteredEquipment {
  readonly notes?: string | null;
  readonly effectiveFrom?: number | null;
}

/** Highest application rate, in mm/h, entered or computed. */
const MAX_FLOW_MM_PER_H = 1000;

/** Entered equipment made whole; refuses emitter figures that together are beyond any equipment. */
export function soundEquipment(entered: EnteredEquipment): Equipment {
  const equipment = equipmentOf(entered);
  if (equipment.flowMmPerH !== null && equipment.flowMmPerH > MAX_FLOW_MM_PER_H)
    throw refuse(
      'INVALID_FLOW_RATE',
      `emitterFlowLph x emittersPerM2 gives ${roundedRate(equipment.flowMmPerH)} mm/h, more than ${MAX_FLOW_MM_PER_H}.`,
      {
        hint: 'Check both: litres per hour of one emitter, and emitters per square metre (not per tree).',
        field: 'emittersPerM2',
      },
    );
  return equipment;
}

/** A version with the fields of a correction laid over it; what is not sent stays. */
export function correctedEquipment(version: Version, sent: Partial<InstallationEntry>) {
  const kept = <T>(value: T | undefined, standing: T): T => (value === undefined ? standing : value);
  const emitterFlowLph = kept(sent.emitterFlowLph, version.emitterFlowLph);
  const emittersPerM2 = kept(sent.emittersPerM2, version.emittersPerM2);
  const wasComputed = version.emitterFlowLph !== null && version.emittersPerM2 !== null;
  const isComputed = emitterFlowLph != null && emittersPerM2 != null;
  if (isComputed && sent.flowMmPerH != null && sent.emitterFlowLph === undefined && sent.emittersPerM2 === undefined)
    throw refuse('INVALID_FLOW_RATE', 'The flow of this version is computed from its two emitter figures.', {
      hint: 'Correct emitterFlowLph or emittersPerM2, or empty both (clear) when you give flowMmPerH.',
      field: 'flowMmPerH',
    });
  return soundEquipment({
    system: sent.system ?? version.system,
    emitterFlowLph,
    emittersPerM2,
    flowMmPerH: sent.flowMmPerH !== undefined ? sent.flowMmPerH : wasComputed ? null : version.flowMmPerH,
    irrigatedAreaM2: kept(sent.irrigatedAreaM2, version.irrigatedAreaM2),
    fractionWetted: kept(sent.fractionWetted, version.fractionWettedIsDefault ? null : version.fractionWetted),
  });
}
