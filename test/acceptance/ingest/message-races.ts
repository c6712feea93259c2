import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { rowsOf } from '../../stores/stores.ts';
import { MINUTE } from '../../time.ts';
import { CLOCK, waitWhileRunning } from '../program.ts';
import { createTestKey, serveStoreForTest } from '../rest-service.ts';
import { EUI, UPLINK } from './ingest-service.ts';
import { startTestBroker } from './mqtt-broker.ts';
import {
  allAcknowledged,
  countIn,
  moistureMessage,
  readingsIn,
  SOIL,
  START,
  startSubscribed,
} from './mqtt-ingest.ts';

/** Two services take the same messages, one is killed, and the device is assigned meanwhile. */
export async function expectEachMessageOnce({
  messages,
}: {
  readonly messages: number;
}): Promise<void> {
  const db = await newBaseFarm();
  const { key } = await createTestKey(db);
  const [first, second] = [
    await serveStoreForTest(db, '--clock', CLOCK),
    await serveStoreForTest(db, '--clock', CLOCK),
  ];
  const sendAll = (service: typeof first) =>
    Promise.allSettled(
      Array.from({ length: messages }, (_, n) => {
        const body = UPLINK.replace('17:54:52.358270423Z', `17:${String(n).padStart(2, '0')}:52Z`);
        return service.request('POST', '/ingest/ttn/dragino-lse01', { key, body });
      }),
    );
  const sending = [first, second].map(sendAll);
  const device = { device: EUI, moduleId: 1, depths: [20] };
  expect((await first.request('PUT', '/devices', { key, body: device })).status).toBe(200);
  second.child.kill('SIGKILL');
  await Promise.all(sending);
  for (const answer of await sendAll(first))
    expect(answer).toMatchObject({
      status: 'fulfilled',
      value: { status: 202, body: { readings: { refused: 0 } } },
    });
  expect(await countIn(db)).toBe(2 * messages);
  expect(await rowsOf(db, 'select count(*) as count from device_readings')).toEqual([{ count: 0 }]);
}

/** `acequia ingest mqtt` is killed while messages arrive, some of them twice. */
export async function expectNothingLost({
  messages,
  kills,
}: Record<'messages' | 'kills', number>): Promise<void> {
  const [broker, db] = [await startTestBroker(), await newBaseFarm()];
  let running = await startSubscribed(broker.url, ['--db', db]);
  const published = (async () => {
    for (let n = 0; n < messages; n++) {
      await broker.publish(SOIL, moistureMessage(n));
      if (n % 7 === 0) await broker.publish(SOIL, moistureMessage(n));
      if (n % 5 === 0) await pause(2);
    }
  })();
  for (let kill = 0; kill < kills; kill++) {
    const before = await countIn(db);
    await waitWhileRunning(
      running,
      async () => (await countIn(db)) > before || before === 3 * messages,
    );
    await pause(Math.random() * 60);
    running.child.kill('SIGKILL');
    await running.ended;
    running = await startSubscribed(broker.url, ['--db', db]);
  }
  await published;
  await waitWhileRunning(running, async () => (await countIn(db)) >= 3 * messages);
  expect(await running.stop()).toMatchObject({ code: 0, signal: null });
  const expected = [0, 1, 2].flatMap((index) =>
    Array.from({ length: messages }, (_, n) => [
      START + n * MINUTE,
      moistureMessage(n).h[index]! / 10,
    ]),
  );
  expect(await readingsIn(db)).toEqual(expected);
  expect(await rowsOf(db, 'select sum(count) as found from reading_hours')).toEqual([
    { found: 3 * messages },
  ]);
  await allAcknowledged(broker);
}
