import { isOfUnsetClock } from '../../../domain/ingest/doubtful-readings.ts';
import { type Sample, valueAt } from '../../../domain/ingest/payload-path.ts';
import type { UnreadReason } from '../../../domain/ingest/unread-reason.ts';
import { quote } from '../../../domain/strings.ts';
import { unreadReasons } from '../../../language/ingest/unread-reasons.ts';
import {
  isStationMeasure,
  MAX_RAIN_MINUTES,
  type RainItem,
  type ReadingItem,
} from '../../../schema/ingest/ingest-items.ts';
import type { PayloadMap, ReadingsRule, ValueRule } from '../../../schema/ingest/payload-map.ts';
import { isMoistureReading } from '../devices/device-readings.ts';
import { deviceNames, type RuleSample } from './message-devices.ts';
import {
  convertValue,
  extractDepth,
  extractName,
  extractTime,
  isMissingCode,
  symbolOf,
  type TopicUnits,
  toNumber,
} from './message-values.ts';
import { UnreadableMessageError } from './payload.ts';
import { fillPlaceholders, findAssignment } from './payload-map.ts';
import { conversionOf, splitFigure } from './payload-units.ts';
import { firstMet, meetsAny } from './samples.ts';

/** The batch rejects an item whose value is not a number or whose type is unknown. */
export interface MessageReading extends Omit<ReadingItem, 'type' | 'value'> {
  readonly type: string | null;
  readonly value: number | string;
}

/** The batch rejects an item whose amount is not a number. */
export interface MessageRain extends Omit<RainItem, 'mm'> {
  readonly mm: number | string;
}

/** By what a device says that a measurement failed. */
export interface Failure {
  readonly path: string;
  readonly value: unknown;
}

/** The device is null where the rule names a module. */
interface SentItem {
  readonly device: string | null;
}

export type SampleValue =
  /** `isPercent`: a moisture in % that nothing was converted to. */
  | (SentItem & {
      readonly kind: 'readings';
      readonly item: MessageReading;
      readonly isPercent: boolean;
    })
  | (SentItem & { readonly kind: 'rain'; readonly item: MessageRain })
  | (SentItem & { readonly kind: 'weather'; readonly item: MessageReading })
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** Left out, such as one in an unknown unit. */
  | { readonly kind: 'rejected'; readonly sender: string; readonly reason: UnreadReason };

export interface SampleContext {
  readonly map: PayloadMap;
  readonly now: number;
  readonly units: TopicUnits;
  /** False for answers to requests, whose period is chosen. */
  readonly rejectsOldTimes: boolean;
}

/** Null for a value that the rule ignores. */
export function readValue(
  value: ValueRule,
  rawValue: unknown,
  ruleSample: RuleSample,
  { map, now, units, rejectsOldTimes }: SampleContext,
): SampleValue | null {
  const { rule, levels, sample, mapPath } = ruleSample;
  if (meetsAny(value.ignore, sample)) return null;
  // A missing value is no invalid reading.
  const failure = failureOf(value, rawValue, ruleSample);
  if (failure !== null) return { kind: 'failed', failure };

  const device = deviceOf(value, ruleSample);
  const target = targetOf(value, ruleSample, device, map);
  const sender = device ?? target.module ?? '';
  const time = extractTime(rule.time, sample, now, `${mapPath}.time`);
  if (rejectsOldTimes && isOfUnsetClock(Date.parse(time), now))
    return { kind: 'rejected', sender, reason: unreadReasons.unsetClock(time) };

  const type = fillPlaceholders(value.type, levels);
  const symbol = symbolOf(value, ruleSample, units);
  const convert = symbol === null ? undefined : conversionOf(type ?? '', symbol);
  if (convert === null) {
    const reason = unreadReasons.unknownUnit(symbol ?? '', type ?? '');
    return { kind: 'rejected', sender, reason };
  }

  const split = splitFigure(type ?? '', rawValue);
  const converted =
    split === null
      ? convertValue(value, rawValue, convert)
      : convertValue({ ...value, unit: undefined }, split.figure, split.convert);
  const source =
    target.device === undefined ? { module: target.module } : { device: target.device };

  if (type === 'rain')
    return {
      kind: 'rain',
      device,
      item: { ...source, time, mm: converted, ...rainPeriod(value, sample) },
    };
  if (type !== null && isStationMeasure(type))
    return { kind: 'weather', device, item: { ...source, type, time, value: converted } };

  const item = { ...target, type, time, value: converted };
  const isInPercent = (value.unit === undefined || symbol === '%') && value.scale === undefined;
  return { kind: 'readings', device, item, isPercent: isInPercent && isMoistureReading(item) };
}

/** Null unless a condition of the rule says that the whole sample is a failed measurement. */
export function failureOfSample(
  { failed }: Pick<ReadingsRule, 'failed'>,
  sample: Sample,
): Failure | null {
  const met = firstMet(failed, sample);
  return met === undefined ? null : { path: met.path, value: valueAt(sample, met.path) };
}

function failureOf(
  { path, missing, failed }: ValueRule,
  value: unknown,
  { rule, sample }: RuleSample,
): Failure | null {
  const failure = failureOfSample({ failed }, sample);
  if (failure !== null) return failure;
  return isMissingCode(missing ?? rule.missing, value) ? { path, value } : null;
}

/** Null if the rule names a module. */
function deviceOf({ channel }: ValueRule, ruleSample: RuleSample): string | null {
  const { rule, levels } = ruleSample;
  return rule.device === undefined
    ? null
    : deviceNames(rule.device, ruleSample).inputName(channel, levels);
}

interface ReadingTarget {
  readonly module?: string;
  readonly device?: string;
  readonly depth?: number | null;
  readonly position?: number;
}

/**
 * The module and depth of a reading, or the device, which is assigned to a module when the reading
 * is stored.
 */
function targetOf(
  { depth, position = 0 }: ValueRule,
  ruleSample: RuleSample,
  device: string | null,
  map: PayloadMap,
): ReadingTarget {
  const { rule, levels, sample, mapPath } = ruleSample;
  const depthInRule = extractDepth(depth, ruleSample);
  if (device === null) {
    const root = sample.slice(0, 1);
    const module = extractName(rule.module ?? '{module}', levels, root, 'module', mapPath);
    return { module, depth: depthInRule ?? null };
  }

  const assignment = findAssignment(map, device);
  if (assignment === undefined) {
    if (depthInRule !== undefined) return { device, depth: depthInRule };
    return position > 0 ? { device, position } : { device };
  }

  const { module, depths } = assignment;
  if (depthInRule === undefined && position > 0 && depths[position] === undefined)
    throw new UnreadableMessageError(
      `the device ${quote(device)} needs ${position + 1} depths or more`,
    );

  return { module, depth: depthInRule ?? depths[position] ?? null };
}

/** Over how long rain fell, or of what it is the total. */
function rainPeriod(
  { minutes, isDayTotal, isRunningTotal }: ValueRule,
  sample: Sample,
): Pick<MessageRain, 'minutes' | 'isDayTotal' | 'isRunningTotal'> {
  const intervalMin =
    typeof minutes === 'object'
      ? toNumber(valueAt(sample, minutes.path)) * (minutes.scale ?? 1)
      : minutes;
  const isValid = intervalMin !== undefined && intervalMin >= 1 && intervalMin <= MAX_RAIN_MINUTES;

  const period: { minutes?: number; isDayTotal?: boolean; isRunningTotal?: boolean } = {};
  if (isValid) period.minutes = Math.round(intervalMin);
  if (isDayTotal) period.isDayTotal = isDayTotal;
  if (isRunningTotal) period.isRunningTotal = isRunningTotal;
  return period;
}
