import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rowsOf } from '../../stores/stores.ts';
import { newFolder } from '../../temporary-places.ts';
import { DAY, MINUTE } from '../../time.ts';
import {
  CLOCK,
  type RunningCommand,
  startCommand,
  waitUntil,
  waitWhileRunning,
} from '../program.ts';
import type { TestBroker } from './mqtt-broker.ts';

export const START = Date.parse(CLOCK) - 30 * DAY;
export const CLIENT = 'acequia-test';
export const SOIL = 'farm/A1/soil';

export const MAP = {
  readings: [
    {
      topic: 'farm/{module}/soil',
      time: { path: 'ts', unit: 's' },
      values: [
        { path: 'h.0', type: 'humidity', depth: 10, scale: 0.1 },
        { path: 'h.1', type: 'humidity', depth: 20, scale: 0.1 },
        { path: 'h.2', type: 'humidity', depth: 30, scale: 0.1 },
      ],
    },
  ],
  gateways: [
    {
      topic: 'farm/gateways/{imei}/status',
      lastSeen: { path: 'at', unit: 'iso' },
      batteryMv: { path: 'volts', scale: 1000 },
      level: { path: 'bars' },
    },
  ],
};

/** Tenths of a per cent at three depths, in the n-th minute. */
export const moistureMessage = (n: number, h = [200 + (n % 100), 210, 220]) => ({
  ts: (START + n * MINUTE) / 1000,
  h,
});

export async function startIngest(
  url: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<RunningCommand> {
  const file = join(await newFolder(), 'map.json');
  await writeFile(file, JSON.stringify(MAP));
  const common = ['--broker', url, '--map', file, '--client-id', CLIENT, '--clock', CLOCK];
  return startCommand(['ingest', 'mqtt', ...common, ...args], { env });
}

export async function startSubscribed(
  ...args: Parameters<typeof startIngest>
): Promise<RunningCommand> {
  const running = await startIngest(...args);
  await waitWhileRunning(running, () => running.stdout().includes('Listening'));
  return running;
}

export async function readingsIn(db: string): Promise<[number, number][]> {
  const query = 'select at, value from readings order by sensor_id, at';
  return (await rowsOf<{ at: number; value: number }>(db, query)).map(({ at, value }) => [
    at,
    value,
  ]);
}

export const countIn = async (db: string): Promise<number> =>
  (await rowsOf<{ found: number }>(db, 'select count(*) as found from readings'))[0]!.found;

/** The broker may read the last acknowledgements after the process has ended. */
export async function allAcknowledged(broker: TestBroker): Promise<void> {
  await waitUntil(async () => (await broker.unacknowledged(CLIENT)) === 0);
}
