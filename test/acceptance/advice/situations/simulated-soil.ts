import { seededRandom } from '../../../../demo/farm/random.ts';

/** A value in the unit of its sensors, or null where none was sent. */
export type Course = (depthCm: number, daysBefore: number) => number | null;

interface SoilPlan {
  readonly depthsCm: readonly number[];
  /** All in % of volume. */
  readonly wettest?: number;
  readonly driest?: number;
  /** How long the uppermost depth takes to lose 63 % of what it can lose; deeper ones take longer. */
  readonly dryingDays?: number;
  readonly wetted?: readonly {
    readonly daysBefore: number;
    /** That the uppermost depth gains; half of it at the next, a quarter at the third. */
    readonly points: number;
  }[];
  /** When it began to dry; it was wettest before. */
  readonly daysBefore?: number;
  readonly seed?: number;
}

const HOURS_PER_DEPTH = 3;

/**
 * Moisture of a soil that dries exponentially, with the daily swing that temperature leaves in
 * capacitive sensors and a little noise. It reacts to water three hours later at each depth.
 */
export function simulatedSoil({
  depthsCm,
  wettest = 26,
  driest = 14,
  dryingDays = 14,
  wetted = [],
  daysBefore: beganBefore = 30,
  seed = 1,
}: SoilPlan): Course {
  const random = seededRandom(seed);
  const left = (elapsedDays: number, place: number): number =>
    elapsedDays < 0 ? 0 : Math.exp(-elapsedDays / (dryingDays * (1 + place / 2)));

  return (depthCm, daysBefore) => {
    const place = depthsCm.indexOf(depthCm);
    const delay = (HOURS_PER_DEPTH * (place + 1)) / 24;
    const gained = wetted.reduce(
      (sum, { daysBefore: at, points }) =>
        sum + (points / 2 ** place) * left(at - delay - daysBefore, place),
      0,
    );
    const swing = (0.2 / 2 ** place) * Math.sin(2 * Math.PI * (-daysBefore - 0.4 - 0.1 * place));
    const driedFor = Math.max(0, beganBefore - daysBefore);
    const dry = driest + (wettest - driest) * left(driedFor, place);
    return Math.round((dry + gained + swing + 0.03 * random.normal()) * 100) / 100;
  };
}
