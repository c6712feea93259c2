import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { say } from '../../src/domain/text/say.ts';
import type {
  CallEnd,
  CallListener,
  ObservedCall,
  TransactionEnd,
} from '../../src/observe/listener.ts';
import { correlateCall, createObserver, observedStore } from '../../src/observe/observer.ts';
import { notFoundError } from '../../src/schema/error.ts';
import { oldestTwoCompanies } from '../../src/store/company/companies.ts';
import { withFarm } from '../farm.ts';

function recordingListener() {
  const transactions: TransactionEnd[] = [];
  const queries: string[] = [];
  const ended: [ObservedCall, string | null][] = [];
  const times: Pick<CallEnd, 'ms' | 'waitedMs'>[] = [];
  const listener: CallListener = {
    onCallEnd: (call, { code, ms, waitedMs }) => {
      ended.push([call, code]);
      times.push({ ms, waitedMs });
    },
    onTransactionEnd: (_, end) => void transactions.push(end),
    onQuery: (_, sql) => void queries.push(sql),
  };
  return { listener, transactions, queries, ended, times };
}

it('reports each transaction with its queries and its call', () =>
  withFarm(async ({ store }) => {
    const recorded = recordingListener();
    const trace = createObserver([recorded.listener]).begin({
      surface: 'rest',
      operation: 'get_company',
    });
    const observed = observedStore(store, trace);
    await observed.readAll(oldestTwoCompanies);
    await observed.writeAll(async (all) => {
      await all.selectFrom('leases').selectAll().execute();
      await all.deleteFrom('leases').execute();
    });
    trace.end(null);
    expect(recorded.transactions.map(({ kind }) => kind)).toEqual(['read', 'write']);
    expect(recorded.queries.slice(-2)).toEqual(['select * from "leases"', 'delete from "leases"']);
    expect(recorded.ended).toEqual([
      [
        {
          surface: 'rest',
          operation: 'get_company',
          route: null,
          requestId: trace.requestId,
          traceId: null,
        },
        null,
      ],
    ]);
  }));

it('separates the wait for this process from the work', () =>
  withFarm(async ({ store }) => {
    const recorded = recordingListener();
    const observed = observedStore(
      store,
      createObserver([recorded.listener]).begin({ surface: 'tick', operation: null }),
    );
    const first = store.write(1, () => pause(60));
    await Promise.all([first, observed.write(1, async () => undefined)]);
    const [{ queueMs, lockWaitMs, ms }] = recorded.transactions as [TransactionEnd];
    // A timer may fire a little early.
    expect(queueMs).toBeGreaterThan(40);
    expect(Math.max(lockWaitMs, ms)).toBeLessThan(queueMs);
  }));

it('adds up how long a call waited, for a queue and for a transaction of others', () =>
  withFarm(async ({ store }) => {
    const recorded = recordingListener();
    const trace = createObserver([recorded.listener]).begin({
      surface: 'rest',
      operation: 'get_company',
    });
    const leaveQueue = trace.measureWait(async () => pause(60));
    await pause(60);
    await leaveQueue();
    const first = store.write(1, () => pause(60));
    await observedStore(store, trace).write(1, () => pause(60));
    await first;
    trace.end(null);

    const [{ ms, waitedMs }] = recorded.times as [CallEnd];
    // Half of the call are two waits, the other half is work. A timer may fire a little early.
    expect(waitedMs).toBeGreaterThan(100);
    expect(ms - waitedMs).toBeGreaterThan(100);
  }));

it('counts all the time of a call that never got its turn as waiting', async () => {
  const recorded = recordingListener();
  const trace = createObserver([recorded.listener]).begin({
    surface: 'rest',
    operation: 'get_company',
  });
  trace.startWait();
  const transaction = trace.startTransaction('read');
  await pause(40);
  transaction.end('BUSY');
  trace.end('BUSY');

  const [{ queueMs, ms }] = recorded.transactions as [TransactionEnd];
  expect([queueMs > 30, ms]).toEqual([true, 0]);
  expect(recorded.times[0]!.waitedMs).toBeGreaterThan(60);
});

it('reports a failed transaction and rethrows its error', () =>
  withFarm(async ({ store }) => {
    const recorded = recordingListener();
    const observed = observedStore(
      store,
      createObserver([recorded.listener]).begin({ surface: 'rest', operation: null }),
    );
    const refusal = notFoundError(say`There is no such row.`);
    await expect(observed.readAll(() => Promise.reject(refusal))).rejects.toBe(refusal);
    expect(recorded.transactions).toHaveLength(1);
  }));

it('returns the store itself without a trace or a listener', () =>
  withFarm(async ({ store }) => {
    expect(observedStore(store, undefined)).toBe(store);
    const unobserved = createObserver([]).begin({ surface: 'stdio', operation: 'get_company' });
    expect(observedStore(store, unobserved)).toBe(store);
  }));

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

describe('a call', () => {
  it('has its own id, else that of its trace, else a new one', () => {
    const traceparent = `00-${TRACE}-${PARENT}-01`;
    expect(correlateCall({ requestId: 'a-1', traceparent })).toEqual({
      requestId: 'a-1',
      traceparent,
    });
    expect(correlateCall({ traceparent })).toEqual({ requestId: TRACE, traceparent });
    expect(correlateCall()).toEqual({ requestId: expect.stringMatching(UUID), traceparent: null });
    expect(correlateCall().requestId).not.toBe(correlateCall().requestId);
  });

  it.each([
    ['a trace of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['a parent of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['the version that is forbidden', `ff-${TRACE}-${PARENT}-01`],
    ['capitals', `00-${TRACE.toUpperCase()}-${PARENT}-01`],
    ['more than version 00 has', `00-${TRACE}-${PARENT}-01-more`],
    ['two of them', `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`],
    ['nothing', ''],
  ])('ignores a traceparent with %s', (_, traceparent) => {
    expect(correlateCall({ traceparent })).toEqual({
      requestId: expect.stringMatching(UUID),
      traceparent: null,
    });
  });

  it('has an id that is safe in a header and a log line', () => {
    const sent = fc.record({
      requestId: fc.string({ unit: 'binary-ascii' }),
      traceparent: fc.string(),
    });
    fc.assert(
      fc.property(sent, (incoming) => {
        const { requestId } = correlateCall(incoming);
        expect(requestId).toMatch(/^[\w.:=+/@-]{1,128}$/);
        expect(requestId).not.toMatch(/^acequia_/);
      }),
    );
  });

  it('keeps any id of one short word', () => {
    const word = fc
      .stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/)
      .filter((id) => !id.startsWith('acequia_'));
    fc.assert(
      fc.property(word, (requestId) => correlateCall({ requestId }).requestId === requestId),
    );
  });
});
