import fc from 'fast-check';
import { describe, expect, vi } from 'vitest';
import type { StagedCall } from '../../../src/operation/call.ts';
import type { IngestResult } from '../../../src/schema/ingest/ingest-batch.ts';
import { ingestBatch } from '../../../src/service/ingest/batch/batch-ingest.ts';
import { unassignedReadings } from '../../../src/store/ingest/unassigned-readings.ts';
import { it as base, HOUR, iso, MINUTE, type TestFarm } from '../../farm.ts';
import { propertyRuns } from '../../property-runs.ts';
import { isOnPostgres } from '../../stores/stores.ts';

const DEPTHS = [10, 30];

const it = base.extend<{ farm: TestFarm }>({
  farm: async ({ farm }, use) => {
    await farm.importFile({
      modules: [{ uid: 'North 1', sensors: DEPTHS.map((depth) => ({ type: 'humidity', depth })) }],
      gateways: [{ imei: '356938035643809', assignedAt: '2025-01-10T00:00:00Z' }],
    });
    await use(farm);
  },
});

const send = (farm: TestFarm, batch: object): Promise<IngestResult> =>
  farm.wire<IngestResult>('ingest', batch as Record<string, unknown>);

const stagedCall = (farm: TestFarm): StagedCall => ({
  sender: 'owner',
  now: farm.now,
  zone: 'UTC',
  read: farm.write,
  write: farm.write,
  existsAnywhere: async () => false,
});

interface SentReading {
  readonly depth: number;
  readonly minute: number;
  readonly value: number;
}

const rowOf = (farm: TestFarm, { depth, minute, value }: SentReading) => ({
  module: 'North 1',
  type: 'humidity',
  depth,
  value,
  time: iso(farm.now - minute * MINUTE),
});

const csvOf = (farm: TestFarm, batch: readonly SentReading[]): string =>
  ['module,type,depth,time,value']
    .concat(
      batch
        .map((each) => Object.values(rowOf(farm, each)))
        .map(([m, t, d, v, at]) => [m, t, d, at, v].join()),
    )
    .join('\n');

const storedRows = (farm: TestFarm) =>
  farm.write(async (db) => ({
    readings: await db
      .selectFrom('readings')
      .select(['sensor_id', 'at', 'value'])
      .orderBy('sensor_id')
      .orderBy('at')
      .execute(),
    sums: await db
      .selectFrom('reading_hours')
      .select(({ fn }) => [fn.sum<number>('count').as('count'), fn.sum<number>('sum').as('sum')])
      .executeTakeFirstOrThrow(),
  }));

const sentReading = fc.record({
  depth: fc.constantFrom(...DEPTHS),
  minute: fc.integer({ min: 0, max: 40 }),
  value: fc.integer({ min: 0, max: 1000 }).map((tenths) => tenths / 10),
});

describe('batches', () => {
  it('store the last value of each sensor and instant, whatever their order, size and format, and count the changes', async ({
    farm,
  }) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.array(sentReading, { maxLength: 30 }), fc.boolean()), {
          minLength: 1,
          maxLength: 6,
        }),
        async (batches) => {
          await farm.write(async (db) => {
            for (const table of ['readings', 'reading_hours', 'reading_days'] as const)
              await db.deleteFrom(table).execute();
          });
          const model = new Map<string, number>();
          for (const [batch, isCsv] of batches) {
            const before = new Map(model);
            for (const each of batch) model.set(`${each.depth} ${each.minute}`, each.value);
            const changes = [...model].filter(([key]) =>
              batch.some((each) => `${each.depth} ${each.minute}` === key),
            );
            const answer = await send(
              farm,
              isCsv
                ? { csv: csvOf(farm, batch) }
                : { readings: batch.map((each) => rowOf(farm, each)) },
            );
            expect(answer.readings).toEqual({
              written: changes.filter(([key]) => !before.has(key)).length,
              changed: changes.filter(
                ([key, value]) => before.has(key) && before.get(key) !== value,
              ).length,
              unchanged: changes.filter(([key, value]) => before.get(key) === value).length,
              storedUnassigned: 0,
              repeated: batch.length - changes.length,
              refused: 0,
            });
          }
          const { readings, sums } = await storedRows(farm);
          expect(readings).toHaveLength(model.size);
          expect(readings.map(({ value }) => value).sort()).toEqual([...model.values()].sort());
          expect(Number(sums.count ?? 0)).toBe(model.size);
          const total = [...model.values()].reduce((sum, value) => sum + value, 0);
          expect(Number(sums.sum ?? 0)).toBeCloseTo(total, 6);
        },
      ),
      { numRuns: propertyRuns(40) },
    );
  });

  it('trigger no evaluation of alerts without a change', async ({ farm }) => {
    const batch = { readings: DEPTHS.map((depth) => rowOf(farm, { depth, minute: 5, value: 25 })) };
    await farm.tool('create_alert', { module: 'North 1', threshold: 20 });
    const marks = () =>
      farm.write((db) =>
        db.selectFrom('alert_states').select('pending_marks').executeTakeFirstOrThrow(),
      );
    await send(farm, batch);
    const before = await marks();
    expect(before.pending_marks).toBeGreaterThan(0);
    await send(farm, batch);
    expect(await marks()).toEqual(before);
  });

  it('distinguish both passes of a repeated hour by their order', async ({ farm }) => {
    farm.now = Date.UTC(2025, 10, 1);
    const at = (time: string, value: number) => ({
      module: 'North 1',
      type: 'humidity',
      depth: 10,
      time,
      value,
    });
    const times = ['01:30', '02:00', '02:30', '02:00', '02:30', '03:00'];
    const { readings } = await send(farm, {
      readings: times.map((time, n) => at(`2025-10-26T${time}`, n)),
    });
    expect(readings.written).toBe(6);
    const { readings: kept } = await storedRows(farm);
    // Clocks in Paris go from 03:00 back to 02:00 at 01:00 UTC.
    const first = Date.UTC(2025, 9, 25, 23, 30);
    expect(kept.map(({ at: instant, value }) => [(instant - first) / MINUTE, value])).toEqual([
      ...[0, 30, 60, 90, 120, 150].map((minute, n) => [minute, n]),
    ]);
  });

  it('ignore a gateway status older than the stored one, but not one of the same instant', async ({
    farm,
  }) => {
    const imei = '356938035643809';
    const status = async (more: object) =>
      (await send(farm, { gateways: [{ imei, ...more }] })).gateways;
    expect(await status({ lastSeen: iso(farm.now - HOUR), batteryMv: 3900 })).toMatchObject({
      changed: 1,
    });
    expect(await status({ lastSeen: iso(farm.now - 2 * HOUR), batteryMv: 3000 })).toMatchObject({
      unchanged: 1,
    });
    expect(await status({ lastSeen: iso(farm.now - HOUR), level: 4 })).toMatchObject({
      changed: 1,
    });
    expect(await status({ lastSeen: iso(farm.now + 2 * 24 * HOUR) })).toMatchObject({ refused: 1 });
    // Without a position, a device sends 0 and 0.
    for (const [lat, lon] of [
      [43.6, 3.9],
      [0, 0],
    ])
      await status({ lat, lon });
    const rows = await farm.write((db) =>
      db.selectFrom('gateways').select(['battery_mv', 'level', 'lat', 'lon']).execute(),
    );
    expect(rows).toEqual([{ battery_mv: 3900, level: 4, lat: 43.6, lon: 3.9 }]);
  });

  it('write each gateway once, with its newest status', async ({ farm }) => {
    const imei = '356938035643809';
    const sent = Array.from({ length: 200 }, (_, n) => ({
      imei,
      lastSeen: iso(farm.now - HOUR + n * 1000),
      level: n % 5,
      batteryMv: n === 3 ? 3900 : undefined,
    }));
    const late = { imei, lastSeen: iso(farm.now - 2 * HOUR), batteryMv: 3000 };
    const writeLastStage = await ingestBatch(stagedCall(farm), { gateways: [...sent, late] });
    let writes = 0;
    const { gateways } = await farm.write((db) => {
      const counting = db.withPlugin({
        transformQuery({ node }) {
          if (node.kind === 'UpdateQueryNode') writes++;
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      return writeLastStage(counting);
    });
    expect(gateways).toEqual({ changed: 200, unchanged: 1, refused: 0 });
    expect(writes).toBe(1);
    const query = ['battery_mv', 'level', 'last_seen_at'] as const;
    const rows = await farm.write((db) => db.selectFrom('gateways').select(query).execute());
    expect(rows).toEqual([{ battery_mv: 3900, level: 4, last_seen_at: farm.now - HOUR + 199_000 }]);
  });

  it.for<[kind: string, batch: object]>([
    ['rows', { readings: Array(20_000).fill(0) }],
    ['lines', { csv: `module,type,depth,time,value\n${'x\n'.repeat(20_000)}` }],
  ])('let other calls run while %s are read', async ([_, batch], { farm }) => {
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns++;
      if (!isOver) setImmediate(turn);
    };
    // Each row takes 1 ms, and a slice 10 ms.
    let time = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => time++);
    setImmediate(turn);
    const lastStage = await ingestBatch(stagedCall(farm), batch).finally(() => clock.mockRestore());
    isOver = true;
    expect((await farm.write(lastStage)).readings.refused).toBe(20_000);
    expect(turns).toBeGreaterThanOrEqual(2_000);
  });

  const manyRows = (farm: TestFarm, count: number) =>
    Array.from({ length: count }, (_, n) =>
      rowOf(farm, { depth: DEPTHS[n % 2]!, minute: n, value: 20 }),
    );

  const countReadings = async (farm: TestFarm): Promise<number> =>
    (await storedRows(farm)).readings.length;

  /** PostgreSQL locks only this company, and each transaction waits for several answers. */
  const perTransaction = isOnPostgres ? 2_000 : 500;

  it('are validated before they are written, in transactions of a bounded size', async ({
    farm,
  }) => {
    const count = 2 * perTransaction + 400;
    const stages: number[] = [];
    let isWriting = false;
    const rows = {
      *[Symbol.iterator]() {
        for (const row of manyRows(farm, count)) {
          expect(isWriting).toBe(false);
          yield row;
        }
      },
    };
    const call = stagedCall(farm);
    const write: StagedCall['write'] = async (body) => {
      isWriting = true;
      const before = await countReadings(farm);
      const result = await call.write(body);
      stages.push((await countReadings(farm)) - before);
      return result;
    };
    const { readings } = await write(await ingestBatch({ ...call, write }, { readings: rows }));
    expect(stages).toEqual([perTransaction, perTransaction, 400]);
    expect(readings).toEqual({
      written: count,
      changed: 0,
      unchanged: 0,
      repeated: 0,
      refused: 0,
      storedUnassigned: 0,
    });
  });

  it('of a device that is not assigned are stored in transactions of at most 500 readings', async ({
    farm,
  }) => {
    const countStored = (): Promise<number> =>
      farm.write(async (db) => (await unassignedReadings(db, 'd')).length);
    const rows = Array.from({ length: 1_200 }, (_, index) => {
      const time = iso(farm.now - index * MINUTE);
      return { device: index === 700 ? 'other' : 'd', type: 'humidity', time, value: 20 };
    });
    const stages: number[] = [];
    const call = stagedCall(farm);
    const write: StagedCall['write'] = async (body) => {
      const before = await countStored();
      const result = await call.write(body);
      stages.push((await countStored()) - before);
      return result;
    };
    const send = async () => write(await ingestBatch({ ...call, write }, { readings: rows }));
    expect((await send()).readings).toMatchObject({ storedUnassigned: 1_200, unchanged: 0 });
    expect(stages.filter((count) => count > 0)).toEqual([500, 500, 199]);
    expect((await send()).readings).toMatchObject({ storedUnassigned: 0, unchanged: 1_200 });
  });

  it('are completed under the same key after a failure between two transactions', async ({
    farm,
  }) => {
    const writtenCount = 2 * perTransaction;
    const batch = { readings: manyRows(farm, writtenCount + 200) };
    const keyed = { idempotencyKey: 'batch 7' };
    const { writeUnscoped } = farm.store;
    let writes = 0;
    const failing = vi.spyOn(farm.store, 'writeUnscoped').mockImplementation((...args) => {
      if (++writes === 3) return Promise.reject(new Error('power failure'));
      return Reflect.apply(writeUnscoped, farm.store, args);
    });
    await expect(farm.wire('ingest', batch, keyed)).rejects.toThrow('power failure');
    failing.mockRestore();
    expect(await countReadings(farm)).toBe(writtenCount);
    await expect(farm.wire('ingest', { readings: [] }, keyed)).rejects.toThrow(
      expect.objectContaining({ code: 'IDEMPOTENCY_KEY_REUSED' }),
    );
    const first = await farm.wire<IngestResult>('ingest', batch, keyed);
    const readings = { written: 200, unchanged: writtenCount };
    expect(first).toMatchObject({ replayed: false, readings });
    const second = await farm.wire<IngestResult>('ingest', batch, keyed);
    const replaySummary = expect.stringContaining('nothing new was written');
    expect(second).toEqual({ ...first, replayed: true, replaySummary });
  });

  it('report a hundred skipped columns with truncated names', async ({ farm }) => {
    const others = Array.from({ length: 300 }, (_, n) => `${'x'.repeat(205)}${n}`);
    const csv = `time,humidity_10,${others.join()}\n`;
    const { skippedColumns } = await send(farm, { csv, module: 'North 1' });
    expect(skippedColumns).toHaveLength(100);
    expect(Math.max(...skippedColumns.map(({ name }) => name.length))).toBe(200);
  });

  it.for([
    [
      'a header of 64 KiB',
      `time,${'"x",'.repeat(20_000)}\n`,
      'The header is longer than 65536 characters.',
    ],
    ['200,000 readings in fewer rows', null, 'The CSV has more than 200000 readings.'],
  ] as const)('are refused with more than %s', async ([_, header, message], { farm }) => {
    const rows = Array.from({ length: 100_001 }, (_, n) => `${iso(farm.now - n * MINUTE)},20,20`);
    const csv = header ?? `time,humidity_10,humidity_30\n${rows.join('\n')}`;
    await expect(send(farm, { csv, module: 'North 1' })).rejects.toThrow(message);
    expect(await countReadings(farm)).toBe(0);
  });

  it('have far too long rows and names rejected before they are parsed', async ({ farm }) => {
    const marks = '\u0327\u0301'.repeat(15_000);
    const rows = [
      `e${marks},humidity,10,2026-07-01T06:00,20`,
      ','.repeat(70_000),
      `North 1,humidity,10,${' '.repeat(200)}x,20`,
      `North 1,humidity,10,2026-07-01T06:00,20${' '.repeat(250)}`,
    ];
    const csv = `module,type,depth,time,value\n${rows.join('\n')}`;
    const { reasons } = await send(farm, { csv });
    expect(reasons.map(({ reason }) => reason)).toEqual([
      'a cell is too long',
      'row too long',
      'time cannot be read (ISO 8601, such as 2026-07-01T06:00)',
    ]);
  });

  it('say where their clock contradicts the zone, and which offset it may have', async ({
    farm,
  }) => {
    const csv = 'time,humidity_10\n2026-03-29 01:00,21\n2026-03-29 02:00,22\n';
    const { readings } = await send(farm, { csv, module: 'North 1', timezone: 'Europe/Paris' });
    const stopped = { line: 3, time: '2026-03-29 02:00', offset: '+01:00' };
    expect(readings).toMatchObject({ written: 1, refused: 1, stopped });
  });

  it('may have cells of any length in columns that are not read', async ({ farm }) => {
    const csv = `time,humidity_10,remark\n2026-07-01T06:00,20,${'wet '.repeat(1_000)}`;
    const { readings } = await send(farm, { csv, module: 'North 1' });
    expect(readings).toMatchObject({ written: 1, refused: 0 });
  });

  it.for(['time,', 'module,type,depth,time,value,'])(
    'are refused with more than 500 columns: %s…',
    async (start, { farm }) => {
      const others = Array.from({ length: 3_000 }, (_, n) => `humidity_${n}`);
      await expect(send(farm, { csv: `${start}${others.join()}\n` })).rejects.toThrow(
        /^The header names 300\d columns, and at most 500 are read\.$/,
      );
    },
  );
});
