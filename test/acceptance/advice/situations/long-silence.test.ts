import { beforeAll, describe, expect, it } from 'vitest';
import { afterFile } from '../../../cleanup.ts';
import { bodyOf, connectForFile } from '../../mcp-session.ts';
import { CLOCK, type Json } from '../../program.ts';
import { startPartialService } from '../../remote/partial-service.ts';
import { createTestKey } from '../../rest-service.ts';
import { serveStore } from '../../test-surfaces.ts';
import { type Course, simulatedSoil } from './simulated-soil.ts';
import { type SituationFarm, situationFarm } from './situation-farm.ts';

const SILENT_DAYS = 20;

const drying = simulatedSoil({ depthsCm: [10, 30, 50], wettest: 27, daysBefore: 24 });
const silentFor =
  (days: number, course: Course = drying): Course =>
  (depthCm, daysBefore) =>
    daysBefore < days ? null : course(depthCm, daysBefore);
/** The sensor at this depth fell by half a day before the probe became silent. */
const fallenAt = (fallenCm: number): Course =>
  silentFor(SILENT_DAYS, (depthCm, daysBefore) => {
    const moisture = drying(depthCm, daysBefore)!;
    return depthCm === fallenCm && daysBefore < SILENT_DAYS + 1 ? moisture / 2 : moisture;
  });

const sprinkler = { system: 'sprinkler', flowMmPerH: 6, fractionWetted: 1 };
const tomatoes = { parcel: { type: 'tomato' } };

/** Mild and dry: some 3.5 mm of reference evapotranspiration a day since April. */
const hotDays = (): string => {
  const first = Date.UTC(2026, 3, 1);
  const rows = Array.from({ length: 91 }, (_, index) => {
    const day = new Date(first + index * 86_400_000).toISOString().slice(0, 10);
    return `${day},15,23\n`;
  });
  return `date,tmin,tmax\n${rows.join('')}`;
};

describe('the water balance in place of a probe that has long been silent', () => {
  let farm: SituationFarm;

  beforeAll(async () => {
    const situation = (name: string, moisture: Course, fields: Json = {}) => ({
      name,
      moisture,
      installation: sprinkler,
      module: { location: { lat: 43.6, lon: 3.9, source: 'manual' } },
      ...fields,
    });
    const silent = silentFor(SILENT_DAYS);
    farm = await situationFarm(
      [
        situation('Silent', silent),
        situation('Watered', silent, { waterings: [{ daysBefore: 17, minutes: 300 }] }),
        situation('Fallen', fallenAt(30)),
        situation('Mostly fallen', fallenAt(10)),
        situation('Rained on', silent),
        situation('Under glass', silent, { parcel: { type: 'olive greenhouse' } }),
        situation('Tunnel Road', silent),
        situation('Harvested', silent, tomatoes),
        situation('At rest', silent, {
          calls: [['set_probe_settings', { restFrom: '06-15', restUntil: '08-15' }]],
        }),
        situation('Planted since', silent, tomatoes),
        situation('Gone', silentFor(80), { days: 90, ...tomatoes }),
        situation('Gone and unknown', silentFor(80), { days: 90 }),
        situation('Never heard', () => null, tomatoes),
      ],
      { weather: hotDays() },
    );
    for (const name of ['Silent', 'Watered', 'Fallen', 'Mostly fallen', 'Rained on', 'Under glass'])
      await farm.body('set_parcel', { name: `${name} block`, plantedOn: '2026-03-01' });
    const season = { name: 'Harvested block', plantedOn: '2026-03-01' };
    await farm.body('set_parcel', { ...season, harvestedOn: '2026-06-25' });
    for (const name of ['Planted since', 'Gone', 'Never heard'])
      await farm.body('set_parcel', { name: `${name} block`, plantedOn: '2026-06-18' });
    await farm.body('set_parcel', { name: 'Tunnel Road block', plantedOn: '2026-03-01' });
    for (const parcel of ['Rained on block', 'Under glass block', 'Tunnel Road block'])
      await farm.body('log_rain', { parcel, mm: 30, when: '2026-06-14' });
  });

  it('runs since the last evening with readings', async () => {
    const { balance, basis, confidence, ...advice } = await farm.advise('Silent');
    expect({ basis, confidence }).toEqual({ basis: 'balance', confidence: 'partial' });
    expect(balance).toMatchObject({ since: '2026-06-11' });
    expect(advice.deficitMm).toBeGreaterThan(40);
    expect(advice.durationMin).toBeGreaterThan(400);
  });

  it('counts the waterings and the rain of all these days, except under a roof', async () => {
    const { deficitMm: dryMm } = await farm.advise('Silent');
    const watered = await farm.advise('Watered');
    expect(watered.deficitMm).toBeLessThan(dryMm! - 5);
    expect((await farm.advise('Rained on')).deficitMm).toBeLessThan(dryMm! - 5);
    expect(Math.abs((await farm.advise('Under glass')).deficitMm! - dryMm!)).toBeLessThan(1);
  });

  it('gives no amount where a name suggests a roof, until somebody says', async () => {
    const advice = await farm.advise('Tunnel Road');
    expect(advice.reasons).toContain('ROOF_UNKNOWN');
    expect(advice).toMatchObject({ durationMin: null, daysToStress: null });
  });

  it('does not begin with a sensor that had fallen', async () => {
    const { deficitMm, balance } = await farm.advise('Fallen');
    const { deficitMm: soundMm } = await farm.advise('Silent');
    expect(balance?.since).toBe('2026-06-11');
    expect(Math.abs(deficitMm! - soundMm!)).toBeLessThan(6);
    // The one that weighs most: what remains cannot stand for the root zone.
    expect(await farm.advise('Mostly fallen')).toMatchObject({
      deficitMm: null,
      balanceNeeds: ['full_soil'],
    });
  });

  it('is none for a crop that was harvested, or is at rest', async () => {
    for (const name of ['Harvested', 'At rest']) {
      const advice = await farm.advise(name);
      expect(advice.balance).toBeUndefined();
      expect(advice).toMatchObject({ deficitMm: null, durationMin: null });
      expect(advice.reasons).toEqual(['AT_REST']);
    }
  });

  it('begins at planting where the crop is younger than the readings, or these are too old', async () => {
    for (const name of ['Planted since', 'Gone', 'Never heard']) {
      const advice = await farm.advise(name);
      expect(advice.balance).toMatchObject({ since: '2026-06-18', from: 'planting' });
      expect(advice.durationMin).toBeGreaterThan(60);
    }
  });

  it('says what is missing where nothing tells how full the soil was', async () => {
    const advice = await farm.advise('Gone and unknown');
    expect(advice).toMatchObject({ deficitMm: null, balanceNeeds: ['stage'] });
  });

  it('is in the brief and the overview as well', async () => {
    const { checkFirst } = (await farm.body('morning_brief')) as { checkFirst: Json[] };
    expect(checkFirst).toContainEqual(expect.objectContaining({ reason: 'BY_BALANCE' }));
    const { data } = (await farm.body('farm_overview')) as { data: Json[] };
    const { moduleId, daysToStress } = await farm.advise('Silent');
    expect(data).toContainEqual(expect.objectContaining({ moduleId, daysToStress }));
  });

  it('is the same from the answers of a service elsewhere', async () => {
    const { key } = await createTestKey(farm.db, '--surface', 'mcp');
    const service = await startPartialService(
      await serveStore(farm.db),
      /\/(advice|brief|overview)(\?|$)/,
    );
    afterFile(service.close);
    const args = ['--remote', service.base, '--clock', CLOCK];
    const { call } = await connectForFile(args, { env: { ACEQUIA_API_KEY: key } });
    for (const module of ['Silent', 'Watered', 'Fallen', 'Under glass', 'Gone', 'Harvested']) {
      const { balance, deficitMm, rest } = await farm.advise(module);
      const body = bodyOf(await call('advise_watering', { module }));
      expect(body.rest).toEqual(rest);
      expect(body.balance?.since).toEqual(balance?.since);
      expect(body.balance?.from).toEqual(balance?.from);
      expect(Math.abs((body.deficitMm ?? 0) - (deficitMm ?? 0))).toBeLessThan(0.2);
    }
  });
});
