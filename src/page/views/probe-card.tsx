import type { Need } from '../../domain/advice/overview.ts';
import { formatMoisture } from '../../language/number-format.ts';
import type { PageProbe } from '../../schema/advice/farm-page.ts';
import { usePage } from '../page-context.ts';
import {
  describeOutlook,
  formatAgo,
  formatRecent,
  formatValue,
  joinParts,
  nameOfProbe,
  probeUnit,
  stateLabel,
  TONES,
} from '../page-texts.ts';
import { hrefOf } from '../route.ts';

export function ProbeCard({ probe }: { readonly probe: PageProbe }) {
  const { lang, texts, zone, now } = usePage();
  const { moduleId, need, lastWateredAt, ageMin, parcel, crop, alert } = probe;
  const context = { lang, zone, now: now() };
  const value = formatValue(probe, lang);
  const ahead = describeOutlook(probe, lang);

  return (
    <a class={`card ${TONES[need]}`} href={hrefOf({ view: 'probe', moduleId })}>
      <span class="card-head">
        <span>
          <span class="name">{nameOfProbe(probe)}</span>
          <span class="place">{joinParts(parcel, crop)}</span>
        </span>
        <span class={need === 'silent' ? 'value old' : 'value'}>
          {value === null ? <span class="small">{texts.noValue}</span> : value}
          {value !== null && <small> {probeUnit(probe)}</small>}
        </span>
      </span>
      <span class="states">
        <StateBadge need={need} />
        {alert === 'firing' && need !== 'firing' && <StateBadge need="firing" />}
        {ahead !== null && <span class="outlook">{ahead}</span>}
      </span>
      <Sparkline probe={probe} />
      <span class="facts">
        <span>
          {lastWateredAt === null
            ? texts.neverWatered
            : texts.watered(formatRecent(lastWateredAt, context))}
        </span>
        <span>{ageMin === null ? texts.needs.silent : formatAgo(ageMin, lang)}</span>
      </span>
    </a>
  );
}

/** Drawn in a square of 12: colour is not the only sign of a state. */
const SIGNS: Readonly<Record<(typeof TONES)[Need], string>> = {
  dry: 'M6 1 11 11H1Z',
  alert: 'M6 1 11 6 6 11 1 6Z',
  soon: 'M1 2H11L6 11Z',
  good: 'M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1Z',
  wet: 'M6 0.5C8 4 10 5.5 10 7.7a4 4 0 0 1-8 0C2 5.5 4 4 6 0.5Z',
  unknown: 'M1 5H11V7.5H1Z',
};

export function StateBadge({ need }: { readonly need: Need }) {
  const { lang } = usePage();
  const tone = TONES[need];
  return (
    <span class={`badge ${tone}`}>
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d={SIGNS[tone]} />
      </svg>
      {stateLabel({ need }, lang)}
    </span>
  );
}

/** The coordinates of the drawing, which is stretched to the width of the card. */
const WIDTH = 280;
const HEIGHT = 56;
const PADDING = 4;
/** In % or kPa: a probe that hardly changes is drawn flat. */
const MIN_SPAN = 4;
/** In % or kPa: an edge of the comfort band that is further away is not drawn. */
const MAX_DISTANCE = 12;

/** A week of values over the comfort band. Gaps in the data are gaps in the line. */
function Sparkline({ probe }: { readonly probe: PageProbe }) {
  const { lang, texts } = usePage();
  const { sparkline, comfort } = probe;
  const values = sparkline?.values ?? [];
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return <div class="sparkline" />;

  const [low, high] = [Math.min(...known), Math.max(...known)];
  // The edges of the band are shown, unless they are far away.
  const near = [comfort?.low, comfort?.high].filter(
    (edge) => edge != null && edge > low - MAX_DISTANCE && edge < high + MAX_DISTANCE,
  );
  const drawn = [...known, ...near] as number[];
  const [bottom, top] = [Math.min(...drawn), Math.max(...drawn)];
  const margin = Math.max(0.12 * (top - bottom), (MIN_SPAN - (top - bottom)) / 2);
  const y = scale(bottom - margin, top + margin);
  const format = (value: number): string => formatMoisture(value, lang);

  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={texts.week(format(low), format(high), probeUnit(probe))}
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

function Band({
  top,
  bottom,
  isKnown,
}: {
  readonly top: number;
  readonly bottom: number;
  readonly isKnown: boolean;
}) {
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
