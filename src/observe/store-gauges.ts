import type { Kysely } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import { type OutboxStatistics, outboxStatistics } from '../store/outbox.ts';
import { allLeases, firingAlertCount } from '../store/standing.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { withTimeout } from './in-time.ts';

/** A scrape waits no longer than this for the store, in ms. */
const SCRAPE_TIMEOUT_MS = 2_000;

/** Leases that are told of, by how their names begin. */
const REPORTED_LEASES = ['housekeeping', 'outbox', 'import'] as const;

/** How the whole store stands: the same from every process that shares it. */
interface StoreFigures {
  readonly outbox: OutboxStatistics;
  readonly firing: number;
  readonly leases: readonly string[];
}

async function readStoreFigures(all: Kysely<Tables>): Promise<StoreFigures> {
  const now = Date.now();
  const held = (await allLeases(all)).filter(({ held_until }) => held_until > now);
  return {
    outbox: await outboxStatistics(all),
    firing: await firingAlertCount(all),
    leases: REPORTED_LEASES.filter((lease) => held.some(({ name }) => name.startsWith(lease))),
  };
}

/** Adds the figures of a store; what it returns looks at them anew. `clock` gives now in ms. */
export function registerStoreGauges(registry: Registry, store: Store, clock: () => number): () => Promise<void> {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const up = gauge('acequia_store_up', '1 where the store answered this scrape');
  const messages = gauge('acequia_outbox_messages', 'Messages that have not gone out', ['state']);
  const oldest = gauge('acequia_outbox_oldest_seconds', 'Age of the oldest message that waits; 0 without one');
  const firing = gauge('acequia_alerts_firing', 'Alerts that fire');
  const leases = gauge('acequia_lease_held', '1 while some process holds the lease', ['lease']);

  return async () => {
    const standing = await withTimeout(store.readAll(readStoreFigures), SCRAPE_TIMEOUT_MS);
    up.set(standing === null ? 0 : 1);
    if (standing === null) {
      // No figure is better than an old one.
      for (const each of [messages, leases]) each.reset();
      for (const each of [oldest, firing]) each.remove();
      return;
    }
    const { waiting, refused, oldestWaitingAt } = standing.outbox;
    messages.set({ state: 'waiting' }, waiting);
    messages.set({ state: 'refused' }, refused);
    oldest.set(oldestWaitingAt === null ? 0 : Math.max(0, clock() - oldestWaitingAt) / 1000);
    firing.set(standing.firing);
    for (const lease of REPORTED_LEASES) leases.set({ lease }, standing.leases.includes(lease) ? 1 : 0);
  };
}
