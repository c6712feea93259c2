import { formatMoisture } from '../../language/number-format.ts';
import type { PageProbe } from '../../schema/advice/farm-page.ts';
import { usePage } from '../page-context.ts';
import { probeUnit } from '../page-texts.ts';

/** The coordinates of the drawing, which is stretched to the width of the card. */
const WIDTH = 280;
const HEIGHT = 56;
const PADDING = 4;
/** In % or kPa: a probe that hardly changes is drawn flat. */
const MIN_SPAN = 4;
/** In % or kPa: an edge of the comfort band that is further away is not drawn. */
const MAX_DISTANCE = 12;
/** Above and below what is drawn, as a share of its range. */
const MARGIN = 0.12;

type Comfort = PageProbe['comfort'];
type ToY = (value: number) => number;

/** A week of values over the comfort band. Gaps in the data are gaps in the line. */
export function Sparkline({ probe }: { readonly probe: PageProbe }) {
  const { lang, texts } = usePage();
  const { sparkline, comfort } = probe;
  const values = sparkline?.values ?? [];
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return <div class="sparkline" />;

  const low = formatMoisture(Math.min(...known), lang);
  const high = formatMoisture(Math.max(...known), lang);
  const toY = scaleFor(known, comfort);

  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={texts.week(low, high, probeUnit(probe))}
    >
      <Band comfort={comfort} toY={toY} />
      <path class="curve" d={linePath(values, toY)} vector-effect="non-scaling-stroke" />
    </svg>
  );
}

/** Has room for the values, and for the edges of the comfort band that are not far from them. */
function scaleFor(values: readonly number[], comfort: Comfort): ToY {
  const lowest = Math.min(...values);
  const highest = Math.max(...values);
  const nearEdges = [comfort?.low, comfort?.high].filter(
    (edge): edge is number =>
      edge != null && edge > lowest - MAX_DISTANCE && edge < highest + MAX_DISTANCE,
  );

  const bottom = Math.min(lowest, ...nearEdges);
  const top = Math.max(highest, ...nearEdges);
  const margin = Math.max(MARGIN * (top - bottom), (MIN_SPAN - (top - bottom)) / 2);
  const pxPerUnit = (HEIGHT - 2 * PADDING) / (top - bottom + 2 * margin);

  return (value) => {
    const y = PADDING + (top + margin - value) * pxPerUnit;
    return toTenth(Math.max(0, Math.min(HEIGHT, y)));
  };
}

const toTenth = (px: number): number => Math.round(10 * px) / 10;

/** An unknown edge is that of the drawing. */
function Band({ comfort, toY }: { readonly comfort: Comfort; readonly toY: ToY }) {
  const low = comfort?.low ?? null;
  const high = comfort?.high ?? null;
  if (low === null && high === null) return null;

  const top = high === null ? 0 : toY(high);
  const bottom = low === null ? HEIGHT : toY(low);
  if (bottom <= top) return null;
  return <rect class="comfort" x="0" width={WIDTH} y={top} height={bottom - top} />;
}

function linePath(values: readonly (number | null)[], toY: ToY): string {
  const step = WIDTH / Math.max(1, values.length - 1);
  return values
    .map((value, index) => {
      if (value === null) return '';
      const isStart = index === 0 || values[index - 1] == null;
      // A single point has no length, but a round end.
      const end = isStart && values[index + 1] == null ? 'h0.01' : '';
      return `${isStart ? 'M' : 'L'}${toTenth(index * step)} ${toY(value)}${end}`;
    })
    .join('');
}
