import type { UsdaClass } from '../soil/soil-catalog.ts';
import type { DoseEquipment } from './dose.ts';
import { divided, type RunLimit, type Runs, UNLIMITED_RUN } from './runs.ts';

/**
 * The intake of wet soil in mm/h; null where no usual equipment gives more. Source: C. Brouwer et
 * al. (1988), Irrigation Methods, FAO Irrigation Water Management Training Manual 5, annex 2: the
 * upper ends of the basic infiltration rates of sandy loam, loam, clay loam and clay. The other
 * classes have the figure of the nearest of these.
 */
const INTAKE_MM_PER_H: Readonly<Record<UsdaClass, number | null>> = {
  Sand: null,
  'Loamy sand': null,
  'Sandy loam': 30,
  'Sandy clay loam': 10,
  'Sandy clay': 5,
  Loam: 20,
  'Clay loam': 10,
  Clay: 5,
  'Silt loam': 20,
  Silt: 20,
  'Silty clay loam': 10,
  'Silty clay': 5,
};

/** In mm, an assumption: what nearly level ground holds in puddles before water runs off. */
const SURFACE_STORAGE_MM = 5;

/** They spread water over the whole surface that they wet. */
const SPRINKLING_SYSTEMS: readonly DoseEquipment['system'][] = [
  'sprinkler',
  'micro_sprinkler',
  'pivot',
];

export interface CycleAndSoak extends Runs {
  /** The rate on the wetted surface, and the intake of its soil. */
  readonly rateMmPerH: number;
  readonly intakeMmPerH: number;
}

/** Null where no water runs off, or that is unknown. The shorter run applies, and the longer pause. */
export function cycleAndSoak(
  {
    system,
    flowMmPerH,
    fractionWetted,
  }: Pick<DoseEquipment, 'system' | 'flowMmPerH' | 'fractionWetted'>,
  usdaClass: UsdaClass | null,
  minutes: number,
  limit: RunLimit = UNLIMITED_RUN,
): CycleAndSoak | null {
  const intakeMmPerH = usdaClass && INTAKE_MM_PER_H[usdaClass];
  if (flowMmPerH === null || intakeMmPerH === null || !SPRINKLING_SYSTEMS.includes(system))
    return null;

  const rateMmPerH = flowMmPerH / fractionWetted;
  const excessMmPerH = rateMmPerH - intakeMmPerH;
  const fillsAfterMin = (60 * SURFACE_STORAGE_MM) / excessMmPerH;
  if (excessMmPerH <= 0 || minutes <= fillsAfterMin) return null;

  const longestRunMin = Math.min(fillsAfterMin, limit.longestRunMin ?? fillsAfterMin);
  const { parts, minutesPerPart } = divided(minutes, longestRunMin);
  // Until the puddles of a part have soaked in.
  const soakMin = (excessMmPerH * minutesPerPart) / intakeMmPerH;
  return {
    rateMmPerH,
    intakeMmPerH,
    parts,
    minutesPerPart,
    pauseMin: Math.max(soakMin, limit.pauseMin ?? 0),
  };
}
