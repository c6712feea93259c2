import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { ChangeBody } from '../../../src/schema/changes/change.ts';
import type { ParcelWateringAnswer } from '../../../src/schema/irrigation/watering.ts';
import { exportFolder } from '../../../src/service/farm/folder/folder-export.ts';
import { importFolder } from '../../../src/service/farm/folder/folder-import.ts';
import { decodeRows, encodeRows } from '../../../src/store/changes/changed-rows-text.ts';
import { copyStore } from '../../../src/store/copy/copy.ts';
import { wateringsAfter } from '../../../src/store/irrigation/watering-lists.ts';
import type { RowImage } from '../../../src/store/scope/recorded-rows.ts';
import type { Store } from '../../../src/store/store.ts';
import { FARM_NOW, HOUR, it, MINUTE, minutesAt, type TestFarm, withFarm } from '../../farm.ts';
import { propertyRuns } from '../../property-runs.ts';
import { withSecondStore } from '../../stores/stores.ts';
import { newFolder, newStorePlace } from '../../temporary-places.ts';

interface Watering {
  readonly note: string | null;
  readonly durationMin: number;
}

interface ModelChange {
  readonly id: number;
  readonly undoes: number | null;
  /** By id of the watering, which is null where there was or is none. */
  readonly rows: ReadonlyMap<number, { readonly before: Watering | null; after: Watering | null }>;
}

/** Each watering has its note, and each change the waterings before and after it. */
class Model {
  readonly waterings = new Map<number, Watering>();
  readonly changes: ModelChange[] = [];

  add(change: ModelChange): void {
    this.changes.push(change);
    for (const [id, { after }] of change.rows)
      if (after === null) this.waterings.delete(id);
      else this.waterings.set(id, after);
  }

  undoOf(id: number): ModelChange | null {
    const undo = this.changes.findLast(({ undoes }) => undoes === id);
    return undo && this.undoOf(undo.id) === null ? undo : null;
  }

  /** The change that undoes this one; null if it was undone or its waterings were changed since. */
  undo({ id, rows }: ModelChange): Omit<ModelChange, 'id'> | null {
    if (this.undoOf(id) !== null) return null;
    for (const [watering, { after }] of rows)
      if (JSON.stringify(this.waterings.get(watering) ?? null) !== JSON.stringify(after))
        return null;
    const back = [...rows].map(([watering, { before, after }]) => {
      return [watering, { before: after, after: before }] as const;
    });
    return { undoes: id, rows: new Map(back) };
  }
}

const notes = fc.option(fc.constantFrom('', 'valve 3', 'valve 4 leaks', 'Ñandú 😀\n"x"'));
const durations = fc.integer({ min: 10, max: 12 });

const steps = fc.oneof(
  fc.record({
    kind: fc.constant('parcel' as const),
    note: notes,
    durationMin: durations,
    /** Each row has the note, as earlier versions stored it. */
    isOld: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('probe' as const), note: notes, durationMin: durations }),
  fc.record({
    kind: fc.constant('patch' as const),
    which: fc.nat(),
    fields: fc.record({ note: notes, durationMin: durations }, { requiredKeys: [] }),
  }),
  fc.record({ kind: fc.constant('undo' as const), which: fc.nat() }),
);
type Step = typeof steps extends fc.Arbitrary<infer Value> ? Value : never;

const newestChange = async (farm: TestFarm): Promise<number> =>
  (await farm.wire<{ data: ChangeBody[] }>('list_changes')).data[0]!.id;

const companyId = (farm: TestFarm) =>
  farm.store.readAll(async (all) => {
    const companies = await all.selectFrom('companies').selectAll().execute();
    return companies.find(({ name }) => name === 'Mas Rouge')!.id;
  });

async function log(farm: TestFarm, step: Extract<Step, { kind: 'parcel' | 'probe' }>) {
  const { kind, note, durationMin } = step;
  const target = kind === 'parcel' ? { parcel: 'North block' } : { module: 'North 2' };
  const fields = minutesAt(farm.now - HOUR, durationMin, note === null ? {} : { note });
  const answer = await farm.tool<ParcelWateringAnswer>('log_watering', { ...target, ...fields });
  return (await farm.waterings()).slice(0, answer.count ?? 1);
}

/** What the newest change stored becomes what an earlier version would have stored. */
async function storeAsEarlier(farm: TestFarm): Promise<void> {
  const company = await companyId(farm);
  const changeId = await newestChange(farm);
  await farm.store.writeAll(async (all) => {
    const { changed_rows } = await all
      .selectFrom('changes')
      .select('changed_rows')
      .where('id', '=', changeId)
      .executeTakeFirstOrThrow();
    const stored = await all.selectFrom('irrigation_notes').selectAll().execute();
    const asEarlier = (image: RowImage | null): RowImage | null => {
      if (image === null) return null;
      const { note_id: id, ...others } = image;
      return id === null ? others : { ...others, note: stored.find((row) => row.id === id)!.note };
    };

    const rows = (await decodeRows(changed_rows!)).map((row) => ({
      ...row,
      before: asEarlier(row.before),
      after: asEarlier(row.after),
    }));
    await all
      .updateTable('changes')
      .set({ changed_rows: await encodeRows(rows) })
      .where('id', '=', changeId)
      .execute();
    for (const { key, after } of rows)
      await all
        .updateTable('waterings')
        .set({ note: after!.note as string | null, note_id: null })
        .where('company_id', '=', company)
        .where('id', '=', Number(key))
        .execute();
  });
}

async function perform(farm: TestFarm, model: Model, step: Step): Promise<void> {
  farm.now += MINUTE;
  if (step.kind === 'parcel' || step.kind === 'probe') {
    const logged = await log(farm, step);
    if (step.kind === 'parcel' && step.isOld) await storeAsEarlier(farm);
    const { note, durationMin } = step;
    const rows = logged.map(
      ({ id }) => [id, { before: null, after: { note, durationMin } }] as const,
    );
    return model.add({ id: await newestChange(farm), undoes: null, rows: new Map(rows) });
  }

  if (step.kind === 'patch') {
    const ids = [...model.waterings.keys()];
    if (ids.length === 0) return;
    const id = ids[step.which % ids.length]!;
    const before = model.waterings.get(id)!;
    const event = await farm.watering(id);
    const { note, ...fields } = step.fields;
    const remark = note === null ? { clear: ['note'] } : { note };
    const answer = await farm.correct(event, { ...fields, ...(note === undefined ? {} : remark) });
    const after = { ...before, ...step.fields };
    expect(answer.event).toMatchObject(after);
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    const changeId = await newestChange(farm);
    return model.add({ id: changeId, undoes: null, rows: new Map([[id, { before, after }]]) });
  }

  if (model.changes.length === 0) return;
  const change = model.changes[step.which % model.changes.length]!;
  const undo = model.undo(change);
  const call = farm.wire('undo', { changeId: change.id });
  if (undo === null) await expect(call).rejects.toMatchObject({ status: 409 });
  else {
    await call;
    model.add({ id: await newestChange(farm), ...undo });
  }
}

/** By id, as lists show them. */
const listed = (store: Store, company: number): Promise<Map<number, Watering>> =>
  store.read(company, async (db) => {
    const rows = await wateringsAfter(db, {}, null, 1_000);
    return new Map(
      rows.map(({ id, note, durationMin }) => [id, { note, durationMin: durationMin! }]),
    );
  });

const noteIn = (fields: Record<string, unknown> | null) => fields?.note;

async function expectChanges(farm: TestFarm, { changes }: Model): Promise<void> {
  const { data } = await farm.wire<{ data: ChangeBody[] }>('list_changes', { limit: 200 });
  const bodies = new Map(data.map((change) => [change.id, change]));
  for (const { id, rows } of changes)
    for (const row of bodies.get(id)!.effects.rows) {
      const { before, after } = rows.get(Number(row.id))!;
      const isListed = before === null || after === null || before.note !== after.note;
      expect([noteIn(row.before), noteIn(row.after)]).toEqual(
        isListed ? [before?.note, after?.note] : [undefined, undefined],
      );
      expect(row.before ?? row.after).not.toHaveProperty('noteId');
    }
}

const noMonitor = {
  onRows: () => undefined,
  onBytes: () => undefined,
  onStep: () => undefined,
  signal: new AbortController().signal,
};

describe('the note of a watering', () => {
  it('is that of the row, however its parcel was logged, changed, undone, copied and exported', () =>
    fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 4, maxLength: 14 }), (all) =>
        withFarm(async (farm) => {
          const model = new Model();
          for (const step of all) {
            await perform(farm, model, step);
            const rows = await farm.waterings();
            expect(
              new Map(rows.map(({ id, note, durationMin }) => [id, { note, durationMin }])),
            ).toEqual(model.waterings);
          }
          await expectChanges(farm, model);

          const company = await companyId(farm);
          const copy = await newStorePlace();
          await copyStore({ from: farm.db, to: copy }, noMonitor);
          const folder = join(await newFolder(), 'farm');
          await exportFolder(
            farm.store,
            { id: company },
            { folder, now: FARM_NOW, program: '1.2.3', monitor: noMonitor },
          );
          const imported = await newStorePlace();
          await importFolder(folder, imported, noMonitor);
          for (const db of [copy, imported])
            await withSecondStore(db, async (store) =>
              expect(await listed(store, company)).toEqual(model.waterings),
            );
        }),
      ),
      { numRuns: propertyRuns(60) },
    ));

  it('is stored once for all probes of a parcel, also in the record of changes', async ({
    farm,
  }) => {
    const note = 'valve 3 leaks';
    await farm.tool('log_watering', {
      parcel: 'North block',
      ...minutesAt(FARM_NOW - HOUR, 40, { note }),
    });
    const { texts, records } = await farm.store.readAll(async (all) => ({
      texts: [
        ...(await all.selectFrom('irrigation_notes').select('note').execute()),
        ...(await all.selectFrom('waterings').select('note').execute()),
      ],
      records: await all.selectFrom('changes').select('changed_rows').execute(),
    }));
    expect(texts.map((row) => row.note)).toEqual([note, null, null, null]);
    for (const { changed_rows } of records)
      expect(JSON.stringify(await decodeRows(changed_rows!))).not.toContain(note);
  });
});
