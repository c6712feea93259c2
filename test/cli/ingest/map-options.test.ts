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

  it.each([
    ['{ "a8-40-41-ff-ff-18-1f-0d": { "module": "South 1" }', '"A84041FFFF181F0D" is named twice'],
    ['{ "mast": { "module": "South 1" }, "mast": { "module": "North 1" }', 'names "mast" twice'],
  ])('names each device once: %s', async (text, message) => {
    const devices = join(await newFolder(), 'devices.json');
    await writeFile(devices, `${text}, "A84041FFFF181F0D": { "module": "North 1" } }`);
    await expect(loadMap({ preset: ['ttn/dragino-lse01'], devices })).rejects.toThrow(message);
  });

  it('and the devices of a file beside it are different ones', async () => {
    const folder = await newFolder();
    const [map, devices] = [join(folder, 'map.json'), join(folder, 'devices.json')];
    const values = [{ path: 'm', type: 'humidity' }];
    const rule = { topic: '{device}', device: '{device}', time: 'arrival', values };
    await writeFile(map, JSON.stringify({ devices: { mast: { module: 'A' } }, readings: [rule] }));
    await writeFile(devices, '{ "mast": { "module": "B" } }');
    await expect(loadMap({ map, devices })).rejects.toThrow(
      'The device "mast" is named twice, for "A" and for "B".',
    );
  });
});
