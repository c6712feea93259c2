import { expect, vi } from 'vitest';
import { isWrite } from '../../../src/operation/operation-kind.ts';
import type { ChangeBody } from '../../../src/schema/changes/change.ts';
import { probeIdsOfParcel } from '../../../src/store/company/modules.ts';
import { operations } from '../../../tools/index.ts';
import { DAY, FARM_NOW, HOUR, iso, it, MINUTE, minutesAt, type TestFarm } from '../../farm.ts';
import { callsOfOperation, type FarmRows } from '../../operation-calls.ts';
import { isServerCpuKnown, serverCpuSince } from '../../stores/server-cpu.ts';
import { isOnPostgres } from '../../stores/stores.ts';
import { createOakAlert } from '../alerts/alert-farm.ts';
import { addUndosedWaterings } from '../irrigation/undosed-waterings.ts';
import { installProbe, instantsEvery, moistureSensorsAt } from '../moisture/probe-farm.ts';
import { furnish, withOffset } from './furnished-farm.ts';

/** With those of the North block. */
const PROBES = 300;
/** Fewer on PostgreSQL, which takes longer for each; a step has as many. */
const WATERINGS_PER_PROBE = isOnPostgres ? 40 : 180;
const whereCpuIsKnown = it.skipIf(!isServerCpuKnown);

/** A farm of a large parcel, each of whose probes has a season of waterings without a dose. */
async function furnishLargeFarm(farm: TestFarm): Promise<FarmRows> {
  const rows = await furnish(farm);
  const names = Array.from({ length: PROBES - 3 }, (_, index) => `Vine ${index}`);
  await farm.importFile({
    parcels: [{ name: 'North block' }],
    modules: names.map((name) => ({
      uid: name,
      name,
      category: 'SOIL_PROBE',
      parcel: 'North block',
      commissionedAt: iso(FARM_NOW - 200 * DAY),
      sensors: [{ type: 'humidity', depth: 20 }],
    })),
  });
  await farm.tick();
  await farm.wire('create_parcel_alerts', { parcelId: rows.parcel, threshold: 12 });
  const probes = await farm.write((db) => probeIdsOfParcel(db, rows.parcel));
  await addUndosedWaterings(farm, WATERINGS_PER_PROBE, probes);
  return rows;
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * The processor time of the longest write transaction of `body`, from its first statement on, in
 * this process and in that of the database.
 */
async function longestHold(farm: TestFarm, body: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  const { writeUnscoped, scopeToCompany } = farm.store;
  const timed: typeof writeUnscoped = async (companyId, write, options) => {
    let before = cpuMs();
    let serverCpuMs = async () => 0;
    const measured: typeof write = async (all) => {
      serverCpuMs = await serverCpuSince(all);
      before = cpuMs();
      return write(all);
    };
    try {
      return (await writeUnscoped.call(farm.store, companyId, measured, options)) as never;
    } finally {
      const client = cpuMs() - before;
      const server = await serverCpuMs();
      longest = Math.max(longest, client + server);
    }
  };
  vi.spyOn(farm.store, 'writeUnscoped').mockImplementation(timed as never);
  vi.spyOn(farm.store, 'write').mockImplementation(((companyId, write, options) =>
    timed(
      companyId,
      (all) => write(scopeToCompany.call(farm.store, all, companyId)),
      options,
    )) as typeof farm.store.write);
  try {
    await body();
    return longest;
  } finally {
    vi.restoreAllMocks();
  }
}

/** Single updates in one transaction, by which holds are measured. */
const UPDATES = 200;
/** A hold may take as much processor time as so many of these transactions. */
const MAX_TRANSACTIONS = isOnPostgres ? 4 : 25;

/**
 * The holds that take too long, with how many transactions of single updates take as long. These
 * are measured beside them, because all processor time grows with the load of the machine.
 */
async function longHolds(
  farm: TestFarm,
  holds: Readonly<Record<string, number>>,
): Promise<(readonly [string, number])[]> {
  const updates: number[] = [];
  for (let run = 0; run < 5; run++)
    updates.push(
      await longestHold(farm, () =>
        farm.write(async (db) => {
          for (let update = 0; update < UPDATES; update++)
            await db
              .updateTable('parcels')
              .set({ name: `North ${update}` })
              .where('id', '=', 1)
              .execute();
        }),
      ),
    );
  const updateMs = updates.toSorted((a, b) => a - b)[2]!;
  return Object.entries(holds)
    .map(([label, ms]) => [label, ms / updateMs] as const)
    .filter(([, transactions]) => transactions > MAX_TRANSACTIONS);
}

const AT_NOON = '2026-06-20T12:00:00+02:00';

/** Calls that make most of the large parcel, or that the valid calls of all operations lack. */
const MORE_CALLS: readonly (readonly [string, (rows: FarmRows) => Record<string, unknown>])[] = [
  [
    'set_parcel_installation: first doses',
    ({ parcel }) => ({ parcelId: parcel, system: 'sprinkler', flowMmPerH: 6 }),
  ],
  [
    'set_parcel_installation: recorded doses stay',
    ({ parcel }) => ({
      parcelId: parcel,
      system: 'sprinkler',
      flowMmPerH: 9,
      effectiveFrom: AT_NOON,
    }),
  ],
  [
    'create_annotation: a field capacity',
    ({ module }) => ({
      moduleId: module,
      type: 'h-line',
      p1: [FARM_NOW, 30],
      unit: 'vwc',
      style: { fill: 'threshold1' },
    }),
  ],
  ['recompute_doses', ({ module }) => ({ moduleId: module })],
  [
    'create_schedule: few starts on each probe',
    ({ parcel }) => ({
      targetParcelId: parcel,
      freq: 'daily',
      startTimes: ['04:00'],
      timezone: 'Europe/Paris',
      startsOn: '2026-07-02',
      endsOn: '2026-07-04',
      inputMode: 'duration',
      durationMin: 20,
    }),
  ],
];

const newestChange = async (farm: TestFarm): Promise<ChangeBody | undefined> =>
  (await farm.wire<{ data: ChangeBody[] }>('list_changes', { limit: 1 })).data[0];

function expectNotUndoable(error: { code?: string }): void {
  expect(error.code).toBe('CHANGE_NOT_UNDOABLE');
}

whereCpuIsKnown(
  'no call of the catalog, nor its undo, holds the write lock for long',
  {
    timeout: 1_200_000,
  },
  async ({ farm }) => {
    const rows = await furnishLargeFarm(farm);
    const calls = [
      ...MORE_CALLS,
      ...operations
        .filter((each) => isWrite(each) && !each.answerIsSecret && each.name !== 'undo')
        .map(({ name }) => [name, (of: FarmRows) => callsOfOperation(name).valid(of, 0)] as const),
    ];

    const holds: Record<string, number> = {};
    for (const [label, argumentsOf] of calls) {
      farm.now += MINUTE;
      const before = await newestChange(farm);
      const [name = label] = label.split(':');
      holds[label] = await longestHold(farm, () => farm.wire(name, withOffset(argumentsOf(rows))));
      const change = await newestChange(farm);
      if (change === undefined || change.id === before?.id) continue;

      farm.now += MINUTE;
      holds[`undo of ${label}`] = await longestHold(farm, () =>
        farm.wire('undo', { changeId: change.id }).catch(expectNotUndoable),
      );
    }

    expect(await longHolds(farm, holds)).toEqual([]);
  },
);

whereCpuIsKnown(
  'no calibration beside hundreds of alerts, nor its undo, holds the write lock for long',
  async ({ farm }) => {
    const { recordAll } = await installProbe(farm, { sensors: moistureSensorsAt(10, 30) });
    await recordAll(instantsEvery(HOUR, FARM_NOW - 2 * DAY, FARM_NOW), 20);
    for (let alert = 0; alert < 350; alert++)
      await createOakAlert(farm, { threshold: 10 + alert / 100 });

    const holds: Record<string, number> = {};
    for (const truePercent of [24, 25]) {
      farm.now += MINUTE;
      const calibration = [`10 cm: reads 20, true ${truePercent}`];
      const calibrate = () => farm.tool('set_probe_settings', { module: 'Oak', calibration });
      holds[`true ${truePercent} %`] = await longestHold(farm, calibrate);
    }
    for (const label of ['undo', 'undo of the first'])
      holds[label] = await longestHold(farm, () => farm.tool('undo'));

    expect(await longHolds(farm, holds)).toEqual([]);
  },
);

const PARCEL_PROBES = 2_000;

async function importVineyard(farm: TestFarm): Promise<void> {
  await installProbe(farm);
  const names = Array.from({ length: PARCEL_PROBES }, (_, index) => `Vine ${index}`);
  const modules = names.map((name) => ({
    uid: name,
    name,
    category: 'SOIL_PROBE',
    parcel: 'Vineyard',
    commissionedAt: iso(FARM_NOW - 200 * DAY),
    sensors: [{ type: 'humidity', depth: 20 }],
  }));
  await farm.importFile({ parcels: [{ name: 'Vineyard' }], modules });
  await farm.tick();
}

/** Of a call, its undo and the undo of that. */
async function holdsOfCall(
  farm: TestFarm,
  label: string,
  args: Parameters<TestFarm['tool']>[1],
): Promise<Record<string, number>> {
  const [name = label] = label.split(':');
  farm.now += MINUTE;
  const called = await longestHold(farm, () => farm.tool(name, args));
  farm.now += MINUTE;
  const undone = await longestHold(farm, () => farm.tool('undo'));
  const changeId = (await newestChange(farm))?.id;
  farm.now += MINUTE;
  const restored = await longestHold(farm, () => farm.tool('undo', { changeId }));
  return { [label]: called, [`undo of ${label}`]: undone, [`${label} restored`]: restored };
}

const parcel = 'Vineyard';
const equipment = { parcel, system: 'sprinkler', flowMmPerH: 6 };

whereCpuIsKnown(
  `nothing for a parcel of ${PARCEL_PROBES} probes, nor its undo, holds the write lock for long`,
  { timeout: 300_000 },
  async ({ farm }) => {
    await importVineyard(farm);
    const holds: Record<string, number> = {};
    for (const [label, args] of [
      ['create_alert', { parcel, threshold: 12 }],
      ['log_watering: past', { parcel, ...minutesAt(FARM_NOW - 2 * HOUR, 60) }],
      ['log_watering: planned', { parcel, ...minutesAt(FARM_NOW + 2 * HOUR, 60) }],
      ['set_parcel_installation', equipment],
    ] as const)
      Object.assign(holds, await holdsOfCall(farm, label, args));

    expect(await longHolds(farm, holds)).toEqual([]);
  },
);

whereCpuIsKnown(
  `no equipment beside a schedule on ${PARCEL_PROBES} probes, nor its undo, holds it for long`,
  { timeout: 300_000 },
  async ({ farm }) => {
    await importVineyard(farm);
    await farm.createSchedule({ parcel, startsOn: '2026-07-02', endsOn: '2026-07-04' });
    const first = await holdsOfCall(farm, 'set_parcel_installation', equipment);
    const other = { ...equipment, flowMmPerH: 7 };
    const second = await holdsOfCall(farm, 'set_parcel_installation: other', other);

    expect(await longHolds(farm, { ...first, ...second })).toEqual([]);
  },
);

/** The most that wait for an assignment. */
const WAITING = 5_000;
const SENT_SINCE = 90_000;

whereCpuIsKnown(
  'no assignment of a device that has sent much, nor its undo, holds the write lock for long',
  { timeout: 300_000 },
  async ({ farm }) => {
    await installProbe(farm, { sensors: moistureSensorsAt(10) });
    const send = (count: number, lastAt: number) =>
      farm.wire('ingest', {
        readings: Array.from({ length: count }, (_, n) => ({
          device: 'one',
          type: 'humidity',
          value: 20 + (n % 9),
          time: iso(lastAt - n * MINUTE),
        })),
      });

    const holds: Record<string, number> = {};
    const measure = async (label: string, body: () => Promise<unknown>): Promise<void> => {
      farm.now += MINUTE;
      holds[label] = await longestHold(farm, body);
    };

    await send(WAITING, FARM_NOW - SENT_SINCE * MINUTE);
    await measure('assign_device', () =>
      farm.tool('assign_device', { device: 'one', module: 'Oak' }),
    );
    await measure('undo', () => farm.tool('undo'));
    const changeId = (await newestChange(farm))?.id;
    await measure('restored', () => farm.tool('undo', { changeId }));
    const restoredId = (await newestChange(farm))?.id;
    await send(SENT_SINCE, FARM_NOW);
    await measure('undo with what was sent since', () =>
      farm.tool('undo', { changeId: restoredId }),
    );

    expect(await longHolds(farm, holds)).toEqual([]);
  },
);
