import { readFile } from 'node:fs/promises';
import { quote } from '../../language/text.ts';
import { invalidInput } from '../../schema/error.ts';
import type { MqttMap } from '../../schema/imports/mqtt-map.ts';
import { parseDeviceTable, parseMqttMap } from '../../service/ingest/mqtt/mqtt-map.ts';
import { findPreset, mapOfPresets } from '../../service/ingest/mqtt/presets.ts';

export interface MapOptions {
  readonly preset?: readonly string[] | undefined;
  readonly map?: string | undefined;
  readonly devices?: string | undefined;
  readonly topic?: string | undefined;
}

export interface LoadedMap {
  readonly map: MqttMap;
  /** The address that the network of the preset has; null without one. */
  readonly broker: string | null;
  /** What user and password are on that network. */
  readonly signIn: string | null;
}

export async function loadMap(options: MapOptions): Promise<LoadedMap> {
  const { map, ...defaults } = await (options.map === undefined ? loadPresets(options) : loadMapFile(options.map));
  if (options.devices === undefined) return { map, ...defaults };
  const devices = parseDeviceTable(await readOptionFile(options.devices, 'list of devices', '--devices'));
  return { map: { ...map, devices: { ...map.devices, ...devices } }, ...defaults };
}

const loadMapFile = async (file: string): Promise<LoadedMap> => ({
  map: parseMqttMap(await readOptionFile(file, 'map', '--map')),
  broker: null,
  signIn: null,
});

async function loadPresets({ preset: names = [], topic }: MapOptions): Promise<LoadedMap> {
  const [first, ...others] = names.map(findPreset);
  if (first === undefined)
    throw invalidInput('invalid_parameter', 'Nothing says what the payloads mean.', {
      hint: 'Give --preset a name from "acequia ingest presets", or --map a file; docs/probes.md has both.',
      field: '--preset',
    });
  const stranger = others.find(({ broker }) => broker !== first.broker);
  if (stranger !== undefined)
    throw invalidInput('invalid_parameter', `${first.name} and ${stranger.name} are not on one network.`, {
      hint: 'Run one "acequia ingest mqtt" for each network.',
      field: '--preset',
    });
  return { map: mapOfPresets([first, ...others], topic), broker: first.broker, signIn: first.signIn };
}

const readOptionFile = (file: string, what: string, option: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw invalidInput('invalid_parameter', `The ${what} ${quote(file)} cannot be read (${error.code}).`, {
      hint: `Give ${option} the path of a file; docs/ingest.md describes its contents.`,
      field: option,
    });
  });
