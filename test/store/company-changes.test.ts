import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, it } from 'vitest';
import { deleteAlertState } from '../../src/store/alerts/alert-states.ts';
import type { ChangedModules } from '../../src/store/changes/collected-changes.ts';
import { announceChange } from '../../src/store/company-changes.ts';
import { CHANNEL, changesIn } from '../../src/store/postgres/company-change-channel.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { ServerProxy } from './postgres/server-proxy.ts';
import { onEachStore, server, withDatabase } from './temporary-stores.ts';

const announce = (store: Store, companyId: number): Promise<void> =>
  store.write(companyId, (db) => deleteAlertState(db, 'none'));

function listenTo(store: Store) {
  const notifications: (number | null)[] = [];
  const named: ChangedModules[] = [];
  const stop = store.onCompanyChange((change) => {
    notifications.push(change?.companyId ?? null);
    if (change !== null) named.push(change.modules);
  });
  return { notifications, named, stop };
}

onEachStore((withStore, isOnServer) => {
  it('is notified of a commit, and not of a rollback', () =>
    withStore(async (store) => {
      const { notifications, stop } = listenTo(store);
      if (isOnServer) await expect.poll(() => notifications).toEqual([null]);
      const failing = store.write(1, async (db) => {
        await deleteAlertState(db, 'none');
        throw new Error('second thoughts');
      });
      await expect(failing).rejects.toThrow('second thoughts');
      await announce(store, 2);
      await expect.poll(() => notifications).toContain(2);
      expect(notifications).not.toContain(1);
      stop();
    }));

  it('is notified once of a commit of its own process, before the write resolves', () =>
    withStore(async (store) => {
      const { notifications, stop } = listenTo(store);
      if (isOnServer) await expect.poll(() => notifications).toEqual([null]);
      const counts: number[] = [];
      for (let n = 0; n < 3; n++) {
        await announce(store, 2);
        counts.push(notifications.filter((id) => id === 2).length);
      }
      await pause(1_000);
      expect(counts).toEqual([1, 2, 3]);
      expect(notifications.filter((id) => id === 2)).toHaveLength(3);
      stop();
    }));

  it('is notified of commits of other processes', () =>
    withStore(async (store, db) => {
      const { notifications, stop } = listenTo(store);
      if (isOnServer) await expect.poll(() => notifications).toEqual([null]);
      const other = await openStore({ db });
      await announce(other, 2);
      await expect.poll(() => notifications).toContain(isOnServer ? 2 : null);
      await other.close();
      stop();
    }));

  it('is told which modules changed, of which many are the farm, in this process and others', () =>
    withStore(async (store, db) => {
      const other = await openStore({ db });
      const [own, others] = [listenTo(store), listenTo(other)];
      if (isOnServer) await expect.poll(() => others.notifications).toEqual([null]);
      const many = Array.from({ length: 400 }, (_, n) => n);
      const changes: ChangedModules[] = [[], [3], [4, 5], many, null];
      for (const [n, modules] of changes.entries())
        await store.write(n + 1, async (company) => announceChange(company, modules));
      const announced = [[], [3], [4, 5], null, null];
      expect(own.named).toEqual(announced);
      if (isOnServer) await expect.poll(() => others.named).toEqual(announced);
      await store.write(9, async (company) => {
        announceChange(company, [1]);
        announceChange(company, [2, 1]);
      });
      expect(own.named.at(-1)).toEqual([1, 2]);
      await other.close();
    }));

  it('gets nothing more once it has stopped or the store is closed, unlike others', () =>
    withStore(async (store) => {
      const [stopped, other] = [listenTo(store), listenTo(store)];
      if (isOnServer) await expect.poll(() => other.notifications).toEqual([null]);
      stopped.stop();
      stopped.stop();
      const before = stopped.notifications.length;
      await announce(store, 1);
      await expect.poll(() => other.notifications).toContain(1);
      expect(stopped.notifications).toHaveLength(before);
      await store.close();
      expect(listenTo(store).notifications).toEqual([]);
    }));
});

it.skipIf(server === null)(
  'is notified again by a server that could not be reached, first that something may have changed',
  () =>
    withDatabase(async (other, db) => {
      const proxy = new ServerProxy(db);
      await proxy.open();
      const store = await openStore({ db: proxy.url });
      const { notifications } = listenTo(store);
      await expect.poll(() => notifications).toEqual([null]);
      proxy.close();
      await announce(other, 1);
      await pause(1_000);
      expect(notifications).toEqual([null]);
      await proxy.open();
      await expect.poll(() => notifications).toEqual([null, null]);
      await announce(other, 2);
      await expect.poll(() => notifications).toEqual([null, null, 2]);
      await store.close();
      proxy.close();
    }),
);

const listeningConnections = (store: Store): Promise<number[]> =>
  store.readAll(async (all) => {
    const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
      where datname = current_database() and query like 'listen %'`.execute(all);
    return rows.map(({ pid }) => pid);
  });

it.skipIf(server === null)(
  'listens on one connection, on a new one after a loss, and on none without listeners',
  () =>
    withDatabase(async (store) => {
      const [one, another] = [listenTo(store), listenTo(store)];
      await expect.poll(() => one.notifications).toEqual([null]);
      const [pid, ...others] = await listeningConnections(store);
      expect(others).toEqual([]);
      await store.readAll((all) => sql`select pg_terminate_backend(${pid})`.execute(all));
      await expect.poll(() => another.notifications).toEqual([null, null]);
      await announce(store, 2);
      await expect.poll(() => one.notifications).toEqual([null, null, 2]);
      one.stop();
      expect(await listeningConnections(store)).toHaveLength(1);
      another.stop();
      await expect.poll(() => listeningConnections(store)).toEqual([]);
    }),
);

interface Announcement {
  readonly processId: number;
  readonly payload: string;
}

/** Collects what the server delivers on the channel, each with the connection that sent it. */
async function withAnnouncements(
  db: string,
  body: (announcements: readonly Announcement[]) => Promise<void>,
): Promise<void> {
  const announcements: Announcement[] = [];
  const client = new pg.Client({ connectionString: db });
  client.on('notification', ({ processId, payload = '' }) =>
    announcements.push({ processId, payload }),
  );
  await client.connect();
  try {
    await client.query(`listen ${CHANNEL}`);
    await body(announcements);
  } finally {
    await client.end();
  }
}

const writingConnection = (store: Store, companyId: number): Promise<number> =>
  store.writeUnscoped(companyId, async (all) => {
    announceChange(store.scopeToCompany(all, companyId), null);
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(all);
    return rows[0]!.pid;
  });

const WRITES = 60;

it.skipIf(server === null)(
  'announces many commits at once, on a connection that writes nothing',
  () =>
    withDatabase((store, db) =>
      withAnnouncements(db, async (announcements) => {
        const ids = Array.from({ length: WRITES }, (_, n) => n + 1);
        const writers = await Promise.all(ids.map((id) => writingConnection(store, id)));
        const announced = () => new Set(announcements.flatMap(idsIn));
        await expect.poll(() => announced().size).toBe(WRITES);
        const [announcer, ...others] = new Set(announcements.map(({ processId }) => processId));
        expect(others).toEqual([]);
        expect(writers).not.toContain(announcer);
        expect(announcements.length).toBeLessThan(WRITES / 4);
      }),
    ),
);

const idsIn = ({ payload }: Announcement): number[] =>
  changesIn(payload).changes.map(({ companyId }) => companyId);

it.skipIf(server === null)('announces more companies than one payload can hold', () =>
  withDatabase(async (other, db) => {
    const store = await openStore({ db });
    const { notifications, named } = listenTo(store);
    await expect.poll(() => notifications).toEqual([null]);
    const ids = Array.from({ length: 3_000 }, (_, n) => 10_000_000 + n);
    await other.writeAll(async (all) => {
      for (const id of ids) announceChange(other.scopeToCompany(all, id), [id, id + 1]);
    });
    await expect.poll(() => notifications.length).toBe(1 + ids.length);
    expect(notifications.slice(1)).toEqual(ids);
    expect(named).toEqual(ids.map((id) => [id, id + 1]));
    await store.close();
  }),
);

it.skipIf(server === null)('announces again after its connection was lost', () =>
  withDatabase((store, db) =>
    withAnnouncements(db, async (announcements) => {
      await announce(store, 1);
      await expect.poll(() => announcements.length).toBe(1);
      const { processId } = announcements[0]!;
      await store.readAll((all) => sql`select pg_terminate_backend(${processId})`.execute(all));
      await announce(store, 2);
      await expect.poll(() => announcements.flatMap(idsIn)).toEqual([1, 2]);
    }),
  ),
);

it.skipIf(server === null)('announces the last commits before it is closed', () =>
  withDatabase((_, db) =>
    withAnnouncements(db, async (announcements) => {
      const store = await openStore({ db });
      await announce(store, 1);
      await announce(store, 2);
      await store.close();
      await expect.poll(() => announcements.flatMap(idsIn)).toEqual([1, 2]);
    }),
  ),
);
