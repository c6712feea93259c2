import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSubscriptions } from '../../src/mcp/subscriptions.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const URI = 'acequia://alerts/firing';

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

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

it('does not notify the state at the time of the subscription', async () => {
  const { seen, subscriptions } = subscribable('a');
  await subscriptions.subscribe(URI);
  await pass(60_000);
  expect(seen.told).toBe(0);
});

it('notifies a change of another process once, within seconds', async () => {
  const { seen, subscriptions } = subscribable('');
  await subscriptions.subscribe(URI);
  seen.fingerprint = 'a';
  await pass(3_000);
  expect(seen.told).toBe(1);
  await pass(60_000);
  expect(seen.told).toBe(1);
});

it('notifies its own change at once', async () => {
  const { seen, subscriptions } = subscribable('');
  await subscriptions.subscribe(URI);
  seen.fingerprint = 'a';
  subscriptions.checkNow();
  subscriptions.checkNow();
  await pass(0);
  expect(seen.told).toBe(1);
});

it('notifies the end of a change like its start', async () => {
  const { seen, subscriptions } = subscribable('a');
  await subscriptions.subscribe(URI);
  seen.fingerprint = '';
  await pass(3_000);
  expect(seen.told).toBe(1);
});

it('notifies each change once after two subscriptions', async () => {
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

it('reads nothing without a subscription', async () => {
  const { seen, subscriptions } = subscribable('');
  subscriptions.checkNow();
  await pass(60_000);
  expect(seen.reads).toBe(0);
});

it('stays subscribed through a failure and notifies what changed meanwhile', async () => {
  const { seen, subscriptions } = subscribable('');
  await subscriptions.subscribe(URI);
  seen.fingerprint = new Error('The store is being mended');
  await pass(10_000);
  expect(seen.told).toBe(0);
  seen.fingerprint = 'a';
  await pass(3_000);
  expect(seen.told).toBe(1);
});

it('accepts a subscription while nothing can be read, and notifies once it can', async () => {
  const { seen, subscriptions } = subscribable(null);
  await subscriptions.subscribe(URI);
  await pass(10_000);
  expect(seen.told).toBe(0);
  seen.fingerprint = 'a';
  await pass(3_000);
  expect(seen.told).toBe(1);
});

it('can be subscribed to again', async () => {
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

it('refuses another resource and names the one with subscriptions', async () => {
  const { subscriptions } = subscribable('');
  await expect(subscriptions.subscribe('acequia://company')).rejects.toThrow(
    /"acequia:\/\/company".*acequia:\/\/alerts\/firing/,
  );
  expect(() => subscriptions.unsubscribe('acequia://company')).toThrow(/acequia:\/\/alerts\/firing/);
});

it.each([401, 403])('refuses a caller without access (status %s) and stops polling', async (status) => {
  const { seen, subscriptions } = subscribable(new McpError(-32602, 'no', { status }));
  await expect(subscriptions.subscribe(URI)).rejects.toThrow('no');
  seen.fingerprint = 'a';
  subscriptions.checkNow();
  await pass(60_000);
  expect(seen).toMatchObject({ reads: 1, told: 0 });
});

it('accepts a caller who has gained access', async () => {
  const { seen, subscriptions } = subscribable(new McpError(-32602, 'no', { status: 401 }));
  await expect(subscriptions.subscribe(URI)).rejects.toThrow('no');
  seen.fingerprint = 'a';
  await subscriptions.subscribe(URI);
  seen.fingerprint = 'b';
  await pass(3_000);
  expect(seen.told).toBe(1);
});

it('notifies nothing while the subscriber lacks access', async () => {
  const { seen, subscriptions } = subscribable('a');
  await subscriptions.subscribe(URI);
  seen.fingerprint = new McpError(-32602, 'no', { status: 401 });
  await pass(10_000);
  expect(seen.told).toBe(0);
});
