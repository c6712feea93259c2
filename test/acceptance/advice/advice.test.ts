import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY, HOUR, iso, MINUTE } from '../../farm.ts';
import { importReadingsCsv } from '../imported-data.ts';
import { CLOCK } from '../program.ts';
import { stdioFarm } from '../stdio-farm.ts';

const NOW = Date.parse(CLOCK);
const DEPTHS = [10, 20, 30, 40, 50, 60];
const sensors = DEPTHS.map((depth) => ({ type: 'humidity', depth }));

const probe = (uid: string, name: string, more: object) => ({
  uid,
  name,
  category: 'SOIL_PROBE',
  commissionedAt: '2025-01-11T09:00:00Z',
  sensors,
  settings: { rootDepthCm: 60 },
  ...more,
});

const farm = stdioFarm({
  company: { name: 'Mas Rouge', timezone: 'Europe/Paris' },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
  parcels: [{ name: 'North block', soilProfile: [{ usdaClass: 'Loam', depthTopCm: 0, depthBottomCm: 60 }] }],
  modules: [
    probe('A1', 'Sprinkled', {
      parcel: 'North block',
      installation: { system: 'sprinkler', flowMmPerH: 10, irrigatedAreaM2: 5000 },
    }),
    probe('A2', 'Dripped', {
      parcel: 'North block',
      installation: { system: 'drip', flowMmPerH: 1.25, fractionWetted: 0.35 },
    }),
    probe('A3', 'Busy', { parcel: 'North block', installation: { system: 'sprinkler', flowMmPerH: 6 } }),
    probe('A4', 'Bare', {}),
  ],
});

/** Days on which the busy probe rises twice, at 06:00 and at 18:00 UTC: the first is logged. */
const BUSY_DAYS = 13;
const rises = Array.from({ length: BUSY_DAYS }, (_, day) => NOW - (day + 1) * DAY + 8 * HOUR).flatMap((evening) => [
  evening - 12 * HOUR,
  evening,
]);

/** Each rise of 3 points dries away within twelve hours. */
const busyValue = (at: number): number =>
  20 + rises.reduce((sum, rise) => sum + (at < rise ? 0 : Math.max(0, 3 - (at - rise) / (4 * HOUR))), 0);

async function importCurve(name: string, values: (at: number) => number, step: number): Promise<void> {
  const instants = Array.from({ length: (20 * DAY) / step }, (_, index) => NOW - 20 * DAY + index * step);
  const rows = instants.map((at) => [iso(at), ...DEPTHS.map(() => values(at))].join(','));
  const heading = `time,${DEPTHS.map((depth) => `humidity_${depth}`).join(',')}`;
  await importReadingsCsv(farm.db, [heading, ...rows].join('\n'), { module: name });
}

beforeAll(async () => {
  const { data } = await farm.body('list_soil_horizons');
  const loam = data.find((horizon: { usda_class: string }) => horizon.usda_class === 'Loam').theta_fc;
  // 600 mm of loam that lack 27.432 mm, whatever the time; six days back it was wetter by 0.1 points a day.
  const short = (at: number) => 100 * loam - 27.432 / 6 + ((NOW - 15 * MINUTE - at) / DAY) * 0.1;
  for (const name of ['Sprinkled', 'Dripped', 'Bare']) await importCurve(name, short, 15 * MINUTE);
  await importCurve('Busy', busyValue, 15 * MINUTE);
  for (const [index, at] of rises.entries())
    if (index % 2 === 0)
      await farm.body('log_watering', {
        module: 'Busy',
        startedAt: iso(at - 15 * MINUTE),
        inputMode: 'duration',
        durationMin: 30,
      });
});

describe('an advice', () => {
  it('is for 27.432 mm 164.6 min of a sprinkler of 10 mm/h, and 460.9 min of drip of 1.25 mm/h and fw 0.35', async () => {
    expect(await farm.body('advise_watering', { module: 'Sprinkled' })).toMatchObject({
      deficitMm: 27.432,
      waterMm: 27.432,
      durationMin: 164.6,
      volumeM3: 137.16,
      confidence: 'complete',
      reasons: [],
    });
    expect(await farm.body('advise_watering', { module: 'Dripped' })).toMatchObject({
      deficitMm: 27.432,
      waterMm: 9.601,
      durationMin: 460.9,
      volumeM3: null,
      confidence: 'complete',
      reasons: ['MISSING_IRRIGATED_AREA'],
    });
  });

  it('is half of that where half is to be refilled', async () => {
    expect(await farm.body('advise_watering', { module: 'Sprinkled', refillPercent: '50' })).toMatchObject({
      deficitMm: 27.432,
      durationMin: 82.3,
    });
  });

  it('is said in minutes, with what it rests on', async () => {
    const said = await farm.summary('advise_watering', { module: 'Sprinkled' });
    expect(said).toContain('lacks 27.4 mm in its wetted zone');
    expect(said).toContain('164.6 min (2 h 45 min), 27.4 mm over the whole area, 137.2 m3, without losses or leaching');
    expect(said).toMatch(/stress point in \d+(\.\d)? days/);
  });

  it('says what is missing of a probe without soil and equipment, in the order of what to do', async () => {
    const { reasons, confidence } = await farm.body('advise_watering', { module: 'Bare' });
    expect(confidence).toBe('insufficient');
    expect(reasons.slice(0, 2)).toEqual(['NO_SOIL_PROFILE', 'NO_INSTALLATION']);
  });
});

describe('a review', () => {
  it('holds each watering against the soil, and what nobody logged beside it', async () => {
    const { waterings, unlogged, leftOut } = await farm.body('review_waterings', { module: 'Busy' });
    expect(waterings).toHaveLength(10);
    expect(unlogged).toHaveLength(10);
    expect(leftOut).toEqual({ waterings: BUSY_DAYS - 10, unlogged: BUSY_DAYS - 10 });
    // Just before, the rise of the evening had 0.06 points left.
    for (const { depths } of waterings)
      expect(depths[0]).toMatchObject({ depth: 10, riseVwc: 2.9, startsAfterMin: 15 });
    expect(unlogged.map(({ start }: { start: string }) => start)).toEqual(
      rises.filter((_, index) => index % 2 === 1 && index < 20).map(iso),
    );
  });

  it('takes less than 4,000 tokens where each day brings a watering and a rise at six depths', async () => {
    const args = { module: 'Busy' };
    const summary = await farm.summary('review_waterings', args);
    const answer = JSON.stringify({ summary, ...(await farm.body('review_waterings', args)) });
    expect(encode(answer).length).toBeLessThan(4000);
  });
});
