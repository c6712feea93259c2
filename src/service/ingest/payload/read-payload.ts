import {
  normalizeDeviceId,
  type Sample,
  samplesAt,
  valueAt,
} from '../../../domain/ingest/payload-values.ts';
import { quote } from '../../../domain/text.ts';
import {
  type DeviceItem,
  MAX_DEVICE_PAYLOAD,
  MAX_RAIN_MINUTES,
  type RainItem,
  type ReadingItem,
} from '../../../schema/ingest/ingest-batch.ts';
import type {
  GatewaysRule,
  PayloadMap,
  ReadingsRule,
  ValueRule,
} from '../../../schema/ingest/payload-map.ts';
import {
  convertValue,
  createPayload,
  extractDepth,
  extractName,
  extractTime,
  isMissingCode,
  type Payload,
  roundDigits,
  strongestLink,
  toNumber,
  UnreadableMessageError,
} from './payload.ts';
import { fillPlaceholders, findAssignment, matchRules, type TopicLevels } from './payload-map.ts';

const MAX_READINGS = 5_000;

interface Message {
  /** Null for a body that came over HTTP: every rule of the map applies to it. */
  readonly topic: string | null;
  readonly payload: Uint8Array;
  /** True if the broker stored it before the subscription, so that its time may be long ago. */
  readonly isRetained?: boolean;
  /**
   * Default: the limits of a message from a broker or over HTTP. The answer to a pull request may
   * be longer.
   */
  readonly limits?: { readonly bytes: number; readonly readings: number };
}

/** An item of a batch, which is rejected there if its value is no number or its type unknown. */
interface MessageReading extends Omit<ReadingItem, 'type' | 'value'> {
  readonly type: string | null;
  readonly value: number | string;
}

interface MessageRain extends Omit<RainItem, 'mm'> {
  readonly mm: number | string;
}

export interface ReadMessage {
  readonly kind: 'items';
  readonly readings: readonly MessageReading[];
  readonly rain: readonly MessageRain[];
  /** Wind and radiation. */
  readonly weather: readonly MessageReading[];
  readonly gateways: readonly object[];
  /** Values that stand for a failed measurement. */
  readonly failedMeasurements: number;
  /** The status of the devices, with the payload of those that the map assigns to no module. */
  readonly devices: readonly DeviceItem[];
}

export type ParsedMessage =
  | ReadMessage
  /** `empty`: the message is valid, but no path of the map has a value in it. */
  | { readonly kind: 'unreadable' | 'ignored' | 'empty'; readonly reason: string };

export function readPayload(map: PayloadMap, message: Message, now: number): ParsedMessage {
  if (message.isRetained === true) return { kind: 'ignored', reason: 'it was retained' };
  try {
    return readMessage(map, message, now);
  } catch (error) {
    if (error instanceof UnreadableMessageError)
      return { kind: 'unreadable', reason: error.message };
    // Deeply nested JSON can overflow the stack of JSON.parse, or of the search for U+0000.
    if (error instanceof RangeError)
      return { kind: 'unreadable', reason: 'the payload is nested too deeply' };
    throw error;
  }
}

function readMessage(
  map: PayloadMap,
  { topic, payload: bytes, limits }: Message,
  now: number,
): ParsedMessage {
  const payload = createPayload(bytes, limits?.bytes);
  const reader: MessageReader = {
    map,
    now,
    maxReadings: limits?.readings ?? MAX_READINGS,
    rows: { readings: [], rain: [], weather: [] },
    valueCount: 0,
    failedMeasurements: 0,
    devices: new Map(),
    sampleCount: 0,
    ignoredCount: 0,
    firstEmptyPath: null,
  };

  const readingsRules = matchRules(map.readings, topic);
  const gatewayRules = matchRules(map.gateways, topic);
  if (readingsRules.length + gatewayRules.length === 0)
    return { kind: 'ignored', reason: 'the map has no rule for the topic' };

  for (const { rule, levels, index } of readingsRules)
    readReadings(reader, payload, rule, levels, `readings[${index}]`);
  const gateways = gatewayRules.map(({ rule, levels, index }) =>
    readGatewayStatus(rule, levels, [payload.as('json')], now, `gateways[${index}]`),
  );
  const { rows, valueCount, failedMeasurements, devices, ignoredCount, sampleCount } = reader;
  if (valueCount + gateways.length + failedMeasurements + devices.size > 0)
    return {
      kind: 'items',
      ...rows,
      gateways,
      failedMeasurements,
      devices: [...devices.values()],
    };
  if (ignoredCount > 0 && ignoredCount === sampleCount)
    return { kind: 'ignored', reason: 'the map says so' };

  const reason = `no path of the map has a value; ${reader.firstEmptyPath} is the first`;
  return { kind: 'empty', reason };
}

interface MessageReader {
  readonly map: PayloadMap;
  readonly now: number;
  readonly maxReadings: number;
  readonly rows: {
    readonly readings: MessageReading[];
    readonly rain: MessageRain[];
    readonly weather: MessageReading[];
  };
  valueCount: number;
  failedMeasurements: number;
  readonly devices: Map<string, DeviceItem>;
  sampleCount: number;
  ignoredCount: number;
  /** The first path of the map without a value: where it is in the map, and its text in quotes. */
  firstEmptyPath: string | null;
}

/** A rule of the map and the sample that it reads. */
interface RuleSample {
  readonly rule: ReadingsRule;
  readonly levels: TopicLevels;
  readonly sample: Sample;
  /** Where the rule is in the map, such as "readings[0]". */
  readonly mapPath: string;
}

function readReadings(
  reader: MessageReader,
  payload: Payload,
  rule: ReadingsRule,
  levels: TopicLevels,
  mapPath: string,
): void {
  const samples = extractSamples(rule, payload.as(rule.format ?? 'json', rule.secrets), mapPath);
  if (samples === null) {
    reader.firstEmptyPath ??= `${mapPath}.each, ${quote(rule.each!)},`;
    return;
  }

  reader.sampleCount += samples.length;
  for (const sample of samples)
    if (isIgnored(rule, sample)) reader.ignoredCount++;
    else {
      const ruleSample = { rule, levels, sample, mapPath };
      readSample(reader, ruleSample);
      readStatus(reader, ruleSample);
    }
}

const isIgnored = ({ ignore = [], requires = [] }: ReadingsRule, sample: Sample): boolean =>
  ignore.some((condition) => {
    const value = valueAt(sample, condition.path);
    return 'value' in condition
      ? value === condition.value
      : !condition.otherThan.some((other) => other === value);
  }) ||
  (requires.length > 0 && requires.every((path) => (valueAt(sample, path) ?? null) === null));

function extractSamples(
  { each }: ReadingsRule,
  root: unknown,
  mapPath: string,
): readonly Sample[] | null {
  if (each === undefined) return [[root]];
  const samples = samplesAt(root, each);
  if (samples !== null || valueAt([root], each.split('[]')[0]!) === undefined) return samples;
  throw new UnreadableMessageError(
    'the path of the samples does not hold a list',
    `${mapPath}.each`,
  );
}

/** A missing value is skipped: it is not an invalid reading. */
function readSample(reader: MessageReader, ruleSample: RuleSample): void {
  const { rule, levels, sample, mapPath } = ruleSample;
  let time: string | undefined;
  const { readings, rain, weather } = reader.rows;
  const rainOfSample: MessageRain[] = [];

  for (const [index, value] of rule.values.entries()) {
    const rawValue = valueAt(sample, value.path);
    if (rawValue === undefined || rawValue === null) {
      reader.firstEmptyPath ??= `${mapPath}.values[${index}].path, ${quote(value.path)},`;
      continue;
    }

    if (isMissingCode(value.missing ?? rule.missing, rawValue)) {
      reader.failedMeasurements++;
      continue;
    }

    const target = targetOfReading(reader, ruleSample, value);
    countValue(reader);
    time ??= extractTime(rule.time, sample, reader.now, `${mapPath}.time`);

    const type = fillPlaceholders(value.type, levels);
    const converted = convertValue(value, rawValue);
    const { module, device } = target;
    const source = device === undefined ? { module } : { device };

    if (type === 'rain')
      addRain(rainOfSample, { ...source, time, mm: converted, ...rainInterval(value, sample) });
    else if (type === 'wind' || type === 'radiation')
      weather.push({ ...source, type, time, value: converted });
    else readings.push({ ...target, type, time, value: converted });
  }

  rain.push(...rainOfSample);
}

function countValue(reader: MessageReader): void {
  if (reader.valueCount === reader.maxReadings)
    throw new UnreadableMessageError(`the message has more than ${reader.maxReadings} readings`);
  reader.valueCount++;
}

/**
 * Of two totals of a day from one station, only the larger is used: a gauge that is blocked or dead
 * measures too little.
 */
function addRain(rain: MessageRain[], row: MessageRain): void {
  const isSameTotal = (other: MessageRain): boolean =>
    other.isDayTotal === true &&
    typeof other.mm === 'number' &&
    other.device === row.device &&
    other.module === row.module;
  const other = isSameTotal(row) ? rain.findIndex(isSameTotal) : -1;
  if (other < 0) rain.push(row);
  else if (row.mm > rain[other]!.mm) rain[other] = row;
}

function rainInterval(
  { minutes, isDayTotal }: ValueRule,
  sample: Sample,
): Pick<MessageRain, 'minutes' | 'isDayTotal'> {
  const intervalMin =
    typeof minutes === 'object'
      ? toNumber(valueAt(sample, minutes.path)) * (minutes.scale ?? 1)
      : minutes;
  const isValid = intervalMin !== undefined && intervalMin >= 1 && intervalMin <= MAX_RAIN_MINUTES;

  const interval: { minutes?: number; isDayTotal?: boolean } = {};
  if (isValid) interval.minutes = Math.round(intervalMin);
  if (isDayTotal) interval.isDayTotal = isDayTotal;
  return interval;
}

/**
 * Reads the battery and radio signal of each device; a device with several inputs may have a
 * battery for each.
 */
function readStatus(reader: MessageReader, ruleSample: RuleSample): void {
  const { rule, sample } = ruleSample;
  if (rule.device === undefined) return;

  const { device: name, inputName } = deviceNames(rule.device, ruleSample);
  const signal = rule.link && strongestLink(rule.link, sample);
  const isOfDevice = (device: string): boolean => device === name || device.startsWith(`${name}/`);

  if (signal)
    for (const [device, row] of reader.devices)
      if (isOfDevice(device)) reader.devices.set(device, { ...row, ...signal });

  for (const { path, unit, scale: factor = 1, channel } of rule.battery ?? []) {
    const level = toNumber(valueAt(sample, path)) * factor;
    if (!(level >= 0 && level <= 100)) continue;

    const device = inputName(channel);
    const row = reader.devices.get(device) ?? newDeviceItem(reader, ruleSample, device);
    const battery = roundDigits(level);
    const status = unit === '%' ? { batteryPercent: battery } : { batteryV: battery };
    reader.devices.set(device, { ...row, ...status, ...signal });
  }
}

/** The name of the device, and those of its inputs: "A84041/1". */
function deviceNames(
  device: NonNullable<ReadingsRule['device']>,
  { levels, sample, mapPath }: RuleSample,
): { readonly device: string; readonly inputName: (channel: ValueRule['channel']) => string } {
  const name = normalizeDeviceId(extractName(device, levels, sample, 'device', mapPath));
  return {
    device: name,
    inputName: (channel) =>
      channel === undefined
        ? name
        : `${name}/${extractName(channel, levels, sample, 'channel', mapPath)}`,
  };
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
function targetOfReading(
  reader: MessageReader,
  ruleSample: RuleSample,
  { depth, channel, position = 0 }: ValueRule,
): ReadingTarget {
  const { rule, levels, sample, mapPath } = ruleSample;
  const ownDepth = depth === undefined ? undefined : extractDepth(depth, levels, mapPath);
  if (rule.device === undefined) {
    const root = sample.slice(0, 1);
    const module = extractName(rule.module ?? '{module}', levels, root, 'module', mapPath);
    return { module, depth: ownDepth ?? null };
  }

  const device = deviceNames(rule.device, ruleSample).inputName(channel);
  const assignment = findAssignment(reader.map, device);
  if (!reader.devices.has(device))
    reader.devices.set(device, newDeviceItem(reader, ruleSample, device));
  if (assignment === undefined) {
    if (ownDepth !== undefined) return { device, depth: ownDepth };
    return position > 0 ? { device, position } : { device };
  }

  const { module, depths } = assignment;
  if (ownDepth === undefined && position > 0 && depths[position] === undefined)
    throw new UnreadableMessageError(
      `the device ${quote(device)} needs ${position + 1} depths or more`,
    );

  return { module, depth: ownDepth ?? depths[position] ?? null };
}

function newDeviceItem(
  { map, now }: MessageReader,
  { rule, sample, mapPath }: RuleSample,
  device: string,
): DeviceItem {
  const assignment = findAssignment(map, device);
  const time = extractTime(rule.time, sample, now, `${mapPath}.time`);
  if (assignment !== undefined) return { device, time, ...assignment };
  const [root] = sample;
  const payload = typeof root === 'string' ? root : JSON.stringify(root);
  return { device, time, payload: payload.slice(0, MAX_DEVICE_PAYLOAD) };
}

function readGatewayStatus(
  rule: GatewaysRule,
  levels: TopicLevels,
  sample: Sample,
  now: number,
  mapPath: string,
): object {
  const figures = (['batteryMv', 'level', 'lat', 'lon'] as const).flatMap((name) => {
    const path = rule[name];
    if (path === undefined) return [];
    const rawValue = valueAt(sample, path.path);
    if (rawValue === undefined || rawValue === null) return [];
    const value = convertValue(path, rawValue);
    // A batch accepts whole millivolts only.
    return [[name, name === 'batteryMv' && typeof value === 'number' ? Math.round(value) : value]];
  });

  return {
    imei: extractName(rule.imei ?? '{imei}', levels, sample, 'imei', mapPath),
    lastSeen: extractTime(rule.lastSeen ?? 'arrival', sample, now, `${mapPath}.lastSeen`),
    ...Object.fromEntries(figures),
  };
}
