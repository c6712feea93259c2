import { describe, expect, it } from 'vitest';
import type { AdviceBody } from '../../../src/schema/advice/advice.ts';
import type { OverviewBody } from '../../../src/schema/advice/overview.ts';
import { sensorsOf } from '../../../src/store/company/sensors.ts';
import { DAY, FARM_NOW, farmsFilledWith, HOUR, iso, MINUTE, type TestFarm } from '../../farm.ts';
import type { WireFields } from '../../operation-calls.ts';
import { type Reading, recordRows } from '../../store/stored-readings.ts';
import { declareSoil, instantsEvery } from '../moisture/probe-farm.ts';

const LOAM = 6;

/** Each with its own hours of reading and its own values; every fifth has long been silent. */
const farmsWithProbes = (count: number) =>
  farmsFilledWith(async (farm) => {
    await farm.write((db) => db.deleteFrom('modules').execute());
    await declareSoil(farm, 'North block', [[LOAM, 0, 80]]);
    await farm.importFile({
      modules: Array.from({ length: count }, (_, index) => ({
        uid: `P${index}`,
        name: `Probe ${index + 1}`,
        category: 'SOIL_PROBE',
        parcel: 'North block',
        commissionedAt: iso(FARM_NOW - 90 * DAY),
        sensors: DEPTHS.map((depth) => ({ type: 'humidity', depth })),
      })),
    });
    await farm.write(async (db) => {
      const probes = await db.selectFrom('modules').select('id').orderBy('id').execute();
      const sensors = await sensorsOf(
        db,
        probes.map(({ id }) => id),
      );
      await recordRows(
        db,
        sensors.flatMap(({ id }, index) => readingsOf(id, index)),
      );
    });
  });

const DEPTHS = [15, 45];

function readingsOf(sensorId: number, index: number): Reading[] {
  const probe = Math.floor(index / DEPTHS.length);
  const silentDays = probe % 5 === 0 ? 20 + probe / 10 : 0;
  const end = FARM_NOW - silentDays * DAY;
  return instantsEvery(6 * HOUR, end - 60 * HOUR - index * MINUTE, end).map((at, reading) => [
    sensorId,
    at,
    30 - index / 16 - reading / 4,
  ]);
}

const withFewProbes = farmsWithProbes(20);
const withManyProbes = farmsWithProbes(160);

async function statementsOf(
  { store, wire }: TestFarm,
  name: string,
  fields: WireFields = {},
): Promise<number> {
  const { readAll } = store;
  let statements = 0;
  const observer = { onConnectionAcquired() {}, onBegin() {}, onQuery: () => void statements++ };
  Object.assign(store, {
    readAll: (body: Parameters<typeof readAll>[0]) => readAll.call(store, body, { observer }),
  });
  await wire(name, fields).finally(() => Object.assign(store, { readAll }));
  return statements;
}

describe('an answer about a whole farm', () => {
  it.each(['farm_overview', 'morning_brief', 'get_farm_page'])(
    'of %s takes as many statements for 160 probes as for 20',
    async (name) => {
      const ofFew = await withFewProbes((farm) => statementsOf(farm, name));
      expect(ofFew).toBeGreaterThan(10);
      expect(await withManyProbes((farm) => statementsOf(farm, name))).toBe(ofFew);
    },
  );

  it('and that of a parcel too', async () => {
    const ofParcel = async (farm: TestFarm) => {
      const { data } = await farm.wire<{ data: { id: number; name: string }[] }>('list_parcels');
      const { id: parcelId } = data.find(({ name }) => name === 'North block')!;
      return statementsOf(farm, 'advise_parcel_watering', { parcelId });
    };
    const ofFew = await withFewProbes(ofParcel);
    expect(ofFew).toBeGreaterThan(10);
    expect(await withManyProbes(ofParcel)).toBe(ofFew);
  });

  it('has the figures of the answers about each probe', () =>
    withFewProbes(async (farm) => {
      const { data } = await farm.wire<OverviewBody>('farm_overview');
      expect(data).toHaveLength(20);
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
