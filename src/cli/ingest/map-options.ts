import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { quote } from '../../domain/text.ts';
import { invalidInputError } from '../../schema/error.ts';
import type { PayloadMap } from '../../schema/ingest/payload-map.ts';
import { parseDeviceTable, parsePayloadMap } from '../../service/ingest/payload/payload-map.ts';
import { findPreset, mapOfPresets } from '../../service/ingest/payload/presets.ts';

export interface MapOptions {
  readonly preset?: readonly string[] | undefined;
  readonly map?: string | undefined;
  readonly devices?: string | undefined;
  readonly topic?: string | undefined;
}

interface LoadedMap {
  readonly map: PayloadMap;
  /** Default address of the broker of the preset's network; null without one. */
  readonly broker: string | null;
  /** Says which user and password that network expects. */
  readonly signIn: string | null;
}

export async function loadMap(options: MapOptions): Promise<LoadedMap> {
  const { map, ...defaults } = await (options.map === undefined
    ? loadPresets(options)
    : loadMapFile(options.map));
  if (options.devices === undefined) return { map, ...defaults };
  const devices = parseDeviceTable(
    await readOptionFile(options.devices, 'list of devices', '--devices'),
  );
  return { map: { ...map, devices: { ...map.devices, ...devices } }, ...defaults };
}

const loadMapFile = async (file: string): Promise<LoadedMap> => ({
  map: parsePayloadMap(await readOptionFile(file, 'map', '--map')),
  broker: null,
  signIn: null,
});

async function loadPresets({ preset: names = [], topic }: MapOptions): Promise<LoadedMap> {
  const [first, ...others] = names.map((name) => findPreset(name));
  if (first === undefined)
    throw invalidInputError('invalid_parameter', 'Nothing says what the payloads mean.', {
      hint: 'Give --preset a name from "acequia ingest presets", or --map a file; docs/probes.md has both.',
      field: '--preset',
    });

  const other = others.find(({ broker }) => broker !== first.broker);
  if (other !== undefined)
    throw invalidInputError(
      'invalid_parameter',
      `${first.name} and ${other.name} are not on the same network.`,
      {
        hint: 'Run one "acequia ingest mqtt" for each network.',
        field: '--preset',
      },
    );

  return {
    map: mapOfPresets([first, ...others], topic),
    broker: first.broker,
    signIn: first.signIn,
  };
}

/** The maps by file name, without ".json". */
export async function loadMapFolder(folder: string | undefined): Promise<Map<string, PayloadMap>> {
  if (folder === undefined) return new Map();

  const files = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw invalidInputError(
      'invalid_parameter',
      `The folder of maps ${quote(folder)} cannot be read (${error.code}).`,
      {
        hint: 'Give --maps a folder of files such as my-probe.json.',
        field: '--maps',
      },
    );
  });

  const maps = files
    .filter((file) => file.endsWith('.json'))
    .map(
      async (file) =>
        [basename(file, '.json'), (await loadMapFile(join(folder, file))).map] as const,
    );

  return new Map(await Promise.all(maps));
}

const readOptionFile = (file: string, kind: string, option: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw invalidInputError(
      'invalid_parameter',
      `The ${kind} ${quote(file)} cannot be read (${error.code}).`,
      {
        hint: `Give ${option} the path of a file; docs/ingest.md describes its contents.`,
        field: option,
      },
    );
  });
