import { beforeAll, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../../src/domain/periods.ts';
import type { BriefBody } from '../../../../src/schema/advice/brief.ts';
import type { OverviewBody } from '../../../../src/schema/advice/overview.ts';
import { importReadingsCsv } from '../../../imported-data.ts';
import { runInProcess } from '../../../in-process-command.ts';
import { bodyOf, firstText, toolsForFile } from '../../mcp-session.ts';
import { CLOCK, type Json } from '../../program.ts';
import { createTestKey, type RestService, serveStoreForFile } from '../../rest-service.ts';
import { type ProbeTexts, pageTextsOf } from './page-texts.ts';
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
const silentSince =
  (days: number, course: Course): Course =>
  (depthCm, daysBefore) =>
    daysBefore < days ? null : course(depthCm, daysBefore);

interface UnseenSituation extends Situation {
  readonly policy?: 'auto' | 'manual';
  /** The witness of each watering, the newest first. */
  readonly counted: readonly string[];
  /** The sum in mm by witness, as summaries say it; absent where nothing counts. */
  readonly said?: string;
  /** The text of the page about the newest one. */
  readonly onPage?: 'seen by a probe' | 'seen by another probe' | 'assumed';
  /** How many the brief asks about. */
  readonly asked: number;
  /** The first words of an advice that withholds the amount; absent where it withholds none. */
  readonly doubt?: 'Did they run? No depth showed' | 'No depth showed';
  /** The remark in the list and in the review. */
  readonly hints?: readonly string[];
}

const NO_RISE = Array<string>(4).fill('assumed no_rise');
const checkRan = (days: string): string =>
  `Check whether those of ${days} ran and reached the probe.`;

const situations: readonly UnseenSituation[] = [
  {
    name: 'Ran each day',
    moisture: risenOn(DAYS_BEFORE),
    counted: Array(4).fill('probe'),
    said: 'all of it shown by the probe',
    onPage: 'seen by a probe',
    asked: 0,
  },
  {
    name: 'Closed valve',
    moisture: deaf,
    counted: NO_RISE,
    said: 'all of it assumed',
    onPage: 'assumed',
    asked: 4,
    doubt: 'Did they run? No depth showed',
    hints: [
      'nobody saw those, so ask whether they ran',
      'Did they run? No depth showed the 4 waterings since 27 Jun 06:00',
    ],
  },
  {
    name: 'Ran twice',
    moisture: risenOn([4, 2]),
    counted: ['assumed no_rise', 'probe', 'assumed no_rise', 'probe'],
    said: '10 mm shown by the probe, 10 mm assumed',
    onPage: 'assumed',
    asked: 2,
    hints: [checkRan('28 Jun and yesterday')],
  },
  {
    name: 'Waits for a person',
    moisture: risenOn(DAYS_BEFORE),
    policy: 'manual',
    counted: [],
    asked: 0,
    hints: ['4 in all: 4 planned', 'A watering was planned then: if it ran, confirm it.'],
  },
  {
    name: 'Silent',
    moisture: silentSince(6, deaf),
    counted: Array(4).fill('assumed no_readings'),
    said: 'all of it assumed',
    onPage: 'assumed',
    asked: 4,
    hints: ['its probe has no readings from that time', '4 are without data'],
  },
  {
    name: 'Late readings',
    moisture: silentSince(6, risenOn(DAYS_BEFORE)),
    counted: Array(4).fill('probe'),
    said: 'all of it shown by the probe',
    onPage: 'seen by a probe',
    asked: 0,
  },
  {
    name: 'Without sensors',
    counted: Array(4).fill('assumed no_probe'),
    said: 'all of it assumed',
    onPage: 'assumed',
    asked: 4,
    hints: ['no probe measures its soil'],
  },
  {
    name: 'Shows all',
    moisture: risenOn(DAYS_BEFORE),
    counted: Array(4).fill('probe'),
    said: 'all of it shown by the probe',
    onPage: 'seen by a probe',
    asked: 0,
  },
  {
    name: 'Deaf beside it',
    parcel: { name: 'Shows all block' },
    moisture: deaf,
    counted: Array(4).fill('probe no_rise'),
    said: 'all of it shown by another probe',
    onPage: 'seen by another probe',
    asked: 0,
    doubt: 'No depth showed',
    hints: [
      'shows no rise after 4 waterings that somebody saw: check its valve and its sensors',
      'shown by another probe. No depth showed the 4 waterings since 27 Jun 06:00: check the valve',
    ],
  },
  {
    name: 'Full soil',
    moisture: simulatedSoil({ depthsCm, wettest: 34, driest: 33 }),
    counted: NO_RISE,
    said: 'all of it assumed',
    onPage: 'assumed',
    asked: 4,
  },
  {
    name: 'Rained',
    moisture: risenOn([1]),
    counted: ['assumed rain', ...NO_RISE.slice(1)],
    said: 'all of it assumed',
    onPage: 'assumed',
    asked: 4,
    hints: ['rain explains the rise', checkRan('27 Jun, 28 Jun and 29 Jun')],
  },
  {
    name: 'Beside a logged one',
    moisture: risenOn([1]),
    counted: ['confirmed', 'assumed other_watering', ...NO_RISE.slice(1)],
    said: '1.3 mm confirmed, 20 mm assumed',
    asked: 4,
  },
  {
    name: 'Corrected',
    moisture: deaf,
    counted: ['confirmed', ...NO_RISE.slice(1)],
    said: '2.5 mm confirmed, 15 mm assumed',
    asked: 3,
    doubt: 'No depth showed',
    hints: [
      'nobody saw those, so ask whether they ran',
      'No depth showed the 4 waterings since 27 Jun 06:00: check the valve',
    ],
  },
  {
    name: 'Confirmed and undone',
    moisture: deaf,
    counted: NO_RISE,
    said: 'all of it assumed',
    onPage: 'assumed',
    asked: 4,
    doubt: 'Did they run? No depth showed',
  },
];

interface Answers {
  readonly brief: BriefBody;
  readonly overview: OverviewBody;
  readonly page: ReadonlyMap<string, ProbeTexts>;
  /** The list of "Late readings" before they came. */
  readonly before: readonly string[];
}

const PERIOD = { from: startOf(5), to: CLOCK };
let farm: SituationFarm;
let service: RestService;
let key: string;
let answers: Answers;

beforeAll(async () => {
  farm = await situationFarm(situations);
  await planDaily(farm);
  // A list shows what is stored, and only its sums are ahead of the jobs.
  expect(await runInProcess(['tick', '--db', farm.db, '--clock', CLOCK])).toMatchObject({
    code: 0,
  });
  await happenSince(farm);
  const before = textsOf(await listOf('Late readings'));
  await importLate(farm);

  service = await serveStoreForFile(farm.db, '--clock', CLOCK);
  ({ key } = await createTestKey(farm.db));
  answers = {
    before,
    brief: (await farm.body('morning_brief')) as never,
    overview: (await farm.body('farm_overview', { limit: 50 })) as never,
    page: await pageTextsOf(service, key),
  };
});

/** From before the first day on, as the schedule plans them. */
async function planDaily({ db }: SituationFarm): Promise<void> {
  const call = await toolsForFile(db, { clock: startOf(4.5) });
  for (const { name, parcel, policy = 'auto' } of situations)
    if (parcel?.name === undefined)
      bodyOf(
        await call('create_schedule', {
          parcel: `${name} block`,
          freq: 'daily',
          startTimes: ['06:00'],
          durationMin: 240,
          endsOn: '2026-06-30',
          confirmationPolicy: policy,
        }),
      );
}

async function happenSince({ body }: SituationFarm): Promise<void> {
  const newestOf = async (module: string): Promise<number> => {
    const { data } = await body('list_waterings', { module, from: PERIOD.from });
    return (data as { id: number }[])[0]!.id;
  };
  await body('log_rain', { mm: 20, when: 'yesterday 05:00', parcel: 'Rained block' });
  await body('log_watering', {
    module: 'Beside a logged one',
    startedAt: 'yesterday 11:00',
    durationMin: 60,
  });
  await body('correct_watering', { eventId: await newestOf('Corrected'), durationMin: 120 });
  const undone = await newestOf('Confirmed and undone');
  const { changeId } = await body('correct_watering', { eventId: undone, status: 'done' });
  await body('undo', { changeId });
}

async function importLate({ db }: SituationFarm): Promise<void> {
  const course = risenOn(DAYS_BEFORE);
  const rows = depthsCm.flatMap((depthCm) =>
    Array.from({ length: 24 * 7 }, (_, index) => {
      const at = Date.parse(CLOCK) - (index + 0.5) * HOUR_MS;
      const value = course(depthCm, (index + 0.5) / 24);
      return `Late readings,humidity,${depthCm},${new Date(at).toISOString()},${value}`;
    }),
  );
  await importReadingsCsv(db, ['module,type,depth,time,value', ...rows].join('\n'), {
    clock: CLOCK,
  });
}

const listOf = (module: string): Promise<Json> =>
  farm.body('list_waterings', { module, status: 'done', detail: 'full', ...PERIOD });

interface WitnessRow {
  readonly eventId: number;
  readonly witness: string;
  readonly unseen?: string;
}

const rowsOf = ({ witness }: Json): readonly WitnessRow[] => (witness ?? []) as WitnessRow[];
const textsOf = (list: Json): string[] =>
  rowsOf(list).map(({ witness, unseen }) => (unseen ? `${witness} ${unseen}` : witness));

it.each(situations)('$name: what is summed, said and advised', async (situation) => {
  const { name, counted, said, onPage, asked, doubt, hints = [] } = situation;
  const list = await listOf(name);
  expect(textsOf(list)).toEqual(counted);
  const { witness, done } = list.totals as Json;
  const mm = (witness as { waterMm: number }[]).map(({ waterMm }) => waterMm);
  expect(mm.reduce((sum, each) => sum + each, 0)).toBeCloseTo(done.waterMm ?? 0);

  const review = await farm.body('review_waterings', { module: name });
  const rows = rowsOf(list);
  expect((review.waterings as WitnessRow[]).map((row) => [row.witness, row.unseen])).toEqual(
    rows.map((row) => [row.witness, row.unseen]),
  );
  const period = { start: PERIOD.from, end: PERIOD.to };
  const chart = firstText(await farm.call('chart_moisture', { module: name, ...period }));
  const all: Json = await farm.body('list_waterings', { module: name, ...PERIOD });
  for (const text of [list.summary, review.summary, chart])
    if (said === undefined) expect(text).not.toMatch(/assumed|shown by|confirmed/);
    else expect(text.toLowerCase()).toContain(said);
  for (const hint of hints) expect(`${all.summary} ${review.summary}`).toContain(hint);

  const line = answers.brief.assumed?.find((row) => row.name === name);
  if (line !== undefined || (answers.brief.leftOut.assumed ?? 0) === 0)
    expect(line?.count ?? 0).toBe(asked);
  const card = answers.overview.data.find((probe) => probe.name === name);
  expect(card?.wateredBy ?? 'confirmed').toBe(rows[0]?.witness ?? 'confirmed');

  const advice = await farm.advise(name);
  expect(/^(Did they run[?] )?No depth showed/.exec(advice.summary)?.[0]).toBe(doubt);
  if (doubt !== undefined) expect(advice.waterMm).toBeNull();
  // What nobody saw is no habit to go on with.
  if (doubt?.startsWith('Did')) expect(advice.meanwhile).toBeUndefined();
  expect(advice.summary).not.toMatch(/already planned|covers it/);

  await expectRest(rows, card?.moduleId);
  const page = answers.page.get(name)!;
  const seenBy = /seen by (?:a|another) probe|assumed|unconfirmed/g;
  expect(page.newest.match(seenBy)?.[0]).toBe(onPage);
  expect(page.card.match(seenBy)?.[0]).toBe(onPage);
  const reviewed = page.review.match(seenBy) ?? [];
  expect(reviewed).toHaveLength(counted.filter((text) => text !== 'confirmed').length);
  if (onPage !== undefined) expect(reviewed[0]).toBe(onPage);
});

/** Lists of the REST API, and each row by its id, say what the tool says. */
async function expectRest(rows: readonly WitnessRow[], moduleId: unknown): Promise<void> {
  const { from, to } = PERIOD;
  const query = new URLSearchParams({ moduleId: String(moduleId), status: 'done', from, to });
  const list = await service.request('GET', `/irrigation/events?${query}`, { key });
  expect(list.body.witness ?? []).toEqual(rows);
  const [row] = rows;
  if (row === undefined) return;
  const one = await service.request('GET', `/irrigation/events/${row.eventId}`, { key });
  expect(one.body.witness).toEqual(row);
}

it('late readings show what counted as assumed before they came', () => {
  expect(answers.before).toEqual(Array(4).fill('assumed no_readings'));
});

it('the brief asks about each valve of which nobody saw a watering', () => {
  const { assumed = [], leftOut } = answers.brief;
  const asked = situations.filter((situation) => situation.asked > 0);
  expect((assumed ?? []).length + (leftOut.assumed ?? 0)).toBe(asked.length);
});
