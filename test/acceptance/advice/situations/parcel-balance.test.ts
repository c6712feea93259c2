import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ParcelAdviceBody } from '../../../../src/schema/advice/parcel-advice.ts';
import { runInProcess } from '../../../in-process-command.ts';
import { folderForFile } from '../../../temporary-places.ts';
import { CLOCK, type Json } from '../../program.ts';
import { simulatedSoil } from './simulated-soil.ts';
import { type SituationFarm, situationFarm } from './situation-farm.ts';

const LOAM = [{ usdaClass: 'Loam', depthTopCm: 0, depthBottomCm: 100 }];
const sprinkler = { system: 'sprinkler', flowMmPerH: 6, fractionWetted: 1, irrigatedAreaM2: 5000 };
const parcel = (name: string, fields: Json = {}): Json => ({
  name,
  type: 'olive',
  soilProfile: LOAM,
  installation: sprinkler,
  ...fields,
});

/** Hot and dry: some 6 mm of reference evapotranspiration a day. */
const hotDays = (): string => {
  const rows = Array.from({ length: 30 }, (_, index) => {
    const day = String(index + 1).padStart(2, '0');
    return `2026-06-${day},18,34\n`;
  });
  return `date,tmin,tmax\n${rows.join('')}`;
};

async function importWeather({ db }: SituationFarm): Promise<void> {
  const path = join(await folderForFile(), 'weather.csv');
  await writeFile(path, hotDays());
  const { code, stderr } = await runInProcess(['import', path, '--db', db, '--clock', CLOCK]);
  if (code !== 0) throw new Error(stderr);
}

describe('the water balance of a parcel without a probe', () => {
  let farm: SituationFarm;
  let withoutWeather: ParcelAdviceBody;
  const adviseParcel = async (name: string, args: Json = {}): Promise<ParcelAdviceBody> =>
    (await farm.body('advise_watering', { parcel: name, ...args })) as ParcelAdviceBody;

  beforeAll(async () => {
    farm = await situationFarm(
      [
        {
          name: 'Measured',
          moisture: simulatedSoil({ depthsCm: [10, 30, 50], wettest: 27, daysBefore: 12 }),
          module: { location: { lat: 43.6, lon: 3.9, source: 'manual' } },
        },
      ],
      {
        parcels: [
          parcel('Dry'),
          parcel('Planted', { type: 'tomato' }),
          parcel('Under glass', { type: 'olive greenhouse' }),
          parcel('La Serre', { type: 'olive' }),
          parcel('Unknown', { type: null, soilProfile: [] }),
        ],
      },
    );
    for (const name of ['Dry', 'Under glass', 'La Serre'])
      await farm.body('set_parcel', { name, plantedOn: '2026-03-01', rootDepthCm: 60 });
    await farm.body('set_parcel', { name: 'Planted', plantedOn: '2026-06-10', rootDepthCm: 40 });
    withoutWeather = await adviseParcel('Dry');
    await importWeather(farm);
  });

  it('gives no amount without weather, and says what is missing', () => {
    expect(withoutWeather).toMatchObject({ deficitMm: null, durationMin: null });
    expect(withoutWeather).toMatchObject({ confidence: 'insufficient', basis: 'balance' });
    expect(withoutWeather.balanceNeeds).toEqual(['weather']);
  });

  it('asks when the soil was full where nothing recorded has filled it', async () => {
    const advice = await adviseParcel('Dry');
    expect(advice).toMatchObject({ deficitMm: null, balanceNeeds: ['full_soil'] });
  });

  it('gives the amount since the day on which it was full', async () => {
    const advice = await adviseParcel('Dry', { filledOn: '2026-06-21' });
    expect(advice).toMatchObject({
      confidence: 'partial',
      balance: { since: '2026-06-21', from: 'said', waterings: 0 },
    });
    // Ten days and a half of some 0.65 x 6.5 mm, and 20 mm from the wet surface (table 19).
    expect(advice.deficitMm).toBeGreaterThan(50);
    expect(advice.deficitMm).toBeLessThan(70);
    expect(advice.durationMin).toBeGreaterThan(240);
  });

  it('counts a watering that was logged since then, until it is taken back', async () => {
    const dry = await adviseParcel('Dry', { filledOn: '2026-06-21' });
    // 4 h at 6 mm/h on the whole area.
    const logged = await farm.call('log_watering', {
      parcel: 'Dry',
      startedAt: '2026-06-29 06:00',
      durationMin: 240,
    });
    expect(JSON.stringify(logged.content)).toContain('counts in its water balance');
    const watered = await adviseParcel('Dry', { filledOn: '2026-06-21' });
    expect(watered.balance).toMatchObject({ waterings: 1 });
    // A part of it evaporates from the surface that it wets.
    expect(dry.deficitMm! - watered.deficitMm!).toBeGreaterThan(12);
    expect(dry.deficitMm! - watered.deficitMm!).toBeLessThan(24.5);
    expect(watered.durationMin!).toBeLessThan(dry.durationMin!);

    await farm.body('undo', {});
    expect(await adviseParcel('Dry', { filledOn: '2026-06-21' })).toEqual(dry);
  });

  it('takes what is planned for today off the amount', async () => {
    const dry = await adviseParcel('Dry', { filledOn: '2026-06-21' });
    await farm.body('create_schedule', {
      parcel: 'Dry',
      freq: 'daily',
      startTimes: ['20:00'],
      durationMin: 60,
    });
    const planned = await adviseParcel('Dry', { filledOn: '2026-06-21' });
    await farm.body('undo', {});
    // 6 mm over the whole area.
    expect(dry.waterMm! - planned.waterMm!).toBeCloseTo(6, 0);
  });

  it('begins at planting', async () => {
    const advice = await adviseParcel('Planted');
    expect(advice.balance).toMatchObject({ since: '2026-06-10', from: 'planting' });
    expect(advice.confidence).toBe('partial');
  });

  it('begins after rain that filled even a dry soil, except under a roof', async () => {
    await farm.body('log_rain', { mm: 150, when: '2026-06-24' });
    const advice = await adviseParcel('Dry');
    expect(advice.balance).toMatchObject({ since: '2026-06-25', from: 'filled' });
    // Some 28 mm by the crop, and what the wet surface between the trees evaporates (table 19).
    expect(advice.deficitMm).toBeGreaterThan(28);
    expect(advice.deficitMm).toBeLessThan(50);
    expect((await adviseParcel('Under glass')).balanceNeeds).toEqual(['full_soil']);
  });

  it('asks about a roof that the name alone suggests, and goes by what the type says then', async () => {
    const unknown = await adviseParcel('La Serre');
    expect(unknown).toMatchObject({
      reasons: ['ROOF_UNKNOWN'],
      deficitMm: null,
      durationMin: null,
    });
    expect((await farm.body('advise_watering', { parcel: 'La Serre' })).summary).toMatch(
      /^By its name this parcel may be in a greenhouse .*: ask, and/,
    );

    await farm.body('set_parcel', { name: 'La Serre', type: 'olives, open air' });
    const open = await adviseParcel('La Serre');
    expect(open.reasons).not.toContain('ROOF_UNKNOWN');
    expect(open.deficitMm).toBe((await adviseParcel('Dry')).deficitMm);

    await farm.body('set_parcel', { name: 'La Serre', type: 'olives in a greenhouse' });
    expect((await adviseParcel('La Serre')).balanceNeeds).toEqual(['full_soil']);
  });

  it('names all that is missing', async () => {
    const { balanceNeeds } = await adviseParcel('Unknown');
    expect(balanceNeeds).toEqual(['crop', 'root_depth', 'soil']);
  });

  it('refuses a day that lies ahead', async () => {
    const { content } = await farm.call('advise_watering', {
      parcel: 'Dry',
      filledOn: '2026-07-20',
    });
    expect(JSON.stringify(content)).toContain('is not one of the last 120 days');
  });

  it('stands in the morning brief where water is due today, with the next turn', async () => {
    const due = await adviseParcel('Planted');
    expect(due.daysToStress).toBeLessThanOrEqual(1);
    const before = await farm.body('morning_brief');
    expect(before.summary).toMatch(
      /Water today by the balance, without a probe: [^.]*Planted for /,
    );
    expect(before.summary).not.toMatch(/without a probe: [^.]*(Unknown|Measured)/);
    const row = (before.byBalance as Json).parcels.find(({ name }: Json) => name === 'Planted');
    expect(row).toMatchObject({ isInNeed: true, durationMin: due.durationMin });

    await farm.body('set_water_times', {
      parcel: 'Planted',
      everyHours: 192,
      turnAt: '2026-07-04 06:00',
    });
    expect((await farm.body('morning_brief')).summary).toMatch(
      /Planted: Stress from [^.]*, next water 4 Jul 06:00/,
    );
    await farm.body('undo', {});
    await farm.body('log_watering', {
      parcel: 'Planted',
      startedAt: 'today 6:00',
      inputDepthMm: 80,
      inputMode: 'depth_mm',
    });
    expect((await farm.body('morning_brief')).summary).not.toMatch(/without a probe: [^.]*Planted/);
    await farm.body('undo', {});
  });

  it('waits its turn where the hours of a shared pump do not suffice', async () => {
    const needed = (await adviseParcel('Planted')).durationMin!;
    const pump = async (hoursPerDay: string): Promise<Json> => {
      await farm.body('set_water_times', {
        source: 'Pump',
        parcels: ['Planted', 'Dry'],
        hoursPerDay,
      });
      return farm.body('morning_brief');
    };
    expect(await pump('24 h')).not.toHaveProperty('shortSources');

    await farm.body('log_watering', {
      parcel: 'Dry',
      startedAt: '2026-07-01 14:00',
      durationMin: 60,
    });
    const short = await pump(`${Math.ceil(needed)} min`);
    expect(short.summary).toMatch(
      /Pump has [^.]* from today 00:00 on, where [^.]* are needed: Planted for [^.]* from tomorrow 00:00, after its stress/,
    );
    expect(short.shortSources).toMatchObject([
      {
        source: 'Pump',
        shares: [{ name: 'Planted', startsAt: expect.stringMatching(/^2026-07-01T22/) }],
      },
    ]);
    for (let undone = 0; undone < 3; undone++) await farm.body('undo', {});
  });

  it('leaves it to the probe of a parcel that has one', async () => {
    const advice = await adviseParcel('Measured block');
    const probe = await farm.advise('Measured');
    expect(advice).not.toHaveProperty('deficitMm');
    expect(advice.probes).toMatchObject([
      { moduleId: probe.moduleId, waterMm: probe.waterMm, reasons: probe.reasons },
    ]);
  });
});
