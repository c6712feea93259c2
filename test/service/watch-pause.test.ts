import { describe, expect, it } from 'vitest';
import { watchCompany } from '../../src/service/watch.ts';
import { withWatchPaused } from '../../src/service/watch-pause.ts';
import { companyById } from '../../src/store/companies.ts';
import { type Farm, MINUTE, NOW, withFarm } from '../farm.ts';
import { alike, arm, episodes, send, standing, told } from './alert-farm.ts';
import { moistureAt, type Probe, putUp } from './series-farm.ts';

const MAS_ROUGE = 1;
const MAS_BLEU = 2;

/** A probe with two sensors that is watched below 20 %, quiet at 30 %; a quarter of an hour on. */
async function watched(farm: Farm): Promise<Probe> {
  const oak = await putUp(farm, { sensors: moistureAt(10, 20) });
  await send(farm, oak, alike(oak, NOW, 30));
  await arm(farm);
  farm.now = NOW + 60 * MINUTE;
  return oak;
}

/** What an import that ends does. */
async function watchAtEnd(farm: Farm, companyId = MAS_ROUGE): Promise<void> {
  const company = (await farm.store.readAll((all) => companyById(all, companyId)))!;
  await watchCompany(farm.store, company, { now: farm.now });
}

const leases = (farm: Farm) => farm.store.readAll((all) => all.selectFrom('leases').selectAll().execute());

describe('the watch while an import runs', () => {
  it('looks at nothing, neither in the housekeeping nor at the end of another import, and then at the whole', () =>
    withFarm(async (farm) => {
      const oak = await watched(farm);
      await withWatchPaused(farm.store, MAS_ROUGE, async () => {
        await send(farm, oak, [[0, NOW + 15 * MINUTE, 10]]);
        expect(await farm.tick()).toMatchObject({ watched: 0 });
        expect(await farm.tick({ holder: 'another process' })).toMatchObject({ watched: 0 });
        await watchAtEnd(farm);
        await send(farm, oak, [[1, NOW + 15 * MINUTE, 40]]);
      });
      await watchAtEnd(farm);
      expect([await told(farm), await episodes(farm)]).toEqual([[], []]);
      // (10 + 40) / 2.
      expect(await standing(farm)).toMatchObject({ status: 'quiet', value_vwc: 25 });
    }));

  it('goes on for the other companies', () =>
    withFarm(async (farm) => {
      const oak = await watched(farm);
      await send(farm, oak, alike(oak, NOW + 15 * MINUTE, 10));
      await withWatchPaused(farm.store, MAS_BLEU, async () => {
        expect(await farm.tick()).toMatchObject({ watched: 1, told: 1 });
      });
    }));

  it('waits for the last of several imports', () =>
    withFarm(async (farm) => {
      const oak = await watched(farm);
      await send(farm, oak, alike(oak, NOW + 15 * MINUTE, 10));
      await withWatchPaused(farm.store, MAS_ROUGE, async () => {
        await withWatchPaused(farm.store, MAS_ROUGE, async () => undefined);
        await watchAtEnd(farm);
        expect(await told(farm)).toEqual([]);
      });
      await watchAtEnd(farm);
      expect(await told(farm)).toEqual(['fired']);
    }));

  it('is free again when the import fails', () =>
    withFarm(async (farm) => {
      const failing = withWatchPaused(farm.store, MAS_ROUGE, () => Promise.reject(new Error('no room')));
      await expect(failing).rejects.toThrow('no room');
      expect(await leases(farm)).toEqual([]);
    }));

  it('is held up by one that died for half a minute of real time, and no longer', () =>
    withFarm(async (farm) => {
      const oak = await watched(farm);
      await send(farm, oak, alike(oak, NOW + 15 * MINUTE, 10));
      const [lease] = await new Promise<Awaited<ReturnType<typeof leases>>>((resolve, reject) => {
        withWatchPaused(farm.store, MAS_ROUGE, async () => resolve(await leases(farm))).catch(reject);
      });
      expect(lease!.held_until).toBeGreaterThan(Date.now());
      expect(lease!.held_until).toBeLessThanOrEqual(Date.now() + 30_000);

      const dies = (heldUntil: number) =>
        farm.store.writeAll(async (all) => {
          await all.deleteFrom('leases').execute();
          await all
            .insertInto('leases')
            .values({ ...lease!, held_until: heldUntil })
            .execute();
        });
      await dies(Date.now() + 30_000);
      // Whatever the farm's own clock shows.
      farm.now += 10 * MINUTE;
      expect(await farm.tick()).toMatchObject({ watched: 0 });
      await dies(Date.now() - 1);
      expect(await farm.tick()).toMatchObject({ watched: 1, told: 1 });
    }));
});
