import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { balanceByTools } from '../../../eval/validate/balance-by-tools.ts';
import { balanceFigures, lackOf, profilePairs } from '../../../eval/validate/balance-cases.ts';
import { parseTrial, readTrials } from '../../../eval/validate/trial-file.ts';

/** Made for this test: loam without water from 1 July on, and with 30 mm on the 3rd. */
const TRIAL = `# crop: cotton
# planted: 2025-04-20
# latitude: 37.4
# roots: 40
# soil: 20 28 12; 40 26 12
treatment,date,depth,water,irrigation,yield
dry,2025-07-01,40,26,,
dry,2025-07-01,20,28,,
dry,2025-07-08,20,22,,
dry,2025-07-08,40,22,,
dry,2025-09-30,,,,1.4
wet,2025-07-01,20,28,,
wet,2025-07-01,40,26,,
wet,2025-07-03,,,30,
wet,2025-07-08,20,25,,
wet,2025-07-08,40,24,,
`;
const DATES = Array.from({ length: 20 }, (_, index) =>
  new Date(Date.UTC(2025, 5, 20 + index)).toISOString().slice(0, 10),
);
const WEATHER = `date,tmin,tmax,rhmin,rhmax,u2,srad,rain
${DATES.map((date) => `${date},16,34,,,,,0`).join('\n')}
`;

describe('a trial in one file', () => {
  const trial = parseTrial('made up', TRIAL, WEATHER);

  it('is read by treatment', () => {
    expect(trial).toMatchObject({
      crop: 'cotton',
      plantedOn: Date.UTC(2025, 3, 20),
      treatments: [
        { name: 'dry', rootDepthCm: 40, yieldTPerHa: 1.4 },
        { name: 'wet', yieldTPerHa: null },
      ],
    });
    const [dry, wet] = trial.treatments;
    expect(dry!.profiles[0]).toEqual({
      day: Date.UTC(2025, 6, 1),
      layers: [
        { bottomCm: 20, water: 0.28 },
        { bottomCm: 40, water: 0.26 },
      ],
    });
    expect([...wet!.irrigation]).toEqual([[Date.UTC(2025, 6, 3), 30]]);
    expect(trial.weather[0]).toMatchObject({ temperatureMax: 34, windMs: null, rainMm: 0 });
    // (28 - 22) % of 200 mm and (26 - 22) % of 200 mm.
    expect(lackOf(dry!, dry!.profiles[1]!)).toBeCloseTo(20);
  });

  it('says which line is missing', () => {
    expect(() => parseTrial('made up', TRIAL.replace('# crop: cotton\n', ''), WEATHER)).toThrow(
      '# crop',
    );
  });

  it('is found beside its weather', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'acequia-trials-'));
    await writeFile(join(folder, 'made up.csv'), TRIAL);
    await writeFile(join(folder, 'made up.weather.csv'), WEATHER);
    expect((await readTrials(folder)).map(({ name }) => name)).toEqual(['made up']);
    expect(await readTrials(join(folder, 'none'))).toEqual([]);
  });

  it('is balanced through the tools, from the evening of a profile on', async () => {
    const { measured, read } = await balanceByTools(trial);
    expect(measured.map(({ plot, weeks }) => [plot, weeks])).toEqual([
      ['dry', 1],
      ['wet', 1],
    ]);
    const [dry, wet] = measured;
    // Seven days without water, on which a crop in mid season takes some 6 mm each at first.
    expect(dry!.balanceMm).toBeGreaterThan(30);
    // Only the five days after the watering count, which filled the soil.
    expect(wet!.balanceMm).toBeLessThan(dry!.balanceMm - 8);
    // Below the line, at 70 % of 28 and 30 % of 26 on the curve.
    expect(read[0]!.measuredMm).toBeCloseTo(21.6);
    expect(balanceFigures(measured)[0]).toMatchObject({ weeks: 1, cases: 2, plots: 2 });
  });

  it('pairs only profiles that lie whole weeks apart', () => {
    const [dry] = trial.treatments;
    const later = { ...dry!.profiles[1]!, day: Date.UTC(2025, 6, 20) };
    expect(profilePairs({ ...dry!, profiles: [dry!.profiles[0]!, later] })).toEqual([]);
  });
});
