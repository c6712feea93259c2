import { describe, expect } from 'vitest';
import type { AssignedDevice } from '../../../../src/schema/ingest/device.ts';
import type { IngestResult } from '../../../../src/schema/ingest/ingest-batch.ts';
import { type Advised, advisoriesOf, iso, MINUTE, type TestFarm } from '../../../farm.ts';
import { itOnOaks, storedReadings } from './oak-farm.ts';

const it = itOnOaks();

const send = (farm: TestFarm, device: string, value: number, minutesAgo: number) =>
  farm.wire<IngestResult>('ingest', {
    readings: [{ device, type: 'humidity', value, time: iso(farm.now - minutesAgo * MINUTE) }],
  });

const assign = (farm: TestFarm, device: string, module: string, args: object = {}) =>
  farm.tool<AssignedDevice>('assign_device', { device, module, ...args });

/** A device that measured on Oak 2, was replaced there and lay on the bench. */
async function onBench(farm: TestFarm): Promise<void> {
  await send(farm, 'one', 24, 90);
  await assign(farm, 'one', 'Oak 2');
  await send(farm, 'two', 25, 80);
  await assign(farm, 'two', 'Oak 2', { replaces: 'one' });
  await send(farm, 'one', 3, 60);
  await send(farm, 'one', 3.1, 30);
}

describe('a device that was assigned', () => {
  const leftOut = (answer: Advised) =>
    advisoriesOf(answer, 'device_readings_left_out').map(({ count }) => count);

  it('counts on another probe from now, and counts what does not', async ({ farm }) => {
    await onBench(farm);
    const assigned = await assign(farm, 'one', 'Oak 1');
    expect(assigned).toMatchObject({ device: 'one', depths: [20], earlierReadings: 0 });
    expect(leftOut(assigned)).toEqual([2]);
    await send(farm, 'one', 31, 0);
    expect(await storedReadings(farm)).toEqual(['Oak 2 24', 'Oak 2 25', 'Oak 1 31']);
  });

  it('counts from an instant that is named', async ({ farm }) => {
    await onBench(farm);
    const assigned = await assign(farm, 'one', 'Oak 1', { since: '45 minutes ago' });
    expect(assigned).toMatchObject({ earlierReadings: 1 });
    expect(leftOut(assigned)).toEqual([1]);
    expect(await storedReadings(farm)).toEqual(['Oak 2 24', 'Oak 2 25', 'Oak 1 3.1']);
  });

  it('counts from now where set_module or a map assigns it', async ({ farm }) => {
    await onBench(farm);
    const changed = await farm.tool('set_module', { name: 'Oak 1', device: 'one 20' });
    expect(leftOut(changed)).toEqual([2]);
    await farm.tool('undo', {});
    await farm.wire('ingest', {
      readings: [
        { module: 'Oak 1', depth: 20, type: 'humidity', value: 30, time: iso(farm.now - MINUTE) },
      ],
      devices: [{ device: 'one', module: 'Oak 1', depths: [20] }],
    });
    await send(farm, 'one', 31, 0);
    expect(await storedReadings(farm)).toEqual(['Oak 2 24', 'Oak 2 25', 'Oak 1 30', 'Oak 1 31']);
  });

  it('leaves the probe that it moves from as it is', async ({ farm }) => {
    await send(farm, 'one', 24, 90);
    await assign(farm, 'one', 'Oak 2');
    await assign(farm, 'one', 'Oak 1');
    await send(farm, 'one', 31, 0);
    expect(await storedReadings(farm)).toEqual(['Oak 2 24', 'Oak 1 31']);
  });

  it('has what did not count again once the assignment is undone', async ({ farm }) => {
    await onBench(farm);
    await assign(farm, 'one', 'Oak 1');
    await farm.tool('undo', {});
    expect(await assign(farm, 'one', 'Oak 1', { since: '2 hours ago' })).toMatchObject({
      earlierReadings: 2,
    });
  });
});

describe('a device whose name differs from that of another by case alone', () => {
  it('is not assigned in its place while it has not sent', async ({ farm }) => {
    await send(farm, 'd1', 24, 30);
    for (const device of ['D1', 'D1 ', 'ḋ1'])
      await expect(assign(farm, device, 'Oak 1')).rejects.toMatchObject({
        message: `Nothing has come from "${device.trim()}" so far, only from "d1".`,
        hint: expect.stringContaining('Ask which is meant'),
      });
    expect(await assign(farm, 'd1', 'Oak 1')).toMatchObject({ earlierReadings: 1 });
  });

  it('is another one once it has sent, and a name that could be both is asked', async ({
    farm,
  }) => {
    await send(farm, 'd1', 24, 30);
    await send(farm, 'D1', 25, 30);
    await assign(farm, 'd1', 'Oak 1');
    expect(await assign(farm, 'D1', 'Oak 2')).toMatchObject({ device: 'D1', earlierReadings: 1 });
    const replaces = { device: 'Ḋ1', replaces: 'd1' };
    await expect(farm.tool('assign_device', { ...replaces, module: 'Oak 1' })).rejects.toThrow(
      'only from "D1" and "d1"',
    );
    await expect(farm.tool('set_module', { name: 'Oak 1', device: 'Ḋ1 20' })).rejects.toThrow(
      'No device is called "Ḋ1", only "D1" and "d1".',
    );
  });

  it('is not added where the other was assigned before it sends', async ({ farm }) => {
    await assign(farm, 'd1', 'Oak 1');
    await expect(assign(farm, 'D1', 'Oak 2')).rejects.toThrow('is called "D1", only "d1".');
    expect(await assign(farm, 'd1', 'Oak 2')).toMatchObject({ device: 'd1' });
  });
});

describe('a first assignment', () => {
  it('takes what the device sent before, or only what came since an instant', async ({ farm }) => {
    await send(farm, 'one', 3, 60);
    await send(farm, 'one', 24, 30);
    await send(farm, 'two', 25, 60);
    const assigned = await assign(farm, 'one', 'Oak 1', { since: '45 minutes ago' });
    expect(assigned).toMatchObject({ earlierReadings: 1 });
    expect(advisoriesOf(assigned, 'device_readings_left_out')).toMatchObject([{ count: 1 }]);
    expect(await assign(farm, 'two', 'Oak 2')).toMatchObject({ earlierReadings: 1 });
    await farm.tool('undo', {});
    expect(await assign(farm, 'two', 'Oak 2')).toMatchObject({ earlierReadings: 1 });
    expect(await storedReadings(farm)).toEqual(['Oak 2 25', 'Oak 1 24']);
  });

  it('is refused with a start in the future, or two sensors at one depth', async ({ farm }) => {
    await send(farm, 'one', 3, 60);
    await expect(
      assign(farm, 'one', 'Oak 1', { since: iso(farm.now + MINUTE) }),
    ).rejects.toMatchObject({ message: 'since is in the future.' });
    await expect(assign(farm, 'one', 'Oak 1', { depths: [20, 20] })).rejects.toMatchObject({
      message: '20 cm is given for two sensors of the device.',
    });
  });
});
