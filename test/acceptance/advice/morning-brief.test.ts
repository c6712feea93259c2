import { describe, expect, it } from 'vitest';
import { importReadingsCsv } from '../imported-data.ts';
import { CLOCK, connectStdio, type Json, newBaseFarm } from '../program.ts';

describe('morning_brief', () => {
  it('says in words, in text and in structure that a probe needs water, as advise_watering does', async () => {
    const db = await newBaseFarm();
    const hours = Array.from({ length: 72 }, (_, hour) => new Date(Date.parse(CLOCK) - (72 - hour) * 3_600_000));
    const rows = hours.map((at) => `${at.toISOString()},12,12,12\n`);
    await importReadingsCsv(db, `time,humidity_10,humidity_20,humidity_30\n${rows.join('')}`, { module: 'North 1' });
    const { call } = await connectStdio(db);
    await call('set_soil_profile', {
      parcel: 'North block',
      layers: [{ soilHorizonId: 6, depthTopCm: 0, depthBottomCm: 60 }],
    });
    const brief: Json = await call('morning_brief');
    const { waterMm, durationMin }: Json = (await call('advise_watering', { module: 'North 1' })).structuredContent;
    expect(durationMin).toBeGreaterThan(0);
    expect(brief.structuredContent.needsWater).toMatchObject([
      { name: 'North 1', waterMm, durationMin, daysToStress: 0, confidence: 'partial' },
    ]);
    expect(brief.structuredContent.summary).toContain(`Water today: North 1 for ${durationMin} min, under stress.`);
    expect(JSON.parse(brief.content[1].text)).toEqual(brief.structuredContent);
  });
});

describe('the prompts', () => {
  it('complete the block and the probe that they are asked about', async () => {
    const { client } = await connectStdio(await newBaseFarm(), { clock: CLOCK });
    const completed = async (name: string, argument: string, value: string) =>
      (await client.complete({ ref: { type: 'ref/prompt', name }, argument: { name: argument, value } })).completion
        .values;
    expect(await completed('plan_week', 'parcel', 'north')).toEqual(['North block']);
    for (const name of ['plan_week', 'irrigation_review', 'set_up_probe'])
      expect(await completed(name, 'module', 'south')).toEqual(['South 1']);
  });

  it('say whom they concern, and read whole without it', async () => {
    const { client } = await connectStdio(await newBaseFarm(), { clock: CLOCK });
    const text = async (name: string, given: Record<string, string> = {}): Promise<Json> =>
      ((await client.getPrompt({ name, arguments: given })) as Json).messages[0].content.text;
    expect(await text('plan_week', { parcel: 'North block' })).toContain('Block: "North block".');
    expect(await text('irrigation_review', { module: 'North 1', period: 'June' })).toContain('Period: "June".');
    for (const name of ['plan_week', 'irrigation_review', 'set_up_probe'])
      expect(await text(name)).not.toMatch(/[{]{2}/);
  });
});
