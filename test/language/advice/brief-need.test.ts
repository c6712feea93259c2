import { expect, it } from 'vitest';
import { describeNoNeed } from '../../../src/language/advice/brief/brief-summary.ts';

type Facts = Parameters<typeof describeNoNeed>[0];
const probe = (id: number) => ({ id, name: `Oak ${id}` }) as unknown as Facts['unjudged'][number];
const brief = (unjudged: number, modules = 2) =>
  ({
    modules,
    needsWater: [],
    checkFirst: [],
    silent: { gateways: [], modules: [] },
    unjudged: Array.from({ length: unjudged }, (_, index) => probe(index + 1)),
    leftOut: { unjudged: 0, silentModules: 0 },
  }) as unknown as Facts;

it('says of probes in unknown soil that their need of water is unknown', () => {
  expect(describeNoNeed(brief(2))).toEqual(['Whether they need water is unknown.']);
  expect(describeNoNeed(brief(1, 1))).toEqual(['Whether it needs water is unknown.']);
  expect(describeNoNeed(brief(1))[0]).toContain('No probe is known to need more water');
});
