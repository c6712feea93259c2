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
  /** The path of the rule in the map, such as "readings[0]". */
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
  /** The newest radio link of each device. The inputs of a device share it. */
  readonly #links = new Map<string, Link>();
  #formatted: { readonly root: unknown; readonly text: string } | undefined;

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
    const slash = name.lastIndexOf('/');
    return link !== undefined || slash < 0 ? link : this.#linkOf(name.slice(0, slash));
  }

  add(device: string, ruleSample: RuleSample): void {
    this.#items.set(device, this.#itemAsOf(device, ruleSample));
  }

  /**
   * Adds a device whose fields no rule reads: only its network is known, and its model if the message
   * names it (`model` is null if not).
   */
  addUnknown(device: string, ruleSample: RuleSample, model: string | null): void {
    const { preset } = ruleSample.rule;
    const item = this.#itemAsOf(device, ruleSample);
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

    for (const { path, unit, scale = 1, channel } of rule.battery ?? [])
      for (const { value, levels } of fieldsAt(path, sample, ruleSample.levels)) {
        const charge = toNumber(value) * scale;
        if (!(charge >= 0 && charge <= 100)) continue;

        const device = inputName(channel, levels);
        const item = this.#items.get(device) ?? this.#newItem(device, ruleSample);
        const rounded = roundDigits(charge);
        const status = unit === '%' ? { batteryPercent: rounded } : { batteryV: rounded };
        this.#items.set(device, { ...item, ...status });
      }
  }

  /** The time of a device is that of the newest sample in which something was found. */
  #itemAsOf(device: string, ruleSample: RuleSample): DeviceItem {
    const item = this.#items.get(device);
    if (item === undefined) return this.#newItem(device, ruleSample);

    const { rule, sample, mapPath } = ruleSample;
    const time = extractTime(rule.time, sample, this.#now, `${mapPath}.time`);
    const isNewer = item.time !== undefined && Date.parse(time) > Date.parse(item.time);
    return isNewer ? { ...item, time } : item;
  }

  /** Includes the payload, for a person to see, unless the map assigns the device to a module. */
  #newItem(device: string, { rule, sample, mapPath }: RuleSample): DeviceItem {
    if (this.#items.size >= this.#maxDevices)
      throw new UnreadableMessageError(`the message has more than ${this.#maxDevices} devices`);
    const time = extractTime(rule.time, sample, this.#now, `${mapPath}.time`);
    const source = rule.preset === undefined ? {} : { source: rule.preset };
    const assignment = findAssignment(this.#map, device);
    if (assignment !== undefined) return { device, time, ...source, ...assignment };

    return { device, time, ...source, payload: this.#payloadText(sample[0]) };
  }

  /** Formats the payload once for all its devices. */
  #payloadText(root: unknown): string {
    if (this.#formatted === undefined || this.#formatted.root !== root) {
      const text = typeof root === 'string' ? root : JSON.stringify(root);
      this.#formatted = { root, text: text.slice(0, MAX_DEVICE_PAYLOAD) };
    }
    return this.#formatted.text;
  }
}
