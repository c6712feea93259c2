import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, it } from 'vitest';
import { openStore } from '../../../src/store/store.ts';
import { propertyRuns } from '../../property-runs.ts';
import { bundleProgram, spawnProgram } from '../child-programs.ts';
import { inTemporaryFolder } from '../temporary-stores.ts';

it('serves several programs on one new file, without errors or lost writes', () =>
  inTemporaryFolder(async (folder) => {
    const hammer = await bundleProgram('hammer');
    const file = join(folder, 'acequia.db');
    const names = ['a', 'b', 'c', 'd'];
    const times = propertyRuns(60);
    const programs = names.map((name) =>
      spawnProgram(process.execPath, [hammer, file, name, String(times)]),
    );
    for (const { ended, lines } of programs) {
      expect(await ended).toEqual({ code: 0, signal: null, stderr: '' });
      expect(lines).toHaveLength(times);
    }

    const store = await openStore({ db: file });
    const { parcels, layers, counter } = await store.read(1, async (db) => ({
      parcels: await db.selectFrom('parcels').select('name').execute(),
      layers: await db.selectFrom('soil_layers').select('parcel_id').execute(),
      counter: await db.selectFrom('gateways').select('battery_mv').executeTakeFirst(),
    }));
    expect(new Set(parcels.map(({ name }) => name)).size).toBe(names.length * times);
    expect(layers).toHaveLength(names.length * times);
    // Each write read the counter and added one: a lost write would be missing here.
    expect(counter).toEqual({ battery_mv: names.length * times });
    await store.close();
  }));

it('keeps every completed write, and no part of another, when a program is killed', () =>
  inTemporaryFolder(async (folder) => {
    const hammer = await bundleProgram('hammer');
    const file = join(folder, 'acequia.db');
    for (const name of ['first', 'second', 'third'].slice(0, propertyRuns(3))) {
      const { child, lines, ended } = spawnProgram(process.execPath, [
        hammer,
        file,
        name,
        '1000000',
      ]);
      await new Promise<void>((resolve) => {
        child.stdout.on('data', () => lines.length >= 40 && resolve());
        child.once('close', () => resolve());
      });
      child.kill('SIGKILL');
      expect((await ended).signal).toBe('SIGKILL');

      const store = await openStore({ db: file });
      const written = await store.read(1, async (db) => ({
        parcels: await db.selectFrom('parcels').select(['id', 'name']).orderBy('id').execute(),
        layers: await db
          .selectFrom('soil_layers')
          .select('parcel_id')
          .orderBy('parcel_id')
          .execute(),
        counter: await db.selectFrom('gateways').select('battery_mv').executeTakeFirst(),
      }));
      const names = new Set(written.parcels.map((parcel) => parcel.name));
      expect(lines.length).toBeGreaterThanOrEqual(40);
      for (const line of lines) expect(names).toContain(`${name} ${line}`);
      expect(written.layers.map((layer) => layer.parcel_id)).toEqual(
        written.parcels.map((parcel) => parcel.id),
      );
      expect(written.counter).toEqual({ battery_mv: written.parcels.length });
      await store.close();

      const database = new DatabaseSync(file);
      expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
      database.close();
    }
  }));

it('waits for a program that has locked the whole file', () =>
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'acequia.db');
    // Created by another process: a closed store of this one would keep the file in shared use
    // until it is collected.
    await spawnProgram(process.execPath, [await bundleProgram('hammer'), file, 'a', '1']).ended;
    const other = new DatabaseSync(file);
    other.exec('pragma locking_mode = exclusive; begin immediate; commit');
    let isOpen = false;
    const opening = openStore({ db: file }).then((store) => {
      isOpen = true;
      return store;
    });
    await pause(100);
    expect(isOpen).toBe(false);
    other.close();
    const store = await opening;
    expect(await store.read(1, (db) => db.selectFrom('parcels').select('name').execute())).toEqual([
      { name: 'a 1' },
    ]);
    await store.close();
  }));
