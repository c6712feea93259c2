import { keysOf } from '../records.ts';
import { applicationRateMmPerH, type EquipmentFields, type EquipmentInput } from './equipment.ts';

export type EquipmentFigures = Pick<
  EquipmentFields,
  | 'flowMmPerH'
  | 'emitterFlowLph'
  | 'emittersPerM2'
  | 'emitterSpacingM'
  | 'lineSpacingM'
  | 'irrigatedAreaM2'
> & {
  /** Null if it is the default of the system. */
  readonly fractionWetted: number | null;
};

export type KeptFigures = Partial<Record<keyof EquipmentFigures, number>>;

/** A person who worked out the rate from the same emitters may have rounded it. */
const RATE_TOLERANCE = 0.02;

/**
 * The figures of the equipment `before` that a change of it does not mention and that still fit.
 * Null empties a figure. Another system keeps only the irrigated area.
 */
export function keptFigures(before: EquipmentFields, change: EquipmentInput): KeptFigures {
  const fitting =
    before.system === change.system
      ? fittingFigures(before, change)
      : { irrigatedAreaM2: before.irrigatedAreaM2 };

  const kept: KeptFigures = {};
  for (const name of keysOf(fitting)) {
    const figure = fitting[name];
    if (change[name] === undefined && figure != null) kept[name] = figure;
  }

  return kept;
}

function fittingFigures(
  before: EquipmentFields,
  change: EquipmentInput,
): Partial<EquipmentFigures> {
  const { irrigatedAreaM2, emitterFlowLph, emittersPerM2, emitterSpacingM, lineSpacingM } = before;
  const fractionWetted = before.fractionWettedIsDefault ? null : before.fractionWetted;

  if (contradictsEmitters(before, change)) return { irrigatedAreaM2, fractionWetted };

  const isSameDensity =
    change.emittersPerM2 === undefined || change.emittersPerM2 === emittersPerM2;
  // A rate that was entered is that of the emitters before.
  const isOtherRate =
    change.emitterFlowLph !== undefined || !isSameDensity || isRateComputed(before);

  return {
    irrigatedAreaM2,
    emitterFlowLph,
    emittersPerM2,
    flowMmPerH: isOtherRate ? null : before.flowMmPerH,
    // Both were measured on lines at the earlier spacing.
    emitterSpacingM: isSameDensity ? emitterSpacingM : null,
    lineSpacingM: isSameDensity ? lineSpacingM : null,
    fractionWetted: isSameDensity ? fractionWetted : null,
  };
}

const isRateComputed = ({ emitterFlowLph, emittersPerM2 }: EquipmentFields): boolean =>
  emitterFlowLph !== null && emittersPerM2 !== null;

/** True if the emitters before, which the change keeps, give another rate than it has. */
function contradictsEmitters(before: EquipmentFields, change: EquipmentInput): boolean {
  const { flowMmPerH } = change;
  const { emitterFlowLph = before.emitterFlowLph, emittersPerM2 = before.emittersPerM2 } = change;
  const computed = applicationRateMmPerH({ emitterFlowLph, emittersPerM2, flowMmPerH: null });
  const isSentWhole = change.emitterFlowLph != null && change.emittersPerM2 != null;
  if (flowMmPerH == null || computed === null || isSentWhole) return false;

  return Math.abs(computed - flowMmPerH) > RATE_TOLERANCE * flowMmPerH;
}
