import type { Random } from './random.ts';

/** The fault of a probe. */
const PROBE_KINDS = [
  'sound',
  'fine',
  'coarse',
  'noisy',
  'tensiometer',
  'gaps',
  'sound',
  'silent',
  'stuck',
  'impossible',
  'sound',
  'station',
  'dead depth',
  'never read',
  'sound',
  'zeros',
  'uncommissioned',
  'tensiometer',
  'long',
  'noisy',
  'mixed',
] as const;
type ProbeKind = (typeof PROBE_KINDS)[number];

interface ProbeSensor {
  readonly type: 'humidity' | 'temperature' | 'tensio';
  readonly depth: number | null;
}

export interface Probe {
  /** The id is that of its company and of its store, because each farm has a store of its own. */
  readonly id: number;
  readonly kind: ProbeKind;
  readonly category: 'SOIL_PROBE' | 'TENSIOMETER' | 'WEATHER_STATION';
  /** Index of its parcel. */
  readonly parcel: number;
  readonly isNamed: boolean;
  /** The depths of its sensors of moisture or tension. */
  readonly depths: readonly number[];
  readonly sensors: readonly ProbeSensor[];
  readonly stepMin: number;
  readonly historyDays: number;
  /** Points or kPa between two values that a sensor can show. */
  readonly resolution: number;
  /** In points. */
  readonly noise: number;
}

const DEPTHS = [[20], [15, 45], [10, 20, 30], [10, 30, 50, 70], [20, 40, 60], [5, 15, 25, 35, 45]];

/** Steps with histories that make about as many readings. */
const PACES = [
  { stepMin: 15, historyDays: 10 },
  { stepMin: 30, historyDays: 24 },
  { stepMin: 60, historyDays: 45 },
  { stepMin: 60, historyDays: 62 },
  { stepMin: 120, historyDays: 80 },
] as const;

/** The kinds go round, so that all occur. */
export function dealProbes(farm: number, parcels: number, random: Random): Probe[] {
  const count = random.wholeBetween(3, 5);
  return Array.from({ length: count }, (_, index) =>
    probeOfKind(
      index === 0 ? 'sound' : PROBE_KINDS[(farm * 4 + index) % PROBE_KINDS.length]!,
      { id: index + 1, parcel: random.wholeBetween(0, parcels - 1) },
      random,
    ),
  );
}

function probeOfKind(
  kind: ProbeKind,
  { id, parcel }: Pick<Probe, 'id' | 'parcel'>,
  random: Random,
): Probe {
  const common = {
    id,
    kind,
    parcel,
    isNamed: random.happens(0.8),
    ...(kind === 'long' ? { stepMin: 360, historyDays: 330 } : random.pick(PACES)),
    resolution: { fine: 0.01, coarse: 1 }[kind as string] ?? random.pick([0.1, 0.1, 0.5]),
    noise: kind === 'noisy' ? 0.6 : random.pick([0, 0.05]),
  };
  if (kind === 'station')
    return {
      ...common,
      category: 'WEATHER_STATION',
      depths: [],
      sensors: [
        { type: 'temperature', depth: null },
        { type: 'humidity', depth: null },
      ],
    };

  const depths = kind === 'dead depth' ? [10, 30, 50] : random.pick(DEPTHS);
  if (kind === 'tensiometer' || kind === 'mixed')
    return {
      ...common,
      category: kind === 'mixed' ? 'SOIL_PROBE' : 'TENSIOMETER',
      depths: depths.slice(0, 2),
      sensors: [
        ...depths.slice(0, 2).map((depth) => ({ type: 'tensio' as const, depth })),
        ...(kind === 'mixed' ? [{ type: 'humidity' as const, depth: depths[0]! }] : []),
      ],
    };
  return {
    ...common,
    category: 'SOIL_PROBE',
    depths,
    sensors: [
      ...depths.map((depth) => ({ type: 'humidity' as const, depth })),
      ...(random.happens(0.5) ? [{ type: 'temperature' as const, depth: depths[0]! }] : []),
    ],
  };
}
