import { expect, it } from 'vitest';
import { runInProcess } from '../../in-process-command.ts';
import { fillFarm } from '../../store/sample-rows.ts';
import { onEachStore } from '../../store/temporary-stores.ts';

onEachStore((withStore, isOnServer) => {
  it('exports a person of two companies, and erases the person of one of them or of both', () =>
    withStore(async (store, db) => {
      await store.write(1, (rouge) => fillFarm(rouge, 'ana'));
      await store.write(2, async (bleu) => {
        await fillFarm(bleu, 'bleu');
        await bleu.updateTable('users').set({ name: 'Ana', email: 'ana@example.org' }).execute();
      });
      // The sample has no rows there.
      await store.writeAll((all) => all.deleteFrom('change_parts').execute());
      const users = (...words: string[]) =>
        runInProcess(['users', ...words, '--db', db, '--last-owner'].filter(isFor(words)));

      const { stdout } = await users('export', 'ana@example.org');
      const { memberships } = JSON.parse(stdout);
      expect(memberships).toMatchObject([
        { company: { name: 'Mas Rouge' }, member: { name: 'ana' }, messages: [{ kind: 'fired' }] },
        { company: { name: 'Mas Bleu' }, annotations: [{ userId: memberships[1].member.id }] },
      ]);
      // The sample has the name in every text.
      expect(memberships[0].mentions).toContainEqual(
        expect.objectContaining({ table: 'parcels', found: 'name' }),
      );
      expect(stdout).not.toContain('"hash"');

      const first = await users('erase', 'ana@example.org', '--company', 'Mas Rouge');
      expect(first).toMatchObject({ code: 0, stderr: '' });
      expect(first.stdout).toContain('of Mas Rouge, now "former member"');
      expect(first.stdout).toContain(isOnServer ? 'Still in dumps' : 'No copy of this store');
      const left = JSON.parse((await users('export', 'ana@example.org')).stdout).memberships;
      expect(left).toMatchObject([{ company: { name: 'Mas Bleu' } }]);

      const id = String(left[0].member.id);
      expect(await users('erase', id)).toMatchObject({ code: 0 });
      expect(await users('erase', 'ana@example.org')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('There is no member "ana@example.org".'),
      });
    }));
});

/** Only "erase" knows --last-owner. */
const isFor =
  ([command]: readonly string[]) =>
  (word: string): boolean =>
    command === 'erase' || word !== '--last-owner';
