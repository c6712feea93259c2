import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { acequia, CLOCK, connected, newFarm, newFolder, type Wired } from './program.ts';

/** A whole demo runs first, maybe on a machine that has other things to do. */
const PATIENT = 240_000;

describe('morning_brief', () => {
  it('tells of the demo farm, four days after its last reading, who is silent and what the book plans', {
    timeout: PATIENT,
  }, async () => {
    const db = join(await newFolder(), 'demo.db');
    await acequia('demo', '--db', db, '--clock', '2026-07-14T10:00:00Z');
    const { call } = await connected(db, { clock: '2026-07-18T05:00:00Z' });
    const told = async (name: string, args = {}): Promise<Wired> => (await call(name, args)).structuredContent;
    await call('log_watering', {
      module: 'North 1',
      startedAt: 'tomorrow 6:00',
      inputMode: 'duration',
      durationMin: 40,
    });
    const brief = await told('morning_brief');
    const modules = (await told('list_modules')).data;
    const gateways = (await told('list_gateways')).data;
    const now = '2026-07-18T05:00:00Z';
    const over = await told('list_waterings', { status: 'planned', to: now });
    const ahead = await told('list_waterings', { status: 'planned', from: now, to: '2026-07-20T05:00:00Z' });
    const idsOf = (rows: Wired[], key: string): number[] => rows.map((row) => row[key]).sort((a, b) => a - b);
    expect(brief.modules).toBe(modules.length);
    expect(idsOf(brief.silent.modules, 'moduleId')).toEqual(idsOf(modules, 'id'));
    expect(idsOf(brief.silent.gateways, 'gatewayId')).toEqual(idsOf(gateways, 'id'));
    expect(brief.needsWater).toEqual([]);
    // The schedule of the demo confirms by itself what nobody changed by hand.
    const waiting = over.data.filter(({ isDetached }: Wired) => isDetached);
    expect(waiting.length * ahead.data.length).toBeGreaterThan(0);
    expect(idsOf(brief.toConfirm, 'eventId')).toEqual(idsOf(waiting, 'id'));
    expect(idsOf(brief.schedule, 'eventId')).toEqual(idsOf(ahead.data, 'id'));
  });

  it('says in words, in text and in structure that a probe needs water, as advise_watering does', async () => {
    const db = await newFarm();
    const file = join(await newFolder(), 'dry.csv');
    const hours = Array.from({ length: 72 }, (_, hour) => new Date(Date.parse(CLOCK) - (72 - hour) * 3_600_000));
    const rows = hours.map((at) => `${at.toISOString()},12,12,12\n`);
    await writeFile(file, `time,humidity_10,humidity_20,humidity_30\n${rows.join('')}`);
    await acequia('import', file, '--module', 'North 1', '--db', db);
    const { call } = await connected(db);
    await call('set_soil_profile', {
      parcel: 'North block',
      layers: [{ soilHorizonId: 6, depthTopCm: 0, depthBottomCm: 60 }],
    });
    const brief: Wired = await call('morning_brief');
    const { waterMm, durationMin }: Wired = (await call('advise_watering', { module: 'North 1' })).structuredContent;
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
    const { client } = await connected(await newFarm(), { clock: CLOCK });
    const completed = async (name: string, argument: string, value: string) =>
      (await client.complete({ ref: { type: 'ref/prompt', name }, argument: { name: argument, value } })).completion
        .values;
    expect(await completed('plan_week', 'parcel', 'north')).toEqual(['North block']);
    for (const name of ['plan_week', 'irrigation_review', 'set_up_probe'])
      expect(await completed(name, 'module', 'south')).toEqual(['South 1']);
  });

  it('say whom they concern, and read whole without it', async () => {
    const { client } = await connected(await newFarm(), { clock: CLOCK });
    const text = async (name: string, given: Record<string, string> = {}): Promise<Wired> =>
      ((await client.getPrompt({ name, arguments: given })) as Wired).messages[0].content.text;
    expect(await text('plan_week', { parcel: 'North block' })).toContain('Block: "North block".');
    expect(await text('irrigation_review', { module: 'North 1', period: 'June' })).toContain('Period: "June".');
    for (const name of ['plan_week', 'irrigation_review', 'set_up_probe'])
      expect(await text(name)).not.toMatch(/[{]{2}/);
  });
});
