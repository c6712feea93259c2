import { describe, expect, it } from 'vitest';
import { LANGS, type Lang } from '../../../src/domain/lang.ts';
import { newBaseFarm } from '../../base-farm.ts';
import { importReadingsCsv } from '../../imported-data.ts';
import { HOUR, iso } from '../../time.ts';
import { connectStdio, firstText } from '../mcp-session.ts';
import { CLOCK } from '../program.ts';

const NOW = Date.parse(CLOCK);
const CROP: Record<Lang, string> = { en: 'vineyard', fr: 'vignes', es: 'viñedo' };
const SUFFERING: Record<Lang, string> = {
  en: 'Plants there already begin to suffer at 21.5 %',
  fr: 'Les plantes y souffrent déjà dès 21,5 %',
  es: 'Allí las plantas empiezan a sufrir ya con un 21,5 %',
};

async function dryingLoam(): Promise<string> {
  const db = await newBaseFarm();
  const rows = Array.from({ length: 10 * 24 }, (_, index) => {
    const value = (24 + (index + 1) / 48).toFixed(2);
    return `${iso(NOW - (index + 1) * HOUR)},${value},${value}`;
  });
  await importReadingsCsv(db, `time,humidity_10,humidity_30\n${rows.join('\n')}\n`, { module: 'North 1' });
  return db;
}

describe('a drawn line', () => {
  it.each(LANGS)(
    'at the wilting point leaves the days to stress as they are, and in %s the note says where stress begins',
    async (lang) => {
      const { call } = await connectStdio(await dryingLoam(), { lang });
      const answer = async (name: string, args: object) => (await call(name, { module: 'North 1', ...args })) as never;
      const structured = async (name: string, args = {}): Promise<Record<string, unknown>> =>
        ((await answer(name, args)) as { structuredContent: Record<string, unknown> }).structuredContent;
      await call('set_parcel', { name: 'North block', type: CROP[lang] });
      await call('set_soil_profile', {
        parcel: 'North block',
        layers: [{ soilHorizonId: 6, depthTopCm: 0, depthBottomCm: 60 }],
      });
      const { daysToStress } = await structured('advise_watering');
      // Loam holds 27.96 % and wilts at 13.7 %; 27.96 - 0.45 x (27.96 - 13.7) for wine grapes.
      const state = await structured('get_agronomic_state');
      expect(state).toMatchObject({ allowedDepletion: 0.45, stressPoint: 21.54, basis: { allowedDepletion: 'crop' } });
      const drawing = (fill: string, height: unknown) => ({ type: 'h-line', p1: [NOW, height], style: { fill } });
      const drawn = await answer('create_annotation', drawing('threshold2', state.wiltingPoint));
      expect(firstText(drawn)).toContain(SUFFERING[lang]);
      expect((await structured('advise_watering')).daysToStress).toBe(daysToStress);
    },
  );

  it('at field capacity is what the deficit fills up to', async () => {
    const { call } = await connectStdio(await dryingLoam());
    await call('set_soil_profile', {
      parcel: 'North block',
      layers: [{ soilHorizonId: 6, depthTopCm: 0, depthBottomCm: 60 }],
    });
    const advise = async () => (await call('advise_watering', { module: 'North 1' })).structuredContent!;
    const estimated = await advise();
    expect(estimated.reasons).toContain('FIELD_CAPACITY_ESTIMATED');
    const line = { type: 'h-line', p1: [NOW, 33], style: { fill: 'threshold1' } };
    await call('create_annotation', { module: 'North 1', ...line });
    const drawn = await advise();
    expect(drawn.reasons).not.toContain('FIELD_CAPACITY_ESTIMATED');
    // 350 mm of soil, all of it drier than 27.96 %.
    expect((drawn.deficitMm as number) - (estimated.deficitMm as number)).toBeCloseTo((0.33 - 0.2796) * 350, 2);
  });
});
