import { formatMoisture } from '../language/number-format.ts';
import type { PageProbe } from '../schema/farm-page.ts';
import { usePage } from './page-context.ts';
import { probeUnit } from './probe-words.ts';

const WIDTH = 280;
const HEIGHT = 56;
const PADDING = 4;
/** In % or kPa: a probe that hardly changes is drawn flat. */
const LEAST_SPAN = 4;
const FAR = 12;

/** A week with its comfort band; a gap of the data is a gap of the line. */
export function Sparkline({ probe }: { readonly probe: PageProbe }) {
  const { lang, words } = usePage();
  const { sparkline, comfort } = probe;
  const values = sparkline?.values ?? [];
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return <div class="sparkline" />;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  // The edges of the band show how much is left of it, unless they are far away.
  const near = [comfort?.low, comfort?.high].filter((edge) => edge != null && edge > low - FAR && edge < high + FAR);
  const drawn = [...known, ...near] as number[];
  const [bottom, top] = [Math.min(...drawn), Math.max(...drawn)];
  const margin = Math.max(0.12 * (top - bottom), (LEAST_SPAN - (top - bottom)) / 2);
  const y = scale(bottom - margin, top + margin);
  const format = (value: number): string => formatMoisture(value, lang);
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words.week(format(low), format(high), probeUnit(probe))}
    >
      <Band
        top={y(comfort?.high ?? null, 0)}
        bottom={y(comfort?.low ?? null, HEIGHT)}
        isKnown={comfort?.low != null || comfort?.high != null}
      />
      <path class="curve" d={linePath(values, y)} vector-effect="non-scaling-stroke" />
    </svg>
  );
}

function Band({ top, bottom, isKnown }: { readonly top: number; readonly bottom: number; readonly isKnown: boolean }) {
  if (!isKnown || bottom <= top) return null;
  return <rect class="comfort" x="0" width={WIDTH} y={top} height={bottom - top} />;
}

/** Pixels from the top; `unknown` where there is no value. */
const scale =
  (low: number, high: number) =>
  (value: number | null, unknown = HEIGHT): number => {
    if (value === null) return unknown;
    const y = PADDING + ((high - value) / (high - low)) * (HEIGHT - 2 * PADDING);
    return Math.round(10 * Math.max(0, Math.min(HEIGHT, y))) / 10;
  };

function linePath(values: readonly (number | null)[], y: (value: number) => number): string {
  const step = WIDTH / Math.max(1, values.length - 1);
  return values
    .map((value, index) => {
      if (value === null) return '';
      const isStart = index === 0 || values[index - 1] == null;
      // A single point has no length, but a round end.
      const end = isStart && values[index + 1] == null ? 'h0.01' : '';
      return `${isStart ? 'M' : 'L'}${Math.round(10 * index * step) / 10} ${y(value)}${end}`;
    })
    .join('');
}
