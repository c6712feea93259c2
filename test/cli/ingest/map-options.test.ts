import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadMap, loadMapFolder } from '../../../src/cli/ingest/map-options.ts';
import { newFolder } from '../../temporary-places.ts';

describe('the map of ingest', () => {
  it('needs a preset or a file, and presets of one network', async () => {
    await expect(loadMap({})).rejects.toThrow('Nothing says what the payloads mean.');
    const preset = ['ttn/dragino-lse01', 'chirpstack/dragino-lse01'];
    await expect(loadMap({ preset })).rejects.toThrow('are not on the same network');
  });

  it('is a file of JSON', async () => {
    const map = join(await newFolder(), 'map.json');
    await writeFile(map, '{ "readings": [ }');
    await expect(loadMap({ map })).rejects.toThrow('The map is not JSON: something is wrong');
    await expect(loadMap({ map: `${map}.none` })).rejects.toThrow('cannot be read (ENOENT)');
  });

  it('names its own topics, so a topic beside it is refused', async () => {
    const map = join(await newFolder(), 'map.json');
    await writeFile(map, '{}');
    await expect(loadMap({ map, topic: 'farm/{device}' })).rejects.toMatchObject({
      field: '--topic',
      message: '--topic replaces the topic of a preset, and a map names its own.',
    });
  });

  it('of a folder names --maps when it cannot be read', async () => {
    const folder = await newFolder();
    await mkdir(join(folder, 'probe.json'));
    await expect(loadMapFolder(folder)).rejects.toMatchObject({
      field: '--maps',
      message: expect.stringContaining('cannot be read (EISDIR)'),
    });
  });

  it('has the devices of a file, beside its own', async () => {
    const devices = join(await newFolder(), 'devices.json');
    await writeFile(devices, '{ "70b3d57ed0000001": { "module": "North 1", "depth": 20 } }');
    const { map } = await loadMap({ preset: ['ttn/dragino-lse01'], devices });
    expect(Object.values(map.devices!)).toEqual([{ module: 'North 1', depth: 20 }]);
  });
});
