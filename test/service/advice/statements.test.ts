import { describe, expect, it } from 'vitest';
import type { AdviceBody } from '../../../src/schema/advice/advice.ts';
import type { OverviewBody } from '../../../src/schema/advice/overview.ts';
import { FARM_NOW, farmsFilledWith, HOUR, MINUTE, type TestFarm } from '../../farm.ts';
import {
  declareSoil,
  installProbe,
  instantsEvery,
  moistureSensorsAt,
} from '../moisture/probe-farm.ts';

const LOAM = 6;

/** Each with its own hours of reading and its own values. */
const farmsWithProbes = (count: number) =>
  farmsFilledWith(async (farm) => {
    await farm.write((db) => db.deleteFrom('modules').execute());
    await declareSoil(farm, 'North block', [[LOAM, 0, 80]]);
    for (let index = 0; index < count; index++) {
      const name = `Probe ${index + 1}`;
      const probe = await installProbe(farm, {
        name,
        parcel: 'North block',
        sensors: moistureSensorsAt(15, 45),
      });
      const instants = instantsEvery(6 * HOUR, FARM_NOW - 60 * HOUR - index * MINUTE, FARM_NOW);
      for (const sensor of [0, 1])
        await probe.record(
          sensor,
          instants.map((at, reading) => [at, 30 - index / 8 - reading / 4]),
        );
    }
  });
const withFewProbes = farmsWithProbes(5);
const withManyProbes = farmsWithProbes(30);

async function statementsOf({ store, wire }: TestFarm, name: string): Promise<number> {
  const { readAll } = store;
  let statements = 0;
  const observer = { onConnectionAcquired() {}, onBegin() {}, onQuery: () => void statements++ };
  Object.assign(store, {
    readAll: (body: Parameters<typeof readAll>[0]) => readAll.call(store, body, observer),
  });
  await wire(name).finally(() => Object.assign(store, { readAll }));
  return statements;
}

describe('an answer about a whole farm', () => {
  it.each(['farm_overview', 'morning_brief', 'get_farm_page'])(
    'of %s takes hardly more statements for 30 probes than for 5',
    async (name) => {
      const ofFew = await withFewProbes((farm) => statementsOf(farm, name));
      expect(ofFew).toBeGreaterThan(10);
      // Six times as many without batches. How many queries wait together depends a little on the
      // speed of the machine.
      expect(await withManyProbes((farm) => statementsOf(farm, name))).toBeLessThan(2 * ofFew);
    },
  );

  it('has the figures of the answers about each probe', () =>
    withFewProbes(async (farm) => {
      const { data } = await farm.wire<OverviewBody>('farm_overview');
      expect(data).toHaveLength(5);
      for (const { moduleId, value_vwc, state, daysToStress, time } of data) {
        expect(await farm.wire<AdviceBody>('advise_watering', { moduleId })).toMatchObject({
          daysToStress,
          time,
        });
        expect(await farm.wire('get_agronomic_state', { moduleId })).toMatchObject({
          value_vwc,
          state,
        });
      }
    }));
});
