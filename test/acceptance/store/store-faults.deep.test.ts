import { afterAll, describe, expect, it } from 'vitest';
import { importBaseFarm } from '../../base-farm.ts';
import { importReadingsCsv } from '../../imported-data.ts';
import { executeStatements, type StoreLocation } from '../../stores/stores.ts';
import { newEmptyStore } from '../../stores/template-stores.ts';
import { copyOfStore } from '../../temporary-places.ts';
import { HOUR, iso } from '../../time.ts';
import { runProgram } from '../program.ts';
import { storeFaults } from './store-faults.ts';

let recordStore: Promise<StoreLocation> | undefined;

afterAll(async () => (await recordStore)?.remove());

async function storeOfRecords(): Promise<StoreLocation> {
  const place = await newEmptyStore();
  const { db } = place;
  await importBaseFarm(db);
  const now = Date.now();
  const plan = [
    'freq=daily',
    'startTimes:=["06:00"]',
    'timezone=Europe/Paris',
    'inputMode=duration',
    'durationMin:=30',
  ];
  const startsOn = `startsOn=${iso(now + 24 * HOUR).slice(0, 10)}`;
  await runProgram('call', 'create_schedule', 'module=North 1', ...plan, startsOn, '--db', db);
  await runProgram('call', 'create_alert', 'module=North 1', 'threshold:=20', '--db', db);
  for (const [hoursAgo, value] of [
    [30, 15],
    [20, 35],
    [1, 15],
  ] as const) {
    const rows = [10, 20, 30].map(
      (depth) => `North 1,humidity,${depth},${iso(now - hoursAgo * HOUR)},${value}\n`,
    );
    await importReadingsCsv(db, `module,type,depth,time,value\n${rows.join('')}`);
  }
  return place;
}

async function newRecordStore(): Promise<string> {
  recordStore ??= storeOfRecords();
  return copyOfStore((await recordStore).db);
}

const first = (table: string, column: string): string =>
  `${column} = (select min(${column}) from ${table} where ${column} is not null)`;

const PLANTED_FAULTS: [fault: string, ...statements: string[]][] = [
  [
    'setup versions that leave a gap',
    `update installation_versions set valid_to = 1000 where ${first('installation_versions', 'id')}`,
  ],
  [
    'occurrences that stand twice',
    'drop index waterings_by_scheduled_start',
    'update waterings set scheduled_start = (select min(scheduled_start) from waterings) where id in (select max(id) from waterings)',
  ],
  [
    'occurrences of no schedule',
    `update waterings set scheduled_start = null where ${first('waterings', 'id')}`,
  ],
  ['occurrences ahead at a time', `update schedules set start_times = '["05:00"]'`],
  [
    'hours that are not the sum',
    `update reading_hours set sum = sum + 0.01 where ${first('reading_hours', 'bucket_at')}`,
  ],
  [
    'hours that are not the sum',
    `delete from reading_hours where ${first('reading_hours', 'bucket_at')}`,
  ],
  ['hours that are not the sum', 'delete from readings where value > 30'],
  [
    'days that are not the sum',
    `update reading_days set count = count + 1 where ${first('reading_days', 'bucket_at')}`,
  ],
  [
    'sensors whose local days do not add up',
    `update reading_local_days set sum = sum + 0.01 where ${first('reading_local_days', 'bucket_at')}`,
  ],
  [
    'episodes that end before they begin',
    'update alert_episodes set ended_at = (select max(started_at) + 1 from alert_episodes)',
  ],
  ['episodes that end before they begin', 'update alert_episodes set ended_at = null'],
  ['alerts whose state and record disagree', 'update alert_states set since = since - 1'],
  ['alerts whose state and record disagree', 'update alert_episodes set ended_at = started_at + 1'],
  ['alerts that nobody watches', 'delete from alert_states'],
  ['alerts that nobody watches', 'update alerts set is_active = 0'],
  ['mails under one number', "update outbox set message_id = '<1@example.org>'"],
];

describe('the rows of a store', () => {
  it('have no fault after normal use', async () => {
    expect(await storeFaults(await newRecordStore())).toEqual([]);
  });

  it.each(PLANTED_FAULTS)('have the fault "%s" after: %s', async (fault, ...statements) => {
    const db = await newRecordStore();
    await executeStatements(db, ...statements);
    expect((await storeFaults(db)).filter((each) => each.includes(fault))).toHaveLength(1);
  });
});
