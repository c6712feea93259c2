import { beforeAll, describe, expect, it } from 'vitest';
import { cropTables } from '../../../../src/domain/balance/crop-tables.ts';
import { runBalance, stateAtStart } from '../../../../src/domain/balance/run-balance.ts';
import { surfaceOfSoil } from '../../../../src/domain/balance/soil-evaporation.ts';
import { LocalDay } from '../../../../src/domain/local-day.ts';
import { CROP_DEPLETIONS } from '../../../../src/domain/soil/allowed-depletion.ts';
import { SOIL_HORIZONS } from '../../../../src/domain/soil/soil-catalog.ts';
import { referenceEvapotranspiration } from '../../../../src/domain/weather/evapotranspiration.ts';
import { CLOCK } from '../../program.ts';
import type { Course } from './simulated-soil.ts';
import { type SituationFarm, situationFarm } from './situation-farm.ts';

const ROOTS_CM = 60;
const SOIL = SOIL_HORIZONS.find(({ usdaClass }) => usdaClass === 'Loam')!;
const LAYERS = [{ topCm: 0, bottomCm: ROOTS_CM, ...SOIL }];

const SILENT_DAYS = 14;
/** The newest one two days before the silence. */
const WEEKLY = [51, 44, 37, 30, 23, 16];
const EACH_THREE_DAYS = Array.from({ length: 15 }, (_, index) => 58 - 3 * index);

const FIRST_DAY = 75;
const TODAY = LocalDay.parse(CLOCK.slice(0, 10));
const PLANTED = '2026-03-01';

/** What olives have lost on each evening since `FIRST_DAY`, if they use this share of FAO-56. */
function lacksMm(share: number, wateredBefore: readonly number[]): number[] {
  const { basal, lengths, heightM } = cropTables('olive');
  const first = TODAY.plus(-FIRST_DAY);
  const age = LocalDay.parse(PLANTED).daysUntil(first);
  const subject = {
    crop: {
      basis: 'dual' as const,
      coefficients: basal!,
      height: { initial: heightM, max: heightM },
      rootsCm: { initial: ROOTS_CM, max: ROOTS_CM },
      allowedDepletion: CROP_DEPLETIONS.olive,
    },
    clock: { lengths: lengths!, dayOf: (index: number) => age + index },
    layers: LAYERS,
    options: {
      surface: surfaceOfSoil(SOIL),
      reference: 'grass' as const,
      adjustsDepletion: true,
      zoneFraction: 1,
      limitsEvaporation: true,
    },
  };
  const days = Array.from({ length: FIRST_DAY }, (_, index) => ({
    et0Mm: share * et0On(first.plus(index)),
    rainMm: 0,
    irrigationMm: wateredBefore.includes(FIRST_DAY - index) ? 60 : 0,
    wettedFraction: 1,
    windMs: null,
    humidityMin: null,
  }));
  const start = stateAtStart(subject, { rootZoneMm: 0, belowMm: null });
  return runBalance(subject, start, days).map(({ state }) => state.rootZoneMm);
}

const et0On = (day: LocalDay): number =>
  referenceEvapotranspiration(
    {
      ...HOT,
      humidityMin: null,
      humidityMax: null,
      dewPoint: null,
      windMs: null,
      radiationMj: null,
    },
    { latitude: 43.6, elevationM: 0 },
    LocalDay.parse('2026-01-01').daysUntil(day) + 1,
  ).mm!;

/** Water fills the soil in the morning; by day roots take it evenly from all depths. */
const using = (share: number, wateredBefore: readonly number[]): Course => {
  const evenings = lacksMm(share, wateredBefore);
  return (_, daysBefore) => {
    if (daysBefore < SILENT_DAYS) return null;
    // The clock of the farm stands at noon.
    const at = FIRST_DAY + 0.5 - daysBefore;
    const day = Math.floor(at);
    const [before, after] = [evenings[day - 1] ?? 0, evenings[day] ?? 0];
    const sun = Math.min(1, Math.max(0, (at - day - 7 / 24) * 2));
    const lackMm = after < before ? after : before + sun * (after - before);
    return 100 * SOIL.fieldCapacity - lackMm / (ROOTS_CM / 10);
  };
};

const HOT = { temperatureMin: 18, temperatureMax: 34 };

const hotDays = (): string => {
  const first = Date.UTC(2026, 3, 1);
  const rows = Array.from({ length: 91 }, (_, index) => {
    const day = new Date(first + index * 86_400_000).toISOString().slice(0, 10);
    return `${day},${HOT.temperatureMin},${HOT.temperatureMax}\n`;
  });
  return `date,tmin,tmax\n${rows.join('')}`;
};

describe('the water use that a balance learns', () => {
  let farm: SituationFarm;

  beforeAll(async () => {
    const watered = (days: readonly number[]) =>
      days.map((daysBefore) => ({ daysBefore, minutes: 600 }));
    const situation = (
      name: string,
      moisture: Course,
      waterings: readonly number[],
      days = 60,
    ) => ({
      name,
      moisture,
      days,
      installation: { system: 'sprinkler', flowMmPerH: 6, fractionWetted: 1 },
      module: { location: { lat: 43.6, lon: 3.9, source: 'manual' } },
      waterings: watered(waterings),
    });
    const sparing = using(0.7, WEEKLY);
    farm = await situationFarm(
      [
        situation('Sparing', sparing, WEEKLY),
        situation('New', sparing, WEEKLY, SILENT_DAYS + 2),
        situation('As expected', using(1, WEEKLY), WEEKLY),
        situation('Hardly', using(0.2, WEEKLY), WEEKLY),
        situation('Often', using(1, EACH_THREE_DAYS), EACH_THREE_DAYS),
      ],
      { weather: hotDays() },
    );
    for (const name of ['Sparing', 'New', 'As expected', 'Hardly', 'Often'])
      await farm.body('set_parcel', { name: `${name} block`, plantedOn: PLANTED });
  });

  it('brings the balance nearer to a field that uses 0.7 of what the tables expect', async () => {
    const learned = await farm.advise('Sparing');
    const byTables = await farm.advise('New');
    expect(byTables.balance!.waterUse).toBeNull();
    // What evaporates after water depends less on the demand than what roots take.
    expect(learned.balance!.waterUse).toBeGreaterThan(0.7);
    expect(learned.balance!.waterUse).toBeLessThan(0.8);

    const trueMm = lacksMm(0.7, WEEKLY).at(-1)!;
    const [errorMm, tablesMm] = [learned, byTables].map(({ deficitMm }) => deficitMm! - trueMm);
    expect(tablesMm).toBeGreaterThan(10);
    expect(Math.abs(errorMm!)).toBeLessThan(tablesMm! / 2);
    expect(learned.summary).toMatch(/It has used 7\d % of what the tables expect/);
  });

  it('stays with the tables where the field does', async () => {
    const { balance } = await farm.advise('As expected');
    expect(Math.abs(balance!.waterUse! - 1)).toBeLessThan(0.1);
  });

  it('asks where the field hardly uses water, and goes no lower than 30 %', async () => {
    const { balance, summary } = await farm.advise('Hardly');
    expect(balance!.waterUse).toBeGreaterThanOrEqual(0.3);
    expect(balance!.waterUse).toBeLessThan(0.8);
    expect(summary).toContain('of what the tables expect');
  });

  it('is none, and says so, where the soil never dries for long', async () => {
    const { balance, summary } = await farm.advise('Often');
    expect(balance!.waterUse).toBeNull();
    expect(summary).toContain('counts the water use of the tables');
  });

  it('is in the brief as in the advice', async () => {
    const { data } = (await farm.body('farm_overview')) as { data: Record<string, unknown>[] };
    for (const name of ['Sparing', 'New']) {
      const { moduleId, daysToStress } = await farm.advise(name);
      expect(data).toContainEqual(expect.objectContaining({ moduleId, daysToStress }));
    }
  });
});
