import { describe, expect } from 'vitest';
import { updateCompany } from '../../../src/store/company/companies.ts';
import { advisoriesOf, DAY, FARM_NOW, HOUR, iso, it, MINUTE } from '../../farm.ts';
import { installProbe, instantsEvery, moistureSensorsAt } from '../moisture/probe-farm.ts';
import {
  advise,
  completeFarm,
  declareLoam,
  dryingOak,
  fieldCapacityOf,
  LOAM,
  SPRINKLER,
} from './advice-farm.ts';

describe('the advice of a probe', () => {
  it('is complete with fresh data, soil, root depth and equipment', async ({ farm }) => {
    await completeFarm(farm);
    expect(await advise(farm)).toMatchObject({ confidence: 'complete', reasons: [] });
  });

  it('is dated by the newest reading before its clock, not by a later one', async ({ farm }) => {
    await completeFarm(farm);
    const then = FARM_NOW - 6 * DAY;
    farm.now = then + 10 * MINUTE;
    expect((await advise(farm)).time).toBe(iso(then));
    farm.now = FARM_NOW - 21 * DAY;
    expect((await advise(farm)).time).toBeNull();
  });

  it('has the same days to stress when the wilting point of the soil is drawn', async ({
    farm,
  }) => {
    await dryingOak(farm, 24);
    await declareLoam(farm);
    const { daysToStress } = await advise(farm);
    const { wiltingPoint } = await farm.tool('get_agronomic_state', { module: 'Oak' });
    const line = { type: 'h-line', p1: [FARM_NOW, wiltingPoint], style: { fill: 'threshold2' } };
    await farm.tool('create_annotation', { module: 'Oak', ...line });
    expect(daysToStress).toBeGreaterThan(0);
    expect((await advise(farm)).daysToStress).toBe(daysToStress);
  });

  it('has the deficit down to the deepest sensor without a root depth', async ({ farm }) => {
    await installProbe(farm, { sensors: moistureSensorsAt(10, 30), parcel: 'North block' }).then(
      (oak) => oak.recordAll(instantsEvery(HOUR, FARM_NOW - 2 * DAY, FARM_NOW), 20),
    );
    await declareLoam(farm);
    await farm.declare('Oak', SPRINKLER);
    const answer = await advise(farm);
    expect(answer.deficitMm).toBeCloseTo(((await fieldCapacityOf(farm, LOAM)) - 0.2) * 400, 3);
    expect(advisoriesOf(answer, 'deficit_depth')).toMatchObject([{ bottomCm: 40 }]);
  });

  it('is in no doubt where no soil is declared, however dry the sensors read', async ({ farm }) => {
    await dryingOak(farm, 2);
    expect((await advise(farm)).reasons).not.toContain('TOO_DRY_FOR_SOIL');
  });

  it('asks a company to declare its time zone', async ({ farm }) => {
    await completeFarm(farm);
    await farm.store.writeAll((all) => updateCompany(all, 1, { timezone: null }));
    const { summary, next } = await advise(farm);
    expect(summary).toContain('has no time zone');
    expect(next).toContain('set_company(timezone)');
  });
});
