import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { sensorsOf } from '../../src/store/company/sensors.ts';
import { openStore } from '../../src/store/store.ts';
import { record } from './stored-readings.ts';
import { addParcel, onEachStore, parcelNames } from './temporary-stores.ts';

onEachStore((withStore) => {
  describe('a write', () => {
    it('is rolled back when its body throws', () =>
      withStore(async (store) => {
        const failing = store.write(1, async (db) => {
          await addParcel('North')(db);
          throw new Error('second thoughts');
        });
        await expect(failing).rejects.toThrow('second thoughts');
        expect(await store.read(1, parcelNames)).toEqual([]);
      }));

    it('is committed after one that failed', () =>
      withStore(async (store) => {
        await store.write(1, addParcel('North'));
        await expect(store.write(1, addParcel('North'))).rejects.toThrow(/unique/i);
        await store.write(1, addParcel('South'));
        expect(await store.read(1, parcelNames)).toEqual(['North', 'South']);
      }));

    it('waits for earlier ones of the company', () =>
      withStore(async (store) => {
        const names = Array.from({ length: 50 }, (_, i) => `P${i}`);
        await Promise.all(names.map((name) => store.write(1, addParcel(name))));
        expect(await store.read(1, parcelNames)).toEqual(names);
      }));

    it('sees its own changes, which reads see only after the commit', () =>
      withStore(async (store) => {
        await store.write(1, async (db) => {
          await addParcel('North')(db);
          expect(await parcelNames(db)).toEqual(['North']);
          expect(await store.read(1, parcelNames)).toEqual([]);
        });
        expect(await store.read(1, parcelNames)).toEqual(['North']);
      }));
  });

  describe('a read', () => {
    it('sees the snapshot of when it began, before its first query too', () =>
      withStore(async (store, db) => {
        await store.write(1, addParcel('North'));
        const other = await openStore({ db });
        await store.read(1, async (db) => {
          await other.write(1, addParcel('South'));
          expect(await parcelNames(db)).toEqual(['North']);
          expect(await parcelNames(db)).toEqual(['North']);
        });
        await other.close();
        expect(await store.read(1, parcelNames)).toEqual(['North', 'South']);
      }));

    it('does not wait for other reads', () =>
      withStore(async (store) => {
        await store.write(1, addParcel('North'));
        let end = () => {};
        const long = new Promise<void>((resolve) => {
          end = resolve;
        });
        const lasting = [1, 2].map(() => store.read(1, () => long));
        // Would wait for ever behind the others.
        expect(await Promise.all([store.read(1, parcelNames), store.read(1, parcelNames)])).toEqual(
          [['North'], ['North']],
        );
        end();
        await Promise.all(lasting);
      }));

    it('waits when there are many, until one of them ends', () =>
      withStore(async (store) => {
        const ends: (() => void)[] = [];
        const lasting = Array.from({ length: 9 }, () =>
          store.read(1, () => new Promise<void>((resolve) => ends.push(resolve))),
        );
        const after = store.read(1, parcelNames);
        while (ends.length < 9) {
          await pause(1);
          for (const end of ends) end();
        }
        await Promise.all(lasting);
        expect(await after).toEqual([]);
      }));

    it('cannot write', () =>
      withStore(async (store) => {
        await expect(store.read(1, addParcel('North'))).rejects.toThrow();
        expect(await store.read(1, parcelNames)).toEqual([]);
      }));
  });

  describe('a query', () => {
    it('sorts texts by their bytes and nulls first', () =>
      withStore(async (store) => {
        await store.write(1, async (db) => {
          await db
            .insertInto('parcels')
            .values(['ane', 'Zoé', 'Ötzi', 'Anne', 'anne b', '10', '9'].map((name) => ({ name })))
            .execute();
          await db.insertInto('modules').values({ uid: 'A1' }).execute();
          await db
            .insertInto('sensors')
            .values([20, null, 10].map((depth) => ({ module_id: 1, type: 'humidity', depth })))
            .execute();
        });
        const [names, depths] = await store.read(1, async (db) => [
          (await db.selectFrom('parcels').select('name').orderBy('name').execute()).map(
            ({ name }) => name,
          ),
          (await sensorsOf(db, [1])).map(({ depth }) => depth),
        ]);
        // U+00D6 is two bytes in UTF-8, of which the first is greater than any letter of ASCII.
        expect(names).toEqual(['10', '9', 'Anne', 'Zoé', 'ane', 'anne b', 'Ötzi']);
        expect(depths).toEqual([null, 10, 20]);
      }));

    it('finds nothing for an id beyond the range', () =>
      withStore(async (store) => {
        for (const id of [2 ** 31, 2 ** 53 - 1, 2 ** 53])
          expect(
            await store.read(1, (db) =>
              db.selectFrom('modules').selectAll().where('id', '=', id).execute(),
            ),
          ).toEqual([]);
      }));

    it('returns numbers for counts, sums, instants and booleans', () =>
      withStore(async (store) => {
        await record(store, [
          [1, 0, 0.1],
          [1, 1, 0.2],
        ]);
        const row = await store.read(1, (db) =>
          db
            .selectFrom('reading_hours')
            .select((eb) => [
              'bucket_at',
              eb.fn.countAll<number>().over().as('rows'),
              eb('sum', '>', 0.2).as('isMore'),
              'sum',
            ])
            .executeTakeFirstOrThrow(),
        );
        expect(row).toEqual({ bucket_at: 0, rows: 1, isMore: 1, sum: 0.1 + 0.2 });
      }));

    it('returns numbers exactly, even close to 0', () =>
      withStore(async (store) => {
        const values = [1e-17, 5e-324, -1e-17, 2 ** -52, 1 - 2 ** -53, 1 + 2 ** -52, 0];
        await record(
          store,
          values.map((value, index) => [1, index, value]),
        );
        const rows = await store.read(1, (db) =>
          db.selectFrom('readings').select('value').orderBy('at').execute(),
        );
        expect(rows.map(({ value }) => value)).toEqual(values);
        const below = await store.read(1, (db) =>
          db.selectFrom('readings').select('at').where('value', '<', 1e-17).orderBy('at').execute(),
        );
        expect(below.map((row) => row.at)).toEqual([1, 2, 6]);
      }));

    it('can run while another is streamed', () =>
      withStore(async (store) => {
        await store.write(1, (db) =>
          db
            .insertInto('parcels')
            .values(['a', 'b', 'c'].map((name) => ({ name })))
            .execute(),
        );
        const counted = await store.read(1, async (db) => {
          const counts = [];
          for await (const { name } of db
            .selectFrom('parcels')
            .select('name')
            .orderBy('name')
            .stream(1))
            counts.push([name, (await parcelNames(db)).length]);
          return counts;
        });
        expect(counted).toEqual([
          ['a', 3],
          ['b', 3],
          ['c', 3],
        ]);
      }));
  });

  describe('closing', () => {
    it('waits for running and queued calls, and refuses later ones', () =>
      withStore(async (store, db) => {
        const writes = ['North', 'South'].map((name) =>
          store.write(1, async (db) => {
            await pause(10);
            await addParcel(name)(db);
          }),
        );
        const read = store.read(1, parcelNames);
        // More than can be read at once: some open a connection first, some wait in the queue.
        const reads = Array.from({ length: 8 }, () => store.read(1, parcelNames));
        const closed = store.close();
        await expect(store.write(1, addParcel('Late'))).rejects.toMatchObject({
          code: 'STORE_UNAVAILABLE',
        });
        await Promise.all([...writes, ...reads, closed]);
        expect(await read).toEqual([]);

        const reopened = await openStore({ db });
        expect(await reopened.read(1, parcelNames)).toEqual(['North', 'South']);
        await reopened.close();
      }));
  });
});
