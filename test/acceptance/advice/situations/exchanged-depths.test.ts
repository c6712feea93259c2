import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../program.ts';
import { type Course, simulatedSoil } from './simulated-soil.ts';
import { type Situation, type SituationFarm, situationFarm } from './situation-farm.ts';

const depthsCm = [10, 30, 60];
const WETTED = [12.5, 8.5, 4.5];
const wetted = WETTED.map((daysBefore) => ({ daysBefore, points: 6 }));
const waterings = WETTED.map((daysBefore) => ({ daysBefore, minutes: 600 }));

/** As it should be: the top is wetted first and dries fastest. */
const sound = (seed: number, more = {}): Course =>
  simulatedSoil({ depthsCm, wettest: 22, driest: 13, dryingDays: 4, wetted, seed, ...more });

/** The course of each depth at another one. */
const at =
  (course: Course, depths: Readonly<Record<number, number>>): Course =>
  (depthCm, daysBefore) =>
    course(depths[depthCm] ?? depthCm, daysBefore);

const EXCHANGED = { 10: 60, 60: 10 };

/** Small waterings that do not come down to 60 cm. */
const small = (seed: number): Course => {
  const top = sound(seed);
  return (depthCm, daysBefore) =>
    depthCm === 60 ? 21 - (14 - daysBefore) * 0.02 : top(depthCm, daysBefore);
};

/** At 5 m below a swing of 8 degrees there is one of 1. */
const warmTop: Course = (depthCm, daysBefore) =>
  18 + (depthCm === 10 ? 6 : 0.5) * Math.sin(2 * Math.PI * -daysBefore);

/** Water rises slowly at 60 cm, and nothing is seen above. */
const groundWater: Course = (depthCm, daysBefore) =>
  depthCm === 60
    ? 24 + 3 * Math.sin((2 * Math.PI * daysBefore) / 4)
    : 20 - depthCm / 100 - 0.1 * (14 - daysBefore);

/** Each watering runs down to 60 cm at once, and wets the top two hours later. */
const cracking: Course = (() => {
  const soil = sound(21);
  const below = simulatedSoil({
    depthsCm,
    wettest: 24,
    driest: 22,
    wetted: WETTED.map((daysBefore) => ({ daysBefore: daysBefore + 0.5, points: 12 })),
    seed: 22,
  });
  return (depthCm, daysBefore) => (depthCm === 60 ? below : soil)(depthCm, daysBefore);
})();

/** Emitters at 40 cm: the top stays at the wilting point, whatever is given. */
const buried: Course = (() => {
  const soil = at(sound(31), EXCHANGED);
  return (depthCm, daysBefore) => (depthCm === 10 ? 12 : soil(depthCm, daysBefore));
})();

/** Roots take up from 60 cm, and the top is dry before each watering. */
const deepRooted = simulatedSoil({
  depthsCm,
  wettest: 15,
  driest: 13,
  dryingDays: 3,
  wetted: WETTED.map((daysBefore) => ({ daysBefore, points: 10 })),
  seed: 41,
});

const probe = (name: string, moisture: Course, more: Partial<Situation> = {}): Situation => ({
  name,
  depthsCm,
  moisture,
  waterings,
  ...more,
});

const TWINS = [
  'Sound',
  'Shallow roots',
  'Deep roots',
  'Ground water',
  'Cracking clay',
  'Buried, not declared',
  'Buried',
  'Warm at the top',
];

describe('sensors whose depths were exchanged', () => {
  let farm: SituationFarm;

  beforeAll(async () => {
    farm = await situationFarm([
      probe('Exchanged', at(sound(1), EXCHANGED)),
      probe('Small waterings', at(small(2), EXCHANGED)),
      probe('Sound', sound(3)),
      probe('Shallow roots', small(4), { module: { settings: { rootDepthCm: 25 } } }),
      probe('Deep roots', deepRooted, { module: { settings: { rootDepthCm: 120 } } }),
      probe('Ground water', groundWater),
      probe('Cracking clay', cracking, { usdaClass: 'Clay' }),
      probe('Buried, not declared', buried),
      probe('Buried', at(sound(5), EXCHANGED), {
        module: { settings: { rootDepthCm: 60, emitterDepthCm: 40 } },
      }),
      probe('Warm at the top', at(sound(6), EXCHANGED), { temperature: warmTop }),
    ]);
  });

  it('are named, and no amount is given by them', async () => {
    for (const name of ['Exchanged', 'Small waterings']) {
      const { reasons, durationMin, daysToStress, summary } = await farm.advise(name);
      expect([name, ...reasons]).toContain('DEPTHS_EXCHANGED');
      expect({ durationMin, daysToStress }).toEqual({ durationMin: null, daysToStress: null });
      expect(summary).toMatch(
        /The sensor at 60 cm is the first to show water and the first to dry, and the one at 10 cm is the last: their depths look exchanged/,
      );
    }
  });

  it('say of no watering that it went below the roots, or down cracks', async () => {
    for (const module of ['Exchanged', 'Small waterings']) {
      const review = await farm.body('review_waterings', { module });
      expect(review.summary).toContain('their depths look exchanged');
      expect(review.summary).not.toMatch(/below the roots:|give less|runs down cracks/);
      const rows = review.waterings as Json[];
      expect(rows.map(({ response }) => response)).toEqual(['reached', 'reached', 'reached']);
    }
  });

  it('are told from soil whose water comes from below, or whose top is dry', async () => {
    for (const name of TWINS) {
      const { reasons } = await farm.advise(name);
      expect([name, reasons.includes('DEPTHS_EXCHANGED')]).toEqual([name, false]);
    }
  });
});
