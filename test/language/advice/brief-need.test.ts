import { expect, it } from 'vitest';
import { sentences } from '../../../src/domain/text/say.ts';
import { describeNoNeed } from '../../../src/language/advice/brief/brief-summary.ts';
import { renderText } from '../render-text.ts';

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

const needSaid = (unjudged: number, modules?: number) =>
  renderText(sentences(describeNoNeed(brief(unjudged, modules))));

it('says of probes in unknown soil that their need of water is unknown', () => {
  expect(needSaid(2)).toBe('Whether they need water is unknown.');
  expect(needSaid(1, 1)).toBe('Whether it needs water is unknown.');
  expect(needSaid(1)).toBe('No probe is known to need more water today than is planned.');
});
