import { beforeAll, describe, expect, it } from 'vitest';
import { type Course, simulatedSoil } from './simulated-soil.ts';
import { type SituationFarm, situationFarm } from './situation-farm.ts';

const depthsCm = [10, 30, 50];
const days = [8, 6, 4, 2];
const waterings = days.map((daysBefore) => ({ daysBefore, minutes: 300 }));
const dry = (seed: number): Course => simulatedSoil({ depthsCm, seed });
const wetted = (seed: number, points: number): Course =>
  simulatedSoil({ depthsCm, seed, wetted: days.map((daysBefore) => ({ daysBefore, points })) });

/** Only the sensor at 10 cm shows its waterings; it is pulled out of the soil `days` before now. */
const pulledOut =
  (course: Course, days: number): Course =>
  (depthCm, daysBefore) => {
    if (depthCm > 10) return dry(2)(depthCm, daysBefore);
    return daysBefore < days ? 0.5 + 0.05 * Math.sin(daysBefore) : course(depthCm, daysBefore);
  };

const jumped =
  (course: Course): Course =>
  (depthCm, daysBefore) =>
    course(depthCm, daysBefore)! + (daysBefore < 3 ? 12 : 0);
const AT_THE_JUMP = [{ daysBefore: 3.2, minutes: 300 }];
/** The same water, which comes down from depth to depth. */
const soaked = simulatedSoil({ depthsCm, wetted: [{ daysBefore: 3, points: 14 }] });

const silentFor =
  (days: number, silentCm: readonly number[]): Course =>
  (depthCm, daysBefore) =>
    silentCm.includes(depthCm) && daysBefore < days ? null : dry(4)(depthCm, daysBefore);

describe('what changes at once', () => {
  let farm: SituationFarm;

  beforeAll(async () => {
    farm = await situationFarm([
      { name: 'Pulled out', moisture: pulledOut(wetted(2, 5), 5), waterings },
      { name: 'Pulled out today', moisture: pulledOut(wetted(2, 5), 0.2), waterings },
      { name: 'Stands', moisture: pulledOut(wetted(2, 5), 0), waterings },
      { name: 'Jumped', moisture: jumped(dry(3)) },
      { name: 'Flooded', moisture: jumped(dry(5)), waterings: AT_THE_JUMP },
      { name: 'Soaked', moisture: soaked },
      { name: 'Both', moisture: jumped(dry(6)) },
      { name: 'Rose', moisture: soaked, parcel: { name: 'Both block' } },
      { name: 'Top silent', moisture: silentFor(4, [10]) },
      { name: 'Two silent', moisture: silentFor(16, [10, 30]) },
      { name: 'Deep silent', moisture: silentFor(4, [50]) },
    ]);
  });

  it.each(['Pulled out', 'Pulled out today'])(
    '%s: a sensor in the air is named before its waterings are missed',
    async (name) => {
      const { reasons, doubts, durationMin, summary } = await farm.advise(name);
      expect(reasons).not.toContain('NO_RESPONSE');
      expect(doubts).toMatchObject([{ reason: 'SENSOR_FELL', depth: 10 }]);
      expect(durationMin).toBeNull();
      expect(summary).toMatch(
        /The probe reads 0\.5 % at 10 cm, fallen from \d\d(\.\d)? % 5 (days|hours) ago, faster than its soil can dry: see whether the sensor still stands firmly in the soil/,
      );
    },
  );

  it('is no doubt while it stands in the soil', async () => {
    const { doubts, durationMin } = await farm.advise('Stands');
    expect(doubts).toEqual([]);
    expect(durationMin).toBeGreaterThan(60);
  });

  it('is asked about where all depths rise together and no water is recorded', async () => {
    const advice = await farm.advise('Jumped');
    expect(advice.reasons[0]).toBe('DEPTHS_JUMPED');
    expect(advice).toMatchObject({ deficitMm: null, durationMin: null, daysToStress: null });
    expect(advice.summary).toMatch(
      /^All of its depths rose at once, by 12 points or more 28 Jun 12:00, with no watering or rain recorded, .*: ask whether water came then/,
    );
    expect(advice.summary).not.toMatch(/needs? no (more )?water|does not need water/);
    expect(advice.next).toContain('log_watering');
  });

  it.each(['Flooded', 'Soaked', 'Both'])(
    '%s: is believed where water explains it',
    async (name) => {
      const { reasons, daysToStress } = await farm.advise(name);
      expect(reasons).toEqual(['FIELD_CAPACITY_ESTIMATED']);
      expect(daysToStress).toBeGreaterThan(7);
    },
  );

  it('leaves depths silent, which are named with the hour since when', async () => {
    const top = await farm.advise('Top silent');
    expect(top.reasons).toContain('MOSTLY_SILENT');
    expect(top.summary).toMatch(
      /^Half .* that can be used \(none from 10 cm since 27 Jun 1[12]:\d\d\), so no amount is given/,
    );
    expect((await farm.advise('Two silent')).summary).toContain(
      '(none from 10 and 30 cm for more than two weeks)',
    );
    expect(top.summary).not.toContain('No depth has a usable value');
  });

  it('leaves the others to be relied on where these are the most', async () => {
    const { reasons, durationMin } = await farm.advise('Deep silent');
    expect(reasons).not.toContain('MOSTLY_SILENT');
    expect(reasons).toContain('SLICE_WITHOUT_VALUE');
    expect(durationMin).toBeGreaterThan(60);
  });

  it('is to be checked first in the brief, and nothing else is', async () => {
    const { checkFirst } = await farm.body('morning_brief');
    const reasonsByName = (checkFirst as { name: string; reason: string }[]).map(
      ({ name, reason }) => [name, reason],
    );
    expect(Object.fromEntries(reasonsByName)).toEqual({
      'Pulled out': 'SENSOR_FELL',
      'Pulled out today': 'SENSOR_FELL',
      Jumped: 'DEPTHS_JUMPED',
      'Top silent': 'MOSTLY_SILENT',
      'Two silent': 'MOSTLY_SILENT',
    });
  });
});

describe('an amount that takes days to give', () => {
  let farm: SituationFarm;

  beforeAll(async () => {
    const tenTimesTooLow = { flowMmPerH: 0.125 };
    farm = await situationFarm([
      { name: 'Logged', moisture: wetted(1, 5), waterings, installation: tenTimesTooLow },
      { name: 'Unlogged', moisture: dry(1), installation: tenTimesTooLow },
      { name: 'Right', moisture: dry(1) },
      {
        name: 'Small pump',
        moisture: wetted(1, 3),
        waterings: days.map((daysBefore) => ({ daysBefore, minutes: 1200 })),
        installation: { flowMmPerH: 0.25 },
      },
    ]);
  });

  it('begins with the application rate where no watering runs so long', async () => {
    for (const name of ['Logged', 'Unlogged']) {
      const { reasons, durationMin } = await farm.advise(name);
      expect(reasons[0]).toBe('FLOW_RATE_IN_DOUBT');
      expect(durationMin).toBeGreaterThan(24 * 60);
    }
    const { needsWater, checkFirst } = await farm.body('morning_brief');
    const named = (rows: unknown) => (rows as { name: string }[]).map(({ name }) => name);
    expect(named(checkFirst)).toEqual(['Unlogged']);
    expect(named(needsWater)).not.toContain('Unlogged');
  });

  it('is given where it fits into a day, or the pump is known to run so long', async () => {
    for (const name of ['Right', 'Small pump'])
      expect((await farm.advise(name)).reasons).not.toContain('FLOW_RATE_IN_DOUBT');
    const { durationMin } = await farm.advise('Small pump');
    expect(durationMin).toBeGreaterThan(24 * 60);
  });
});
