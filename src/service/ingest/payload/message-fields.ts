import { isOfUnsetClock } from '../../../domain/ingest/doubtful-readings.ts';
import { type FieldType, fieldType } from '../../../domain/ingest/field-choices.ts';
import { valueAt } from '../../../domain/ingest/payload-path.ts';
import { isObject, isRecord } from '../../../domain/records.ts';
import { MAX_FIELD_NAME } from '../../../schema/ingest/ingest-items.ts';
import type { ReadingsRule } from '../../../schema/ingest/payload-map.ts';
import { networkOfRule } from './lorawan/networks.ts';
import { deviceNames, type RuleSample } from './message-devices.ts';
import { extractTime, toNumber } from './message-values.ts';

const MAX_DEPTH = 3;
/** A list may have far more values. */
const MAX_UNKNOWN_FIELDS = 2_000;

/** The first fields that no rule reads, by name: of what the network decoded, or of the sample. */
export function unknownFields({ rule, sample }: RuleSample): ReadonlyMap<string, unknown> {
  const network = networkOfRule(rule);
  const fields = network === undefined ? sample.at(-1) : valueAt(sample, network.decoded);
  const found = new Map<string, unknown>();
  addFields(found, fields, '', MAX_DEPTH);
  return new Map([...found].filter(([name]) => !isReadOtherwise(rule, name)));
}

/** The names of those in an object or list follow its name: "soil.moisture", "probes.0". */
function addFields(
  found: Map<string, unknown>,
  value: unknown,
  prefix: string,
  depth: number,
): void {
  if (!isObject(value) || depth === 0) return;

  for (const name in value) {
    if (found.size === MAX_UNKNOWN_FIELDS) return;
    const inner = value[name];
    if (typeof inner === 'object') addFields(found, inner, `${prefix}${name}.`, depth - 1);
    else if (name !== '') found.set(`${prefix}${name}`, inner);
  }
}

/** The word for a measurement in the name of a field: a message without one is only a status. */
const MEASUREMENT_WORD = /moist|soil|hum|vwc|temp|water|rain|tension/i;

export const namesMeasurement = (fields: ReadonlyMap<string, unknown>): boolean =>
  [...fields.keys()].some((name) => MEASUREMENT_WORD.test(name));

interface FieldReading {
  readonly device: string;
  readonly type: FieldType;
  readonly time: string;
  readonly value: number;
}

/** The fields of one message; each is stored until a person chooses what it measures. */
const MAX_FIELDS = 40;

/**
 * The numbers of a sample as readings whose measurement is yet to be chosen. None of a sample in a
 * list, whose fields are those of several sensors, or of a clock that was never set.
 */
export function fieldReadings(
  ruleSample: RuleSample,
  fields: ReadonlyMap<string, unknown>,
  now: number,
): FieldReading[] {
  const { rule, sample, mapPath } = ruleSample;
  const numbers = [...fields].flatMap(([name, value]) => {
    const number = toNumber(value);
    const isLeftOut = name.length > MAX_FIELD_NAME;
    return isLeftOut || Number.isNaN(number) ? [] : [{ type: fieldType(name), value: number }];
  });
  if (numbers.length === 0 || rule.device === undefined || rule.each !== undefined) return [];

  const time = extractTime(rule.time, sample, now, `${mapPath}.time`);
  if (isOfUnsetClock(Date.parse(time), now)) return [];

  const { device } = deviceNames(rule.device, ruleSample);
  return numbers.slice(0, MAX_FIELDS).map((number) => ({ device, time, ...number }));
}

/** True for the time, the device and the battery. */
function isReadOtherwise(rule: ReadingsRule, name: string): boolean {
  const decoded = networkOfRule(rule)?.decoded;
  const path = decoded === undefined ? name : `${decoded}.${name}`;
  const isTime = rule.time !== 'arrival' && rule.time.path === path;
  const isDevice = isRecord(rule.device) && rule.device.path === path;
  return isTime || isDevice || (rule.battery ?? []).some((battery) => battery.path === path);
}

/** The model of its device, as the message gives it. */
export function modelOf({ rule, sample }: RuleSample): string | null {
  const parts = (rule.model ?? []).flatMap((path) => valueAt(sample, path) ?? []);
  const model = parts.filter((part) => typeof part === 'string' && part !== '').join(' ');
  return model === '' ? null : model.slice(0, MAX_FIELD_NAME);
}
