import { describe, expect, it } from 'vitest';
import { summarizeProbes } from '../../../../src/language/advice/parcel/probes-summary.ts';
import type { AdviceBody } from '../../../../src/schema/advice/advice.ts';
import { contextOf, MODULE } from '../../context.ts';
import { renderAnswer } from '../../render-text.ts';
import { ADVICE } from '../advice.ts';

const context = contextOf({
  modules: ['Oak', 'Elm', 'Ash', 'Fir'].map((name, index) => ({ ...MODULE, id: index + 1, name })),
});

const summarize = async (advices: readonly Partial<AdviceBody>[]) =>
  renderAnswer(
    await summarizeProbes(
      advices.map((advice, index) => ({ ...ADVICE, moduleId: index + 1, ...advice })),
      context,
      { expectedRainMm: 0 },
    ),
  );

const DRY = 'needs water now: it is already at or below the stress point.';
const AMOUNT =
  'To refill it, give 4 h 10 min, 21 mm over the whole area, 43 m3, not counting losses or leaching.';
const AT_REST: Partial<AdviceBody> = {
  reasons: ['AT_REST'],
  rest: { until: '2027-03-15', harvestedOn: null },
};
const WAITS = 'does not need water now: about 5 days until the stress point.';

describe('the probes of a parcel', () => {
  it('have an amount where water is due, and what holds for several is said once', async () =>
    expect(await summarize([{ reasons: ['GAPS'] }, { reasons: ['GAPS'] }])).toEqual({
      summary: `Oak ${DRY} ${AMOUNT} More than a tenth of the readings of the last week are missing. Elm ${DRY}`,
      next: ['get_module_health'],
    }));

  it('have no amount, nor doubts about it, where they can wait', async () =>
    expect(await summarize([{ daysToStress: 5, reasons: ['DEFAULT_FRACTION_WETTED'] }])).toEqual({
      summary: `Oak ${WAITS}`,
      next: [],
    }));

  it('are named before a doubt, which does not name them', async () => {
    const { summary } = await summarize([
      { deficitMm: null, waterMm: null, daysToStress: null, reasons: ['FROZEN'] },
      { daysToStress: 5, reasons: ['RECENT_WATERING'] },
    ]);
    expect(summary).toMatch(
      /^Oak: Half of the measured soil .* How much water Oak needs is unknown\. Elm does not need water now: about 5 days until the stress point\. A recent watering may/,
    );
  });

  it('are at most three; others are counted, and silent ones named', async () => {
    const silent = { time: null, deficitMm: null, waterMm: null, daysToStress: null };
    const waits = { daysToStress: 5 };
    expect(await summarize([waits, waits, waits, waits])).toEqual({
      summary: `Oak ${WAITS} Elm ${WAITS} Ash ${WAITS} 1 more probe of this parcel is less urgent.`,
      next: ['this call again with module'],
    });
    expect(await summarize([waits, silent, silent])).toEqual({
      summary: `Oak ${WAITS} Unknown without readings of the soil: Elm and Ash.`,
      next: ['get_module_health'],
    });
  });

  it('say that their crop is at rest', async () =>
    expect((await summarize([AT_REST])).summary).toBe(
      'Oak needs no watering now: its crop is at rest until 15 March.',
    ));
});
