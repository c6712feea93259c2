import type { Period } from './intervals.ts';
import { type Rise, risesIn } from './rises.ts';
import { type DepthCurve, gainMm, type RisenCurve } from './watering-response.ts';

/** Water that came without being in the book, as the curves of a probe show it; instants in ms. */
export interface UnloggedRise extends Period {
  readonly depthsCm: readonly number[];
  /** Water that the slices gained, mm; null where no slice rose. */
  readonly riseMm: number | null;
}

/** What the book explains: when water was given, and the rises that answered it at each depth of the curves. */
export interface Explained extends Period {
  readonly rises: readonly (Rise | null)[];
}

const HOUR_MS = 3_600_000;
/** Clocks of pumps and probes differ, and a line drains on after its end, by so much. */
const SLACK_MS = HOUR_MS;
/** Water that comes from above reaches the deeper sensors within this time. */
const GOING_DOWN_MS = 24 * HOUR_MS;

/** Rises that no watering explains, in order: those of one water from the first depth to the last together. */
export function unloggedRises(curves: readonly DepthCurve[], explained: readonly Explained[]): UnloggedRise[] {
  const left = curves.flatMap((curve, depth) =>
    risesIn(curve.points, curve.least)
      .filter((rise) => !explained.some((given) => explains(given, depth, rise)))
      .map((rise) => ({ curve, rise })),
  );
  const uppermostCm = Math.min(...curves.filter(({ points }) => points.length > 0).map(({ depthCm }) => depthCm));
  // One deeper depth alone is earlier water on its way down, or a whim of its sensor.
  const isWater = (risen: readonly RisenCurve[]): boolean =>
    risen.length > 1 || risen[0]!.curve.depthCm === uppermostCm;
  return togetherFrom(left)
    .filter(isWater)
    .map((risen) => ({
      start: Math.min(...risen.map(({ rise }) => rise.startAt)),
      end: Math.max(...risen.map(({ rise }) => rise.peakAt)),
      depthsCm: risen.map(({ curve }) => curve.depthCm).sort((a, b) => a - b),
      riseMm: gainMm(risen),
    }));
}

function explains({ start, end, rises }: Explained, depth: number, { startAt, peakAt }: Rise): boolean {
  if (startAt >= start - SLACK_MS && startAt <= end + SLACK_MS) return true;
  const answer = rises[depth] ?? null;
  return answer !== null && startAt <= answer.peakAt && peakAt >= answer.startAt;
}

/** Puts rises together that begin within a day of the first; a depth that rises again has met other water. */
function togetherFrom(rises: readonly RisenCurve[]): RisenCurve[][] {
  const together: RisenCurve[][] = [];
  for (const each of [...rises].sort((a, b) => a.rise.startAt - b.rise.startAt)) {
    const open = together.at(-1);
    const isOfIt =
      open !== undefined &&
      each.rise.startAt - open[0]!.rise.startAt <= GOING_DOWN_MS &&
      open.every(({ curve }) => curve.depthCm !== each.curve.depthCm);
    if (isOfIt) open.push(each);
    else together.push([each]);
  }
  return together;
}
