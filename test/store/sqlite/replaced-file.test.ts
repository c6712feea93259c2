import { rename, rm, stat } from 'node:fs/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, it } from 'vitest';
import { openStore, type Store } from '../../../src/store/store.ts';
import { addParcel, parcelNames, withStore } from '../temporary-stores.ts';

const namesIn = (store: Store) => store.read(1, parcelNames);

const removed = {
  code: 'STORE_UNAVAILABLE',
  message: expect.stringMatching(/was removed or replaced/),
  hint: expect.stringMatching(/Put the file back/),
};

const moveStore = async (from: string, to: string) => {
  for (const suffix of ['', '-wal', '-shm'])
    await rename(from + suffix, to + suffix).catch(() => {});
};

it('refuses writes, reads and readiness once its file was removed, and creates no new one', () =>
  withStore(async (store, file) => {
    await store.write(1, addParcel('North'));
    for (const suffix of ['', '-wal', '-shm']) await rm(file + suffix, { force: true });
    await expect(store.write(1, addParcel('South'))).rejects.toMatchObject(removed);
    await expect(namesIn(store)).rejects.toMatchObject(removed);
    await expect(store.checkWritable()).rejects.toMatchObject(removed);
    await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' });
  }));

it('does not answer a write that was running when the file was removed', () =>
  withStore(async (store, file) => {
    const write = store.write(1, async (db) => {
      await addParcel('North')(db);
      await rm(file);
    });
    await expect(write).rejects.toMatchObject(removed);
  }));

it('continues with everything it acknowledged once its file is back', () =>
  withStore(async (store, file) => {
    await store.write(1, addParcel('North'));
    await moveStore(file, `${file}.away`);
    await expect(store.write(1, addParcel('South'))).rejects.toMatchObject(removed);
    await moveStore(`${file}.away`, file);
    await store.checkWritable();
    await store.write(1, addParcel('East'));
    expect(await namesIn(store)).toEqual(['North', 'East']);
  }));

it('continues with the file that replaced its own', () =>
  withStore(async (store, file) => {
    const other = new DatabaseSync(file);
    other.exec(`vacuum into '${file}.backup'`);
    const backup = await openStore({ db: `${file}.backup` });
    await backup.write(1, addParcel('Restored'));
    await backup.close();
    await store.write(1, addParcel('North'));
    // A read of another program keeps the write-ahead log from being emptied.
    other.exec('begin; select * from parcels');
    await rename(`${file}.backup`, file);
    await Promise.all([store.write(1, addParcel('South')), store.write(1, addParcel('East'))]);
    expect((await namesIn(store)).toSorted()).toEqual(['East', 'Restored', 'South']);
    other.close();
    const restored = new DatabaseSync(file);
    expect(restored.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    restored.close();
  }));

it('loses nothing when only its write-ahead log was removed', () =>
  withStore(async (store, file) => {
    await store.write(1, addParcel('North'));
    await rm(`${file}-wal`);
    await store.write(1, addParcel('South'));
    await store.close();
    const reopened = await openStore({ db: file });
    expect(await namesIn(reopened)).toEqual(['North', 'South']);
    await reopened.close();
  }));
