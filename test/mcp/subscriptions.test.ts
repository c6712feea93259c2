import { ProtocolError } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSubscriptions } from '../../src/mcp/subscriptions.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const URI = 'acequia://alerts/firing';

type Fingerprint = string | null | Error;

function subscribable(first: Fingerprint) {
  const recorded = { fingerprint: first, reads: 0, notified: 0 };
  const subscriptions = createSubscriptions({
    uri: URI,
    async fingerprint() {
      recorded.reads += 1;
      if (recorded.fingerprint instanceof Error) throw recorded.fingerprint;
      return recorded.fingerprint;
    },
    async notifyChanged() {
      recorded.notified += 1;
    },
  });
  return { recorded, subscriptions };
}

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const denied = (status: number) => new ProtocolError(-32602, 'no', { status });

it.each<[what: string, first: Fingerprint, ...steps: [fingerprint: Fingerprint, ms: number, notified: number][]]>([
  ['nothing of the state at the time of the subscription', 'a', ['a', 60_000, 0]],
  ['a change of another process once, within seconds', '', ['a', 3_000, 1], ['a', 60_000, 1]],
  ['the end of a change like its start', 'a', ['', 3_000, 1]],
  ['what changed during a failure', '', [new Error('The store is locked'), 10_000, 0], ['a', 3_000, 1]],
  ['the first state that can be read', null, [null, 10_000, 0], ['a', 3_000, 1]],
  ['nothing while the subscriber lacks access', 'a', [denied(401), 10_000, 0]],
])('notifies %s', async (_, first, ...steps) => {
  const { recorded, subscriptions } = subscribable(first);
  await subscriptions.subscribe(URI);
  for (const [fingerprint, ms, notified] of steps) {
    recorded.fingerprint = fingerprint;
    await pass(ms);
    expect(recorded.notified).toBe(notified);
  }
});

it('notifies its own change at once', async () => {
  const { recorded, subscriptions } = subscribable('');
  await subscriptions.subscribe(URI);
  recorded.fingerprint = 'a';
  subscriptions.checkNow();
  subscriptions.checkNow();
  await pass(0);
  expect(recorded.notified).toBe(1);
});

it('notifies each change once after two subscriptions', async () => {
  const { recorded, subscriptions } = subscribable('');
  await Promise.all([subscriptions.subscribe(URI), subscriptions.subscribe(URI)]);
  recorded.fingerprint = 'a';
  await pass(10_000);
  expect(recorded.notified).toBe(1);
});

it.each(['unsubscribe', 'end'] as const)('reads and notifies nothing more after %s', async (how) => {
  const { recorded, subscriptions } = subscribable('');
  await subscriptions.subscribe(URI);
  subscriptions[how](URI);
  const { reads } = recorded;
  recorded.fingerprint = 'a';
  subscriptions.checkNow();
  await pass(60_000);
  expect(recorded).toMatchObject({ notified: 0, reads });
});

it('reads nothing without a subscription', async () => {
  const { recorded, subscriptions } = subscribable('');
  subscriptions.checkNow();
  await pass(60_000);
  expect(recorded.reads).toBe(0);
});

it('can be subscribed to again', async () => {
  const { recorded, subscriptions } = subscribable('');
  await subscriptions.subscribe(URI);
  subscriptions.unsubscribe(URI);
  recorded.fingerprint = 'a';
  await subscriptions.subscribe(URI);
  await pass(10_000);
  expect(recorded.notified).toBe(0);
  recorded.fingerprint = 'b';
  await pass(3_000);
  expect(recorded.notified).toBe(1);
});

it('refuses another resource and names the one with subscriptions', async () => {
  const { subscriptions } = subscribable('');
  await expect(subscriptions.subscribe('acequia://company')).rejects.toThrow(
    /"acequia:\/\/company".*acequia:\/\/alerts\/firing/,
  );
  expect(() => subscriptions.unsubscribe('acequia://company')).toThrow(/acequia:\/\/alerts\/firing/);
});

it.each([401, 403])('stops polling for a caller without access (status %s), and accepts them later', async (status) => {
  const { recorded, subscriptions } = subscribable(denied(status));
  await expect(subscriptions.subscribe(URI)).rejects.toThrow('no');
  recorded.fingerprint = 'a';
  subscriptions.checkNow();
  await pass(60_000);
  expect(recorded).toMatchObject({ reads: 1, notified: 0 });
  await subscriptions.subscribe(URI);
  recorded.fingerprint = 'b';
  await pass(3_000);
  expect(recorded.notified).toBe(1);
});
