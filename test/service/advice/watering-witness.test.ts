import { describe, expect, onTestFinished, vi } from 'vitest';
import { say } from '../../../src/domain/text/say.ts';
import type { AdviceBody } from '../../../src/schema/advice/advice.ts';
import type { BriefBody } from '../../../src/schema/advice/brief.ts';
import type { FarmPageBody } from '../../../src/schema/advice/farm-page.ts';
import type { MoistureChartBody } from '../../../src/schema/advice/moisture-chart.ts';
import type { OverviewBody } from '../../../src/schema/advice/overview.ts';
import type { ReviewBody } from '../../../src/schema/advice/review.ts';
import { storeUnavailableError } from '../../../src/schema/error.ts';
import type {
  WateringAnswer,
  WateringBody,
  WateringTotalsBody,
  WateringWitnessBody,
} from '../../../src/schema/irrigation/watering.ts';
import {
  advisoriesOf,
  DAY,
  depthAt,
  FARM_NOW,
  HOUR,
  iso,
  it,
  minutesAt,
  type TestFarm,
} from '../../farm.ts';
import { triesEveryRule } from '../../stores/stores.ts';
import { installWitnesses, recordRises, startDaysAgo, waterDaily } from './witness-farm.ts';

interface Page {
  readonly data: WateringBody[];
  readonly witness: WateringWitnessBody[];
  readonly totals: WateringTotalsBody;
}

const list = (farm: TestFarm, args: Record<string, unknown> = {}) =>
  farm.tool<Page>('list_waterings', { detail: 'full', status: 'done', ...args });

const review = (farm: TestFarm) => farm.tool<ReviewBody>('review_waterings', { module: 'Oak' });

/** "probe", "assumed: no_rise", the newest first. */
const texts = ({ witness }: Page): string[] =>
  witness.map((row) => (row.unseen ? `${row.witness}: ${row.unseen}` : row.witness));

const sums = ({ totals }: Page) =>
  Object.fromEntries(
    (totals.witness ?? []).map(({ witness, waterings, waterMm }) => [
      witness,
      [waterings, waterMm],
    ]),
  );

describe('waterings that a schedule counts as done', () => {
  it('are shown by the probe that rose, and assumed on the other days', async ({ farm }) => {
    await installWitnesses(farm, [{ name: 'Oak', risesDaysAgo: [4, 2] }]);
    await waterDaily(farm, { module: 'Oak' }, 5);
    await farm.tick();
    const page = await list(farm, { module: 'Oak' });
    expect(texts(page)).toEqual([
      'assumed: no_rise',
      'probe',
      'assumed: no_rise',
      'probe',
      'assumed: no_rise',
    ]);
    expect(sums(page)).toEqual({ probe: [2, 24], assumed: [3, 36] });
    expect(page.totals.done).toMatchObject({ waterings: 5, waterMm: 60, hours: 5 });
    expect(page.data.every(({ verifiedAt }) => verifiedAt === null)).toBe(true);
  });

  it('count before the jobs have run', async ({ farm }) => {
    await installWitnesses(farm, [{ name: 'Oak', risesDaysAgo: [2] }]);
    await waterDaily(farm, { module: 'Oak' }, 3);
    const before = await list(farm, { module: 'Oak' });
    await farm.tick();
    const after = await list(farm, { module: 'Oak' });
    expect(sums(before)).toEqual({ probe: [1, 12], assumed: [2, 24] });
    expect(before.totals).toEqual(after.totals);
    const all = await list(farm, { module: 'Oak', status: undefined });
    expect(all.totals).toEqual(after.totals);
  });

  it('are confirmed before they are listed, whether the jobs have run or not', async ({ farm }) => {
    await installWitnesses(farm, [{ name: 'Oak', risesDaysAgo: [2] }]);
    await waterDaily(farm, { module: 'Oak' }, 3);
    const planned = await list(farm, { module: 'Oak', status: 'planned', to: iso(farm.now) });
    expect(planned.data).toEqual([]);
    const page = await list(farm, { module: 'Oak', status: undefined });
    expect(page.data.map(({ status }) => status)).toEqual(Array(3).fill('done'));
    expect(texts(page)).toEqual(['assumed: no_rise', 'probe', 'assumed: no_rise']);
    expect(await farm.isWrittenBy(() => list(farm))).toBe(false);
  });

  it('are confirmed before one is read or corrected, or before a chart shows them', async ({
    farm,
  }) => {
    const reads = [
      (eventId: number) =>
        farm.wire<WateringAnswer>('get_watering', { eventId }).then(({ event }) => event.status),
      (eventId: number) =>
        farm
          .tool<WateringAnswer>(
            'correct_watering',
            { eventId, startedAt: '06:30' },
            { idempotencyKey: 'half past six' },
          )
          .then(({ event }) => event.status),
      () =>
        farm
          .tool<MoistureChartBody>('chart_moisture', { module: 'Oak' })
          .then(({ waterings }) => waterings[0]?.status),
    ];
    await installWitnesses(farm, [{ name: 'Oak', risesDaysAgo: [] }]);
    for (const read of reads) {
      const { id: scheduleId } = await waterDaily(farm, { module: 'Oak' }, 1);
      const { id } = await farm.write((db) =>
        db
          .selectFrom('waterings')
          .select('id')
          .where('schedule_id', '=', scheduleId)
          .executeTakeFirstOrThrow(),
      );
      expect(await read(id)).toBe('done');
    }
  });

  it('are planned before a read, though no job has run for longer than is planned ahead', async ({
    farm,
  }) => {
    await installWitnesses(farm, [{ name: 'Oak', risesDaysAgo: [] }]);
    await waterDaily(farm, { module: 'Oak' }, 100, { endsOn: null });
    const { waterings } = await farm.tool<ReviewBody>('review_waterings', { module: 'Oak' });
    expect(waterings.map(({ startedAt }) => startedAt)).toContain(iso(startDaysAgo(1)));
  });

  it('are due where the store accepts no writes', async ({ farm }) => {
    await installWitnesses(farm, [{ name: 'Oak', risesDaysAgo: [2] }]);
    await waterDaily(farm, { module: 'Oak' }, 3);
    const write = vi.spyOn(farm.store, 'write');
    onTestFinished(() => write.mockRestore());
    write.mockRejectedValue(storeUnavailableError(say`Read-only.`, say`Wait.`));
    for (const filter of [{}, { status: 'planned' }]) {
      const page = await list(farm, { module: 'Oak', status: undefined, ...filter });
      expect(texts(page)).toEqual(['assumed: no_rise', 'probe', 'assumed: no_rise']);
      expect(advisoriesOf(page, 'waterings_due')).toEqual([{ kind: 'waterings_due', count: 3 }]);
    }
    const [{ id: eventId } = { id: 0 }] = await farm.waterings();
    expect(advisoriesOf(await farm.tool('get_watering', { eventId }), 'waterings_due')).toEqual([
      { kind: 'waterings_due', count: 1 },
    ]);
  });

  it.runIf(triesEveryRule)(
    'of a schedule that waits for a person are in no sum',
    async ({ farm }) => {
      await installWitnesses(farm, [{ name: 'Oak', risesDaysAgo: [2] }]);
      await waterDaily(farm, { module: 'Oak' }, 3, { confirmationPolicy: 'manual' });
      await farm.tick();
      const page = await list(farm, { module: 'Oak', status: undefined });
      const { totals } = page;
      expect([totals.done.waterings, totals.done.waterMm, totals.witness]).toEqual([0, null, []]);
      expect(totals.planned.waterings).toBe(3);
      expect(page.witness).toBeUndefined();
      expect(advisoriesOf(page, 'waterings_by_status')).toMatchObject([{ toConfirm: 3 }]);
      const chart = await farm.tool<MoistureChartBody>('chart_moisture', { module: 'Oak' });
      expect(chart.waterings.map(({ status, waterMm }) => [status, waterMm])).toEqual(
        Array(3).fill(['planned', 12]),
      );
    },
  );

  it('of a parcel take the strongest witness, and the deaf probe is named', async ({ farm }) => {
    await farm.write((db) => db.deleteFrom('modules').execute());
    await installWitnesses(farm, [{ name: 'Oak', risesDaysAgo: [2, 1] }, { name: 'Deaf' }]);
    await waterDaily(farm, { parcel: 'North block' }, 3);
    await farm.tick();
    const page = await list(farm, { parcel: 'North block' });
    expect(texts(page).sort()).toEqual(
      [
        ...['probe', 'probe: no_rise', 'probe', 'probe: no_rise'],
        ...['assumed: no_rise', 'assumed: no_rise'],
      ].sort(),
    );
    // 36 mm on each of two probes, so 36 in the mean.
    expect(sums(page)).toEqual({ probe: [4, 24], assumed: [2, 12] });
    const ofDeaf = await list(farm, { module: 'Deaf' });
    expect(texts(ofDeaf)).toEqual(['probe: no_rise', 'probe: no_rise', 'assumed: no_rise']);
    const { data: cards } = await farm.wire<FarmPageBody>('get_farm_page');
    expect(Object.fromEntries(cards.map((card) => [card.name, card.wateredBy]))).toEqual({
      Oak: 'probe',
      Deaf: 'otherProbe',
    });
  });

  it('have their witness beside the one that is read by its id', async ({ farm }) => {
    await installWitnesses(farm, [{ name: 'Oak', risesDaysAgo: [2] }]);
    await waterDaily(farm, { module: 'Oak' }, 2);
    const read = async () => {
      const { data } = await list(farm, { module: 'Oak', status: undefined });
      return Promise.all(data.map(({ id }) => farm.wire('get_watering', { eventId: id })));
    };
    const witnesses = [
      expect.objectContaining({ witness: 'assumed', unseen: 'no_rise' }),
      expect.objectContaining({ witness: 'probe' }),
    ];
    expect((await read()).map(({ witness }) => witness)).toEqual(witnesses);
    await farm.tick();
    const [assumed, shown] = await read();
    expect([assumed?.witness, shown?.witness]).toEqual(witnesses);
    expect(assumed?.event).not.toHaveProperty('witness');

    const { event } = await farm.correct(assumed!.event as WateringBody, { status: 'skipped' });
    expect(await farm.wire('get_watering', { eventId: event.id })).not.toHaveProperty('witness');
  });

  it.runIf(triesEveryRule)(
    'are confirmed by a correction of start or amount, not by a note',
    async ({ farm }) => {
      await installWitnesses(farm, [{ name: 'Oak' }]);
      await waterDaily(farm, { module: 'Oak' }, 3);
      await farm.tick();
      const [first, second, third] = (await list(farm, { module: 'Oak' })).data;
      await farm.correct(first!, { note: 'Windy' });
      await farm.correct(second!, { inputDepthMm: 6 });
      await farm.correct(third!, { startedAt: iso(startDaysAgo(3) + HOUR) });
      const page = await list(farm, { module: 'Oak' });
      expect(texts(page)).toEqual(['assumed: no_rise', 'confirmed', 'confirmed']);
      expect(sums(page)).toEqual({ confirmed: [2, 18], assumed: [1, 12] });
    },
  );

  it.runIf(triesEveryRule)('are assumed again once a confirmation is undone', async ({ farm }) => {
    await installWitnesses(farm, [{ name: 'Oak' }]);
    await waterDaily(farm, { module: 'Oak' }, 1);
    await farm.tick();
    const [only] = (await list(farm, { module: 'Oak' })).data;
    await farm.tool('correct_watering', { eventId: only!.id, status: 'done' });
    expect(texts(await list(farm, { module: 'Oak' }))).toEqual(['confirmed']);
    await farm.tool('undo');
    expect(texts(await list(farm, { module: 'Oak' }))).toEqual(['assumed: no_rise']);
  });

  it('are shown once late readings arrive', async ({ farm }) => {
    const [oak] = await installWitnesses(farm, [{ name: 'Oak', silentDays: 4 }]);
    await waterDaily(farm, { module: 'Oak' }, 1);
    await farm.tick();
    expect(texts(await list(farm, { module: 'Oak' }))).toEqual(['assumed: no_readings']);
    await recordRises(oak!, [1]);
    expect(texts(await list(farm, { module: 'Oak' }))).toEqual(['probe']);
  });

  it('are assumed where recorded rain explains the rise', async ({ farm }) => {
    await installWitnesses(farm, [{ name: 'Oak', risesDaysAgo: [2] }]);
    await waterDaily(farm, { module: 'Oak' }, 2);
    await farm.tick();
    const fellAt = startDaysAgo(2) - 2 * HOUR;
    await farm.wire('log_rain', { mm: 20, when: `${iso(fellAt)}/${iso(fellAt + HOUR)}` });
    expect(texts(await list(farm, { module: 'Oak' }))).toEqual([
      'assumed: no_rise',
      'assumed: rain',
    ]);
    const reviewed = await review(farm);
    expect(reviewed.waterings.map(({ response, riseMm }) => [response, riseMm])).toEqual([
      ['no_response', 0],
      ['other_water', null],
    ]);
    expect(advisoriesOf(reviewed, 'rain_around_waterings')).toMatchObject([
      { rows: [{ at: startDaysAgo(2), mm: 20 }] },
    ]);
  });

  it.runIf(triesEveryRule)('are assumed beside one that a person saw', async ({ farm }) => {
    await installWitnesses(farm, [{ name: 'Oak', risesDaysAgo: [1] }]);
    await waterDaily(farm, { module: 'Oak' }, 1);
    await farm.tick();
    await farm.log('Oak', depthAt(startDaysAgo(1) + 2 * HOUR, 6, { durationMin: 30 }));
    expect(texts(await list(farm, { module: 'Oak' }))).toEqual([
      'confirmed',
      'assumed: other_watering',
    ]);
    const { waterings } = await review(farm);
    expect(waterings.map(({ response, riseMm }) => [response, riseMm !== null])).toEqual([
      ['reached', true],
      ['other_water', false],
    ]);
  });

  it.runIf(triesEveryRule)(
    'have no probe to show them without a sensor in the soil',
    async ({ farm }) => {
      await waterDaily(farm, { module: 'Loose' }, 2);
      await farm.tick();
      const page = await list(farm, { module: 'Loose' });
      expect(texts(page)).toEqual(['assumed: no_probe', 'assumed: no_probe']);
      expect(sums(page)).toEqual({ assumed: [2, 24] });
    },
  );
});

describe('the witness of a list', () => {
  it('is a person for what was logged', async ({ farm }) => {
    for (const days of [1, 2]) await farm.log('North 1', depthAt(FARM_NOW - days * DAY, 5));
    const page = await list(farm);
    expect(texts(page)).toEqual(['confirmed', 'confirmed']);
    expect(await farm.tool('list_waterings')).not.toHaveProperty('witness');
  });

  it('is not looked for where nobody reads it', async ({ farm }) => {
    await farm.log('North 1', minutesAt(FARM_NOW - DAY, 30));
    const page = await farm.wire('list_waterings', { totals: 'none', witness: 'none' });
    expect(page).not.toHaveProperty('witness');
  });

  it('is unconfirmed before the last 92 days', async ({ farm }) => {
    await installWitnesses(farm, [{ name: 'Oak', risesDaysAgo: [1] }]);
    await waterDaily(farm, { module: 'Oak' }, 95);
    await farm.tick();
    const page = await list(farm, { module: 'Oak', limit: 200 });
    const counts = sums(page);
    expect(counts.probe).toEqual([1, 12]);
    expect(counts.unconfirmed?.[0]).toBeGreaterThanOrEqual(2);
    expect(page.totals.done.waterMm).toBe(95 * 12);
    expect(Object.values(counts).reduce((sum, [count]) => sum + Number(count), 0)).toBe(95);
  });
});

describe('answers about waterings that nobody saw', () => {
  const oakWatered = async (farm: TestFarm, risesDaysAgo: readonly number[]) => {
    await installWitnesses(farm, [{ name: 'Oak', risesDaysAgo }]);
    await waterDaily(farm, { module: 'Oak' }, 4);
    await farm.tick();
  };

  it('a review has the witness of each', async ({ farm }) => {
    await oakWatered(farm, [3]);
    const { waterings } = await review(farm);
    expect(waterings.map(({ witness, unseen }) => [witness, unseen])).toEqual([
      ['assumed', 'no_rise'],
      ['assumed', 'no_rise'],
      ['probe', undefined],
      ['assumed', 'no_rise'],
    ]);
  });

  it('a chart has the witness of each, before the jobs have run too', async ({ farm }) => {
    await installWitnesses(farm, [{ name: 'Oak', risesDaysAgo: [2] }]);
    await waterDaily(farm, { module: 'Oak' }, 3);
    const chart = () =>
      farm.tool<MoistureChartBody>('chart_moisture', {
        module: 'Oak',
        start: iso(FARM_NOW - 4 * DAY),
        end: iso(FARM_NOW),
      });
    const before = await chart();
    await farm.tick();
    for (const { witness, waterings } of [before, await chart()]) {
      expect(witness?.map((row) => row.witness)).toEqual(['assumed', 'probe', 'assumed']);
      expect(waterings.map(({ status, waterMm }) => [status, waterMm])).toEqual(
        Array(3).fill(['done', 12]),
      );
    }
  });

  it('an overview says who saw the last one', async ({ farm }) => {
    await oakWatered(farm, [1]);
    const byOf = async () => {
      const { data } = await farm.wire<OverviewBody>('farm_overview');
      return data.find(({ name }) => name === 'Oak')?.wateredBy;
    };
    expect(await byOf()).toBe('probe');
    await farm.log('Oak', depthAt(FARM_NOW - 3 * HOUR, 6));
    expect(await byOf()).toBe('confirmed');
  });

  it('a brief has one line for each valve that no probe showed', async ({ farm }) => {
    await farm.declareParcel('North block', { system: 'drip', flowMmPerH: 4, fractionWetted: 1 });
    await installWitnesses(farm, [{ name: 'Oak', risesDaysAgo: [3] }, { name: 'Elm' }]);
    await waterDaily(farm, { parcel: 'North block' }, 9);
    await farm.tick();
    const brief = await farm.tool<BriefBody>('morning_brief');
    // Six began in the last seven days, of which Oak showed one.
    expect(brief.assumed).toEqual([
      expect.objectContaining({
        parcelId: farm.idOf('North block'),
        count: 5,
        startedAt: iso(startDaysAgo(1)),
      }),
    ]);
  });

  it('a brief says nothing of those that somebody saw', async ({ farm }) => {
    await oakWatered(farm, [4, 3, 2, 1]);
    const brief = await farm.tool<BriefBody>('morning_brief');
    expect(brief.assumed ?? []).toEqual([]);
  });
});

describe.runIf(triesEveryRule)('advice on water that nobody saw', () => {
  const advise = (farm: TestFarm, module: string) =>
    farm.tool<AdviceBody>('advise_watering', { module, detail: 'full' });

  const installEquipped = async (farm: TestFarm) => {
    await installWitnesses(farm, [{ name: 'Oak' }]);
    await farm.tool('set_module_installation', { module: 'Oak', system: 'sprinkler' });
  };

  it('asks first whether two large waterings ran that no depth showed', async ({ farm }) => {
    await installEquipped(farm);
    await waterDaily(farm, { module: 'Oak' }, 4);
    await farm.tick();
    const advice = await advise(farm, 'Oak');
    expect(advice.reasons).toContain('NO_RESPONSE');
    expect(advice.waterMm).toBeNull();
    expect(advice.unseenWaterings?.areScheduled).toBe(true);
  });

  it('does not ask where a person said that they ran', async ({ farm }) => {
    await installEquipped(farm);
    for (const days of [4, 3, 2, 1])
      await farm.log('Oak', depthAt(startDaysAgo(days), 12, { durationMin: 60 }));
    const advice = await advise(farm, 'Oak');
    expect(advice.reasons).toContain('NO_RESPONSE');
    expect(advice.unseenWaterings?.areScheduled).toBe(false);
  });

  it('calls what is planned enough only if it runs', async ({ farm }) => {
    await farm.declareParcel('North block', { system: 'drip', flowMmPerH: 4, fractionWetted: 1 });
    await installWitnesses(farm, [{ name: 'Oak' }]);
    for (const [fill, height] of [
      ['threshold1', 24],
      ['threshold2', 19.5],
    ] as const)
      await farm.tool('create_annotation', {
        module: 'Oak',
        type: 'h-line',
        p1: [FARM_NOW, height],
        style: { fill },
      });
    await farm.log('Oak', depthAt(FARM_NOW + 10 * HOUR, 40, { durationMin: 600 }));
    const advice = await advise(farm, 'Oak');
    expect(advice.takenOffMm).toBeGreaterThan(0);
    expect(advisoriesOf(advice, 'enough_if_it_runs')).toMatchObject([
      { at: FARM_NOW + 10 * HOUR, durationMin: 600 },
    ]);
    const brief = await farm.tool<BriefBody>('morning_brief');
    expect(brief.ifItRuns).toMatchObject([
      { name: 'Oak', startedAt: iso(FARM_NOW + 10 * HOUR), durationMin: 600 },
    ]);
  });
});
