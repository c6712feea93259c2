import { describe, expect, it } from 'vitest';
import { summarizeParcelAdvice } from '../../../../src/language/advice/parcel/parcel-advice-summary.ts';
import type { ParcelAdviceBody } from '../../../../src/schema/advice/parcel-advice.ts';
import { contextOf } from '../../context.ts';
import { renderAnswer } from '../../render-text.ts';
import { ADVICE } from '../advice.ts';

const context = contextOf({ parcels: [{ id: 2, name: 'North block' }] });

const { deficitMm, settings, netMm, waterMm, durationMin, fractionWetted, daily } = ADVICE;
const PARCEL: ParcelAdviceBody = {
  parcelId: 2,
  deficitMm,
  settings,
  netMm,
  waterMm,
  durationMin,
  fractionWetted,
  daily,
  volumeM3: ADVICE.volumeM3,
  daysToStress: 0,
  rest: null,
  confidence: 'partial',
  reasons: ['BY_BALANCE'],
  basis: 'balance',
  balance: {
    since: '2026-06-20',
    from: 'filled',
    deficitMm: 21.46,
    waterings: 2,
    errorMm: 12.5,
    isErrorOwn: false,
  },
};

const answer = async (facts: Partial<ParcelAdviceBody>, units?: 'us') =>
  renderAnswer(
    await summarizeParcelAdvice({ ...PARCEL, ...facts }, context, { expectedRainMm: 0 }),
    units,
  );

const BY =
  'No probe measures North block. By the balance of rain, waterings and evapotranspiration since 20 Jun, before which rain or waterings had filled its soil, it';
const LACKS = `${BY} lacks 21 mm in its root zone to reach field capacity, give or take 13 mm (as far as balances of other fields were off; its own error is not known).`;
const AMOUNT = '4 h 10 min, 21 mm over the whole area, 43 m3';

describe('the advice for a parcel without a probe', () => {
  it.each<[string, Partial<ParcelAdviceBody>, string[]]>([
    [
      `North block needs water now: it is already at or below the stress point. ${LACKS} To refill it, give ${AMOUNT}, not counting losses or leaching.`,
      {},
      [],
    ],
    [
      `North block does not need water now: about 5 days until the stress point. ${LACKS} No watering is counted since then: if there was one, it lacks less; ask for the last day on which its soil was full. To refill it would take ${AMOUNT}.`,
      { daysToStress: 5, balance: { ...PARCEL.balance!, waterings: 0 } },
      ['this call again with filledOn'],
    ],
    [`${BY} needs no water.`, { deficitMm: 0.3, daysToStress: null }, []],
    [
      'North block needs no watering now: its crop is at rest until 15 March.',
      { reasons: ['AT_REST'], rest: { until: '2027-03-15', harvestedOn: null } },
      ['set_probe_settings(restUntil)', 'set_parcel(plantedOn)'],
    ],
    [
      'No probe measures North block, so a balance of rain, waterings and evapotranspiration has to tell how much water it needs. Missing for that: the crop of its parcel and the soil.',
      { balanceNeeds: ['crop', 'soil'] },
      ['set_parcel(type)', 'set_soil_profile'],
    ],
  ])('is %j', async (summary, facts, next) =>
    expect(await answer(facts)).toEqual({ summary, next }),
  );

  it('is converted from what it was before it was rounded', async () =>
    expect((await answer({}, 'us')).summary).toContain(
      'it lacks 0.84 in (21 mm) in its root zone',
    ));
});
