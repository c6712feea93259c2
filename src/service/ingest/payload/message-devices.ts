import { networkOfSource } from '../../../domain/ingest/device-sources.ts';
import type { Sample } from '../../../domain/ingest/payload-path.ts';
import { normalizeDeviceId } from '../../../domain/ingest/payload-values.ts';
import { type DeviceItem, MAX_DEVICE_PAYLOAD } from '../../../schema/ingest/ingest-items.ts';
import type { PayloadMap, ReadingsRule, ValueRule } from '../../../schema/ingest/payload-map.ts';
import { fieldsAt } from './field-patterns.ts';
import { type Link, strongestLink } from './lorawan/radio-link.ts';
import { extractName, extractTime, roundDigits, toNumber } from './message-values.ts';
import { UnreadableMessageError } from './payload.ts';
import { findAssignment, type TopicLevels } from './payload-map.ts';

/** A rule of the map and the sample that it reads. */
export interface RuleSample {
  readonly rule: ReadingsRule;
  readonly levels: TopicLevels;
  readonly sample: Sample;
  /** Where the rule is in the map, such as "readings[0]". */
  readonly mapPath: string;
}

/** The name of the device, and those of its inputs, such as "A84041/1". */
export function deviceNames(
  device: NonNullable<ReadingsRule['device']>,
  { levels, sample, mapPath }: RuleSample,
): {
  readonly device: string;
  readonly inputName: (channel: ValueRule['channel'], levels: TopicLevels) => string;
} {
  const name = normalizeDeviceId(extractName(device, levels, sample, 'device', mapPath));
  return {
    device: name,
    inputName: (channel, levelsOfField) =>
      channel === undefined
        ? name
        : `${name}/${extractName(channel, levelsOfField, sample, 'channel', mapPath)}`,
  };
}

/** The devices of a message, with their status. */
export class MessageDevices {
  readonly #map: PayloadMap;
  readonly #now: number;
  readonly #maxDevices: number;
  readonly #items = new Map<string, DeviceItem>();
  /** The last one of each device, which is that of its inputs too. */
  readonly #links = new Map<string, Link>();
  #shownPayload: { readonly root: unknown; readonly text: string } | undefined;

  constructor(map: PayloadMap, now: number, maxDevices: number) {
    this.#maxDevices = maxDevices;
    this.#map = map;
    this.#now = now;
  }

  get isEmpty(): boolean {
    return this.#items.size === 0;
  }

  get items(): DeviceItem[] {
    return [...this.#items].map(([name, item]) => ({ ...item, ...this.#linkOf(name) }));
  }

  /** The link of a device, or of the one whose input has the name, such as "A84041/1". */
  #linkOf(name: string): Link | undefined {
    const link = this.#links.get(name);
    const end = name.lastIndexOf('/');
    return link !== undefined || end < 0 ? link : this.#linkOf(name.slice(0, end));
  }

  /** The time of a device is that of its newest sample. */
  add(device: string, ruleSample: RuleSample): void {
    const item = this.#items.get(device);
    if (item === undefined) {
      this.#items.set(device, this.#newItem(device, ruleSample));
      return;
    }

    const { rule, sample, mapPath } = ruleSample;
    const time = extractTime(rule.time, sample, this.#now, `${mapPath}.time`);
    const isNewer = item.time !== undefined && Date.parse(time) > Date.parse(item.time);
    if (isNewer) this.#items.set(device, { ...item, time });
  }

  /**
   * Adds a device whose fields no rule reads, so that it is of its network alone; `model` is null
   * where the message does not name it.
   */
  addUnknown(device: string, ruleSample: RuleSample, model: string | null): void {
    const { preset } = ruleSample.rule;
    const item = this.#items.get(device) ?? this.#newItem(device, ruleSample);
    const ofNetwork = preset === undefined ? item : { ...item, source: networkOfSource(preset) };
    this.#items.set(device, model === null ? ofNetwork : { ...ofNetwork, model });
  }

  /**
   * Reads the battery and radio signal of each device; a device with several inputs may have a
   * battery for each.
   */
  readStatus(ruleSample: RuleSample): void {
    const { rule, sample } = ruleSample;
    if (rule.device === undefined) return;

    const { device: name, inputName } = deviceNames(rule.device, ruleSample);
    const link = rule.link && strongestLink(rule.link, sample);
    if (link) this.#links.set(name, link);

    const batteries = (rule.battery ?? []).flatMap((battery) =>
      fieldsAt(battery.path, sample, ruleSample.levels).map((field) => ({ battery, ...field })),
    );
    for (const { battery: inRule, value, levels } of batteries) {
      const { unit, scale = 1, channel } = inRule;
      const level = toNumber(value) * scale;
      if (!(level >= 0 && level <= 100)) continue;

      const device = inputName(channel, levels);
      const item = this.#items.get(device) ?? this.#newItem(device, ruleSample);
      const battery = roundDigits(level);
      const status = unit === '%' ? { batteryPercent: battery } : { batteryV: battery };
      this.#items.set(device, { ...item, ...status });
    }
  }

  /** Shows the payload unless the map assigns the device to a module. */
  #newItem(device: string, { rule, sample, mapPath }: RuleSample): DeviceItem {
    if (this.#items.size >= this.#maxDevices)
      throw new UnreadableMessageError(`the message has more than ${this.#maxDevices} devices`);
    const time = extractTime(rule.time, sample, this.#now, `${mapPath}.time`);
    const source = rule.preset === undefined ? {} : { source: rule.preset };
    const assignment = findAssignment(this.#map, device);
    if (assignment !== undefined) return { device, time, ...source, ...assignment };

    return { device, time, ...source, payload: this.#shown(sample[0]) };
  }

  /** Written once for all devices of a payload. */
  #shown(root: unknown): string {
    if (this.#shownPayload === undefined || this.#shownPayload.root !== root) {
      const text = typeof root === 'string' ? root : JSON.stringify(root);
      this.#shownPayload = { root, text: text.slice(0, MAX_DEVICE_PAYLOAD) };
    }
    return this.#shownPayload.text;
  }
}
