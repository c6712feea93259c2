import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { quote } from '../../domain/strings.ts';
import type { PayloadMap } from '../../schema/ingest/payload-map.ts';
import {
  byStoredName,
  parseDeviceTable,
  parsePayloadMap,
} from '../../service/ingest/payload/payload-map.ts';
import { findPreset, mapOfPresets } from '../../service/ingest/payload/presets.ts';
import { usageError } from '../process/command.ts';

/** The command line refuses --preset beside --map. */
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
  const loaded = await loadMapOrPresets(options);
  if (options.devices === undefined) return loaded;

  const devices = parseDeviceTable(
    await readOptionFile(options.devices, 'list of devices', '--devices'),
  );
  const tables = [loaded.map.devices ?? {}, devices];
  return { ...loaded, map: { ...loaded.map, devices: byStoredName(tables) } };
}

async function loadMapOrPresets(options: MapOptions): Promise<LoadedMap> {
  if (options.map === undefined) return loadPresets(options);

  if (options.topic !== undefined)
    throw usageError(
      '--topic replaces the topic of a preset, and a map names its own.',
      'Write the topic into the map, or leave --topic out.',
      '--topic',
    );
  return { map: await loadMapFile(options.map, '--map'), broker: null, signIn: null };
}

const loadMapFile = async (file: string, option: string): Promise<PayloadMap> =>
  parsePayloadMap(await readOptionFile(file, 'map', option));

async function loadPresets({ preset: names = [], topic }: MapOptions): Promise<LoadedMap> {
  const [first, ...others] = names.map((name) => findPreset(name));
  if (first === undefined)
    throw usageError(
      'Nothing says what the payloads mean.',
      'Give --preset a name from "acequia ingest presets", or --map a file; docs/probes.md has both.',
      '--preset',
    );

  const other = others.find(({ broker }) => broker !== first.broker);
  if (other !== undefined)
    throw usageError(
      `${first.name} and ${other.name} are not on the same network.`,
      'Run one "acequia ingest mqtt" for each network.',
      '--preset',
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
    throw usageError(
      `The folder of maps ${quote(folder)} cannot be read (${error.code}).`,
      'Give --maps a folder of files such as my-probe.json.',
      '--maps',
    );
  });

  const maps = files
    .filter((file) => file.endsWith('.json'))
    .map(async (file) => {
      const map = await loadMapFile(join(folder, file), '--maps');
      return [basename(file, '.json'), map] as const;
    });

  return new Map(await Promise.all(maps));
}

const readOptionFile = (file: string, kind: string, option: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw usageError(
      `The ${kind} ${quote(file)} cannot be read (${error.code}).`,
      `Check ${option}; docs/ingest.md describes such a file.`,
      option,
    );
  });
