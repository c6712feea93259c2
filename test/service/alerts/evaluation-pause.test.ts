import { describe, expect } from 'vitest';
import { evaluateCompanyAlerts } from '../../../src/service/alerts/due-evaluations.ts';
import { withEvaluationPaused } from '../../../src/service/alerts/evaluation-pause.ts';
import { companyById } from '../../../src/store/company/companies.ts';
import { FARM_NOW, it, MINUTE, type TestFarm } from '../../farm.ts';
import { installProbe, moistureSensorsAt, type TestProbe } from '../moisture/probe-farm.ts';
import {
  createOakAlert,
  onlyAlertState,
  queuedMailKinds,
  recordedEpisodes,
  sameValue,
  sendReadings,
} from './alert-farm.ts';

const MAS_ROUGE = 1;
const MAS_BLEU = 2;

async function armedProbe(farm: TestFarm): Promise<TestProbe> {
  const oak = await installProbe(farm, { sensors: moistureSensorsAt(10, 20) });
  await sendReadings(farm, oak, sameValue(oak, FARM_NOW, 30));
  await createOakAlert(farm);
  farm.now = FARM_NOW + 60 * MINUTE;
  return oak;
}

async function evaluateAtEnd(farm: TestFarm, companyId = MAS_ROUGE): Promise<void> {
  const company = (await farm.store.readAll((all) => companyById(all, companyId)))!;
  await evaluateCompanyAlerts(farm.store, company, { now: farm.now });
}

const leases = (farm: TestFarm) =>
  farm.store.readAll((all) => all.selectFrom('leases').selectAll().execute());

describe('the evaluation of alerts during an import', () => {
  it('pauses in housekeeping and at the end of another import, then covers the whole file', async ({
    farm,
  }) => {
    const oak = await armedProbe(farm);
    await withEvaluationPaused(farm.store, MAS_ROUGE, async () => {
      await sendReadings(farm, oak, [[0, FARM_NOW + 15 * MINUTE, 10]]);
      expect(await farm.tick()).toMatchObject({ evaluated: 0 });
      expect(await farm.tick({ holder: 'another process' })).toMatchObject({ evaluated: 0 });
      await evaluateAtEnd(farm);
      await sendReadings(farm, oak, [[1, FARM_NOW + 15 * MINUTE, 40]]);
    });
    await evaluateAtEnd(farm);
    expect([await queuedMailKinds(farm), await recordedEpisodes(farm)]).toEqual([[], []]);
    // (10 + 40) / 2.
    expect(await onlyAlertState(farm)).toMatchObject({ status: 'quiet', value_vwc: 25 });
  });

  it('continues for the other companies', async ({ farm }) => {
    const oak = await armedProbe(farm);
    await sendReadings(farm, oak, sameValue(oak, FARM_NOW + 15 * MINUTE, 10));
    await withEvaluationPaused(farm.store, MAS_BLEU, async () => {
      expect(await farm.tick()).toMatchObject({ evaluated: 1, notified: 1 });
    });
  });

  it('waits for the last of several imports', async ({ farm }) => {
    const oak = await armedProbe(farm);
    await sendReadings(farm, oak, sameValue(oak, FARM_NOW + 15 * MINUTE, 10));
    await withEvaluationPaused(farm.store, MAS_ROUGE, async () => {
      await withEvaluationPaused(farm.store, MAS_ROUGE, async () => undefined);
      await evaluateAtEnd(farm);
      expect(await queuedMailKinds(farm)).toEqual([]);
    });
    await evaluateAtEnd(farm);
    expect(await queuedMailKinds(farm)).toEqual(['fired']);
  });

  it('resumes when the import fails', async ({ farm }) => {
    const failing = withEvaluationPaused(farm.store, MAS_ROUGE, () =>
      Promise.reject(new Error('no room')),
    );
    await expect(failing).rejects.toThrow('no room');
    expect(await leases(farm)).toEqual([]);
  });

  it('resumes half a minute of real time after an import died', async ({ farm }) => {
    const oak = await armedProbe(farm);
    await sendReadings(farm, oak, sameValue(oak, FARM_NOW + 15 * MINUTE, 10));
    const [lease] = await withEvaluationPaused(farm.store, MAS_ROUGE, () => leases(farm));
    expect(lease!.expires_at).toBeGreaterThan(Date.now());
    expect(lease!.expires_at).toBeLessThanOrEqual(Date.now() + 30_000);

    const dies = (heldUntil: number) =>
      farm.store.writeAll(async (all) => {
        await all.deleteFrom('leases').execute();
        await all
          .insertInto('leases')
          .values({ ...lease!, expires_at: heldUntil })
          .execute();
      });
    await dies(Date.now() + 30_000);
    farm.now += 10 * MINUTE;
    expect(await farm.tick()).toMatchObject({ evaluated: 0 });
    await dies(Date.now() - 1);
    expect(await farm.tick()).toMatchObject({ evaluated: 1, notified: 1 });
  });
});
