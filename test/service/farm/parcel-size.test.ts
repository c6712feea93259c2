import { describe, expect } from 'vitest';
import { chunksOf } from '../../../src/domain/groups.ts';
import { MAX_MODULES_OF_PARCEL } from '../../../src/domain/shares/bounded-things.ts';
import type { ChangeBody } from '../../../src/schema/changes/change.ts';
import { bareModule, it, type TestFarm } from '../../farm.ts';

/** Until the parcel has this many modules; it has none before. */
async function fill(farm: TestFarm, parcel: string, count: number): Promise<void> {
  const parcelId = farm.idOf(parcel);
  const rows = Array.from({ length: count }, (_, n) =>
    bareModule({ uid: `V${n}`, name: `Vine ${n}`, category: 'SOIL_PROBE', parcel_id: parcelId }),
  );
  await farm.write(async (db) => {
    for (const chunk of chunksOf(rows, 500)) await db.insertInto('modules').values(chunk).execute();
  });
}

const move = (farm: TestFarm, name: string, parcel: string) =>
  farm.tool('set_module', { name, parcel });

const remove = (farm: TestFarm, name: string) =>
  farm.tool('set_module', { name, clear: ['parcel'] });

const newestChange = async (farm: TestFarm): Promise<number> => {
  const { data } = await farm.wire<{ data: ChangeBody[] }>('list_changes', { limit: 1 });
  return data[0]!.id;
};

const fileOf = (parcel: string, uids: readonly string[]) => ({
  parcels: [{ name: parcel }],
  modules: uids.map((uid) => ({ uid, name: uid, category: 'SOIL_PROBE', parcel })),
});

describe('a parcel takes at most 2,000 modules', () => {
  it('and refuses one that is added, moved or restored', async ({ farm }) => {
    await fill(farm, 'Fallow', MAX_MODULES_OF_PARCEL - 1);
    await move(farm, 'Loose', 'Fallow');

    const refusal = {
      code: 'invalid_body',
      status: 400,
      message: 'Fallow would have 2001 modules, and a parcel takes at most 2000.',
      hint: 'Divide the parcel into smaller ones.',
    };
    await expect(move(farm, 'South 1', 'Fallow')).rejects.toMatchObject(refusal);
    const added = farm.tool('set_module', {
      name: 'Extra',
      parcel: 'Fallow',
      sensors: ['humidity 20'],
    });
    await expect(added).rejects.toMatchObject({ ...refusal, field: 'parcel' });

    await remove(farm, 'Loose');
    const changeId = await newestChange(farm);
    await move(farm, 'South 1', 'Fallow');
    await expect(farm.tool('undo', { changeId })).rejects.toMatchObject({
      code: 'CHANGE_NOT_UNDOABLE',
      status: 409,
      message: expect.stringMatching(/cannot be undone: Fallow would have 2001 modules/),
    });
    await farm.tool('undo');
    await farm.tool('undo', { changeId });
  });

  it('and lets those stay that it has, also when there are more', async ({ farm }) => {
    await fill(farm, 'Fallow', MAX_MODULES_OF_PARCEL + 3);
    await farm.tool('set_module', { name: 'Vine 1', parcel: 'Fallow', number: 7 });
    await remove(farm, 'Vine 1');
    await expect(move(farm, 'Vine 1', 'Fallow')).rejects.toThrow(/2003 modules/);
    await farm.importFile(fileOf('Fallow', ['V5', 'V6']));
  });

  it('and refuses a farm file before anything is written', async ({ farm }) => {
    await fill(farm, 'Fallow', MAX_MODULES_OF_PARCEL - 1);
    const isWritten = await farm.isWrittenBy(() =>
      expect(farm.importFile(fileOf('Fallow', ['V3', 'X1', 'X2']))).rejects.toThrow(
        'modules[1].parcel is "Fallow", which would have 2001 modules, and a parcel takes at most 2000. Divide the parcel into smaller ones.',
      ),
    );
    expect(isWritten).toBe(false);

    await farm.importFile(fileOf('Fallow', ['X1']));
    const exchanged = { ...fileOf('Fallow', ['X2']).modules[0], parcel: 'Fallow' };
    const left = { uid: 'V3', parcel: null };
    await farm.importFile({ modules: [exchanged, left] });
  });

  it('and refuses a new parcel with more', async ({ farm }) => {
    const uids = Array.from({ length: MAX_MODULES_OF_PARCEL + 1 }, (_, n) => `X${n}`);
    await expect(farm.importFile(fileOf('Terrace', uids))).rejects.toThrow(
      'modules[0].parcel is "Terrace", which would have 2001 modules',
    );
    await expect(farm.tool('list_modules', { parcel: 'Terrace' })).rejects.toThrow(/Terrace/);
  });
});
