import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ResourceWatcher, Subscriptions } from '../../src/mcp/listening/subscriptions.ts';
import { ProtocolError } from '../../src/mcp/protocol.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const URI = 'acequia://alerts/firing';

const denied = (status: number) => new ProtocolError(-32602, 'no', { status });

/** A resource that can be watched unless it has a `failure`. */
function subscribable() {
  const watchers = new Set<ResourceWatcher>();
  const resource = {
    failure: null as Error | null,
    attempts: 0,
    watchers,
    changed: 0,
    refused: 0,
    change: () => {
      for (const watcher of watchers) watcher.onChange();
    },
  };
  const subscriptions = new Subscriptions({
    uri: URI,
    async watch(watcher) {
      resource.attempts += 1;
      if (resource.failure) throw resource.failure;
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
  });
  subscriptions.onChange = () => void resource.changed++;
  subscriptions.onRefused = () => void resource.refused++;
  return { resource, subscriptions };
}

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

it('watches once for two subscriptions, and not after the end of them', async () => {
  const { resource, subscriptions } = subscribable();
  await Promise.all([subscriptions.subscribe(URI), subscriptions.subscribe(URI)]);
  resource.change();
  expect(resource).toMatchObject({ attempts: 1, changed: 1 });
  const [watcher] = resource.watchers;
  subscriptions.unsubscribe(URI);
  expect(resource.watchers.size).toBe(0);
  watcher!.onChange();
  watcher!.onRefused();
  expect(resource).toMatchObject({ changed: 1, refused: 0 });
});

it('stops a watch that begins after the end of its subscription', async () => {
  const { resource, subscriptions } = subscribable();
  const subscribed = subscriptions.subscribe(URI);
  subscriptions.unsubscribe(URI);
  await subscriptions.subscribe(URI);
  await subscribed;
  expect(resource).toMatchObject({ attempts: 2, watchers: { size: 1 } });
});

it('watches what cannot be watched yet as soon as it can be, and says then that it has changed', async () => {
  const { resource, subscriptions } = subscribable();
  resource.failure = new Error('There is no store yet');
  await subscriptions.subscribe(URI);
  await pass(10_000);
  expect(resource.changed).toBe(0);
  resource.failure = null;
  await pass(2_000);
  expect(resource).toMatchObject({ changed: 1, watchers: { size: 1 } });
  await pass(60_000);
  expect(resource.changed).toBe(1);
});

it('tries no longer once nobody is subscribed', async () => {
  const { resource, subscriptions } = subscribable();
  resource.failure = new Error('There is no store yet');
  await subscriptions.subscribe(URI);
  subscriptions.unsubscribe(URI);
  await pass(60_000);
  expect(resource.attempts).toBe(1);
});

it('refuses another resource and names the one with subscriptions', async () => {
  const { subscriptions } = subscribable();
  await expect(subscriptions.subscribe('acequia://company')).rejects.toThrow(
    /"acequia:\/\/company".*acequia:\/\/alerts\/firing/,
  );
  expect(() => subscriptions.unsubscribe('acequia://company')).toThrow(
    /acequia:\/\/alerts\/firing/,
  );
});

describe.each([401, 403])('a caller without access (status %s)', (status) => {
  it('is refused, and accepted later', async () => {
    const { resource, subscriptions } = subscribable();
    resource.failure = denied(status);
    await expect(subscriptions.subscribe(URI)).rejects.toThrow('no');
    await pass(60_000);
    expect(resource).toMatchObject({ attempts: 1, refused: 0 });
    resource.failure = null;
    await subscriptions.subscribe(URI);
    resource.change();
    expect(resource.changed).toBe(1);
  });

  it('gets the refusal if the store reports it only later', async () => {
    const { resource, subscriptions } = subscribable();
    resource.failure = new Error('There is no store yet');
    await subscriptions.subscribe(URI);
    resource.failure = denied(status);
    await pass(60_000);
    expect(resource).toMatchObject({ attempts: 2, refused: 1, changed: 0 });
  });
});

it('says once that the access has ended', async () => {
  const { resource, subscriptions } = subscribable();
  await subscriptions.subscribe(URI);
  const [watcher] = resource.watchers;
  watcher!.onRefused();
  watcher!.onRefused();
  expect(resource.refused).toBe(1);
  await subscriptions.subscribe(URI);
  expect(resource.attempts).toBe(2);
});
