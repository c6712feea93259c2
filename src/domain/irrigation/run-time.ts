import type { Dose, DoseEquipment } from './dose.ts';
import type { WateringInput } from './watering-amount.ts';

/**
 * A share of the larger dose. Within one field section, flow varies by up to 10 % with pressure
 * (the usual design limit), and emitters differ by up to 7 % from the rated flow (ISO 9261:2004,
 * 7.1); run times are rounded.
 */
const RUN_TIME_TOLERANCE = 0.2;

interface RunTimeDose {
  readonly waterMm: number;
  readonly volumeM3: number | null;
}

/**
 * The water that the equipment applies in the declared run time, if it contradicts the depth or
 * volume of the dose.
 */
export function contradictingRunTime(
  { amount, durationMin }: WateringInput,
  dose: Dose,
): RunTimeDose | null {
  const flowMmPerH = dose.snapshot?.flowMmPerH ?? null;
  const irrigatedAreaM2 = dose.snapshot?.irrigatedAreaM2 ?? null;
  if (
    amount.mode === 'duration' ||
    durationMin === null ||
    flowMmPerH === null ||
    dose.waterMm === null
  )
    return null;

  const waterMm = (flowMmPerH * durationMin) / 60;
  if (Math.abs(waterMm - dose.waterMm) <= RUN_TIME_TOLERANCE * Math.max(waterMm, dose.waterMm))
    return null;

  return {
    waterMm,
    volumeM3: irrigatedAreaM2 === null ? null : (waterMm * irrigatedAreaM2) / 1000,
  };
}

/**
 * How long the equipment runs for a dose, and the m3 on its area; null where its application rate
 * or area is unknown.
 */
export const deliveryOf = (
  waterMm: number | null,
  equipment: Pick<DoseEquipment, 'flowMmPerH' | 'irrigatedAreaM2'> | null,
): { durationMin: number | null; volumeM3: number | null } => ({
  durationMin:
    waterMm === null || !equipment?.flowMmPerH
      ? null
      : Math.round((60 * waterMm) / equipment.flowMmPerH),
  volumeM3:
    waterMm === null || equipment?.irrigatedAreaM2 == null
      ? null
      : (waterMm * equipment.irrigatedAreaM2) / 1000,
});
