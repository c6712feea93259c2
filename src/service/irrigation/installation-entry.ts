import { roundRate } from '../../domain/decimal.ts';
import {
  completeEquipment,
  type EmitterSpacing,
  type EquipmentFields,
  type EquipmentInput,
  emittersPerM2OfSpacing,
} from '../../domain/irrigation/equipment.ts';
import type {
  EquipmentVersion,
  TimelineRefusal,
} from '../../domain/irrigation/equipment-timeline.ts';
import { emitters, exact } from '../../domain/text/figures.ts';
import { argument, description, operationName } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import type { Text, Time } from '../../domain/text/text.ts';
import { timeOf } from '../../domain/text/times.ts';
import { invalidInputError } from '../../schema/error.ts';
import { limitText } from '../../schema/expected.ts';
import {
  MAX_EMITTERS_PER_M2,
  MAX_FLOW_MM_PER_H,
  MIN_FLOW,
} from '../../schema/irrigation/installation.ts';

export interface InstallationEntry extends EquipmentInput {
  readonly notes?: string | null;
  readonly effectiveFrom?: number | null;
}

type WithSpacing<E> = E & { [K in keyof EmitterSpacing]?: number | undefined };
export type SentInstallation = WithSpacing<InstallationEntry>;

const EMITTER_FLOW_LPH = argument('emitterFlowLph');
const EMITTERS_PER_M2 = argument('emittersPerM2');
const EFFECTIVE_FROM = argument('effectiveFrom');

const MOST_EMITTERS = description(
  say`${MAX_EMITTERS_PER_M2} emitters per m2`,
  `${MAX_EMITTERS_PER_M2}`,
);

/** A person who worked out the density from the same spacing may have rounded it. */
const DENSITY_TOLERANCE = 0.02;

interface DensityFields {
  readonly emitterFlowLph?: number | null | undefined;
  readonly emittersPerM2?: number | null | undefined;
  readonly fractionWetted?: number | null | undefined;
}

export function withEmitterDensity<E extends DensityFields>(sent: WithSpacing<E>): WithSpacing<E> {
  const { emitterSpacingM, lineSpacingM } = sent;
  if (emitterSpacingM === undefined && lineSpacingM === undefined) return sent;
  if (emitterSpacingM === undefined && isForStrip(sent))
    return { ...sent, lineSpacingM: undefined };
  if (emitterSpacingM === undefined || lineSpacingM === undefined) {
    const missing = emitterSpacingM === undefined ? 'emitterSpacingM' : 'lineSpacingM';
    throw invalidInputError(
      'INVALID_EMITTER_DENSITY',
      say`${argument(missing)} is missing: one spacing alone gives no density.`,
      {
        hint: say`Ask for the other spacing, in metres, or give ${EMITTERS_PER_M2}.`,
        field: missing,
      },
    );
  }

  const density = emittersPerM2OfSpacing({ emitterSpacingM, lineSpacingM });
  const spacing = say`${exact(emitterSpacingM, 'm')} x ${exact(lineSpacingM, 'm')} is ${emitters(density, 'exact')}`;
  const densityError = (message: Text, hint: Text): Error =>
    invalidInputError('INVALID_EMITTER_DENSITY', message, { hint, field: 'emitterSpacingM' });

  if (density < MIN_FLOW || density > MAX_EMITTERS_PER_M2)
    throw densityError(
      say`${spacing}; it must be from ${MIN_FLOW} to ${MOST_EMITTERS}.`,
      say`Check that both spacings are in metres: ${exact(30, 'cm')} is 0.3.`,
    );

  const { emittersPerM2 } = sent;
  if (emittersPerM2 != null && Math.abs(emittersPerM2 - density) > DENSITY_TOLERANCE * density)
    throw densityError(
      say`${spacing}, but ${EMITTERS_PER_M2} is ${emittersPerM2}.`,
      say`Ask which is right, and give either the two spacings or ${EMITTERS_PER_M2}.`,
    );

  return { ...sent, emittersPerM2: emittersPerM2 ?? density };
}

/** The distance between lines only made a fraction of the width of the wetted strip. */
const isForStrip = ({ emitterFlowLph, emittersPerM2, fractionWetted }: DensityFields): boolean =>
  fractionWetted != null && (emitterFlowLph == null || emittersPerM2 != null);

export function checkedEquipment(input: EquipmentInput): EquipmentFields {
  const equipment = completeEquipment(input);
  if (equipment.flowMmPerH !== null && equipment.flowMmPerH > MAX_FLOW_MM_PER_H)
    throw invalidInputError(
      'INVALID_FLOW_RATE',
      say`${EMITTER_FLOW_LPH} times ${EMITTERS_PER_M2} gives ${exact(roundRate(equipment.flowMmPerH), 'mm/h')}, more than ${limitText(MAX_FLOW_MM_PER_H, 'mm/h', 'max')}.`,
      {
        hint: say`Check both: litres per hour of one emitter, and emitters per square metre (not per tree).`,
        field: 'emittersPerM2',
      },
    );

  return equipment;
}

export function correctedEquipment(version: EquipmentVersion, changes: Partial<InstallationEntry>) {
  const wasFlowComputed = version.emitterFlowLph !== null && version.emittersPerM2 !== null;
  // Null has a flow or a wetted fraction that was derived before derived again.
  const {
    emitterFlowLph = version.emitterFlowLph,
    emittersPerM2 = version.emittersPerM2,
    flowMmPerH = wasFlowComputed ? null : version.flowMmPerH,
    irrigatedAreaM2 = version.irrigatedAreaM2,
    fractionWetted = version.fractionWettedIsDefault ? null : version.fractionWetted,
  } = changes;
  const isFlowComputed = emitterFlowLph != null && emittersPerM2 != null;
  const correctsFlowAlone =
    changes.flowMmPerH != null &&
    changes.emitterFlowLph === undefined &&
    changes.emittersPerM2 === undefined;
  if (isFlowComputed && correctsFlowAlone)
    throw invalidInputError(
      'INVALID_FLOW_RATE',
      say`The flow of this version is computed from its two emitter figures.`,
      {
        hint: say`Correct ${EMITTER_FLOW_LPH} or ${EMITTERS_PER_M2}, or empty both (${argument('clear')}) when you give ${argument('flowMmPerH')}.`,
        field: 'flowMmPerH',
      },
    );

  return checkedEquipment({
    system: changes.system ?? version.system,
    emitterFlowLph,
    emittersPerM2,
    ...correctedSpacing(version, changes),
    flowMmPerH,
    irrigatedAreaM2,
    fractionWetted,
  });
}

/** Another density contradicts the stored spacings. */
function correctedSpacing(
  { emitterSpacingM, lineSpacingM, emittersPerM2 }: EquipmentVersion,
  changes: Partial<InstallationEntry>,
): Pick<EquipmentInput, keyof EmitterSpacing> {
  if (changes.lineSpacingM !== undefined) return changes;
  const isOtherDensity =
    changes.emittersPerM2 !== undefined && changes.emittersPerM2 !== emittersPerM2;
  return isOtherDensity ? {} : { emitterSpacingM, lineSpacingM };
}

export function assertValidEntry(entry: InstallationEntry, now: number): void {
  assertStartNotAhead(entry.effectiveFrom, now);
  checkedEquipment(entry);
}

const TIMELINE_REFUSALS: Record<TimelineRefusal, { message: (at: Time) => Text; hint: Text }> = {
  EFFECTIVE_FROM_IN_FUTURE: {
    message: (at) => say`${EFFECTIVE_FROM} ${at} is in the future.`,
    hint: say`Declare the equipment once it is in the field; leave ${EFFECTIVE_FROM} out for now.`,
  },
  INSTALLATION_VERSION_EXISTS_AT_DATE: {
    message: (at) => say`A setup version of this target already starts at ${at}.`,
    hint: say`Use ${operationName('correct_installation')} to change that version, or give another ${EFFECTIVE_FROM}.`,
  },
  INVALID_EFFECTIVE_FROM: {
    message: (at) => say`${EFFECTIVE_FROM} ${at} does not fit between the neighbouring versions.`,
    hint: say`See the versions with ${operationName('get_irrigation_setup')} and give an instant after the start of the one before and before the end of this one.`,
  },
};

export function timelineError(refusal: TimelineRefusal, at: number): Error {
  const { message, hint } = TIMELINE_REFUSALS[refusal];
  return invalidInputError(refusal, message(timeOf(at)), { hint, field: 'effectiveFrom' });
}

export function assertStartNotAhead(effectiveFrom: number | null | undefined, now: number): void {
  if (effectiveFrom != null && effectiveFrom > now)
    throw timelineError('EFFECTIVE_FROM_IN_FUTURE', effectiveFrom);
}
