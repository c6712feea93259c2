import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { followInOneTab } from '../../../src/page/service/live-changes.ts';

beforeEach(() => {
  vi.stubGlobal('location', { pathname: '/' });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('one of several tabs follows the farm and notifies the others, and another takes over once it is closed', async () => {
  const following = new Map<string, () => void>();
  const changed: string[] = [];
  const open = (tab: string, since: number) => {
    vi.spyOn(Math, 'random').mockReturnValueOnce(since);
    return followInOneTab(
      () => changed.push(tab),
      (onChange) => {
        following.set(tab, onChange);
        return () => following.delete(tab);
      },
    );
  };
  const tabs = {
    first: open('first', 0.1),
    second: open('second', 0.2),
    third: open('third', 0.3),
  };
  await vi.waitFor(() => expect([...following.keys()]).toEqual(['first']));
  following.get('first')!();
  await vi.waitFor(() => expect(changed.toSorted()).toEqual(['first', 'second', 'third']));

  const changedSince = (count: number) => [...new Set(changed.slice(count))].sort();
  tabs.first();
  await vi.advanceTimersByTimeAsync(10_000);
  await vi.advanceTimersByTimeAsync(1_000);
  await vi.waitFor(() => expect([...following.keys()]).toEqual(['second']));
  // Nobody knows what has changed meanwhile.
  await vi.waitFor(() => expect(changedSince(3)).toEqual(['second', 'third']));
  const before = changed.length;
  following.get('second')!();
  await vi.waitFor(() => expect(changedSince(before)).toEqual(['second', 'third']));
  tabs.second();
  tabs.third();
});
