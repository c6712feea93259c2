import { type Rise, risesIn } from '../moisture/rises.ts';
import { HOUR_MS, type Period } from '../periods.ts';
import { type CurveRise, type DepthCurve, waterGainMm } from './watering-response.ts';

export interface UnloggedRise extends Period {
  readonly depthsCm: readonly number[];
  readonly riseMm: number | null;
}

export interface ExplainedPeriod extends Period {
  readonly rises: readonly (Rise | null)[];
}

/** Pump and probe clocks differ, and a drip line drains for a while after the pump stops. */
const CLOCK_TOLERANCE_MS = HOUR_MS;
const PERCOLATION_MS = 24 * HOUR_MS;

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
  // A deeper depth alone is earlier water that percolates, or a sensor fault.
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

/** Rises within a day of the first; a depth that rises again belongs to other water. */
function groupRises(rises: readonly CurveRise[]): CurveRise[][] {
  const groups: CurveRise[][] = [];
  for (const each of [...rises].sort((a, b) => a.rise.startAt - b.rise.startAt)) {
    const open = groups.at(-1);
    const belongsToGroup =
      open !== undefined &&
      each.rise.startAt - open[0]!.rise.startAt <= PERCOLATION_MS &&
      open.every(({ curve }) => curve.depthCm !== each.curve.depthCm);
    if (belongsToGroup) open.push(each);
    else groups.push([each]);
  }
  return groups;
}
