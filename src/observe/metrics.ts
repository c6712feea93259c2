import type { Kysely } from 'kysely';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { withTimeout } from '../domain/event-loop.ts';
import { outboxStatistics } from '../store/mail/outbox.ts';
import { allLeases, firingAlertCount } from '../store/statistics.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import type { CallListener } from './listener.ts';

const LATENCY_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const WAIT_BUCKETS_S = [0.0001, 0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 30];
/** The API has fewer error codes, so that only a bug can exceed this. */
const MAX_CODES = 150;

export interface Metrics {
  readonly listener: CallListener;
  readonly registry: Registry;
}

/** Every label has few values (operations, surfaces, codes), never an id or a name. */
export function openMetrics(version: string): Metrics {
  const registry = new Registry();
  const registers = [registry];

  collectDefaultMetrics({ register: registry });

  const counter = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
  ) => new Counter({ name, help, labelNames, registers });

  const histogram = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    buckets: number[],
  ) => new Histogram({ name, help, labelNames, buckets, registers });

  const build = new Gauge({
    name: 'acequia_build_info',
    help: 'Running version',
    labelNames: ['version'],
    registers,
  });
  build.set({ version }, 1);

  const callLabels = ['surface', 'operation'] as const;
  const calls = counter('acequia_calls_total', 'Completed calls', callLabels);
  const errorsHelp = 'Completed calls that failed, by error code';
  const errors = counter('acequia_call_errors_total', errorsHelp, [...callLabels, 'code']);
  const limited = counter('acequia_rate_limited_total', 'Calls refused by the rate limit', [
    'surface',
  ]);
  const durationsHelp = 'Time from the start of a call to its answer';
  const durations = histogram(
    'acequia_call_duration_seconds',
    durationsHelp,
    callLabels,
    LATENCY_BUCKETS_S,
  );

  const callWaitsHelp = 'Time of a call before its answer in which it waited for others';
  const callWaits = histogram(
    'acequia_call_wait_seconds',
    callWaitsHelp,
    callLabels,
    WAIT_BUCKETS_S,
  );

  const waitsHelp =
    'Time that a transaction waited: first for others in this process (turn), then for other programs (busy)';
  const waits = histogram('acequia_store_wait_seconds', waitsHelp, ['side', 'for'], WAIT_BUCKETS_S);
  const transactionsHelp = 'Time from the start of a transaction to its end';
  const transactions = histogram(
    'acequia_store_transaction_seconds',
    transactionsHelp,
    ['side'],
    LATENCY_BUCKETS_S,
  );

  const deliveriesHelp = 'Attempts of this process to send a message, by outcome';
  const deliveries = counter('acequia_mail_attempts_total', deliveriesHelp, ['outcome']);
  const boundedCode = limitDistinctValues(MAX_CODES);

  return {
    registry,
    listener: {
      onCallEnd({ surface, operation }, { code, ms, waitedMs }) {
        const labels = { surface, operation: operation ?? 'none' };
        calls.inc(labels);
        durations.observe(labels, ms / 1000);
        callWaits.observe(labels, waitedMs / 1000);
        if (code === null) return;
        errors.inc({ ...labels, code: boundedCode(code) });
        if (code === 'rate_limited') limited.inc({ surface });
      },
      onTransactionEnd(_, { kind: side, turnMs, busyMs, ms }) {
        waits.observe({ side, for: 'turn' }, turnMs / 1000);
        waits.observe({ side, for: 'busy' }, busyMs / 1000);
        transactions.observe({ side }, ms / 1000);
      },
      onDelivery: (_, outcome) => deliveries.inc({ outcome }),
    },
  };
}

function limitDistinctValues(limit: number): (value: string) => string {
  const reported = new Set<string>();
  return (value) => {
    if (reported.size < limit) reported.add(value);
    return reported.has(value) ? value : 'other';
  };
}

const SCRAPE_TIMEOUT_MS = 2_000;

/** Prefixes: the name of an import lease also has the company and the process. */
const REPORTED_LEASES = ['housekeeping', 'outbox', 'import'] as const;

async function readStoreFigures(all: Kysely<Tables>) {
  // Leases expire in real time, even if the service uses a simulated clock.
  const now = Date.now();
  const heldLeases = (await allLeases(all)).filter(({ expires_at }) => expires_at > now);
  return {
    outbox: await outboxStatistics(all),
    firing: await firingAlertCount(all),
    leases: REPORTED_LEASES.filter((lease) =>
      heldLeases.some(({ name }) => name.startsWith(lease)),
    ),
  };
}

export function registerStoreGauges(
  registry: Registry,
  store: Store,
  clock: () => number,
): () => Promise<void> {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });

  const up = gauge('acequia_store_up', '1 if the store answered this scrape');
  const messages = gauge('acequia_outbox_messages', 'Messages not sent yet', ['state']);
  const oldest = gauge(
    'acequia_outbox_oldest_seconds',
    'Age of the oldest waiting message; 0 if there is none',
  );
  const firing = gauge('acequia_alerts_firing', 'Firing alerts');
  const leases = gauge('acequia_lease_held', '1 while a process holds the lease', ['lease']);

  return async () => {
    const figures = await withTimeout(store.readAll(readStoreFigures), SCRAPE_TIMEOUT_MS);
    up.set(figures === null ? 0 : 1);
    if (figures === null) {
      // No value is better than an old one.
      for (const each of [messages, leases]) each.reset();
      for (const each of [oldest, firing]) each.remove();
      return;
    }

    const { waiting, refused, oldestWaitingAt } = figures.outbox;
    messages.set({ state: 'waiting' }, waiting);
    messages.set({ state: 'refused' }, refused);
    oldest.set(oldestWaitingAt === null ? 0 : Math.max(0, clock() - oldestWaitingAt) / 1000);
    firing.set(figures.firing);
    for (const lease of REPORTED_LEASES)
      leases.set({ lease }, figures.leases.includes(lease) ? 1 : 0);
  };
}
