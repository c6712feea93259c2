import { isOfUnsetClock, mayBeFraction } from '../../../domain/ingest/doubtful-readings.ts';
import { quote } from '../../../domain/text.ts';
import { unreadReasons } from '../../../language/ingest/unread-reasons.ts';
import type { ReadingItem } from '../../../schema/ingest/ingest-items.ts';
import type { PayloadMap, ReadingsRule, ValueRule } from '../../../schema/ingest/payload-map.ts';
import { isMoistureReading } from '../devices/device-readings.ts';
import { fieldsAt } from './field-patterns.ts';
import { deviceNames, MessageDevices, type RuleSample } from './message-devices.ts';
import { type Failure, MessageFailures } from './message-failures.ts';
import { fieldReadings, modelOf, namesMeasurement, unknownFields } from './message-fields.ts';
import { addRain, type MessageRain, rainPeriod } from './message-rain.ts';
import { MessageRefusals, type Refusal } from './message-refusals.ts';
import {
  convertValue,
  extractDepth,
  extractName,
  extractTime,
  symbolOf,
  type TopicUnits,
} from './message-values.ts';
import { namedValues } from './named-fields.ts';
import { type Payload, UnreadableMessageError } from './payload.ts';
import { fillPlaceholders, findAssignment, type TopicLevels } from './payload-map.ts';
import { conversionOf, splitFigure } from './payload-units.ts';
import { extractSamples, isIgnored, meetsAny } from './samples.ts';

/** The batch rejects an item whose value is not a number or whose type is unknown. */
export interface MessageReading extends Omit<ReadingItem, 'type' | 'value'> {
  readonly type: string | null;
  readonly value: number | string;
}

interface ReadingTarget {
  readonly module?: string;
  readonly device?: string;
  readonly depth?: number | null;
  readonly position?: number;
}

export interface MessageLimits {
  /** Of readings, and of devices. */
  readonly maxReadings: number;
  /** False for answers to requests, whose period is chosen. */
  readonly refusesOldTimes: boolean;
}

/** What the rules of a map read from a message. */
export class MessageItems {
  readonly readings: MessageReading[] = [];
  readonly rain: MessageRain[] = [];
  /** Wind and radiation. */
  readonly weather: MessageReading[] = [];
  readonly devices: MessageDevices;

  readonly #map: PayloadMap;
  readonly #now: number;
  readonly #limits: MessageLimits;
  readonly #units: TopicUnits;
  readonly #refusals = new MessageRefusals();
  readonly #maybeFractions: MessageReading[] = [];
  #hasPercent = false;
  #valueCount = 0;
  readonly #failures = new MessageFailures();
  #sampleCount = 0;
  #ignoredCount = 0;
  #firstEmptyPath: string | null = null;
  #sampleWithoutValues: RuleSample | null = null;

  constructor(map: PayloadMap, now: number, limits: MessageLimits, units: TopicUnits) {
    this.#units = units;
    this.#map = map;
    this.#now = now;
    this.#limits = limits;
    this.devices = new MessageDevices(map, now, limits.maxReadings);
  }

  get refusals(): readonly Refusal[] {
    return this.#refusals.list;
  }

  /** Values that stand for a failed measurement. */
  get failedMeasurements(): number {
    return this.#failures.list.length;
  }

  get firstFailure(): Failure | null {
    return this.#failures.list[0] ?? null;
  }

  get isEmpty(): boolean {
    return this.foundCount === 0 && this.devices.isEmpty;
  }

  /** How many values the rules find, also those that are left out. */
  get foundCount(): number {
    return this.#valueCount + this.#failures.list.length + this.#refusals.kindCount;
  }

  /** True if the map has every sample ignored. */
  get isIgnored(): boolean {
    return this.#ignoredCount > 0 && this.#ignoredCount === this.#sampleCount;
  }

  /** The first path of the map without a value: where it is in the map, and its text in quotes. */
  get firstEmptyPath(): string | null {
    return this.#firstEmptyPath;
  }

  /** The first sample in which its rule finds no value. */
  get sampleWithoutValues(): RuleSample | null {
    return this.#sampleWithoutValues;
  }

  /** Returns the first sample in which the rule finds no value. */
  *readInSteps(
    payload: Payload,
    rule: ReadingsRule,
    levels: TopicLevels,
    mapPath: string,
  ): Generator<void, RuleSample | null> {
    const root = payload.as(rule);
    const samples = extractSamples(rule, root, mapPath);
    if (samples === null) {
      this.#firstEmptyPath ??= `${mapPath}.each, ${quote(rule.each!)}`;
      return null;
    }

    let withoutValues: RuleSample | null = null;

    this.#sampleCount += samples.length;
    for (const sample of samples) {
      yield;
      if (isIgnored(rule, sample)) {
        this.#ignoredCount++;
        continue;
      }
      const ruleSample = { rule, levels, sample, mapPath };
      const isFailed = this.#failures.addSample(rule, sample);
      if (!isFailed && !this.#readSample(ruleSample)) withoutValues ??= ruleSample;
      this.devices.readStatus(ruleSample);
    }

    this.#sampleWithoutValues ??= withoutValues;
    return withoutValues;
  }

  /** Reads the fields of a message in which no rule finds a value, unless it is a status. */
  readFields(ruleSample: RuleSample): void {
    const fields = unknownFields(ruleSample);
    if (!this.devices.isEmpty && !namesMeasurement(fields)) return;

    const readings = fieldReadings(ruleSample, fields, this.#now);
    const [first] = readings;
    if (first === undefined) return;
    this.readings.push(...readings);
    this.devices.addUnknown(first.device, ruleSample, modelOf(ruleSample));
  }

  /** Returns whether the rule finds a value. */
  #readSample(ruleSample: RuleSample): boolean {
    const { rule, levels, sample, mapPath } = ruleSample;
    const rainOfSample: MessageRain[] = [];
    let hasValue = false;
    const values = [...rule.values, ...namedValues(rule, sample)];
    for (const [index, value] of values.entries()) {
      const fields = fieldsAt(value.path, sample, levels);
      if (fields.length === 0)
        this.#firstEmptyPath ??= `${mapPath}.values[${index}].path, ${quote(value.path)}`;
      hasValue ||= fields.length > 0;
      for (const field of fields)
        this.#readValue(value, field.value, { ...ruleSample, levels: field.levels }, rainOfSample);
    }
    this.rain.push(...rainOfSample);
    return hasValue || rule.values.length === 0;
  }

  /** A missing value is skipped: it is not an invalid reading. */
  #readValue(
    value: ValueRule,
    rawValue: unknown,
    ruleSample: RuleSample,
    rainOfSample: MessageRain[],
  ): void {
    const { rule, levels, sample, mapPath } = ruleSample;
    if (meetsAny(value.ignore, sample) || this.#failures.addValue(value, rawValue, ruleSample))
      return;

    const sentBy = deviceOf(value, ruleSample);
    const target = this.#targetOf(value, ruleSample, sentBy);
    const { module, device } = target;
    const sender = sentBy ?? module ?? '';
    const time = extractTime(rule.time, sample, this.#now, `${mapPath}.time`);
    if (this.#limits.refusesOldTimes && isOfUnsetClock(Date.parse(time), this.#now)) {
      this.#refusals.add(sender, unreadReasons.unsetClock(time));
      return;
    }

    const type = fillPlaceholders(value.type, levels);
    const symbol = symbolOf(value, ruleSample, this.#units);
    const convert = symbol === null ? undefined : conversionOf(type ?? '', symbol);
    if (convert === null) {
      this.#refusals.add(sender, unreadReasons.unknownUnit(symbol ?? '', type ?? ''));
      return;
    }

    this.#countValue();
    if (sentBy !== null) this.devices.add(sentBy, ruleSample);
    const split = splitFigure(type ?? '', rawValue);
    const converted =
      split === null
        ? convertValue(value, rawValue, convert)
        : convertValue({ ...value, unit: undefined }, split.figure, split.convert);
    const source = device === undefined ? { module } : { device };

    if (type === 'rain')
      addRain(rainOfSample, { ...source, time, mm: converted, ...rainPeriod(value, sample) });
    else if (type === 'wind' || type === 'radiation')
      this.weather.push({ ...source, type, time, value: converted });
    else this.#addReading({ ...target, type, time, value: converted }, value, symbol);
  }

  #addReading(reading: MessageReading, { unit, scale }: ValueRule, symbol: string | null): void {
    const isInPercent = (unit === undefined || symbol === '%') && scale === undefined;
    const isPercent = isInPercent && isMoistureReading(reading);
    if (!isPercent) this.readings.push(reading);
    else if (typeof reading.value === 'number' && mayBeFraction(reading.value))
      this.#maybeFractions.push(reading);
    else {
      this.#hasPercent = true;
      this.readings.push(reading);
    }
  }

  /** Stores what may be a fraction only if another value of the message shows that it is not. */
  end(): void {
    if (this.#hasPercent) this.readings.push(...this.#maybeFractions);
    else
      for (const { device, module, value } of this.#maybeFractions)
        this.#refusals.add(device ?? String(module), unreadReasons.fraction(Number(value)));
  }

  #countValue(): void {
    const { maxReadings } = this.#limits;
    if (this.#valueCount === maxReadings)
      throw new UnreadableMessageError(`the message has more than ${maxReadings} readings`);
    this.#valueCount++;
  }

  /**
   * The module and depth of a reading, or the device, which is assigned to a module when the
   * reading is stored.
   */
  #targetOf(
    { depth, position = 0 }: ValueRule,
    ruleSample: RuleSample,
    device: string | null,
  ): ReadingTarget {
    const { rule, levels, sample, mapPath } = ruleSample;
    const depthInRule = extractDepth(depth, ruleSample);
    if (device === null) {
      const root = sample.slice(0, 1);
      const module = extractName(rule.module ?? '{module}', levels, root, 'module', mapPath);
      return { module, depth: depthInRule ?? null };
    }

    const assignment = findAssignment(this.#map, device);
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
}

/** Null if the rule names a module. */
const deviceOf = ({ channel }: ValueRule, ruleSample: RuleSample): string | null => {
  const { rule, levels } = ruleSample;
  return rule.device === undefined
    ? null
    : deviceNames(rule.device, ruleSample).inputName(channel, levels);
};
