import { type Rise, risesIn } from '../moisture/rises.ts';
import { HOUR_MS, type Period } from '../periods.ts';
import { type CurveRise, type DepthCurve, waterGainMm } from './watering-response.ts';

/** Water that the curves show and no watering explains. */
export interface UnloggedRise extends Period {
  readonly depthsCm: readonly number[];
  /** Water that the slices gained; null when no slice rose. */
  readonly riseMm: number | null;
}

/** A watering, and the rise that it caused at each depth of the curves. */
export interface ExplainedPeriod extends Period {
  readonly rises: readonly (Rise | null)[];
}

/** Clocks of pumps and probes differ, and a line drains for a while after its end. */
const CLOCK_TOLERANCE_MS = HOUR_MS;
/** Water reaches the deeper sensors within this time. */
const PERCOLATION_MS = 24 * HOUR_MS;

/** Rises that no watering explains, by time; the depths that one water reached count as one rise. */
export function findUnloggedRises(
  curves: readonly DepthCurve[],
  explained: readonly ExplainedPeriod[],
): UnloggedRise[] {
  const unexplained = curves.flatMap((curve, depth) =>
    risesIn(curve.points, curve.minRise)
      .filter((rise) => !explained.some((period) => explains(period, depth, rise)))
      .map((rise) => ({ curve, rise })),
  );
  const uppermostCm = Math.min(...curves.filter(({ points }) => points.length > 0).map(({ depthCm }) => depthCm));
  // A deeper depth alone is earlier water on its way down, or a sensor fault.
  const isWater = (risen: readonly CurveRise[]): boolean => risen.length > 1 || risen[0]!.curve.depthCm === uppermostCm;
  return groupRises(unexplained)
    .filter(isWater)
    .map((risen) => ({
      start: Math.min(...risen.map(({ rise }) => rise.startAt)),
      end: Math.max(...risen.map(({ rise }) => rise.peakAt)),
      depthsCm: risen.map(({ curve }) => curve.depthCm).sort((a, b) => a - b),
      riseMm: waterGainMm(risen),
    }));
}

function explains({ start, end, rises }: ExplainedPeriod, depth: number, { startAt, peakAt }: Rise): boolean {
  if (startAt >= start - CLOCK_TOLERANCE_MS && startAt <= end + CLOCK_TOLERANCE_MS) return true;
  const response = rises[depth] ?? null;
  return response !== null && startAt <= response.peakAt && peakAt >= response.startAt;
}

/** Groups rises that begin within a day of the first; a depth that rises again has met other water. */
function groupRises(rises: readonly CurveRise[]): CurveRise[][] {
  const groups: CurveRise[][] = [];
  for (const each of [...rises].sort((a, b) => a.rise.startAt - b.rise.startAt)) {
    const open = groups.at(-1);
    const isOfIt =
      open !== undefined &&
      each.rise.startAt - open[0]!.rise.startAt <= PERCOLATION_MS &&
      open.every(({ curve }) => curve.depthCm !== each.curve.depthCm);
    if (isOfIt) open.push(each);
    else groups.push([each]);
  }
  return groups;
}
