import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { baseFarmForFile } from '../../base-farm.ts';
import { importFarmFile } from '../../imported-data.ts';
import { FIRING } from '../../mcp/listen-request.ts';
import { withSecondStore } from '../../stores/stores.ts';
import {
  connectListener,
  connectStdioListener,
  watchProbe,
} from '../mcp/listen/listening-client.ts';
import { CLOCK } from '../program.ts';
import { type RestService, serveStoreForFile, serveStoreForTest } from '../rest-service.ts';

let db: string;
let server: RestService;
let key: string;
beforeAll(async () => {
  db = await baseFarmForFile();
  const sensors = [10, 20, 30].map((depth) => ({ type: 'humidity', depth }));
  await importFarmFile(db, { company: { name: 'Mas Rouge' }, modules: [{ uid: 'A2', sensors }] });
  server = await serveStoreForFile(db, '--clock', CLOCK);
  key = await server.newKey('--user', 'ana@example.org');
});

const terminateListeners = (): Promise<number> =>
  withSecondStore(db, (store) =>
    store.readAll(async (all) => {
      const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like 'listen %'`.execute(all);
      return rows.length;
    }),
  );

describe('two servers on one database', () => {
  it('tell their listening clients what the other has written, even after the database ended their connections', async () => {
    const other = await serveStoreForTest(db, '--clock', CLOCK);
    const probe = await watchProbe(server, key);
    const listeners = [await connectListener(other, key), await connectStdioListener(db)];
    for (const listener of listeners) await listener.listen(FIRING);
    for (let changes = 1; changes <= 4; changes++) {
      if (changes > 2) await expect.poll(terminateListeners).toBe(2);
      await (changes % 2 === 1 ? probe.sendDry() : probe.sendMoist());
      await expect
        .poll(() => listeners.map(({ updates }) => updates.length))
        .toEqual([changes, changes]);
      for (const listener of listeners)
        expect(await listener.firingAlerts()).toHaveLength(changes % 2);
    }
    for (const { client } of listeners) await client.close();
    await expect.poll(terminateListeners).toBe(0);
  });

  it('leave a client of a killed one to listen on the other', async () => {
    const other = await serveStoreForTest(db, '--clock', CLOCK);
    const probe = await watchProbe(server, key, 'A2');
    const subscription = await (await connectListener(other, key)).listen(FIRING);
    other.child.kill('SIGKILL');
    expect(await subscription.closed).toBe('remote');
    const listener = await connectListener(server, key);
    await listener.listen(FIRING);
    await probe.sendDry();
    await expect.poll(() => listener.updates).toEqual([FIRING]);
  });
});
