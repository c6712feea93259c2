import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { runInProcess } from '../../in-process-command.ts';
import { itInDeepRuns } from '../../property-runs.ts';
import { rowsOf } from '../../stores/stores.ts';
import { CLOCK, startCommand, waitWhileRunning } from '../program.ts';
import { createTestKey, serveStoreForTest } from '../rest-service.ts';
import { EUI, newestReadings, UPLINK } from './ingest-service.ts';
import { startTestBroker } from './mqtt-broker.ts';

const run = (db: string, ...args: string[]) =>
  runInProcess([...args, '--db', db, '--clock', CLOCK]);

describe('a device that is not assigned', () => {
  it('is listed with what it sends, also by the doctor; its readings count once it is assigned', async () => {
    const [broker, db] = [await startTestBroker(), await newBaseFarm()];
    const args = [
      '--preset',
      'ttn/dragino-lse01',
      '--broker',
      broker.url,
      '--db',
      db,
      '--clock',
      CLOCK,
    ];
    const running = startCommand(['ingest', 'mqtt', ...args]);
    await waitWhileRunning(running, () => running.stdout().includes('Listening'));
    const topic = 'v3/mas-rouge@ttn/devices/soil-1/up';
    for (let time = 0; time < 2; time++) await broker.publish(topic, UPLINK);
    await waitWhileRunning(
      running,
      async () => (await rowsOf(db, 'select 1 from device_readings')).length === 2,
    );
    const listed = async () => (await run(db, 'ingest', 'devices')).stdout;
    const before = await listed();
    expect(before).toContain(`${EUI}  not assigned; last `);
    expect(before).toContain('moisture 19.57 %, temperature 24.59 °C; 2 readings stored');
    expect(before).toMatch(/\n {2}\{"end_device_ids".{100,130}… \(whole with --json\)\n/);
    const { stdout: findings } = await run(db, 'doctor');
    expect(findings.replace(/\s+/g, ' ')).toContain(
      `a device that is not assigned sends: ${EUI}, moisture 19.57 %, temperature 24.59 °C`,
    );

    const assigned = await run(db, 'ingest', 'assign', EUI.toLowerCase(), 'North 1', '20');
    expect(assigned.stdout).toBe(
      `${EUI} is assigned to "North 1" at 20 cm. Stored 2 readings it had already sent.\n`,
    );
    expect(await newestReadings(db)).toEqual({ humidity_20: 19.57, temperature_20: 24.59 });
    expect(await listed()).toMatch(
      new RegExp(
        `^${EUI}  "North 1", 20 cm; last .* ago; battery 3.625 V; signal -51 dBm, SNR 13.5 dB\n$`,
      ),
    );

    await broker.publish(topic, UPLINK.replace('17:54:52.358270423Z', '18:54:52.358270423Z'));
    await waitWhileRunning(
      running,
      async () => (await rowsOf(db, 'select 1 from readings')).length === 4,
    );
    const { stdout } = await running.stop();
    expect(stdout).toContain(
      '3 messages: 2 readings written, 0 changed, 2 unchanged, 0 refused, 2 stored',
    );
  });

  it('is assigned only where the module has sensors', async () => {
    const db = await newBaseFarm();
    const refused = await run(db, 'ingest', 'assign', EUI, 'North 1', '25');
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no sensor at 25 cm'),
    });
    expect(refused.stderr).toContain('10, 20, 30 cm');
    expect((await run(db, 'ingest', 'devices')).stdout).toContain(
      'No device has sent anything yet',
    );
  });

  itInDeepRuns(
    'is listed and assigned on a remote service, whose key decides the company',
    async () => {
      const db = await newBaseFarm();
      const { key } = await createTestKey(db);
      const { request, base } = await serveStoreForTest(db, '--clock', CLOCK);
      await request('POST', '/ingest/ttn/dragino-lse01', { key, body: UPLINK });
      const remote = (...args: string[]) =>
        runInProcess(['ingest', ...args, '--remote', base, '--clock', CLOCK], {
          env: { ACEQUIA_API_KEY: key },
        });
      const {
        data: [listed],
      } = JSON.parse((await remote('devices', '--json')).stdout);
      expect(listed).toMatchObject({
        device: EUI,
        storedUnassigned: 2,
        payload: expect.stringContaining('"water_SOIL":"19.57"'),
      });
      expect((await remote('assign', EUI, 'North 1', '20')).stdout).toBe(
        `${EUI} is assigned to "North 1" at 20 cm. Stored 2 readings it had already sent.\n`,
      );
      expect((await remote('devices', '--company', 'Mas Rouge')).stderr).toContain(
        'Leave --company out',
      );
    },
  );
});
