import { beforeAll, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../../src/domain/periods.ts';
import type { BriefBody } from '../../../../src/schema/advice/brief.ts';
import type { OverviewBody } from '../../../../src/schema/advice/overview.ts';
import type { ReviewBody } from '../../../../src/schema/advice/review.ts';
import { bodyOf, connectForFile } from '../../mcp-session.ts';
import { CLOCK, type Json, runCommand } from '../../program.ts';
import { type Course, simulatedSoil } from './simulated-soil.ts';
import { type Situation, type SituationFarm, situationFarm } from './situation-farm.ts';

/** Each at 06:00 in Paris, six hours before now, for four hours: 5 mm, 14 mm in the wetted zone. */
const DAYS_BEFORE = [4, 3, 2, 1];
const startOf = (daysBefore: number): string =>
  new Date(Date.parse(CLOCK) - daysBefore * DAY_MS - 6 * HOUR_MS).toISOString();

const depthsCm = [10, 30, 50];
const deaf = simulatedSoil({ depthsCm, wettest: 18 });
const risenOn = (days: readonly number[]): Course =>
  simulatedSoil({
    depthsCm,
    wettest: 18,
    wetted: days.map((daysBefore) => ({ daysBefore: daysBefore + 0.25, points: 6 })),
  });

interface UnseenSituation extends Situation {
  readonly policy?: 'auto' | 'manual';
  /** What each watering counts as, the newest first. */
  readonly listed: readonly string[];
  /** In mm by who saw it, as the summary says it; undefined where nothing is to be said. */
  readonly said?: string;
  /** How many the brief asks about. */
  readonly asked: number;
  /** With what the advice begins that withholds the amount; absent where it doubts nothing. */
  readonly doubt?: 'Did they run? No depth showed' | 'No depth showed';
}

const situations: readonly UnseenSituation[] = [
  {
    name: 'Every day',
    moisture: risenOn(DAYS_BEFORE),
    listed: ['probe', 'probe', 'probe', 'probe'],
    said: '20 mm shown by the probe',
    asked: 0,
  },
  {
    name: 'Closed valve',
    moisture: deaf,
    listed: Array(4).fill('assumed no_rise'),
    said: '20 mm assumed',
    asked: 4,
    doubt: 'Did they run? No depth showed',
  },
  {
    name: 'Ran twice',
    moisture: risenOn([4, 2]),
    listed: ['assumed no_rise', 'probe', 'assumed no_rise', 'probe'],
    said: '10 mm shown by the probe, 10 mm assumed',
    asked: 2,
  },
  {
    name: 'Waits for a person',
    moisture: risenOn(DAYS_BEFORE),
    policy: 'manual',
    listed: [],
    asked: 0,
  },
  {
    name: 'Silent',
    moisture: (depthCm, daysBefore) => (daysBefore < 6 ? null : deaf(depthCm, daysBefore)),
    listed: Array(4).fill('assumed no_readings'),
    said: '20 mm assumed',
    asked: 4,
  },
  {
    name: 'Without sensors',
    listed: Array(4).fill('assumed no_probe'),
    said: '20 mm assumed',
    asked: 4,
  },
  {
    name: 'Full soil',
    moisture: simulatedSoil({ depthsCm, wettest: 34, driest: 33 }),
    listed: Array(4).fill('assumed no_rise'),
    said: '20 mm assumed',
    asked: 4,
  },
  {
    name: 'Rained',
    moisture: risenOn([1]),
    listed: ['assumed rain', ...Array(3).fill('assumed no_rise')],
    said: '20 mm assumed',
    asked: 4,
  },
  {
    name: 'Corrected',
    moisture: deaf,
    listed: ['confirmed', ...Array(3).fill('assumed no_rise')],
    said: '2.5 mm confirmed, 15 mm assumed',
    asked: 3,
    doubt: 'No depth showed',
  },
  {
    name: 'Confirmed and undone',
    moisture: deaf,
    listed: Array(4).fill('assumed no_rise'),
    said: '20 mm assumed',
    asked: 4,
    doubt: 'Did they run? No depth showed',
  },
];

let farm: SituationFarm;

beforeAll(async () => {
  farm = await situationFarm(situations);
  const before = await connectForFile(['--db', farm.db, '--clock', startOf(4.5)]);
  for (const { name, policy = 'auto' } of situations)
    bodyOf(
      await before.call('create_schedule', {
        parcel: `${name} block`,
        freq: 'daily',
        startTimes: ['06:00'],
        durationMin: 240,
        endsOn: '2026-06-30',
        confirmationPolicy: policy,
      }),
    );

  // A list shows what is stored, and only its sums are ahead of the jobs.
  expect(await runCommand(['tick', '--db', farm.db, '--clock', CLOCK])).toMatchObject({ code: 0 });

  const newestOf = async (module: string): Promise<number> => {
    const { data } = await farm.body('list_waterings', { module, from: startOf(5) });
    return (data as { id: number }[])[0]!.id;
  };
  await farm.body('log_rain', { mm: 20, when: 'yesterday 05:00', parcel: 'Rained block' });
  await farm.body('correct_watering', { eventId: await newestOf('Corrected'), durationMin: 120 });
  const undone = await newestOf('Confirmed and undone');
  const { changeId } = await farm.body('correct_watering', { eventId: undone, status: 'done' });
  await farm.body('undo', { changeId });
});

const PERIOD = { from: startOf(5), to: CLOCK };

it.each(situations)('$name: what counts, what is said and what is advised', async (situation) => {
  const { name, listed, said, asked, doubt } = situation;
  const list: Json = await farm.body('list_waterings', {
    module: name,
    status: 'done',
    detail: 'full',
    ...PERIOD,
  });
  const rows = (list.witness ?? []) as { witness: string; unseen?: string }[];
  const texts = rows.map(({ witness, unseen }) => (unseen ? `${witness} ${unseen}` : witness));
  expect(texts).toEqual(listed);
  if (said !== undefined) expect(list.summary).toContain(said);
  const mm = ((list.totals as Json).witness as { waterMm: number }[]).map(({ waterMm }) => waterMm);
  expect(mm.reduce((sum, each) => sum + each, 0)).toBeCloseTo(
    ((list.totals as Json).done as { waterMm: number | null }).waterMm ?? 0,
  );

  const review: ReviewBody = (await farm.body('review_waterings', { module: name })) as never;
  expect(review.waterings.map(({ witness, unseen }) => [witness, unseen])).toEqual(
    rows.map(({ witness, unseen }) => [witness, unseen]),
  );

  const brief = (await farm.body('morning_brief')) as never as BriefBody;
  expect(brief.leftOut.assumed ?? 0).toBeGreaterThanOrEqual(0);
  const line = brief.assumed?.find((row) => row.name === name);
  if (line !== undefined || (brief.leftOut.assumed ?? 0) === 0)
    expect(line?.count ?? 0).toBe(asked);

  const overview = (await farm.body('farm_overview', { limit: 50 })) as never as OverviewBody;
  const row = overview.data.find((probe) => probe.name === name);
  expect(row?.wateredBy ?? 'confirmed').toBe(rows[0]?.witness ?? 'confirmed');

  const advice = await farm.advise(name);
  const found = /^(Did they run[?] )?No depth showed/.exec(advice.summary)?.[0];
  expect(found).toBe(doubt);
  if (doubt !== undefined) expect(advice.waterMm).toBeNull();
  expect(advice.summary).not.toMatch(/already planned|covers it/);
});
