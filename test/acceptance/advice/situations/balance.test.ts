import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AdviceBody } from '../../../../src/schema/advice/advice.ts';
import { runInProcess } from '../../../in-process-command.ts';
import { folderForFile } from '../../../temporary-places.ts';
import { CLOCK, type Json } from '../../program.ts';
import { type Course, simulatedSoil } from './simulated-soil.ts';
import { type SituationFarm, situationFarm } from './situation-farm.ts';

const depthsCm = [10, 30, 50];
const SILENT_DAYS = 6;

const drying = simulatedSoil({ depthsCm, wettest: 27, daysBefore: 12 });
const silent: Course = (depthCm, daysBefore) =>
  daysBefore < SILENT_DAYS ? null : drying(depthCm, daysBefore);
/** It shows none of the drying of two hot weeks. */
const unmoved: Course = (depthCm, daysBefore) =>
  Math.round((26 - depthCm / 50 + 0.2 * Math.sin(2 * Math.PI * daysBefore)) * 100) / 100;

/** The same at a moisture that is not yet stress, while a hot week takes more than is left. */
const unmovedLow: Course = (depthCm, daysBefore) => unmoved(depthCm, daysBefore)! - 5;
/** It dries by 1.4 points a day, more than twice what young plants take. */
const dryingFast: Course = (depthCm, daysBefore) =>
  Math.round((16.5 + 1.4 * daysBefore - depthCm / 100) * 100) / 100;

const sprinkler = { system: 'sprinkler', flowMmPerH: 6, fractionWetted: 1 };
/** Olives that began to grow in March: a coefficient of 0.65, crop alone. */
const GROWING = [
  'Silent',
  'Silent and watered',
  'Drying',
  'Unmoved',
  'Unmoved and low',
  'Too dry to be true',
];

const located = { location: { lat: 43.6, lon: 3.9, source: 'manual' } };

/** Hot and dry: some 6 mm of reference evapotranspiration a day. */
const hotDays = (): string => {
  const rows = Array.from({ length: 15 }, (_, index) => `2026-06-${16 + index},18,34\n`);
  return `date,tmin,tmax\n${rows.join('')}`;
};

async function importWeather({ db }: SituationFarm): Promise<void> {
  const path = join(await folderForFile(), 'weather.csv');
  await writeFile(path, hotDays());
  const { code, stderr } = await runInProcess(['import', path, '--db', db, '--clock', CLOCK]);
  if (code !== 0) throw new Error(stderr);
}

describe('the water balance beside a probe', () => {
  let farm: SituationFarm;
  let withoutWeather: AdviceBody;

  beforeAll(async () => {
    const situation = (name: string, moisture: Course) => ({
      name,
      moisture,
      installation: sprinkler,
      module: located,
    });
    farm = await situationFarm([
      { ...situation('Silent', silent) },
      {
        ...situation('Silent and watered', silent),
        waterings: [{ daysBefore: 3, minutes: 600 }],
      },
      situation('Silent olives', silent),
      { ...situation('Drying', drying) },
      { ...situation('Unmoved', unmoved) },
      situation('Unmoved and low', unmovedLow),
      { ...situation('Drying fast', dryingFast), days: 12, parcel: { type: 'tomato' } },
      {
        ...situation('Too dry to be true', (depthCm, daysBefore) =>
          daysBefore < 8 ? 1 : drying(depthCm, daysBefore),
        ),
        waterings: [{ daysBefore: 5, minutes: 1500 }],
      },
    ]);
    for (const name of GROWING)
      await farm.body('set_parcel', { name: `${name} block`, plantedOn: '2026-03-01' });
    await farm.body('set_parcel', { name: 'Drying fast block', plantedOn: '2026-06-20' });
    withoutWeather = await farm.advise('Silent');
    await importWeather(farm);
  });

  it('gives the amount of a probe that is silent', async () => {
    const advice = await farm.advise('Silent');
    expect(advice).toMatchObject({ basis: 'balance', confidence: 'partial' });
    expect(advice.reasons).toEqual(expect.arrayContaining(['STALE_DATA', 'BY_BALANCE']));
    expect(advice.balance?.since).toBe('2026-06-25');
    // Six days of some 0.65 x 6 mm after the last reading, over the whole area.
    const before = await farm.advise('Drying');
    expect(advice.deficitMm).toBeGreaterThan(20);
    expect(Math.abs(advice.deficitMm! - before.deficitMm!)).toBeLessThan(15);
    expect(advice.durationMin).toBeGreaterThan(60);
  });

  it('counts what was given meanwhile', async () => {
    const advice = await farm.advise('Silent and watered');
    const dry = await farm.advise('Silent');
    expect(advice.deficitMm! - dry.deficitMm!).toBeLessThan(-25);
  });

  it('gives none without weather, and says what is missing', () => {
    expect(withoutWeather).toMatchObject({ deficitMm: null, durationMin: null });
    expect(withoutWeather.basis).toBeUndefined();
    expect(withoutWeather.reasons).not.toContain('BY_BALANCE');
    expect(withoutWeather.balanceNeeds).toEqual(['weather']);
  });

  it('gives none where nobody has said when the crop grows', async () => {
    const advice = await farm.advise('Silent olives');
    expect(advice.deficitMm).toBeNull();
    expect(advice.balanceNeeds).toEqual(['stage']);
  });

  it('is a second opinion: a difference that grows is said', async () => {
    const advice = await farm.advise('Unmoved');
    expect(advice.reasons).toContain('BALANCE_DIFFERS');
    expect(advice.reasons).not.toContain('DRY_BY_BALANCE');
    expect(advice.basis).toBeUndefined();
    expect(advice.confidence).toBe('partial');
    expect(advice.balance!.deficitMm).toBeGreaterThan(advice.deficitMm! + 15);
  });

  it('has the soil looked at first where it is dry by the balance alone', async () => {
    const advice = await farm.advise('Unmoved and low');
    expect(advice.reasons).toContain('DRY_BY_BALANCE');
    const { checkFirst } = (await farm.body('morning_brief')) as { checkFirst: Json[] };
    const { moduleId } = advice;
    expect(checkFirst).toContainEqual(
      expect.objectContaining({ moduleId, reason: 'DRY_BY_BALANCE' }),
    );
  });

  it('keeps nobody from watering where the probe is drier than the balance', async () => {
    const { moduleId, reasons, balance, deficitMm } = await farm.advise('Drying fast');
    expect(reasons).toContain('BALANCE_DIFFERS');
    expect(balance!.deficitMm).toBeLessThan(deficitMm! - 25);
    const { needsWater } = (await farm.body('morning_brief')) as { needsWater: Json[] };
    expect(needsWater).toContainEqual(expect.objectContaining({ moduleId }));
  });

  it('says nothing beside a probe that dries as the crop drinks', async () => {
    const advice = await farm.advise('Drying');
    expect(advice.reasons).not.toContain('BALANCE_DIFFERS');
    expect(advice.balance).toBeUndefined();
  });

  it('puts a silent probe that is dry by the balance under what to check first', async () => {
    const { checkFirst } = (await farm.body('morning_brief')) as { checkFirst: Json[] };
    expect(checkFirst).toContainEqual(expect.objectContaining({ reason: 'BY_BALANCE' }));
  });

  it('gives the amount of the balance until a doubted probe is checked', async () => {
    const advice = await farm.advise('Too dry to be true');
    expect(advice.durationMin).toBeNull();
    expect(advice.meanwhile).toMatchObject({ basis: 'balance', moduleId: null });
    // Five days and a half after the watering that filled the soil.
    expect(advice.meanwhile?.waterMm).toBeGreaterThan(20);
    expect(advice.meanwhile?.waterMm).toBeLessThan(50);
  });
});
