import { networkOfSource } from '../../../../domain/ingest/device-sources.ts';
import { type Sample, valueAt } from '../../../../domain/ingest/payload-path.ts';
import { unreadReasons } from '../../../../language/ingest/unread-reasons.ts';
import { presetOfNetwork, type ReadingsRule } from '../../../../schema/ingest/payload-map.ts';
import aws from '../../presets/networks/aws.json' with { type: 'json' };
import chirpstack from '../../presets/networks/chirpstack.json' with { type: 'json' };
import chirpstackV3 from '../../presets/networks/chirpstack-v3.json' with { type: 'json' };
import helium from '../../presets/networks/helium.json' with { type: 'json' };
import loriot from '../../presets/networks/loriot.json' with { type: 'json' };
import thingpark from '../../presets/networks/thingpark.json' with { type: 'json' };
import ttn from '../../presets/networks/ttn.json' with { type: 'json' };
import { type Payload, UnreadableMessageError } from '../payload.ts';

const ENVELOPES = {
  ttn,
  chirpstack,
  'chirpstack-v3': chirpstackV3,
  loriot,
  thingpark,
  aws,
  helium,
};

/** A network of LoRaWAN, and where its messages have what. */
export type Network = ReturnType<typeof parseNetworks>[number];

let networks: readonly Network[] | null = null;

export function allNetworks(): readonly Network[] {
  networks ??= parseNetworks();
  return networks;
}

const parseNetworks = () =>
  Object.entries(ENVELOPES).map(([name, file]) => ({ name, ...presetOfNetwork.parse(file) }));

/** Undefined for a source that is not of LoRaWAN; `source` is a preset or a network. */
export const findNetwork = (source: string): Network | undefined =>
  allNetworks().find(({ name }) => name === networkOfSource(source));

/** Undefined for a rule of no such network. */
export const networkOfRule = ({ preset }: ReadingsRule): Network | undefined =>
  preset === undefined ? undefined : findNetwork(preset);

const namesDevice = ({ rule: { device } }: Network, sample: Sample): boolean =>
  typeof device === 'object' && (valueAt(sample, device.path) ?? null) !== null;

/** Names the network that a message is of, where the rules are those of another one. */
export function assertEnvelope(rules: readonly ReadingsRule[], payload: Payload): void {
  // The status that a network sends itself is of no preset.
  const expected = rules.filter(({ values }) => values.length > 0).map(networkOfRule);
  if (expected.length === 0 || expected.includes(undefined)) return;

  const sample = [payload.as({})];
  if (expected.some((network) => network !== undefined && namesDevice(network, sample))) return;

  const actual = allNetworks().find((network) => namesDevice(network, sample));
  throw new UnreadableMessageError(
    actual === undefined
      ? unreadReasons.unknownEnvelope(allNetworks())
      : unreadReasons.otherNetwork(actual),
  );
}
