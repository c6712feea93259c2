import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { CallListener } from './listener.ts';

/** Bounds of the buckets of calls and transactions, in seconds. */
const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Those of waits, of which most are none: up to the patience with a store that another program holds. */
const WAIT_BUCKETS = [0.0001, 0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 30];
/** Codes that are told apart; the interface has fewer, so that only a fault would bring more. */
const MAX_CODES = 150;

/** Figures of a process, in the form that Prometheus reads. */
export interface Metrics {
  readonly listener: CallListener;
  readonly registry: Registry;
}

/** Counts what is heard of calls. Every label has few values: operations, surfaces, codes; none is an id or a name. */
export function openMetrics(version: string): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const build = new Gauge({
    name: 'acequia_build_info',
    help: 'Version that runs',
    labelNames: ['version'],
    registers,
  });
  build.set({ version }, 1);
  const labelNames = ['surface', 'operation'] as const;
  const calls = new Counter({ name: 'acequia_calls_total', help: 'Calls that ended', labelNames, registers });
  const errors = new Counter({
    name: 'acequia_call_errors_total',
    help: 'Calls that ended with an error, by its code',
    labelNames: [...labelNames, 'code'],
    registers,
  });
  const limited = new Counter({
    name: 'acequia_rate_limited_total',
    help: 'Calls refused because too many were made',
    labelNames: ['surface'],
    registers,
  });
  const durations = new Histogram({
    name: 'acequia_call_duration_seconds',
    help: 'From the beginning of a call to its answer',
    labelNames,
    buckets: LATENCY_BUCKETS,
    registers,
  });
  const waits = new Histogram({
    name: 'acequia_store_wait_seconds',
    help: 'Wait of a transaction: turn for others of this process, busy for other programs',
    labelNames: ['side', 'for'],
    buckets: WAIT_BUCKETS,
    registers,
  });
  const transactions = new Histogram({
    name: 'acequia_store_transaction_seconds',
    help: 'From the beginning of a transaction to its end',
    labelNames: ['side'],
    buckets: LATENCY_BUCKETS,
    registers,
  });
  const deliveries = new Counter({
    name: 'acequia_mail_attempts_total',
    help: 'Attempts of this process to send a message, by what became of them',
    labelNames: ['outcome'],
    registers,
  });
  const codeTold = limitDistinctValues(MAX_CODES);
  return {
    registry,
    listener: {
      onCallEnd({ surface, operation }, { code, ms }) {
        const labels = { surface, operation: operation ?? 'none' };
        calls.inc(labels);
        durations.observe(labels, ms / 1000);
        if (code === null) return;
        errors.inc({ ...labels, code: codeTold(code) });
        if (code === 'rate_limited') limited.inc({ surface });
      },
      onTransactionEnd(_, { side, turnMs, busyMs, ms }) {
        waits.observe({ side, for: 'turn' }, turnMs / 1000);
        waits.observe({ side, for: 'busy' }, busyMs / 1000);
        transactions.observe({ side }, ms / 1000);
      },
      onDelivery: (_, outcome) => deliveries.inc({ outcome }),
    },
  };
}

/** The first so many values as they are, all others as one. */
function limitDistinctValues(most: number): (value: string) => string {
  const known = new Set<string>();
  return (value) => {
    if (known.size < most) known.add(value);
    return known.has(value) ? value : 'other';
  };
}
