import { describe, expect } from 'vitest';
import { FARM_NOW, HOUR, iso, it, minutesAt } from '../../farm.ts';

const place = 'set_module_placement';

describe('the placement of a probe', () => {
  it('is answered within the irrigation configuration, with distance, notes and time', async ({
    farm,
  }) => {
    const answer = await farm.tool(place, {
      module: 'North 1',
      emitterDistanceCm: 12,
      notes: 'between two trees',
    });
    expect(answer).toMatchObject({
      moduleId: farm.idOf('North 1'),
      placement: { emitterDistanceCm: 12, notes: 'between two trees', setAt: iso(FARM_NOW) },
    });
  });

  it('is null by default', async ({ farm }) => {
    expect((await farm.setup('North 1')).placement).toBeNull();
  });

  it.for([0, 10_000])('accepts a distance of %i cm', async (emitterDistanceCm, { farm }) => {
    const answer = await farm.tool(place, { module: 'North 1', emitterDistanceCm });
    expect(answer).toMatchObject({ placement: { emitterDistanceCm } });
  });

  it('keeps fields that are not sent', async ({ farm }) => {
    await farm.tool(place, { module: 'North 1', emitterDistanceCm: 12, notes: 'shade' });
    farm.now += HOUR;
    const answer = await farm.tool(place, { module: 'North 1', emitterDistanceCm: 20 });
    expect(answer).toMatchObject({
      placement: { emitterDistanceCm: 20, notes: 'shade', setAt: iso(FARM_NOW + HOUR) },
    });
  });

  it('is emptied by clear', async ({ farm }) => {
    await farm.tool(place, { module: 'North 1', emitterDistanceCm: 12, notes: 'shade' });
    const answer = await farm.tool(place, { module: 'North 1', clear: ['emitterDistanceCm'] });
    expect(answer).toMatchObject({ placement: { emitterDistanceCm: null, notes: 'shade' } });
  });

  it('changes no dose', async ({ farm }) => {
    await farm.declare('North 1', { system: 'drip', flowMmPerH: 3 });
    const entry = minutesAt(FARM_NOW - HOUR, 30);
    const before = await farm.log('North 1', entry);
    await farm.tool(place, { module: 'North 1', emitterDistanceCm: 99 });
    const after = await farm.log('North 1', entry);
    const dose = ({ event: { waterMm, waterMmWetted, configSnapshot } }: typeof after) => ({
      waterMm,
      waterMmWetted,
      configSnapshot,
    });
    expect(dose(after)).toEqual(dose(before));
    expect(await farm.watering(before.event.id)).toEqual(before.event);
  });

  it.for([-1, 10_001, 1.5, 'near'])(
    'is refused with INVALID_EMITTER_DISTANCE for %s',
    async (emitterDistanceCm, { farm }) => {
      await expect(
        farm.tool(place, { module: 'North 1', emitterDistanceCm }),
      ).rejects.toMatchObject({
        code: 'INVALID_EMITTER_DISTANCE',
        status: 400,
        field: 'emitterDistanceCm',
      });
    },
  );
});
