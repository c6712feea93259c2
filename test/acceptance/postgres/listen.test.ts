import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { FIRING } from '../../mcp/listen-request.ts';
import { withSecondStore } from '../../stores/stores.ts';
import { connectListener, connectStdioListener, watchProbe } from '../mcp/listen/listening-client.ts';
import { CLOCK } from '../program.ts';
import { type RestService, serveStoreForTest } from '../rest-service.ts';

async function twoServers(): Promise<{ readonly db: string; readonly servers: readonly [RestService, RestService] }> {
  const db = await newBaseFarm();
  const start = () => serveStoreForTest(db, '--clock', CLOCK);
  return { db, servers: await Promise.all([start(), start()]) };
}

const newKey = (service: RestService): Promise<string> => service.newKey('--user', 'ana@example.org');

const terminateListeners = (db: string): Promise<number> =>
  withSecondStore(db, (store) =>
    store.readAll(async (all) => {
      const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like 'listen %'`.execute(all);
      return rows.length;
    }),
  );

describe('two servers on one database', () => {
  it('tell their listening clients what the other has written', async () => {
    const { db, servers } = await twoServers();
    const key = await newKey(servers[0]);
    const probe = await watchProbe(servers[0], key);
    const listeners = [await connectListener(servers[1], key), await connectStdioListener(db)];
    for (const listener of listeners) await listener.listen(FIRING);
    const delaysMs: number[] = [];
    for (let told = 1; told <= 6; told++) {
      const startedAt = performance.now();
      await (told % 2 === 1 ? probe.sendDry() : probe.sendMoist());
      await expect.poll(() => listeners.map(({ updates }) => updates.length), { interval: 2 }).toEqual([told, told]);
      delaysMs.push(Math.round(performance.now() - startedAt));
      for (const listener of listeners) expect(await listener.firingAlerts()).toHaveLength(told % 2);
    }
    for (const { client } of listeners) await client.close();
    await expect.poll(() => terminateListeners(db)).toBe(0);
    process.stderr.write(`from sending readings to hearing of the alert, ms: ${delaysMs.join(', ')}\n`);
  });

  it('miss nothing when the database ends their connections', async () => {
    const { db, servers } = await twoServers();
    const key = await newKey(servers[0]);
    const probe = await watchProbe(servers[0], key);
    const listener = await connectListener(servers[1], key);
    await listener.listen(FIRING);
    for (let told = 1; told <= 4; told++) {
      await expect.poll(() => terminateListeners(db)).toBe(1);
      await (told % 2 === 1 ? probe.sendDry() : probe.sendMoist());
      await expect.poll(() => listener.updates).toHaveLength(told);
    }
  });

  it('leave a client of a killed one to listen on the other', async () => {
    const { servers } = await twoServers();
    const [one, other] = servers;
    const key = await newKey(one);
    const probe = await watchProbe(one, key);
    const subscription = await (await connectListener(other, key)).listen(FIRING);
    other.child.kill('SIGKILL');
    expect(await subscription.closed).toBe('remote');
    const listener = await connectListener(one, key);
    await listener.listen(FIRING);
    await probe.sendDry();
    await expect.poll(() => listener.updates).toEqual([FIRING]);
  });
});
