import { describe, expect, it } from 'vitest';
import type { MeasurementType } from '../../../src/domain/moisture/measurement.ts';
import {
  preparedInsert,
  preparedListQuery,
  preparedQuery,
} from '../../../src/store/queries/prepared-query.ts';
import type { Store } from '../../../src/store/store.ts';
import { fillFarm } from '../sample-rows.ts';
import { onEachStore } from '../temporary-stores.ts';

const sensorLabelQuery = () =>
  preparedQuery((db, type: MeasurementType, depth: number) =>
    db
      .selectFrom('sensors')
      .select(['id', 'label'])
      .where('type', '=', type)
      .where('depth', '=', depth),
  );

async function addTwoFarms(store: Store): Promise<void> {
  await store.write(1, (db) => fillFarm(db, 'ours'));
  await store.write(2, (db) => fillFarm(db, 'theirs'));
}

onEachStore((withStore) => {
  describe('a prepared query', () => {
    it('runs with the values of each call and returns the rows of the calling company', () =>
      withStore(async (store) => {
        await addTwoFarms(store);
        const labels = sensorLabelQuery();
        const query = async (company: number, type: MeasurementType, depth: number) =>
          (await store.read(company, (db) => labels(db, type, depth))).map(({ label }) => label);
        for (const [company, whose] of [
          [1, 'ours'],
          [2, 'theirs'],
          [1, 'ours'],
        ] as const) {
          expect(await query(company, 'humidity', 10)).toEqual([whose]);
          expect(await query(company, 'humidity', 20)).toEqual([]);
          expect(await query(company, 'temperature', 10)).toEqual([]);
        }
      }));

    it('refuses a handle over all companies', () =>
      withStore(async (store) => {
        const labels = sensorLabelQuery();
        await expect(store.readAll((all) => labels(all as never, 'humidity', 10))).rejects.toThrow(
          'not confined',
        );
      }));

    it('refuses a value that cannot be stored', () =>
      withStore(async (store) => {
        await addTwoFarms(store);
        const labels = sensorLabelQuery();
        await expect(
          store.read(1, (db) => labels(db, 'humidity', undefined as never)),
        ).rejects.toThrow(TypeError);
      }));
  });

  describe('a prepared query about a list', () => {
    it('runs with the ids and values of each call, for any number of ids', () =>
      withStore(async (store) => {
        await addTwoFarms(store);
        const known = await store.readAll((all) =>
          all
            .selectFrom('sensors')
            .select(['id', 'company_id', 'label'])
            .where('depth', '=', 10)
            .execute(),
        );
        const labels = preparedListQuery((db, ids, type: MeasurementType) =>
          db.selectFrom('sensors').select('label').where('id', 'in', ids).where('type', '=', type),
        );
        const query = async (
          company: number,
          ids: readonly number[],
          type: MeasurementType = 'humidity',
        ) => (await store.read(company, (db) => labels(db, ids, type))).map(({ label }) => label);
        const idOf = (company: number) => known.find((each) => each.company_id === company)!.id;
        const [own, other] = [idOf(1), idOf(2)];
        expect(await query(1, [own])).toEqual(['ours']);
        expect(await query(2, [other])).toEqual(['theirs']);
        // Longer than any list whose statement is cached, and then short again.
        for (const more of [0, 1, 2, 20, 1, 0])
          expect(
            await query(2, [other, ...Array.from({ length: more }, (_, index) => -1 - index)]),
          ).toEqual(['theirs']);
        expect(await query(1, [other, own, -1])).toEqual(['ours']);
        expect(await query(1, [own], 'temperature')).toEqual([]);
        expect(await query(1, [])).toEqual([]);
      }));
  });

  describe('a prepared insert', () => {
    it('inserts rows for the company of the handle', () =>
      withStore(async (store) => {
        await addTwoFarms(store);
        const insert = preparedInsert((db, row: { name: string; type: string | null }) =>
          db.insertInto('parcels').values(row).returning('id'),
        );
        const add = (company: number, row: { name: string; type: string | null }) =>
          store.write(company, (db) => insert(db, row));
        const ids = [
          await add(1, { name: 'A', type: null }),
          await add(2, { name: 'B', type: 'vine' }),
          await add(1, { type: 'olive', name: 'C' }),
        ];
        const named = async (company: number) =>
          (
            await store.read(company, (db) =>
              db
                .selectFrom('parcels')
                .select(['id', 'name', 'type'])
                .where('name', '!=', 'North')
                .orderBy('id')
                .execute(),
            )
          ).map(({ id, name, type }) => [id, name, type]);
        expect(await named(1)).toEqual([
          [ids[0], 'A', null],
          [ids[2], 'C', 'olive'],
        ]);
        expect(await named(2)).toEqual([[ids[1], 'B', 'vine']]);
      }));

    it('refuses a row with other columns than the first', () =>
      withStore(async (store) => {
        const insert = preparedInsert((db, row: { name: string; type?: string }) =>
          db.insertInto('parcels').values(row).returning('id'),
        );
        await store.write(1, (db) => insert(db, { name: 'A' }));
        await expect(
          store.write(1, (db) => insert(db, { name: 'B', type: 'vine' })),
        ).rejects.toThrow('columns');
      }));
  });
});
