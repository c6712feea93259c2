import { expect } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { importFarmFile } from '../../imported-data.ts';
import { rowsOf } from '../../stores/stores.ts';
import { CLOCK, waitWhileRunning } from '../program.ts';
import { createTestKey, serveStoreForTest } from '../rest-service.ts';
import { startTestBroker } from './mqtt-broker.ts';
import {
  allAcknowledged,
  countIn,
  moistureMessage,
  SOIL,
  START,
  startSubscribed,
} from './mqtt-ingest.ts';

const BLUE = {
  company: { name: 'Mas Bleu', timezone: 'Europe/Paris' },
  users: [{ email: 'bo@example.org', name: 'Bo', role: 'OWNER' }],
  gateways: [{ imei: '356938035643810', assignedAt: '2025-01-10T00:00:00Z' }],
  modules: [
    {
      uid: 'B9',
      name: 'Blue 1',
      category: 'SOIL_PROBE',
      commissionedAt: '2025-01-11T09:00:00Z',
      sensors: [10, 20, 30].map((depth) => ({ type: 'humidity', depth })),
    },
  ],
};

const HOSTILE = [
  ...['+', '#', 'A1\0', '\0', '', ' ', '..', '%41%31', '{module}', '__proto__', 'constructor'],
  ...['A1;B9', "A1' or 1=1 --", '\u202eA1', 'x'.repeat(60_000)],
];

/** Whatever the messages are, ingest continues, and its log stays readable. */
export async function expectOnlyOwnReadings(target: 'the store' | 'a service'): Promise<void> {
  const [broker, db] = [await startTestBroker(), await newBaseFarm()];
  await importFarmFile(db, BLUE);
  const { key } = await createTestKey(db, '--company', 'Mas Rouge', '--scopes', 'ingest:write');
  const args =
    target === 'the store'
      ? ['--db', db, '--company', 'Mas Rouge']
      : ['--remote', (await serveStoreForTest(db, '--clock', CLOCK)).base];
  const running = await startSubscribed(broker.url, args, { ACEQUIA_API_KEY: key });
  for (const unusable of [
    'ON',
    { h: [1, 2, 3] },
    { ts: 'soon', h: [1] },
    { ts: START / 1000, h: [] },
  ])
    await broker.publish(SOIL, unusable);
  const blue = (await rowsOf<{ id: number }>(db, "select id from modules where uid = 'B9'"))[0]!.id;
  for (const [n, name] of ['B9', 'Blue 1', `${blue}`, `#${blue}`, ...HOSTILE].entries())
    await broker.publish(`farm/${name}/soil`, moistureMessage(n));
  for (const topic of ['$SYS/A1/soil', 'farm/A1/soil/more', '/farm/A1/soil', 'farm/A1'])
    await broker.publish(topic, moistureMessage(100));
  await broker.publish('farm/gateways/356938035643810/status', {
    at: '2026-07-01T09:00:00Z',
    volts: 3.9,
    bars: 1,
  });
  await broker.publish(SOIL, moistureMessage(200, [9_999, 210, 220]));
  await broker.publish(SOIL, moistureMessage(201));
  // Three each of A1 with an invisible character, which a name does without, and five of the last
  // two messages.
  await waitWhileRunning(running, async () => (await countIn(db)) === 11);
  await allAcknowledged(broker);
  const read =
    'select distinct m.uid from readings r join sensors s on s.id = r.sensor_id join modules m on m.id = s.module_id';
  expect(await rowsOf(db, read)).toEqual([{ uid: 'A1' }]);
  expect(await rowsOf(db, 'select level from gateways where level is not null')).toEqual([]);
  const { code, stdout, stderr } = await running.stop();
  expect([code, stdout]).toEqual([0, expect.stringContaining('11 readings written, 0 changed')]);
  const lines = stderr.trim().split('\n');
  const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  // A broker may deliver a message again.
  const reasonsOn = (wanted: string) => [
    ...new Set(entries.flatMap(({ topic, reason }) => (topic === wanted ? [reason] : []))),
  ];
  expect(reasonsOn(SOIL)).toEqual([
    'the payload is not JSON',
    'the message has no time (readings[0].time)',
    'the time is not a number of s (readings[0].time)',
    'no path of the map has a value; readings[0].values[0].path, "h.0", is the first',
    'value is not moisture from 0 to 100 %',
  ]);
  expect(reasonsOn('farm/B9/soil')).toEqual(['unknown module']);
  for (const line of lines) expect(line.length).toBeLessThan(1_000);
  for (const entry of entries)
    expect(Object.values(entry).join(' ')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
}
