import { networkOfSource } from '../../../domain/ingest/device-sources.ts';
import { code } from '../../../domain/text/program-names.ts';
import { quotedName, say } from '../../../domain/text/say.ts';
import { nearestWord } from '../../../language/words/nearest-word.ts';
import { invalidInputError } from '../../../schema/error.ts';
import {
  type NetworkRule,
  type PayloadMap,
  presetOfCodec,
  presetOfRules,
  type ReadingsRule,
  type StoredMeasurements,
} from '../../../schema/ingest/payload-map.ts';
import ambientConsole from '../presets/ambient/console.json' with { type: 'json' };
import drillAndDrop from '../presets/davis/drill-and-drop.json' with { type: 'json' };
import soilStation from '../presets/davis/soil-station.json' with { type: 'json' };
import wh51 from '../presets/ecowitt/wh51.json' with { type: 'json' };
import genericJson from '../presets/generic/json.json' with { type: 'json' };
import homeAssistant from '../presets/home-assistant/soil-sensor.json' with { type: 'json' };
import anyDevice from '../presets/lorawan/any.json' with { type: 'json' };
import dlSmtp from '../presets/lorawan/decentlab-dl-smtp.json' with { type: 'json' };
import lse01 from '../presets/lorawan/dragino-lse01.json' with { type: 'json' };
import se0x from '../presets/lorawan/dragino-se0x-lb.json' with { type: 'json' };
import em500Smtc from '../presets/lorawan/milesight-em500-smtc.json' with { type: 'json' };
import wts506 from '../presets/lorawan/milesight-wts506.json' with { type: 'json' };
import s2105 from '../presets/lorawan/sensecap-s2105.json' with { type: 'json' };
import s2120 from '../presets/lorawan/sensecap-s2120.json' with { type: 'json' };
import zentra from '../presets/zentra/logger.json' with { type: 'json' };
import zigbee2mqtt from '../presets/zigbee2mqtt/soil-sensor.json' with { type: 'json' };
import { allNetworks, findNetwork, type Network } from './lorawan/networks.ts';

/** How the payloads of one kind of device on one network become readings. */
interface Preset {
  /** `<network>/<device>`. */
  readonly name: string;
  /** Says what its devices measure, for the list of presets. */
  readonly reads: string;
  /** Null if the network has no broker: it posts over HTTP, or its readings are pulled. */
  readonly broker: string | null;
  readonly signIn: string | null;
  readonly rules: readonly ReadingsRule[];
}

const LORAWAN_DEVICES = {
  'dragino-lse01': lse01,
  'dragino-se0x-lb': se0x,
  'milesight-em500-smtc': em500Smtc,
  'sensecap-s2105': s2105,
  'decentlab-dl-smtp': dlSmtp,
  'milesight-wts506': wts506,
  'sensecap-s2120': s2120,
  any: anyDevice,
};

const OTHERS = {
  'ecowitt/wh51': wh51,
  'ambient/console': ambientConsole,
  'home-assistant/soil-sensor': homeAssistant,
  'zigbee2mqtt/soil-sensor': zigbee2mqtt,
  'davis/soil-station': soilStation,
  'davis/drill-and-drop': drillAndDrop,
  'zentra/logger': zentra,
  'generic/json': genericJson,
};

let presets: readonly Preset[] | null = null;

export function allPresets(): readonly Preset[] {
  presets ??= [
    ...allNetworks().flatMap((network) =>
      Object.entries(LORAWAN_DEVICES).map(([device, codec]) =>
        lorawanPreset(`${network.name}/${device}`, network, codec),
      ),
    ),
    ...Object.entries(OTHERS).map(([name, preset]) => {
      const { reads, broker = null, signIn = null, rules } = presetOfRules.parse(preset);
      return { name, reads, broker, signIn, rules };
    }),
  ];

  return presets;
}

/**
 * The codec says what a device measures, and the envelope where a network server puts the decoded
 * payload.
 */
function lorawanPreset(
  name: string,
  { broker, signIn, decoded, normalized: normalizedPath, rule, status }: Network,
  codec: unknown,
): Preset {
  const { reads, values, battery = [], stored, normalized } = presetOfCodec.parse(codec);
  const inDecoded = prefixed(`${decoded}.`);
  const uplink = {
    ...rule,
    values: values.map(({ ignore, failed, ...value }) => ({
      ...inDecoded(value),
      ignore: ignore?.map(inDecoded),
      failed: failed?.map(inDecoded),
    })),
    battery: [...(rule.battery ?? []), ...battery.map(inDecoded)],
  };
  const rules: ReadingsRule[] = [uplink];
  if (stored !== undefined)
    rules.push(ruleOfSamples(rule, { ...stored, each: `${decoded}.${stored.each}` }));
  if (normalized !== undefined && normalizedPath !== undefined)
    rules.push(
      ruleOfSamples(rule, {
        each: normalizedPath,
        time: rule.time === 'arrival' ? 'arrival' : aroundSample(rule.time),
        values: normalized,
      }),
    );
  if (status !== undefined) rules.push(status);
  return { name, reads, broker: broker ?? null, signIn: signIn ?? null, rules };
}

const prefixed =
  (prefix: string) =>
  <Rule extends { readonly path: string }>(item: Rule): Rule => ({
    ...item,
    path: `${prefix}${item.path}`,
  });

/** The same path from a sample of the message. */
const aroundSample = prefixed('../');

/** Such a measurement is a sample of its own, so what the envelope says lies around it. */
function ruleOfSamples(
  { device, ignore, requires, battery: _, link: __, model: ___, ...rule }: NetworkRule,
  { each, time, values }: StoredMeasurements,
): ReadingsRule {
  return {
    ...rule,
    each,
    time,
    values,
    device: typeof device === 'object' ? aroundSample(device) : undefined,
    ignore: ignore?.map(aroundSample),
    requires: requires?.map((path) => `../${path}`),
  };
}

export function findPreset(name: string, field = '--preset'): Preset {
  const found = allPresets().find((preset) => preset.name === name);
  if (found !== undefined) return found;

  const names = allPresets().map((preset) => preset.name);
  const nearest =
    nearestWord(name, names) ?? names.find((known) => known.endsWith(`/${name}`)) ?? null;
  throw invalidInputError('invalid_parameter', say`There is no preset ${quotedName(name)}.`, {
    hint: say`${nearest === null ? null : say`Did you mean ${code(nearest)}? `}"acequia ingest presets" lists them.`,
    field,
  });
}

/** Empty for a network that is not one of LoRaWAN. */
export const lorawanPresetsOf = (network: string): readonly Preset[] =>
  findNetwork(network) !== undefined
    ? allPresets().filter(({ name }) => networkOfSource(name) === network)
    : [];

/** The devices of such a preset have no other name than their topic. */
export const isForMqttAlone = ({ rules }: Preset): boolean =>
  rules.every(({ topic, device }) => topic !== undefined && typeof device === 'string');

/** All devices of a network share the rule of what it sends itself. */
const withPreset = (rule: ReadingsRule, preset: string): ReadingsRule =>
  rule.values.length > 0 ? { ...rule, preset } : rule;

/** The preset for any device of a network stands for all presets of that network. */
const withPresetsOfNetwork = (preset: Preset): readonly Preset[] =>
  preset.name.endsWith('/any') ? lorawanPresetsOf(networkOfSource(preset.name)) : [preset];

/**
 * The map for one device, or for several on one network. `topic` replaces theirs, for a broker with
 * other topics.
 */
export function mapOfPresets(chosen: readonly Preset[], topic: string | undefined): PayloadMap {
  const all = chosen
    .flatMap(withPresetsOfNetwork)
    .flatMap(({ name, rules }) => rules.map((rule) => withPreset(rule, name)));
  const unique = [...new Map(all.map((rule) => [JSON.stringify(rule), rule])).values()];
  if (topic === undefined) return { readings: unique };

  const rulesWithValues = unique.filter((rule) => rule.values.length > 0);
  if (new Set(rulesWithValues.map((rule) => rule.topic)).size > 1)
    throw invalidInputError('invalid_parameter', say`The preset reads several topics.`, {
      hint: say`Write its map into a file with "acequia ingest presets --print NAME", change the topics there, and give that file as --map.`,
      field: '--topic',
    });

  return { readings: rulesWithValues.map((rule) => ({ ...rule, topic })) };
}
