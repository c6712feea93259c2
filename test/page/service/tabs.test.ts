import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FarmRead, Modules } from '../../../src/page/service/page-service.ts';
import { Tabs } from '../../../src/page/service/tabs.ts';

beforeEach(() => {
  vi.stubGlobal('location', { pathname: '/' });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Tabs of one browser, the oldest first. */
function openTabs(...names: string[]) {
  const following = new Map<
    string,
    { change(modules: Modules): void; refuse(): void; lose(at: number | null): void }
  >();
  const lost: [tab: string, at: number | null][] = [];
  const changed: [tab: string, modules: Modules, waits: boolean][] = [];
  const refused: string[] = [];
  const read: [tab: string, read: FarmRead][] = [];
  const open = (name: string, since: number): Tabs => {
    vi.spyOn(Math, 'random').mockReturnValueOnce(since);
    return new Tabs({
      tell: (notify) =>
        notify({
          onChange: (modules, waitMs) => void changed.push([name, modules, waitMs > 0]),
          onRefused: () => void refused.push(name),
          onConnection: (at) => void lost.push([name, at]),
          onRead: (each) => void read.push([name, each]),
        }),
      follow: ({ onChange, onConnection, onRefused }) => {
        following.set(name, { change: onChange, refuse: onRefused, lose: onConnection });
        return { stop: () => following.delete(name) };
      },
    });
  };
  const tabs = names.map((name, index) => open(name, (index + 1) / 10));
  return { tabs, following, changed, refused, read, lost };
}

it('one of several tabs follows the farm and tells the others which modules changed, and another takes over once it is closed', async () => {
  const { tabs, following, changed } = openTabs('first', 'second', 'third');
  await vi.waitFor(() => expect([...following.keys()]).toEqual(['first']));
  following.get('first')!.change([3, 4]);
  await vi.waitFor(() =>
    expect(changed.toSorted()).toEqual([
      ['first', [3, 4], false],
      ['second', [3, 4], true],
      ['third', [3, 4], true],
    ]),
  );

  const changedSince = (count: number) =>
    changed
      .slice(count)
      .map(([name, modules]) => [name, modules])
      .sort();
  tabs[0]!.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  await vi.advanceTimersByTimeAsync(1_000);
  await vi.waitFor(() => expect([...following.keys()]).toEqual(['second']));
  // Nobody knows what has changed meanwhile.
  await vi.waitFor(() => {
    expect(changedSince(3)).toContainEqual(['second', null]);
    expect(changedSince(3)).toContainEqual(['third', null]);
  });
  const before = changed.length;
  following.get('second')!.change([5]);
  await vi.waitFor(() =>
    expect(changedSince(before)).toEqual([
      ['second', [5]],
      ['third', [5]],
    ]),
  );
  for (const tab of tabs) tab.stop();
});

it('a tab passes on what it read, and that the session has ended', async () => {
  const { tabs, following, refused, read } = openTabs('first', 'second');
  await vi.waitFor(() => expect([...following.keys()]).toEqual(['first']));
  tabs[1]!.share({ modules: [3], user: 7 });
  await vi.waitFor(() => expect(read).toEqual([['first', { modules: [3], user: 7 }]]));
  following.get('first')!.refuse();
  await vi.waitFor(() => expect(refused.toSorted()).toEqual(['first', 'second']));
  // Nothing is sent by a tab that has stopped.
  tabs[0]!.share({ modules: [4], user: 7 });
  expect(read).toHaveLength(1);
  for (const tab of tabs) tab.stop();
});

it('all tabs hear once that the tab that follows has lost the connection, and once that it is back', async () => {
  const { following, lost } = openTabs('first', 'second');
  await vi.waitFor(() => expect([...following.keys()]).toEqual(['first']));
  following.get('first')!.lose(5);
  following.get('first')!.lose(5);
  await vi.waitFor(() =>
    expect(lost.toSorted()).toEqual([
      ['first', 5],
      ['second', 5],
    ]),
  );
  following.get('first')!.lose(null);
  await vi.waitFor(() =>
    expect(lost.slice(2).toSorted()).toEqual([
      ['first', null],
      ['second', null],
    ]),
  );
});
