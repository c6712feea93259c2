import { expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { lacksPgBouncer, withPgBouncer } from '../../stores/pgbouncer.ts';
import { runCommand } from '../program.ts';
import { EVENTS_PATH, nthWatering } from '../rest/raw-requests.ts';
import { startServing } from '../rest-service.ts';

const WRITERS = 20;

it.skipIf(lacksPgBouncer)('a service works through PgBouncer in session mode', async () => {
  const direct = await newBaseFarm();
  await withPgBouncer(direct, { pool_mode: 'session' }, async ({ url }) => {
    const service = await startServing(url, ['--rate-limit', '0']);
    const key = await service.newKey();
    const writes = Array.from({ length: WRITERS }, (_, n) =>
      service.request('POST', EVENTS_PATH, { key, body: nthWatering(n) }),
    );
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(
      Array(WRITERS).fill(201),
    );

    const listed = await service.request('GET', '/modules/1', { key });
    expect([listed.status, listed.body.name]).toEqual([200, 'North 1']);
    const ready = await fetch(new URL('/ready', service.base));
    expect(ready.status).toBe(200);
    expect((await service.stop()).code).toBe(0);
  });
});

it.skipIf(lacksPgBouncer)('the doctor passes session mode and names any other mode', async () => {
  const direct = await newBaseFarm();
  await withPgBouncer(direct, { pool_mode: 'session' }, async ({ url, setMode }) => {
    const examine = async () => {
      const { code, stdout } = await runCommand(['doctor', '--json', '--db', url]);
      return { code, report: JSON.parse(stdout) };
    };
    expect((await examine()).code).toBe(0);
    await setMode('transaction');
    const { code, report } = await examine();
    expect([code, JSON.stringify(report)]).toEqual([
      1,
      expect.stringContaining('pool_mode = session'),
    ]);
  });
});
