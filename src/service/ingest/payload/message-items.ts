import { commonSource } from '../../../domain/ingest/device-sources.ts';
import { mayBeFraction } from '../../../domain/ingest/doubtful-readings.ts';
import type { UnreadReason } from '../../../domain/ingest/unread-reason.ts';
import { itemAt } from '../../../domain/items.ts';
import { quote } from '../../../domain/strings.ts';
import { unreadReasons } from '../../../language/ingest/unread-reasons.ts';
import type { DeviceItem } from '../../../schema/ingest/ingest-items.ts';
import type { ReadingsRule } from '../../../schema/ingest/payload-map.ts';
import { fieldsAt } from './field-patterns.ts';
import { bestPreset } from './lorawan/best-preset.ts';
import { assertEnvelope } from './lorawan/networks.ts';
import { uplinksIn } from './lorawan/uplinks.ts';
import { MessageDevices, type RuleSample } from './message-devices.ts';
import { fieldReadings, modelOf, namesMeasurement, unknownFields } from './message-fields.ts';
import { namedValues } from './named-fields.ts';
import { type Payload, UnreadableMessageError } from './payload.ts';
import type { MatchedRule } from './payload-map.ts';
import {
  type Failure,
  failureOfSample,
  type MessageRain,
  type MessageReading,
  readValue,
  type SampleContext,
  type SampleValue,
} from './sample-values.ts';
import { extractSamples, isIgnored } from './samples.ts';

/** Values of one sender that a message names, and that are left out for one reason. */
export interface RejectedValue {
  /** The device or module. */
  readonly sender: string;
  readonly reason: UnreadReason;
  readonly count: number;
}

export const rejectedValueCount = (rejectedValues: readonly RejectedValue[]): number =>
  rejectedValues.reduce((sum, { count }) => sum + count, 0);

interface MessageItems {
  readonly readings: readonly MessageReading[];
  readonly rain: readonly MessageRain[];
  /** Wind and radiation. */
  readonly weather: readonly MessageReading[];
  readonly devices: readonly DeviceItem[];
  readonly failures: readonly Failure[];
  readonly rejectedValues: readonly RejectedValue[];
  /** True if the rules find a value, also one that failed or is left out. */
  readonly hasValues: boolean;
  /** True if the map has every sample ignored. */
  readonly isIgnored: boolean;
  /** The first path of the map without a value: where it is in the map, and its text in quotes. */
  readonly firstEmptyPath: string | null;
  /** The first sample in which its rule finds no value. */
  readonly sampleWithoutValues: RuleSample | null;
}

export interface UplinkItems extends MessageItems {
  /** The preset of the uplinks that are read, or their network if they have several. */
  readonly source: string | undefined;
  /** The preset that reads an uplink better than those of the map; null without one. */
  readonly otherPreset: string | null;
}

export interface ItemContext extends SampleContext {
  /** The most readings, and the most devices. */
  readonly maxReadings: number;
}

/**
 * Reads items from the uplinks of a message by the rules of a map. Yields after each part of it.
 */
export function* itemsInSteps(
  payload: Payload,
  matched: readonly MatchedRule<ReadingsRule>[],
  context: ItemContext,
): Generator<void, UplinkItems> {
  const rules = matched.map(({ rule }) => rule);
  const collected = new CollectedItems(context);
  const sources: (string | undefined)[] = [];
  let otherPreset: string | null = null;

  for (const uplink of uplinksIn(payload, rules)) {
    assertEnvelope(rules, uplink);
    const best = yield* bestPreset(rules, uplink);
    if (best !== null && !rules.some(({ preset }) => preset === best)) {
      otherPreset = best;
      continue;
    }

    const fits = ({ preset }: ReadingsRule): boolean =>
      best === null || preset === undefined || preset === best;
    const fitting = matched.filter(({ rule }) => fits(rule));
    sources.push(best ?? commonSource(fitting.map(({ rule }) => rule.preset)));
    yield* collected.readInSteps(uplink, fitting);
  }

  return { ...collected.items, source: commonSource(sources), otherPreset };
}

class CollectedItems {
  readonly #context: ItemContext;
  readonly #readings: MessageReading[] = [];
  /** Moisture that may be a fraction unless another value of the message is in percent. */
  readonly #maybeFractions: MessageReading[] = [];
  readonly #rain: MessageRain[] = [];
  readonly #weather: MessageReading[] = [];
  readonly #devices: MessageDevices;
  readonly #failures: Failure[] = [];
  readonly #rejected: Omit<RejectedValue, 'count'>[] = [];
  #hasPercent = false;
  #readCount = 0;
  #sampleCount = 0;
  #ignoredCount = 0;
  #firstEmptyPath: string | null = null;
  #sampleWithoutValues: RuleSample | null = null;

  constructor(context: ItemContext) {
    this.#context = context;
    this.#devices = new MessageDevices(context.map, context.now, context.maxReadings);
  }

  get items(): MessageItems {
    const fractions = this.#hasPercent ? [] : this.#maybeFractions;
    const rejected = [
      ...this.#rejected,
      ...fractions.map(({ device, module, value }) => ({
        sender: device ?? String(module),
        reason: unreadReasons.fraction(Number(value)),
      })),
    ];

    return {
      readings: this.#hasPercent ? [...this.#readings, ...this.#maybeFractions] : this.#readings,
      rain: this.#rain,
      weather: this.#weather,
      devices: this.#devices.items,
      failures: this.#failures,
      rejectedValues: countRejectedValues(rejected),
      hasValues: this.#foundCount > 0,
      isIgnored: this.#ignoredCount > 0 && this.#ignoredCount === this.#sampleCount,
      firstEmptyPath: this.#firstEmptyPath,
      sampleWithoutValues: this.#sampleWithoutValues,
    };
  }

  *readInSteps(
    uplink: Payload,
    matched: readonly MatchedRule<ReadingsRule>[],
  ): Generator<void, void> {
    const foundBefore = this.#foundCount;
    let withoutValues: RuleSample | null = null;
    for (const match of matched) {
      const sample = yield* this.#readRule(uplink, match);
      withoutValues ??= sample;
    }

    this.#sampleWithoutValues ??= withoutValues;
    if (withoutValues !== null && this.#foundCount === foundBefore) this.#readFields(withoutValues);
  }

  get #foundCount(): number {
    return this.#readCount + this.#failures.length + this.#rejected.length;
  }

  /** Returns the first sample in which the rule finds no value. */
  *#readRule(
    uplink: Payload,
    { rule, levels, index }: MatchedRule<ReadingsRule>,
  ): Generator<void, RuleSample | null> {
    const mapPath = `readings[${index}]`;
    const samples = extractSamples(rule, uplink.as(rule), mapPath);
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
      const failure = failureOfSample(rule, sample);
      if (failure !== null) this.#failures.push(failure);
      else if (!this.#readSample(ruleSample)) withoutValues ??= ruleSample;
      this.#devices.readStatus(ruleSample);
    }
    return withoutValues;
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
      for (const field of fields) {
        const sampleOfField = { ...ruleSample, levels: field.levels };
        const found = readValue(value, field.value, sampleOfField, this.#context);
        if (found !== null) this.#add(found, sampleOfField, rainOfSample);
      }
    }

    this.#rain.push(...rainOfSample);
    return hasValue || rule.values.length === 0;
  }

  #add(found: SampleValue, ruleSample: RuleSample, rainOfSample: MessageRain[]): void {
    if (found.kind === 'failed') {
      this.#failures.push(found.failure);
      return;
    }
    if (found.kind === 'rejected') {
      this.#rejected.push({ sender: found.sender, reason: found.reason });
      return;
    }

    this.#countRead();
    if (found.device !== null) this.#devices.add(found.device, ruleSample);
    if (found.kind === 'rain') addRain(rainOfSample, found.item);
    else if (found.kind === 'weather') this.#weather.push(found.item);
    else if (found.isPercent && isMaybeFraction(found.item)) this.#maybeFractions.push(found.item);
    else {
      this.#hasPercent ||= found.isPercent;
      this.#readings.push(found.item);
    }
  }

  #countRead(): void {
    const { maxReadings } = this.#context;
    if (this.#readCount === maxReadings)
      throw new UnreadableMessageError(`the message has more than ${maxReadings} readings`);
    this.#readCount++;
  }

  /** Reads the fields of a message in which no rule finds a value, unless it is a status. */
  #readFields(ruleSample: RuleSample): void {
    const fields = unknownFields(ruleSample);
    if (!this.#devices.isEmpty && !namesMeasurement(fields)) return;

    const readings = fieldReadings(ruleSample, fields, this.#context.now);
    const [first] = readings;
    if (first === undefined) return;
    this.#readings.push(...readings);
    this.#devices.addUnknown(first.device, ruleSample, modelOf(ruleSample));
  }
}

const isMaybeFraction = ({ value }: MessageReading): boolean =>
  typeof value === 'number' && mayBeFraction(value);

/**
 * Only the larger of two totals of a day from one station is used: a gauge that is blocked or dead
 * measures too little.
 */
function addRain(rain: MessageRain[], added: MessageRain): void {
  const sameTotalIndex = rain.findIndex(
    (other) =>
      isMeasuredDayTotal(other) &&
      isMeasuredDayTotal(added) &&
      other.device === added.device &&
      other.module === added.module,
  );

  if (sameTotalIndex < 0) rain.push(added);
  else if (added.mm > itemAt(rain, sameTotalIndex).mm) rain[sameTotalIndex] = added;
}

const isMeasuredDayTotal = ({ isDayTotal, mm }: MessageRain): boolean =>
  isDayTotal === true && typeof mm === 'number';

function countRejectedValues(
  rejected: readonly Omit<RejectedValue, 'count'>[],
): readonly RejectedValue[] {
  const byKey = new Map<string, RejectedValue>();
  for (const { sender, reason } of rejected) {
    const key = JSON.stringify([sender, reason.text]);
    const count = (byKey.get(key)?.count ?? 0) + 1;
    byKey.set(key, { sender, reason, count });
  }
  return [...byKey.values()];
}
