import { expect, it, vi } from 'vitest';
import type { ObservedCall } from '../../src/observe/listener.ts';
import { openMetrics } from '../../src/observe/metrics.ts';
import { createObserver } from '../../src/observe/observer.ts';
import { afterTest } from '../cleanup.ts';

const holdLoop = (ms: number): void =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

function observedCalls() {
  const stretches: (readonly (string | null)[])[] = [];
  const { listener, registry } = openMetrics('1');
  const observer = createObserver([
    { onLongStretch: (calls) => void stretches.push(calls.map(nameOf)) },
    listener,
  ]);
  return {
    begin: (operation: string) => observer.begin({ surface: 'rest', operation }),
    stretches,
    registry,
  };
}

const nameOf = ({ operation }: ObservedCall): string | null => operation;

it('names and counts the call that held the event loop, whoever else is in progress', async () => {
  const { begin, stretches, registry } = observedCalls();
  const [one, other, another] = [begin('one'), begin('other'), begin('another')];
  one.mark();
  other.mark();
  holdLoop(400);
  another.mark();
  await expect.poll(() => stretches).toEqual([['other']]);
  for (const call of [one, other, another]) call.end(null);

  expect(await registry.getSingleMetricAsString('acequia_long_stretches_total')).toContain(
    'acequia_long_stretches_total{surface="rest",operation="other"} 1',
  );
});

it('names all in progress if it is not known which one held the event loop', async () => {
  const { begin, stretches } = observedCalls();
  const [one, other] = [begin('one'), begin('other')];
  begin('ended').end(null);
  holdLoop(400);
  await expect.poll(() => stretches).toEqual([['one', 'other']]);
  for (const call of [one, other]) call.end(null);
});

it('reports a call that held the event loop until it ended', () => {
  const { begin, stretches } = observedCalls();
  const call = begin('last');
  holdLoop(400);
  call.end(null);
  expect(stretches).toEqual([['last']]);
});

it('reports no call that only waits', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  afterTest(() => void vi.useRealTimers());
  const { begin, stretches } = observedCalls();
  const call = begin('waiting');
  vi.advanceTimersByTime(1_000);
  call.end(null);
  expect(stretches).toEqual([]);
});
