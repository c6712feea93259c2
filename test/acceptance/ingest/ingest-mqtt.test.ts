import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { runInProcess } from '../../in-process-command.ts';
import { rowsOf } from '../../stores/stores.ts';
import { MINUTE } from '../../time.ts';
import { CLEAN_EXIT, CLOCK, portForRestarts, waitWhileRunning } from '../program.ts';
import { createTestKey, serveStoreForTest, sharedRestService } from '../rest-service.ts';
import { startTestBroker } from './mqtt-broker.ts';
import {
  allAcknowledged,
  CLIENT,
  countIn,
  moistureMessage,
  readingsIn,
  SOIL,
  START,
  startIngest,
  startSubscribed,
} from './mqtt-ingest.ts';

const service = sharedRestService();

describe('acequia ingest mqtt', () => {
  it('stores readings and gateway statuses, and ends at SIGTERM', async () => {
    const [broker, db] = [await startTestBroker(), await newBaseFarm()];
    const running = await startSubscribed(broker.url, ['--db', db]);
    await broker.publish(SOIL, moistureMessage(0, [213, 224, 235]));
    const status = { at: '2026-07-01T09:00:00Z', volts: 3.952, bars: 3 };
    await broker.publish('farm/gateways/356938035643809/status', status);
    const gateways = () => rowsOf(db, 'select last_seen_at, battery_mv, level from gateways');
    await waitWhileRunning(running, async () => (await gateways())[0]!.battery_mv !== null);
    expect(await readingsIn(db)).toEqual([21.3, 22.4, 23.5].map((value) => [START, value]));
    expect(await gateways()).toEqual([
      { last_seen_at: Date.UTC(2026, 6, 1, 9), battery_mv: 3952, level: 3 },
    ]);
    expect(await running.stop()).toEqual({
      ...CLEAN_EXIT,
      stdout: `Listening to ${broker.url} as ${CLIENT}\n2 messages: 3 readings written, 0 changed, 0 unchanged, 0 refused.\n`,
    });
    await allAcknowledged(broker);
  });

  it('logs that its event loop was held', async () => {
    const [broker, db] = [await startTestBroker(), await newBaseFarm()];
    const hold = 'const end = Date.now() + 400; while (Date.now() < end);';
    const code = `process.on('SIGUSR2', () => { ${hold} })`;
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
    const running = await startSubscribed(broker.url, ['--db', db, '--log-level', 'info'], env);
    running.child.kill('SIGUSR2');
    await waitWhileRunning(running, () => running.stderr().includes('the event loop was held'));
    expect(running.stderr()).toContain('"surface":"cli","operation":"ingest mqtt"');
    expect((await running.stop()).code).toBe(0);
  });

  it('waits for an unreachable broker, at the start and later, and stores the messages sent meanwhile', async () => {
    const [broker, db] = [await startTestBroker(), await newBaseFarm()];
    await broker.down();
    const running = await startIngest(broker.url, ['--db', db]);
    await waitWhileRunning(running, () => running.stderr().includes('ECONNREFUSED'));
    await broker.up();
    await waitWhileRunning(running, () => running.stdout().includes('Listening'));
    await broker.down();
    await broker.publish(SOIL, moistureMessage(0));
    await broker.up();
    await waitWhileRunning(running, async () => (await countIn(db)) === 3);
    expect(running.stderr()).toContain('trouble with the broker');
    expect((await running.stop()).code).toBe(0);
  });

  it('evaluates an alert within seconds of a reading', async () => {
    const [broker, db] = [await startTestBroker(), await newBaseFarm()];
    const now = (Date.parse(CLOCK) - START) / MINUTE;
    const running = await startSubscribed(broker.url, ['--db', db]);
    await broker.publish(SOIL, moistureMessage(now - 30, [260, 260, 260]));
    await waitWhileRunning(running, async () => (await countIn(db)) === 3);
    const created = await runInProcess([
      'call',
      'create_alert',
      'module=North 1',
      'threshold=20',
      '--db',
      db,
      '--clock',
      CLOCK,
    ]);
    expect(created.code, created.stderr).toBe(0);
    const evaluated = () => rowsOf(db, 'select 1 from alert_states where evaluated_at is not null');
    await waitWhileRunning(running, async () => (await evaluated()).length > 0);
    const messages = () => rowsOf(db, 'select kind from outbox');
    const sentAt = performance.now();
    await broker.publish(SOIL, moistureMessage(now - 5, [150, 150, 150]));
    await waitWhileRunning(running, async () => (await messages()).length > 0);
    // The background jobs would evaluate the alert too, but only after up to 60 s.
    expect(performance.now() - sentAt).toBeLessThan(30_000);
    expect(await messages()).toEqual([{ kind: 'fired' }]);
    expect((await running.stop()).code).toBe(0);
  });

  it('sends readings to a service, and waits while it is down', async () => {
    const [broker, db] = [await startTestBroker(), await newBaseFarm()];
    const { key } = await createTestKey(db, '--scopes', 'ingest:write');
    const options = [
      '--clock',
      CLOCK,
      '--rate-limit',
      '0',
      '--port',
      String(await portForRestarts()),
    ];
    const first = await serveStoreForTest(db, ...options);
    const running = await startSubscribed(broker.url, ['--remote', first.base], {
      ACEQUIA_API_KEY: key,
    });
    await broker.publish(SOIL, moistureMessage(0));
    await waitWhileRunning(running, async () => (await countIn(db)) === 3);
    await allAcknowledged(broker);
    first.child.kill('SIGKILL');
    await first.ended;
    await broker.publish(SOIL, moistureMessage(1));
    await waitWhileRunning(running, () =>
      running.stderr().includes('a batch could not be stored yet'),
    );
    expect(await broker.unacknowledged(CLIENT)).toBe(1);
    await serveStoreForTest(db, ...options);
    await waitWhileRunning(running, async () => (await countIn(db)) === 6);
    const { code, stdout, stderr } = await running.stop();
    expect(code).toBe(0);
    expect(stderr + stdout).not.toContain(key);
  });

  it('ends with 1 when a service refuses its key, and leaves the messages at the broker', async () => {
    const broker = await startTestBroker();
    const env = { ACEQUIA_API_KEY: await service().newKey('--scopes', 'readings:read') };
    const running = await startSubscribed(broker.url, ['--remote', service().base], env);
    await broker.publish(SOIL, moistureMessage(0));
    const stderr = expect.stringContaining('ingest needs the scope ingest:write');
    expect(await running.ended).toMatchObject({ code: 1, stderr });
    expect(await broker.unacknowledged(CLIENT)).toBe(1);
  });

  it('shows user and password, of the environment or the address, to nobody but the broker', async () => {
    const broker = await startTestBroker(['probes', 'se:cret/1']);
    const args = ['--db', await newBaseFarm(), '--log-level', 'trace'];
    const env = { ACEQUIA_MQTT_USERNAME: 'probes', ACEQUIA_MQTT_PASSWORD: 'se:cret/1' };
    const fromEnv = await startSubscribed(broker.url, args, env);
    expect((await fromEnv.stop()).code).toBe(0);
    const wrong = await startIngest(`mqtt://probes:se%3Acret%2F2@127.0.0.1:${broker.port}`, args);
    await waitWhileRunning(wrong, () => wrong.stderr().includes('trouble with the broker'));
    expect([...new Set(broker.logins)]).toEqual(['probes se:cret/1', 'probes se:cret/2']);
    const output = [fromEnv, wrong].map(({ stdout, stderr }) => stdout() + stderr()).join();
    expect(output).not.toMatch(/se:cret|se%3Acret/);
  });

  it.each<[string, number, string[], string]>([
    [
      'an address that is not one of a broker',
      2,
      ['--broker', 'http://user:pass@127.0.0.1'],
      '--broker',
    ],
    [
      'a preset whose payloads do not come over MQTT',
      2,
      ['--preset', 'zentra/logger'],
      'do not come over MQTT',
    ],
    ['no store', 1, [], 'There is no store'],
  ])('with %s ends with %i', async (_, code, args, message) => {
    const preset = args.includes('--preset') ? [] : ['--preset', 'ttn/dragino-lse01'];
    const address = args.includes('--broker') ? [] : ['--broker', 'mqtt://127.0.0.1:1'];
    const db = `${service().db}${code === 1 ? '.none' : ''}`;
    const result = await runInProcess([
      'ingest',
      'mqtt',
      ...preset,
      ...address,
      ...args,
      '--db',
      db,
    ]);
    expect(result).toMatchObject({ code, stderr: expect.stringContaining(message) });
    expect(result.stderr).not.toContain('pass');
  });
});
