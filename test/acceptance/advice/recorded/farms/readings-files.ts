import { DAY, HOUR, iso, MINUTE } from '../../../../time.ts';
import type { Probe } from './probe-kinds.ts';
import type { Random } from './random.ts';
import { type SoilLevels, simulatedCurve, type Wetting } from './soil-moisture.ts';

interface ProbeFiles {
  readonly first: string;
  /** Imported when newer readings are already there. */
  readonly late: readonly string[];
}

interface ProbeSoil {
  readonly soil: SoilLevels;
  readonly wettings: readonly Wetting[];
}

/** Loggers do not send on the hour, and the newest reading is never as old as its interval. */
export function readingsFile(
  now: number,
  probe: Probe,
  { soil, wettings }: ProbeSoil,
  random: Random,
): ProbeFiles {
  const silentMs = probe.kind === 'silent' ? random.between(1.2, 4) * DAY : 0;
  const stepMs = probe.stepMin * MINUTE;
  const end = now - silentMs;
  const offset = random.wholeBetween(1, 12) * MINUTE;
  const start = Math.floor((now - probe.historyDays * DAY) / HOUR) * HOUR - offset;
  const curve = simulatedCurve(
    { ...soil, start, end, stepMs, depths: probe.depths, wettings },
    random,
  );

  const rows = curve.times.map((at, index) => ({
    at,
    cells: probe.sensors.map((sensor) => {
      const depth = probe.depths.indexOf(sensor.depth ?? -1);
      const moisture = curve.moisture[depth]?.[index] ?? soil.fieldCapacity;
      if (sensor.type === 'temperature') return temperatureAt(at, sensor.depth ?? 0);
      return sensor.type === 'tensio'
        ? tensionAt(moisture, soil)
        : shownMoisture(probe, { at, end, depth, moisture }, random);
    }),
  }));
  return split(
    probe,
    rows.filter(isOutside(gapsOf(probe, start, end, random))),
    { start, end },
    random,
  );
}

interface Row {
  readonly at: number;
  readonly cells: readonly (number | null)[];
}

function gapsOf(probe: Probe, start: number, end: number, random: Random): [number, number][] {
  const count = probe.kind === 'gaps' ? random.wholeBetween(3, 6) : random.wholeBetween(0, 1);
  return Array.from({ length: count }, () => {
    const from = random.between(start, end);
    return [from, from + random.between(2, 40) * HOUR];
  });
}

const isOutside =
  (gaps: readonly (readonly [number, number])[]) =>
  ({ at }: Row): boolean =>
    gaps.every(([from, to]) => at < from || at >= to);

/** A few days of some probes come later, and an hour of some comes again with other values. */
function split(
  probe: Probe,
  rows: readonly Row[],
  { start, end }: { readonly start: number; readonly end: number },
  random: Random,
): ProbeFiles {
  const lateFrom = random.between(start, end);
  const lateTo = lateFrom + random.between(1, 5) * DAY;
  const isLate = ({ at }: Row): boolean => at >= lateFrom && at < lateTo;
  const comesLate = random.happens(0.35) && rows.some(isLate) && !rows.every(isLate);
  const corrected = random.happens(0.2) ? rows.slice(-9, -6) : [];
  const late = [
    ...(comesLate ? [rows.filter(isLate)] : []),
    ...(corrected.length > 0
      ? [
          corrected.map(({ at, cells }) => ({
            at,
            cells: cells.map((value) => value && value + 1),
          })),
        ]
      : []),
  ];
  return {
    first: toCsv(probe, comesLate ? rows.filter((row) => !isLate(row)) : rows),
    late: late.map((each) => toCsv(probe, each)),
  };
}

function toCsv({ sensors }: Probe, rows: readonly Row[]): string {
  const header = ['time', ...sensors.map(({ type, depth }) => `${type}_${depth}`)];
  const lines = rows.map(({ at, cells }) => [iso(at), ...cells.map((value) => value ?? '')]);
  return `${[header, ...lines].map((line) => line.join(',')).join('\n')}\n`;
}

function shownMoisture(
  { kind, resolution, noise, depths }: Probe,
  {
    at,
    end,
    depth,
    moisture,
  }: {
    readonly at: number;
    readonly end: number;
    readonly depth: number;
    readonly moisture: number;
  },
  random: Random,
): number | null {
  const isDeepest = depth === depths.length - 1;
  const sinceEnd = end - at;
  if (kind === 'dead depth' && isDeepest && sinceEnd < 3 * DAY) return null;
  if (kind === 'stuck' && isDeepest && sinceEnd < 9 * DAY) return 21.3;
  if (kind === 'impossible' && depth === 0 && sinceEnd < 4 * DAY) return 63;
  if (kind === 'zeros' && random.happens(0.02)) return 0;
  return roundedTo(moisture + noise * random.between(-1, 1), resolution);
}

function roundedTo(value: number, resolution: number): number {
  const steps = Math.round(1 / resolution);
  return Math.round(value * steps) / steps;
}

const temperatureAt = (at: number, depth: number): number =>
  roundedTo(17 + (60 / (depth + 12)) * Math.sin((2 * Math.PI * (at % DAY)) / DAY), 0.1);

/** In kPa, higher where it is drier. */
function tensionAt(moisture: number, { wiltingPoint, fieldCapacity }: SoilLevels): number {
  const available = (moisture - wiltingPoint) / (fieldCapacity - wiltingPoint);
  return Math.round(Math.max(1, 90 * (1 - available) + 10));
}

/** Hourly temperature and humidity of the air. */
export function stationFile(now: number, random: Random): string {
  const days = random.wholeBetween(6, 20);
  const mean = random.between(8, 26);
  const start = Math.floor(now / HOUR) * HOUR - days * DAY + 10 * MINUTE;
  const rows = Array.from({ length: days * 24 }, (_, hour) => {
    const wave = Math.sin((2 * Math.PI * (hour - 8)) / 24);
    const celsius = roundedTo(mean + 6 * wave + random.between(-1, 1), 0.1);
    return `${iso(start + hour * HOUR)},${celsius},${Math.round(60 - 25 * wave)}`;
  });
  return `time,temperature,humidity\n${rows.join('\n')}\n`;
}

/** The weather of past days, as a file has it. */
export function weatherFile(now: number, random: Random): string {
  const days = random.wholeBetween(10, 30);
  const isComplete = random.happens(0.5);
  const rows = Array.from({ length: days }, (_, index) => {
    const low = roundedTo(random.between(6, 16), 0.1);
    const high = roundedTo(low + random.between(5, 16), 0.1);
    const others = isComplete ? `,40,90,${roundedTo(random.between(0.5, 4), 0.1)},18` : '';
    return `${iso(now - (days + 1 - index) * DAY).slice(0, 10)},${low},${high}${others}`;
  });
  return `date,tmin,tmax${isComplete ? ',rhmin,rhmax,u2,srad' : ''}\n${rows.join('\n')}\n`;
}
