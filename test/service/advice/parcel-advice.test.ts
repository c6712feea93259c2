import { describe, expect } from 'vitest';
import type { ParcelAdviceBody } from '../../../src/schema/advice/parcel-advice.ts';
import {
  advisoriesOf,
  DAY,
  FARM_NOW,
  HOUR,
  it,
  type TestFarm,
  type ToolResult,
} from '../../farm.ts';
import { installProbe, instantsEvery, moistureSensorsAt } from '../moisture/probe-farm.ts';
import { DRIP, declareLoam, dryingOak } from './advice-farm.ts';

const adviseBlock = (farm: TestFarm): Promise<ToolResult<ParcelAdviceBody>> =>
  farm.tool('advise_watering', { parcel: 'North block' });

/** Moisture in % by volume, falling by half a point a day. */
async function addProbe(farm: TestFarm, name: string, vwc: number): Promise<number> {
  const probe = await installProbe(farm, {
    name,
    sensors: moistureSensorsAt(10, 30, 50),
    parcel: 'North block',
    rootDepthCm: 60,
  });
  for (const sensor of probe.sensorIds.keys())
    await probe.record(
      sensor,
      instantsEvery(HOUR, FARM_NOW - 20 * DAY, FARM_NOW).map(
        (at) => [at, vwc + ((FARM_NOW - HOUR - at) / DAY) * 0.5] as const,
      ),
    );
  return probe.id;
}

describe('advice for a parcel with probes', () => {
  it('names them where none of them sends, also one without a name', async ({ farm }) => {
    await farm.write((db) =>
      db.updateTable('modules').set({ name: null }).where('name', '=', 'North 2').execute(),
    );
    expect(advisoriesOf(await adviseBlock(farm), 'silent_probes')).toMatchObject([
      { probes: ['North 1', 'soil probe in North block', 'North 3'] },
    ]);
  });

  it('answers for each of them, the one that needs water first', async ({ farm }) => {
    await declareLoam(farm);
    await farm.declareParcel('North block', DRIP);
    const moist = await addProbe(farm, 'Elm', 26);
    const { id: dry } = await dryingOak(farm, 18);

    const { probes } = await adviseBlock(farm);
    const measured = probes!
      .map(({ moduleId }) => moduleId)
      .filter((id) => [dry, moist].includes(id));
    expect(measured).toEqual([dry, moist]);
  });

  it('gives the figures of the advice for the probe alone', async ({ farm }) => {
    await declareLoam(farm);
    await farm.declareParcel('North block', DRIP);
    await dryingOak(farm, 18);

    const { probes } = await adviseBlock(farm);
    const alone = await farm.tool<Record<string, unknown>>('advise_watering', { module: 'Oak' });
    const { time, deficitMm, waterMm, durationMin, daysToStress, reasons } = alone;
    expect(probes![0]).toMatchObject({
      time,
      deficitMm,
      waterMm,
      durationMin,
      daysToStress,
      reasons,
    });
  });
});
