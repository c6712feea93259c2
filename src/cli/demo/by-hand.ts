import type { InstallationVersionBody } from '../../schema/installation.ts';
import type { WateringBody } from '../../schema/watering.ts';

/** A calculation as a person would write it down, and whether the answer says the same. */
export interface HandCalculation {
  readonly lines: readonly string[];
  readonly agrees: boolean;
}

const roundToThousandths = (value: number): number => Number(value.toFixed(3));

/** The dose of a run time, from the parameters that were frozen with it. Nothing is rounded on the way. */
export function doseByHand({ durationMin, waterMm, waterMmWetted, configSnapshot }: WateringBody): HandCalculation {
  const flow = configSnapshot?.flowMmPerH ?? null;
  const fraction = configSnapshot?.fractionWetted ?? null;
  if (flow === null || fraction === null || durationMin === null) return { lines: [], agrees: waterMm === null };
  const total = roundToThousandths((flow * durationMin) / 60);
  const wetted = roundToThousandths((flow * durationMin) / 60 / fraction);
  return {
    lines: [
      `${flow} mm/h x ${durationMin} min / 60 = ${total} mm over the whole area`,
      `${flow} mm/h x ${durationMin} min / 60 / ${fraction} = ${wetted} mm in the wetted zone`,
    ],
    agrees: waterMm === total && waterMmWetted === wetted,
  };
}

/** What equipment gives, from its emitters. */
export function flowByHand(
  version: Pick<InstallationVersionBody, 'emitterFlowLph' | 'emittersPerM2' | 'flowMmPerH'>,
): HandCalculation {
  const { emitterFlowLph, emittersPerM2, flowMmPerH } = version;
  if (emitterFlowLph === null || emittersPerM2 === null) return { lines: [], agrees: false };
  const flow = roundToThousandths(emitterFlowLph * emittersPerM2);
  return {
    lines: [`${emitterFlowLph} L/h x ${emittersPerM2} per m2 = ${flow} mm/h (1 L on 1 m2 is 1 mm)`],
    agrees: flow === flowMmPerH,
  };
}
