import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openStore } from '../../../src/store/store.ts';
import { mountSmallDisk } from '../../stores/small-disk.ts';
import { addParcel, parcelNames } from '../temporary-stores.ts';

it('a store on a full disk reads, accepts no writes, and does once there is space', async (context) => {
  const disk = mountSmallDisk(8);
  if (disk === null) return context.skip('file systems cannot be mounted here');
  const store = await openStore({ db: join(disk.folder, 'acequia.db') });
  try {
    const company = { name: 'Mas Rouge' };
    await store.writeAll((all) => all.insertInto('companies').values(company).execute());
    await store.write(1, addParcel('North'));
    await store.checkWritable();

    disk.fill();
    await expect(store.checkWritable()).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('no space left'),
      reason: 'its disk is full',
    });
    expect(await store.read(1, parcelNames)).toEqual(['North']);

    disk.free();
    await store.checkWritable();
    await store.write(1, addParcel('South'));
  } finally {
    await store.close();
    disk.remove();
  }
});
