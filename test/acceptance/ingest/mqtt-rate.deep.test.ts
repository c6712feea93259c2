import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { importFarmFile } from '../../imported-data.ts';
import { rowsOf } from '../../stores/stores.ts';
import { newFolder } from '../../temporary-places.ts';
import { CLOCK, startCommand, waitWhileRunning } from '../program.ts';
import { payloadOf } from './ingest-service.ts';
import { startTestBroker } from './mqtt-broker.ts';

const DEVICES = 200;
const PER_SECOND = 1_000;
const SECONDS = 12;
const SENT_EVERY_MS = 20;

const names = Array.from({ length: DEVICES }, (_, n) => `Probe ${n}`);
const euiOf = (n: number): string => `70B3D57ED00${String(n).padStart(5, '0')}`;
const sensors = ['humidity', 'temperature'].map((type) => ({ type, depth: 30 }));

/** Each third device is of another maker. */
const MAKERS = ['dragino-lse01', 'milesight-em500-smtc', 'sensecap-s2105'].map((maker) =>
  JSON.parse(payloadOf(`ttn/${maker}`)),
);

/** The uplinks of a device are a second apart. */
function uplink(n: number): string {
  const device = n % DEVICES;
  const message = MAKERS[device % MAKERS.length];
  const at = Date.parse('2026-06-30T00:00:00Z') + Math.floor(n / DEVICES) * 1_000;
  const ids = { ...message.end_device_ids, dev_eui: euiOf(device) };
  const received_at = new Date(at).toISOString();
  return JSON.stringify({ ...message, end_device_ids: ids, received_at });
}

// Figures of November 2026: all stored 0.1 s after the last was sent, at most 193 MiB.
it('a thousand uplinks a second of several makers are all stored', async () => {
  const db = await newBaseFarm();
  const commissionedAt = '2026-01-01T00:00:00Z';
  const modules = names.map((name) => ({ uid: name, name, commissionedAt, sensors }));
  await importFarmFile(db, { company: { name: 'Mas Rouge' }, modules });
  const file = join(await newFolder(), 'devices.json');
  const table = names.map((module, n) => [euiOf(n), { module, depth: 30 }]);
  await writeFile(file, JSON.stringify(Object.fromEntries(table)));

  const broker = await startTestBroker();
  const args = ['--preset', 'ttn/any', '--broker', broker.url, '--devices', file];
  const running = startCommand(['ingest', 'mqtt', ...args, '--db', db, '--clock', CLOCK]);
  await waitWhileRunning(running, () => running.stdout().includes('Listening'));

  const count = async (): Promise<number> =>
    (await rowsOf<{ n: number }>(db, 'select count(*) as n from readings'))[0]!.n;
  const before = await count();
  const total = PER_SECOND * SECONDS;
  const uplinks = Array.from({ length: total }, (_, n) => uplink(n));
  const startedAt = performance.now();
  const published: Promise<void>[] = [];
  while (published.length < total) {
    const due = Math.min(total, ((performance.now() - startedAt) / 1_000) * PER_SECOND);
    while (published.length < due) {
      const n = published.length;
      published.push(broker.publish(`v3/mas-rouge@ttn/devices/p${n % DEVICES}/up`, uplinks[n]));
    }
    await new Promise((resolve) => setTimeout(resolve, SENT_EVERY_MS));
  }
  const sentAfterMs = performance.now() - startedAt;
  await Promise.all(published);
  await waitWhileRunning(running, async () => (await count()) - before === 2 * total);
  const storedAfterMs = performance.now() - startedAt;

  const peakKiB = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${running.child.pid}/status`, 'utf8'))!;
  process.stdout.write(
    `${total} uplinks sent in ${Math.round(sentAfterMs)} ms, stored after ${Math.round(storedAfterMs)} ms, peak ${Math.round(Number(peakKiB[1]) / 1024)} MiB\n`,
  );
  const { stdout } = await running.stop();
  expect(stdout).toContain(`${total} messages: ${2 * total} readings written`);
  expect(stdout).toContain('0 refused');
}, 180_000);
