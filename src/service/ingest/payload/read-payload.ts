import { normalizeDeviceId, type Sample, samplesAt, valueAt } from '../../../domain/ingest/payload-values.ts';
import { quote } from '../../../language/text.ts';
import {
  type DeviceRow,
  MAX_DEVICE_PAYLOAD,
  MAX_RAIN_MINUTES,
  type RainRow,
} from '../../../schema/imports/ingest-batch.ts';
import type { GatewaysRule, PayloadMap, ReadingsRule, ValueRule } from '../../../schema/imports/payload-map.ts';
import {
  createPayload,
  depthFrom,
  extractName,
  extractTime,
  isMissingCode,
  type Payload,
  scale,
  strongestLink,
  toNumber,
  UnreadableMessageError,
  withoutNoise,
} from './payload.ts';
import { fillPlaceholders, findAssignment, matchRules, type TopicLevels } from './payload-map.ts';

const MAX_READINGS = 5_000;

interface Message {
  /** Null for a body that came over HTTP: every rule of the map applies to it. */
  readonly topic: string | null;
  readonly payload: Uint8Array;
  /** The broker kept it from before the subscription, so its time may be long ago. */
  readonly isRetained?: boolean;
  /** Default: those of a message. The answer to a pull request may be longer. */
  readonly limits?: { readonly bytes: number; readonly readings: number };
}

export interface ReadMessage {
  readonly readings: readonly object[];
  readonly rain: readonly object[];
  /** Wind and radiation. */
  readonly weather: readonly object[];
  readonly gateways: readonly object[];
  /** Values that stand for a failed measurement. */
  readonly missing: number;
  /** The status of the devices; with their payload, if the map assigns them to no module. */
  readonly devices: readonly DeviceRow[];
}

export type ParsedMessage =
  | ReadMessage
  | { readonly refused: string }
  | { readonly ignored: string }
  /** It can be read, and has nothing that the map reads. */
  | { readonly empty: string };

export function readPayload(map: PayloadMap, message: Message, now: number): ParsedMessage {
  if (message.isRetained === true) return { ignored: 'it was retained' };
  try {
    return readMessage(map, message, now);
  } catch (error) {
    if (error instanceof UnreadableMessageError) return { refused: error.message };
    // Deeply nested JSON can overflow the stack of JSON.parse, or of the search for U+0000.
    if (error instanceof RangeError) return { refused: 'the payload is nested too deeply' };
    throw error;
  }
}

function readMessage(map: PayloadMap, { topic, payload: bytes, limits }: Message, now: number): ParsedMessage {
  const payload = createPayload(bytes, limits?.bytes);
  const reader: RuleReader = {
    map,
    payload,
    now,
    maxReadings: limits?.readings ?? MAX_READINGS,
    rows: { readings: [], rain: [], weather: [] },
    count: 0,
    missing: 0,
    devices: new Map(),
    samples: 0,
    ignored: 0,
    firstEmpty: null,
  };
  const readingsRules = matchRules(map.readings, topic);
  const gatewayRules = matchRules(map.gateways, topic);
  if (readingsRules.length + gatewayRules.length === 0) return { ignored: 'the map has no rule for the topic' };
  for (const { rule, levels, index } of readingsRules) readReadings(reader, rule, levels, `readings[${index}]`);
  const gateways = gatewayRules.map(({ rule, levels, index }) =>
    readGatewayStatus(rule, levels, [payload.as('json')], now, `gateways[${index}]`),
  );
  const { rows, count, missing, devices, ignored, samples } = reader;
  if (count + gateways.length + missing + devices.size > 0)
    return { ...rows, gateways, missing, devices: [...devices.values()] };
  if (ignored > 0 && ignored === samples) return { ignored: 'the map says so' };
  return { empty: `no path of the map has a value; ${reader.firstEmpty} is the first` };
}

interface RuleReader {
  readonly map: PayloadMap;
  readonly payload: Payload;
  readonly now: number;
  readonly maxReadings: number;
  readonly rows: Record<'readings' | 'rain' | 'weather', object[]>;
  count: number;
  missing: number;
  readonly devices: Map<string, DeviceRow>;
  samples: number;
  ignored: number;
  /** The first place of the map without a value, quoted. */
  firstEmpty: string | null;
}

function readReadings(reader: RuleReader, rule: ReadingsRule, levels: TopicLevels, place: string): void {
  const root = reader.payload.as(rule.format ?? 'json', rule.secrets);
  const samples = extractSamples(rule, root, place);
  if (samples === null) {
    reader.firstEmpty ??= `${place}.each, ${quote(rule.each!)},`;
    return;
  }
  reader.samples += samples.length;
  for (const sample of samples)
    if (isIgnored(rule, sample)) reader.ignored++;
    else {
      readSample(reader, rule, levels, sample, place);
      readStatus(reader, rule, levels, sample, place);
    }
}

const isIgnored = ({ ignore = [], requires = [] }: ReadingsRule, sample: Sample): boolean =>
  ignore.some((each) => {
    const given = valueAt(sample, each.path);
    return 'value' in each ? given === each.value : !each.otherThan.some((value) => value === given);
  }) ||
  (requires.length > 0 && requires.every((path) => (valueAt(sample, path) ?? null) === null));

function extractSamples({ each }: ReadingsRule, root: unknown, place: string): readonly Sample[] | null {
  if (each === undefined) return [[root]];
  const samples = samplesAt(root, each);
  if (samples !== null || valueAt([root], each.split('[]')[0]!) === undefined) return samples;
  throw new UnreadableMessageError('the path of the samples does not hold a list', `${place}.each`);
}

/** A missing value is skipped: it is not an invalid reading. */
function readSample(reader: RuleReader, rule: ReadingsRule, levels: TopicLevels, sample: Sample, place: string): void {
  let time: string | undefined;
  const { readings, rain, weather } = reader.rows;
  const firstRain = rain.length;
  for (const [index, value] of rule.values.entries()) {
    const valuePlace = `${place}.values[${index}]`;
    const given = valueAt(sample, value.path);
    if (given === undefined || given === null) {
      reader.firstEmpty ??= `${valuePlace}.path, ${quote(value.path)},`;
      continue;
    }
    if (isMissingCode(value.missing ?? rule.missing, given)) {
      reader.missing++;
      continue;
    }
    const { depth, position, ...source } = placeOfReading(reader, rule, value, levels, sample, place);
    if (reader.count++ === reader.maxReadings)
      throw new UnreadableMessageError(`the message has more than ${reader.maxReadings} readings`);
    time ??= extractTime(rule.time, sample, reader.now, `${place}.time`);
    const type = fillPlaceholders(value.type, levels);
    const scaled = scale(value, given);
    if (type === 'rain')
      addRain(rain, firstRain, { ...source, time, mm: scaled as number, ...rainInterval(value, sample) });
    else if (type === 'wind' || type === 'radiation') weather.push({ ...source, type, time, value: scaled });
    else
      readings.push({
        ...source,
        ...(depth !== undefined && { depth }),
        ...(position !== undefined && { position }),
        type,
        time,
        value: scaled,
      });
  }
}

/** Of two totals of a day from one station the larger counts: a gauge that is blocked or dead measures too little. */
function addRain(rain: object[], first: number, row: Partial<RainRow>): void {
  const isTotal = (each: Partial<RainRow>): boolean => each.isDayTotal === true && typeof each.mm === 'number';
  const other = rain.findIndex(
    (each: Partial<RainRow>, index) =>
      index >= first && isTotal(each) && each.device === row.device && each.module === row.module,
  );
  if (other < 0 || !isTotal(row)) rain.push(row);
  else if (row.mm! > (rain[other] as RainRow).mm) rain[other] = row;
}

function rainInterval({ minutes, isDayTotal }: ValueRule, sample: Sample): object {
  const given = typeof minutes === 'object' ? toNumber(valueAt(sample, minutes.path)) * (minutes.scale ?? 1) : minutes;
  const isKnown = given !== undefined && given >= 1 && given <= MAX_RAIN_MINUTES;
  return { ...(isKnown && { minutes: Math.round(given) }), ...(isDayTotal && { isDayTotal }) };
}

/** Reads the battery and radio signal of each device; a device with several inputs may have a battery for each. */
function readStatus(reader: RuleReader, rule: ReadingsRule, levels: TopicLevels, sample: Sample, place: string): void {
  if (rule.device === undefined) return;
  const { name, inputOf } = senderOf(rule.device, levels, sample, place);
  const signal = rule.link && strongestLink(rule.link, sample);
  const isNamed = (device: string): boolean => device === name || device.startsWith(`${name}/`);
  if (signal)
    for (const [device, row] of reader.devices) if (isNamed(device)) reader.devices.set(device, { ...row, ...signal });
  for (const { path, unit, scale: factor = 1, channel } of rule.battery ?? []) {
    const level = toNumber(valueAt(sample, path)) * factor;
    if (!(level >= 0 && level <= 100)) continue;
    const device = inputOf(channel);
    const known = reader.devices.get(device) ?? deviceStatus(reader, rule, device, sample, place);
    const battery = withoutNoise(level);
    reader.devices.set(device, {
      ...known,
      ...(unit === '%' ? { batteryPercent: battery } : { batteryV: battery }),
      ...signal,
    });
  }
}

/** The device, and how one of its inputs is called. */
function senderOf(
  device: NonNullable<ReadingsRule['device']>,
  levels: TopicLevels,
  sample: Sample,
  place: string,
): { readonly name: string; readonly inputOf: (channel: ValueRule['channel']) => string } {
  const name = normalizeDeviceId(extractName(device, levels, sample, 'device', place));
  return {
    name,
    inputOf: (channel) =>
      channel === undefined ? name : `${name}/${extractName(channel, levels, sample, 'channel', place)}`,
  };
}

interface PlaceOfReading {
  readonly module?: string;
  readonly device?: string;
  readonly depth?: number | null;
  readonly position?: number;
}

/** The module and depth of a reading, or its device, which is assigned to a module where the readings are stored. */
function placeOfReading(
  reader: RuleReader,
  rule: ReadingsRule,
  { depth, channel, position = 0 }: ValueRule,
  levels: TopicLevels,
  sample: Sample,
  place: string,
): PlaceOfReading {
  const ownDepth = depth === undefined ? undefined : depthFrom(depth, levels, place);
  if (rule.device === undefined)
    return {
      module: extractName(rule.module ?? '{module}', levels, sample.slice(0, 1), 'module', place),
      depth: ownDepth ?? null,
    };
  const { inputOf } = senderOf(rule.device, levels, sample, place);
  const device = inputOf(channel);
  const assignment = findAssignment(reader.map, device);
  if (!reader.devices.has(device)) reader.devices.set(device, deviceStatus(reader, rule, device, sample, place));
  if (assignment === undefined)
    return { device, ...(ownDepth === undefined ? position > 0 && { position } : { depth: ownDepth }) };
  const { module, depths } = assignment;
  if (ownDepth === undefined && position > 0 && depths[position] === undefined)
    throw new UnreadableMessageError(`the device ${quote(device)} needs ${position + 1} depths or more`);
  return { module, depth: ownDepth ?? depths[position] ?? null };
}

function deviceStatus(
  { map, now }: RuleReader,
  rule: ReadingsRule,
  device: string,
  sample: Sample,
  place: string,
): DeviceRow {
  const assignment = findAssignment(map, device);
  const time = extractTime(rule.time, sample, now, `${place}.time`);
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
  place: string,
): object {
  const figures = (['batteryMv', 'level', 'lat', 'lon'] as const).flatMap((name) => {
    const path = rule[name];
    const given = path && valueAt(sample, path.path);
    if (given === undefined || given === null) return [];
    const value = scale(path!, given);
    // A batch accepts whole millivolts only.
    return [[name, name === 'batteryMv' && typeof value === 'number' ? Math.round(value) : value]];
  });
  return {
    imei: extractName(rule.imei ?? '{imei}', levels, sample, 'imei', place),
    lastSeen: extractTime(rule.lastSeen ?? 'arrival', sample, now, `${place}.lastSeen`),
    ...Object.fromEntries(figures),
  };
}
