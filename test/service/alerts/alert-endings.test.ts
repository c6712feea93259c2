import { describe, expect } from 'vitest';
import { FARM_NOW, HOUR, it, MINUTE, type TestFarm } from '../../farm.ts';
import { withPlainText } from '../../outbox-farm.ts';
import { installProbe, moistureSensorsAt, type TestProbe } from '../moisture/probe-farm.ts';
import {
  changeOakAlert,
  createOakAlert,
  queuedMailKinds,
  recordedEpisodes,
  sameValue,
  sendAndEvaluate,
  sendReadings,
} from './alert-farm.ts';

const QUARTER = 15 * MINUTE;
const at = (round: number): number => FARM_NOW + round * QUARTER;

async function firing(
  farm: TestFarm,
  values: readonly number[],
): Promise<{ oak: TestProbe; alert: { id: string } }> {
  const oak = await installProbe(farm, { sensors: moistureSensorsAt(10) });
  await sendReadings(farm, oak, sameValue(oak, FARM_NOW, 30));
  const alert = await createOakAlert(farm);
  for (const [index, value] of values.entries())
    await sendAndEvaluate(farm, oak, at(index + 1), value);
  expect((await queuedMailKinds(farm)).at(-1)).toBe('fired');
  return { oak, alert };
}

const newest = (farm: TestFarm) =>
  farm.write(async (db) =>
    withPlainText(
      await db
        .selectFrom('outbox')
        .select(['kind', 'subject', 'text'])
        .orderBy('seq', 'desc')
        .executeTakeFirstOrThrow(),
    ),
  );

describe('the message that ends an episode', () => {
  it.for([
    [
      'GB',
      'Withdrawn: the alert of Oak at 21 %',
      'The alert of Oak does not fire after all.',
      'has reached',
    ],
    [
      'FR',
      'Alerte retirée : Oak à 21 %',
      'Finalement, l’alerte d’Oak n’est pas déclenchée.',
      'a atteint',
    ],
    [
      'ES',
      'Alerta retirada: Oak al 21 %',
      'Finalmente, la alerta de Oak no está disparada.',
      'ha llegado',
    ],
  ] as const)(
    'withdraws the alert if the reading that fired it is corrected in %s',
    async ([countryCode, subject, says, not], { farm }) => {
      await farm.tool('set_company', { countryCode });
      const { oak } = await firing(farm, [19.9]);
      await sendReadings(farm, oak, sameValue(oak, at(1), 21));
      await farm.tick();
      expect(await newest(farm)).toMatchObject({
        kind: 'resolved',
        subject,
        text: expect.stringContaining(says),
      });
      expect((await newest(farm)).text).not.toContain(not);
      expect(await recordedEpisodes(farm)).toEqual([]);
    },
  );

  it('withdraws the alert if a late sensor shows that it never fired', async ({ farm }) => {
    const oak = await installProbe(farm, { sensors: moistureSensorsAt(10, 20) });
    await sendReadings(farm, oak, sameValue(oak, FARM_NOW, 30));
    await createOakAlert(farm);
    farm.now = FARM_NOW + HOUR;
    await sendReadings(farm, oak, [[0, at(1), 10]]);
    await farm.tick();
    await sendReadings(farm, oak, [[1, at(1), 40]]);
    await farm.tick();
    expect(await queuedMailKinds(farm)).toEqual(['fired', 'resolved']);
    // (10 + 40) / 2.
    expect((await newest(farm)).subject).toBe('Withdrawn: the alert of Oak at 25 %');
  });

  it('reports the level that was reached, by live or late readings', async ({ farm }) => {
    const { oak } = await firing(farm, [19, 22]);
    await sendReadings(farm, oak, sameValue(oak, at(1) + 6 * MINUTE, 26));
    await farm.tick();
    expect(await recordedEpisodes(farm)).toEqual([[at(1), at(1) + 6 * MINUTE, 19]]);
    expect((await newest(farm)).text).toContain(
      'Moisture at Oak has reached 25 %: the alert has resolved.',
    );
    for (const [round, value] of [18, 25].entries())
      await sendAndEvaluate(farm, oak, at(round + 3), value);
    expect((await newest(farm)).text).toContain(
      'Moisture at Oak has reached 25 %: the alert has resolved.',
    );
    expect(await queuedMailKinds(farm)).toEqual(['fired', 'resolved', 'fired', 'resolved']);
  });
});

describe('a rule changed while the data are stale', () => {
  const FRESH = FARM_NOW + 40 * HOUR;

  it('ended the episode if fresh data show that no value is below the new threshold', async ({
    farm,
  }) => {
    const { oak, alert } = await firing(farm, [18]);
    farm.now = FRESH - HOUR;
    await farm.tick();
    await changeOakAlert(farm, alert, { threshold: 15 });
    expect((await queuedMailKinds(farm)).at(-1)).not.toBe('resolved');
    await sendAndEvaluate(farm, oak, FRESH, 17);
    expect(await newest(farm)).toMatchObject({
      kind: 'resolved',
      subject: 'Resolved: the threshold of Oak was changed',
      text: expect.stringContaining('its threshold or hysteresis was changed'),
    });
    expect((await newest(farm)).text).not.toContain('has reached');
    expect(await recordedEpisodes(farm)).toEqual([]);
  });

  it('ended the episode if an older value reaches the lowered level', async ({ farm }) => {
    const { oak, alert } = await firing(farm, [18, 22]);
    farm.now = FRESH - HOUR;
    await farm.tick();
    await changeOakAlert(farm, alert, { hysteresis: 1 });
    await sendAndEvaluate(farm, oak, FRESH, 24);
    expect((await newest(farm)).subject).toBe('Resolved: the threshold of Oak was changed');
    expect(await recordedEpisodes(farm)).toEqual([[at(1), at(2), 18]]);
  });

  it('did not end an episode that a fresh value resolves', async ({ farm }) => {
    const { oak, alert } = await firing(farm, [18]);
    farm.now = FRESH - HOUR;
    await farm.tick();
    await changeOakAlert(farm, alert, { threshold: 19 });
    await sendAndEvaluate(farm, oak, FRESH, 30);
    expect((await newest(farm)).text).toContain(
      'Moisture at Oak has reached 24 %: the alert has resolved.',
    );
    expect(await recordedEpisodes(farm)).toEqual([[at(1), FRESH, 18]]);
  });

  it('did not end an episode that resolves long after', async ({ farm }) => {
    const { oak, alert } = await firing(farm, [18]);
    await changeOakAlert(farm, alert, { threshold: 19 });
    await sendAndEvaluate(farm, oak, at(2), 17);
    await sendAndEvaluate(farm, oak, at(3), 24);
    expect((await newest(farm)).text).toContain('has reached 24 %');
  });
});
