import { expect } from 'vitest';
import type { Identify } from '../../../src/operation/authorization.ts';
import { watchFarm } from '../../../src/service/changes/farm-watch.ts';
import { companyById } from '../../../src/store/company/companies.ts';
import { openStore } from '../../../src/store/store.ts';
import listAlerts from '../../../tools/alerts/list-alerts.ts';
import { FARM_NOW, it } from '../../farm.ts';
import { sameValue, sendReadings } from '../alerts/alert-farm.ts';
import { installProbe, moistureSensorsAt } from '../moisture/probe-farm.ts';

const owner: Identify = async (all) => ({
  caller: { id: 'owner', companyId: 1, userId: null, role: 'OWNER', scopes: ['readings:read'] },
  company: (await companyById(all, 1))!,
});

it('a watch of the farm tells new readings of another process, and not the same ones again', async ({ farm }) => {
  const oak = await installProbe(farm, { sensors: moistureSensorsAt(10) });
  await sendReadings(farm, oak, sameValue(oak, FARM_NOW, 30));
  const store = await openStore({ db: farm.db });
  let changes = 0;
  const stop = await watchFarm(store, {
    identify: owner,
    access: listAlerts,
    onChange: () => void changes++,
    onRefused: (error) => {
      throw error;
    },
  });
  try {
    await sendReadings(farm, oak, sameValue(oak, FARM_NOW + 900_000, 29));
    await expect.poll(() => changes, { timeout: 5_000 }).toBe(1);
    await sendReadings(farm, oak, sameValue(oak, FARM_NOW + 900_000, 29));
    await sendReadings(farm, oak, sameValue(oak, FARM_NOW + 1_800_000, 28));
    await expect.poll(() => changes, { timeout: 5_000 }).toBe(2);
  } finally {
    stop();
    await store.close();
  }
});
