import { expect } from 'vitest';
import { storedImages } from '../../../src/store/changes/reversals.ts';
import { recordingDb, unrecorded } from '../../../src/store/scope/company-db.ts';
import { RowRecorder } from '../../../src/store/scope/row-recorder.ts';
import { it } from '../../farm.ts';

it('records rows as they are at the end, however they were written', async ({ farm }) => {
  const rows = await farm.write(async (db) => {
    const insert = (into: typeof db, name: string, id?: number) =>
      into.insertInto('parcels').values({ name, id }).returningAll().executeTakeFirstOrThrow();
    const rename = (within: typeof db, id: number, name: string) =>
      within.updateTable('parcels').set({ name }).where('id', '=', id).execute();
    const remove = (id: number) => recorded.deleteFrom('parcels').where('id', '=', id).execute();

    const removed = await insert(db, 'removed');
    const replaced = await insert(db, 'replaced');
    const recorder = new RowRecorder();
    const recorded = recordingDb(db, recorder);

    await insert(recorded, 'added');
    await rename(recorded, (await insert(recorded, 'added, renamed')).id, 'renamed');
    await remove((await insert(recorded, 'added, removed')).id);
    await remove(removed.id);
    await remove(replaced.id);
    await insert(recorded, 'replacement', replaced.id);
    const derived = await insert(recorded, 'added, derived anew');
    await rename(unrecorded(recorded), derived.id, 'derived anew');
    await insert(recorded, 'added last');

    return recorder.changedRows(
      (table, keys) => storedImages(db, table, keys),
      async () => null,
    );
  });

  const names = rows.map(({ before, after }) => [before?.name ?? null, after?.name ?? null]);
  expect(names.sort()).toEqual(
    [
      [null, 'added'],
      [null, 'renamed'],
      [null, 'derived anew'],
      [null, 'added last'],
      ['removed', null],
      ['replaced', 'replacement'],
    ].sort(),
  );
});

it('reads no row that it deletes before', async ({ farm }) => {
  const recorder = new RowRecorder();
  const statements: string[] = [];
  const observer = {
    onConnectionAcquired() {},
    onBegin() {},
    onQuery: (sql: string) => void statements.push(sql),
  };
  const { numDeletedRows } = await farm.store.write(
    1,
    (db) =>
      recordingDb(db, recorder)
        .deleteFrom('parcels')
        .where('name', '=', 'Fallow')
        .executeTakeFirst(),
    { observer },
  );
  expect(numDeletedRows).toBe(1n);
  expect(statements).toEqual([expect.stringMatching(/^delete /)]);
  const [row] = await recorder.changedRows(
    async () => new Map(),
    async () => null,
  );
  expect(row).toMatchObject({ table: 'parcels', before: { name: 'Fallow' }, after: null });
});
