import { ageOf } from '../domain/coverage.ts';
import { rounded } from '../domain/decimal.ts';
import type { Saying } from '../operation/call.ts';
import { moduleName } from '../operation/directory.ts';
import { sayInstant } from '../operation/say-time.ts';
import type { MeasurementType } from '../schema/place.ts';
import type { AgronomicStateBody, MoistureSeriesBody, StatisticsBody } from '../schema/series.ts';

interface Measure {
  readonly what: string;
  readonly unit: string;
  /** What is said after the unit where it is said first. */
  readonly of?: string;
  /** Unit of a difference. */
  readonly step: string;
}

const MEASURES: Record<MeasurementType, Measure> = {
  humidity: { what: 'moisture', unit: '%', of: ' by volume', step: 'points' },
  temperature: { what: 'temperature', unit: '°C', step: '°C' },
  tensio: { what: 'tension', unit: 'kPa', step: 'kPa' },
};
const AIR_HUMIDITY: Measure = { what: 'air humidity', unit: '%', step: 'points' };

/** What a module measures under a type: a station's humidity is that of the air. */
async function measureOf(call: Saying, moduleId: number, type: MeasurementType): Promise<Measure> {
  const module = (await call.directory.modules()).find(({ id }) => id === moduleId);
  return type === 'humidity' && module?.category === 'WEATHER_STATION' ? AIR_HUMIDITY : MEASURES[type];
}

const BASES: Record<MoistureSeriesBody['weights']['basis'], string> = {
  depth_weights: 'weighted as set for it',
  root_uptake: 'weighted by root uptake',
  equal: 'all depths alike',
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** "15 minutes", "26 hours", "3 days". */
export function sayAge(minutes: number): string {
  const [count, unit] =
    minutes < 120
      ? [minutes, 'minute']
      : minutes < 48 * 60
        ? [Math.floor(minutes / 60), 'hour']
        : [Math.floor(minutes / 1440), 'day'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** What a person hears of a series: stale data first, then the newest value, where it comes from and how far to trust it. */
export async function saySeries(
  series: MoistureSeriesBody,
  call: Saying,
  { moduleId, type: asked }: { moduleId: number; type: MeasurementType },
): Promise<string> {
  const name = await moduleName(call.directory, moduleId);
  const measure = await measureOf(call, moduleId, series.type);
  const other =
    series.type === asked
      ? []
      : [`${name} measures ${measure.what} alone, so that is shown, not ${MEASURES[asked].what}.`];
  return [...sayValues(series, name, measure, call), ...other, ...call.remarks].join(' ');
}

function sayValues(series: MoistureSeriesBody, name: string, measure: Measure, call: Saying): string[] {
  const { statistics, freshness } = series;
  const { what, unit, of = '' } = measure;
  const at = (time: string): string => sayInstant(Date.parse(time), call.zone, call.now);
  const newestAt = freshness.time === null ? null : at(freshness.time);
  if (series.weights.byDepth.length === 0) return [`${name} has no sensor for ${what}.`];
  if (newestAt === null) return [`${name} has never sent any ${what}.`];
  const stale = freshness.isFresh
    ? []
    : [`Old data: the newest ${what} of ${name} is ${sayAge(freshness.ageMin!)} old, of ${newestAt} (${call.zone}).`];
  if (statistics === null)
    return [
      ...stale,
      `There is no ${what} of ${name} from ${at(series.start)} to ${at(series.end)} (${call.zone}).`,
      ...(freshness.isFresh ? [`Its newest reading is of ${newestAt}.`] : []),
    ];
  return [
    ...stale,
    `${capital(what)} of ${name}${sayDepths(series)}: ${statistics.last.value} ${unit}${of} ${sayWhen(series, statistics.last.time, call)}.`,
    sayCourse(measure, statistics, at, series.interval_seconds),
    `${sayMissing(series.missingShare)}${freshness.isFresh ? `; the newest reading is ${sayAge(freshness.ageMin!)} old` : ''}.`,
  ];
}

/** Where the figure comes from: " at 30 cm", " (10 to 60 cm, weighted by root uptake)". */
function sayDepths({ weights: { basis, byDepth } }: MoistureSeriesBody): string {
  const depths = byDepth.flatMap(({ depth, weight }) => (depth === null || weight === 0 ? [] : [depth]));
  const [first, last] = [depths[0], depths.at(-1)];
  if (first === undefined) return '';
  if (depths.length === 1) return ` at ${first} cm`;
  return ` (${first} ${depths.length === 2 ? 'and' : 'to'} ${last} cm, ${BASES[basis]})`;
}

/** "today 11:45 (Europe/Paris)" for a reading; a bucket says how long it lasts, where the period does not cut it. */
function sayWhen({ interval_seconds: interval, end }: MoistureSeriesBody, time: string, { zone, now }: Saying): string {
  const start = Date.parse(time);
  const said = `${sayInstant(start, zone, now)} (${zone})`;
  if (interval === null) return said;
  if (start + interval * 1000 > Math.min(now, Date.parse(end))) return `on average from ${said} on`;
  return `on average over the ${sayLength(interval)} from ${said}`;
}

function sayLength(seconds: number): string {
  for (const [length, unit] of [
    [86_400, 'days'],
    [3600, 'hours'],
    [60, 'minutes'],
  ] as const)
    if (seconds % length === 0) return seconds === length ? unit.slice(0, -1) : `${seconds / length} ${unit}`;
  return `${seconds} seconds`;
}

/** Where it has come from since the first point, and how low and high it was. */
function sayCourse(
  { unit, step }: Measure,
  { first, last, min, max }: StatisticsBody,
  at: (time: string) => string,
  interval: number | null,
): string {
  if (first.time === last.time) return 'It is the only point of the period.';
  const change = rounded(last.value - first.value, 1);
  const trend =
    change === 0
      ? `As at ${at(first.time)}`
      : `${change > 0 ? 'Up' : 'Down'} ${Math.abs(change)} ${change === 1 || change === -1 ? step.replace(/s$/, '') : step} from ${first.value} ${unit} at ${at(first.time)}`;
  // A bucket's mean hides what was lower or higher within it.
  const of =
    interval === null ? ['', 'at'] : [` ${sayLength(interval).replace(/^(\d+) (\w+)s$/, '$1-$2')} mean`, 'from'];
  return `${trend}; lowest${of[0]} ${min.value} ${unit} ${of[1]} ${at(min.time)}, highest${of[0]} ${max.value} ${unit} ${of[1]} ${at(max.time)}.`;
}

/** "12 % of the readings are missing". */
export function sayMissing(share: number): string {
  if (share === 0) return 'No reading is missing';
  if (share < 0.01) return 'Less than 1 % of the readings are missing';
  return `${Math.min(99, Math.round(share * 100))} % of the readings are missing`;
}

const STATES = {
  saturated: 'saturated, wetter than its soil keeps',
  comfort: 'in comfort',
  stress: 'under water stress',
} as const;

/** How a probe stands, and by what: the figure, its time, and both thresholds with what they rest on. */
export async function sayState(state: AgronomicStateBody, call: Saying): Promise<string> {
  const name = await moduleName(call.directory, state.moduleId);
  return [sayStanding(state, name, call), ...sayThresholds(state), ...call.remarks].join(' ');
}

function sayStanding({ state, value_vwc: value, time }: AgronomicStateBody, name: string, call: Saying): string {
  const unknown = `how ${name} stands is not known`;
  if (time === null || value === null) return `${capital(unknown)}: there is no soil moisture of it.`;
  const at = Date.parse(time);
  const { ageMs, isFresh } = ageOf(at, call.now);
  const read = `${value} % by volume ${sayInstant(at, call.zone, call.now)} (${call.zone})`;
  if (state !== null) return `${name} is ${STATES[state]}, ${read}.`;
  return isFresh
    ? `${capital(unknown)}, for want of thresholds: ${read}.`
    : `Old data, so ${unknown}: its newest moisture is ${sayAge(Math.floor(ageMs / 60_000))} old, ${read}.`;
}

const RESTS_ON = { annotation: 'line drawn on its curve', soil_profile: 'soil profile' } as const;

function sayThresholds({ time, fieldCapacity, stressPoint, basis }: AgronomicStateBody): string[] {
  const known = [
    ['stress point', stressPoint, basis.stressPoint] as const,
    ['field capacity', fieldCapacity, basis.fieldCapacity] as const,
  ];
  const said = known.flatMap(([what, value, rests]) =>
    value === null || rests === null ? [] : `${what} ${value} % (${RESTS_ON[rests]})`,
  );
  const missing = known.filter(([, value]) => value === null).map(([what]) => what);
  const areCrossed = stressPoint !== null && fieldCapacity !== null && stressPoint >= fieldCapacity;
  return [
    ...(said.length === 0 ? [] : [`${capital(said.join(', '))}.`]),
    ...(areCrossed ? ['They are crossed, so this state means nothing: correct one with update_annotation.'] : []),
    ...(missing.length === 0 || time === null
      ? []
      : [
          `No ${missing.join(' and no ')}: declare its parcel's soil with set_soil_profile, or draw a line with create_annotation.`,
        ]),
  ];
}
