import { describe, expect } from 'vitest';
import { DAY, FARM_NOW, HOUR, it, type TestFarm } from '../../farm.ts';
import { withPlainText } from '../../outbox-farm.ts';
import { triesEveryRule } from '../../stores/stores.ts';
import { statementsOfWrites } from '../../transactions.ts';
import {
  declareSoil,
  installProbe,
  instantsEvery,
  moistureSensorsAt,
  type TestProbe,
} from '../moisture/probe-farm.ts';

const LOAM = 6;
const STEP = 6 * HOUR;
/** In %, less than any loam keeps. */
const BROKEN = 0.3;

/** Hourly readings from `from` on, which dry by half a point a day; at 50 cm `deepest`, if given. */
async function sendReadings(
  oak: TestProbe,
  { from, to, deepest }: { from: number; to: number; deepest: number | null },
): Promise<void> {
  const drying = (at: number) => Math.round(10 * (22 - ((at - FARM_NOW) / DAY) * 0.5)) / 10;
  for (const sensor of oak.sensorIds.keys())
    await oak.record(
      sensor,
      instantsEvery(HOUR, from, to).map((at) => [
        at,
        sensor === 2 && deepest !== null ? deepest : drying(at),
      ]),
    );
}

/** "Oak" in loam, whose readings go back for 20 days. */
async function farmWithOak(farm: TestFarm, deepest: number | null): Promise<TestProbe> {
  const oak = await installProbe(farm, {
    sensors: moistureSensorsAt(10, 30, 50),
    parcel: 'North block',
    rootDepthCm: 60,
  });
  await declareSoil(farm, 'North block', [[LOAM, 0, 60]]);
  await sendReadings(oak, { from: FARM_NOW - 20 * DAY, to: FARM_NOW, deepest });
  await farm.tick();
  return oak;
}

/** Days with readings, and a round of housekeeping every six hours. */
async function passDays(
  farm: TestFarm,
  oak: TestProbe,
  { days, deepest }: { days: number; deepest: number | null },
): Promise<void> {
  for (let step = 0; step < (days * DAY) / STEP; step++) {
    const from = farm.now + HOUR;
    farm.now += STEP;
    await sendReadings(oak, { from, to: farm.now, deepest });
    await farm.tick();
  }
}

const messages = (farm: TestFarm) =>
  farm.write(async (db) =>
    (
      await db
        .selectFrom('outbox')
        .select(['kind', 'alert_id', 'to_address', 'subject', 'text', 'created_at'])
        .orderBy('seq')
        .execute()
    ).map(withPlainText),
  );

const inDays = async (farm: TestFarm): Promise<number[]> =>
  (await messages(farm)).map(({ created_at }) => (created_at - FARM_NOW) / DAY);

it('records the doubts of a few probes in each transaction, so that others need not wait', async ({
  farm,
}) => {
  const probes = 12;
  for (let probe = 0; probe < probes; probe++) {
    const plan = { name: `Oak ${probe}`, sensors: moistureSensorsAt(30), rootDepthCm: 60 };
    const oak = await installProbe(farm, { ...plan, parcel: 'North block' });
    const instants = instantsEvery(HOUR, FARM_NOW - 5 * DAY, FARM_NOW);
    await oak.record(
      0,
      instants.map((at) => [at, BROKEN]),
    );
  }
  await declareSoil(farm, 'North block', [[LOAM, 0, 60]]);

  const transactions = await statementsOfWrites(farm, () => farm.tick());
  const recorded = transactions.map(
    (statements) => statements.filter((text) => text.includes('into "probe_doubts"')).length,
  );
  expect(recorded.reduce((sum, count) => sum + count)).toBe(probes);
  expect(Math.max(...recorded)).toBeLessThan(probes / 2);
});

describe('the message about a doubt', () => {
  it('goes to the owner after two days, and once', async ({ farm }) => {
    const oak = await farmWithOak(farm, BROKEN);
    await passDays(farm, oak, { days: 1.75, deepest: BROKEN });
    expect(await messages(farm)).toEqual([]);

    await passDays(farm, oak, { days: 1.25, deepest: BROKEN });
    const [message, ...others] = await messages(farm);
    expect(others).toEqual([]);
    expect(message).toMatchObject({
      kind: 'doubt',
      alert_id: null,
      to_address: 'ana@example.org',
      subject: 'Check Oak: a sensor reads too dry for the soil',
      created_at: FARM_NOW + 2 * DAY,
    });
    expect(message!.text).toContain(
      'What Oak (North block) shows has been in doubt since 1 July: a sensor reads too dry for the soil.',
    );
    expect(message!.text).toContain('The probe reads 0.3 % at 50 cm');
    expect(message!.text).toContain('check the sensor, its contact with the soil');
    expect(message!.text).toContain('Until then, look at the soil before you water there.');
  });

  if (triesEveryRule)
    it('comes again only for a doubt that was gone for a day', async ({ farm }) => {
      const oak = await farmWithOak(farm, BROKEN);
      await passDays(farm, oak, { days: 2, deepest: BROKEN });
      await passDays(farm, oak, { days: 0.5, deepest: null });
      await passDays(farm, oak, { days: 2.5, deepest: BROKEN });
      expect(await inDays(farm)).toEqual([2]);

      await passDays(farm, oak, { days: 1.5, deepest: null });
      await passDays(farm, oak, { days: 2.5, deepest: BROKEN });
      expect(await inDays(farm)).toEqual([2, 8.75]);
    });

  if (triesEveryRule)
    it('goes to those who get the alerts of the probe, in the language of the country', async ({
      farm,
    }) => {
      const oak = await farmWithOak(farm, BROKEN);
      await farm.tool('create_alert', { module: 'Oak', threshold: 5 });
      await farm.store.writeAll((all) =>
        all.updateTable('companies').set({ country_code: 'FR' }).execute(),
      );
      await farm.write(async (db) => {
        const { id } = await db
          .insertInto('users')
          .values({ email: 'bo@example.com', name: 'Bo', role: 'VIEWER' })
          .returning('id')
          .executeTakeFirstOrThrow();
        await db.updateTable('alert_recipients').set({ user_id: id }).execute();
      });
      await passDays(farm, oak, { days: 2, deepest: BROKEN });
      const sent = (await messages(farm)).filter(({ kind }) => kind === 'doubt');
      expect(sent.map(({ to_address, subject }) => [to_address, subject])).toEqual([
        ['bo@example.com', 'À vérifier, Oak : un capteur trop sec pour ce sol'],
      ]);
    });

  if (triesEveryRule)
    it('is not written for a healthy probe, nor for a crop at rest', async ({ farm }) => {
      const oak = await farmWithOak(farm, null);
      await passDays(farm, oak, { days: 2.5, deepest: null });
      await farm.tool('set_probe_settings', {
        module: 'Oak',
        restFrom: '15 June',
        restUntil: '30 September',
      });
      await passDays(farm, oak, { days: 2.5, deepest: BROKEN });
      expect(await messages(farm)).toEqual([]);
      expect(await farm.write((db) => db.selectFrom('probe_doubts').selectAll().execute())).toEqual(
        [],
      );
    });

  it('costs nothing where nothing has changed', async ({ farm }) => {
    await farmWithOak(farm, null);
    farm.now += 2 * DAY;
    expect(await farm.isWrittenBy(() => farm.tick())).toBe(false);
  });
});
