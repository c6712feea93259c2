import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSubscriptions } from '../../src/mcp/subscriptions.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const URI = 'acequia://alerts/firing';

/** Subscriptions to something whose fingerprint the test sets, with how often it was read and told. */
function subscribable(first: string | null | Error) {
  const seen = { fingerprint: first, reads: 0, told: 0 };
  const subscriptions = createSubscriptions({
    uri: URI,
    async fingerprint() {
      seen.reads += 1;
      if (seen.fingerprint instanceof Error) throw seen.fingerprint;
      return seen.fingerprint;
    },
    async notifyChanged() {
      seen.told += 1;
    },
  });
  return { seen, subscriptions };
}

/** Lets all promises that wait for no timer settle, and time pass. */
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

it('tells nothing of what stood when the subscription was made', async () => {
  const { seen, subscriptions } = subscribable('a');
  await subscriptions.subscribe(URI);
  await pass(60_000);
  expect(seen.told).toBe(0);
});

it('tells a change of another process once, within seconds', async () => {
  const { seen, subscriptions } = subscribable('');
  await subscriptions.subscribe(URI);
  seen.fingerprint = 'a';
  await pass(3_000);
  expect(seen.told).toBe(1);
  await pass(60_000);
  expect(seen.told).toBe(1);
});

it('tells a change of its own at once', async () => {
  const { seen, subscriptions } = subscribable('');
  await subscriptions.subscribe(URI);
  seen.fingerprint = 'a';
  subscriptions.checkNow();
  subscriptions.checkNow();
  await pass(0);
  expect(seen.told).toBe(1);
});

it('tells that something ended as it tells that something began', async () => {
  const { seen, subscriptions } = subscribable('a');
  await subscriptions.subscribe(URI);
  seen.fingerprint = '';
  await pass(3_000);
  expect(seen.told).toBe(1);
});

it('subscribed twice tells each change once', async () => {
  const { seen, subscriptions } = subscribable('');
  await Promise.all([subscriptions.subscribe(URI), subscriptions.subscribe(URI)]);
  seen.fingerprint = 'a';
  await pass(10_000);
  expect(seen.told).toBe(1);
});

it.each(['unsubscribe', 'end'] as const)('reads and tells nothing more after %s', async (how) => {
  const { seen, subscriptions } = subscribable('');
  await subscriptions.subscribe(URI);
  subscriptions[how](URI);
  const { reads } = seen;
  seen.fingerprint = 'a';
  subscriptions.checkNow();
  await pass(60_000);
  expect(seen).toMatchObject({ told: 0, reads });
});

it('reads nothing while nobody has subscribed', async () => {
  const { seen, subscriptions } = subscribable('');
  subscriptions.checkNow();
  await pass(60_000);
  expect(seen.reads).toBe(0);
});

it('stays subscribed over a failure, and tells what has changed meanwhile', async () => {
  const { seen, subscriptions } = subscribable('');
  await subscriptions.subscribe(URI);
  seen.fingerprint = new Error('The store is being mended');
  await pass(10_000);
  expect(seen.told).toBe(0);
  seen.fingerprint = 'a';
  await pass(3_000);
  expect(seen.told).toBe(1);
});

it('takes a subscription while nothing can be read, and tells when it can', async () => {
  const { seen, subscriptions } = subscribable(null);
  await subscriptions.subscribe(URI);
  await pass(10_000);
  expect(seen.told).toBe(0);
  seen.fingerprint = 'a';
  await pass(3_000);
  expect(seen.told).toBe(1);
});

it('may be subscribed to again', async () => {
  const { seen, subscriptions } = subscribable('');
  await subscriptions.subscribe(URI);
  subscriptions.unsubscribe(URI);
  seen.fingerprint = 'a';
  await subscriptions.subscribe(URI);
  await pass(10_000);
  expect(seen.told).toBe(0);
  seen.fingerprint = 'b';
  await pass(3_000);
  expect(seen.told).toBe(1);
});

it('refuses another resource, and says which one can be subscribed to', async () => {
  const { subscriptions } = subscribable('');
  await expect(subscriptions.subscribe('acequia://company')).rejects.toThrow(
    /"acequia:\/\/company".*acequia:\/\/alerts\/firing/,
  );
  expect(() => subscriptions.unsubscribe('acequia://company')).toThrow(/acequia:\/\/alerts\/firing/);
});

it.each([401, 403])('refuses who may not be told (status %s), and looks no more', async (status) => {
  const { seen, subscriptions } = subscribable(new McpError(-32602, 'no', { status }));
  await expect(subscriptions.subscribe(URI)).rejects.toThrow('no');
  seen.fingerprint = 'a';
  subscriptions.checkNow();
  await pass(60_000);
  expect(seen).toMatchObject({ reads: 1, told: 0 });
});

it('subscribes who was refused before and may be told since', async () => {
  const { seen, subscriptions } = subscribable(new McpError(-32602, 'no', { status: 401 }));
  await expect(subscriptions.subscribe(URI)).rejects.toThrow('no');
  seen.fingerprint = 'a';
  await subscriptions.subscribe(URI);
  seen.fingerprint = 'b';
  await pass(3_000);
  expect(seen.told).toBe(1);
});

it('tells nothing while who subscribed may not be told', async () => {
  const { seen, subscriptions } = subscribable('a');
  await subscriptions.subscribe(URI);
  seen.fingerprint = new McpError(-32602, 'no', { status: 401 });
  await pass(10_000);
  expect(seen.told).toBe(0);
});
