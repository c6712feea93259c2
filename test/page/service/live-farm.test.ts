import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveFarm, type LiveFarmState, NO_FARM } from '../../../src/page/service/live-farm.ts';
import type { CallFields } from '../../../src/page/service/page-operations.ts';
import type {
  FarmListener,
  FarmRead,
  Modules,
  Service,
} from '../../../src/page/service/page-service.ts';
import type { FarmPageBody, PageProbe } from '../../../src/schema/advice/farm-page.ts';

const START = Date.parse('2026-07-01T10:00:00Z');

beforeEach(() => {
  vi.useFakeTimers({ now: START });
  vi.stubGlobal('dispatchEvent', vi.fn());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

interface Row extends Pick<PageProbe, 'moduleId' | 'need' | 'daysToStress'> {
  readonly time?: string;
}

const row = ({ moduleId, need, daysToStress, time = new Date(START).toISOString() }: Row) => ({
  moduleId,
  need,
  daysToStress,
  time,
  ageMin: 0,
  value_vwc: 20,
  value_tensio: null,
});

const planned = (id: number, moduleId: number, startedAt: string) => ({ id, moduleId, startedAt });

const ROWS = [1, 2, 3].map((moduleId) =>
  row({ moduleId, need: 'comfort', daysToStress: 4 + moduleId }),
);

/** A tab, in which the service answers with the rows of `farm`. */
function openTab({ user = 7 }: { user?: number } = {}) {
  const farm = { rows: ROWS, toConfirm: [] as ReturnType<typeof planned>[] };
  const reads: string[] = [];
  const shared: FarmRead[] = [];
  const otherTabs: ((read: FarmRead) => void)[] = [];
  let state: LiveFarmState = NO_FARM;
  let failure: { code: string; message: string } | null = null;
  let listener: FarmListener | undefined;
  const pageOf = (ids: readonly number[] | null): FarmPageBody =>
    ({
      time: new Date().toISOString(),
      user: { id: user },
      data: farm.rows.filter(({ moduleId }) => ids?.includes(moduleId) !== false),
      toConfirm: farm.toConfirm.filter(({ moduleId }) => ids?.includes(moduleId) !== false),
    }) as never;
  const service: Service = {
    async call(_, fields) {
      const { moduleIds } = fields as CallFields<'get_farm_page'>;
      reads.push(moduleIds === undefined ? 'farm' : String(moduleIds));
      if (failure !== null) throw failure;
      const ids = moduleIds === undefined ? null : String(moduleIds).split(',').map(Number);
      return { body: pageOf(ids) as never };
    },
    listen(each) {
      listener = each;
      return () => undefined;
    },
    share(read) {
      shared.push(read);
      for (const receive of otherTabs) receive(structuredClone(read));
    },
  };
  const live = new LiveFarm(service, (next) => {
    state = next;
  });
  live.start();
  return {
    live,
    farm,
    reads,
    shared,
    pageOf,
    state: () => state,
    fail: (problem: typeof failure) => {
      failure = problem;
    },
    tell: (modules: Modules, waitMs = 0) => listener!.onChange(modules, waitMs),
    receive: (read: FarmRead) => listener!.onRead!(read),
    shareWith: (tab: { receive: (read: FarmRead) => void }) => void otherTabs.push(tab.receive),
  };
}

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);

describe('an open page', () => {
  it('reads the rows of the modules that changed, and puts them in the order of need', async () => {
    const tab = openTab();
    await seconds(1);
    tab.farm.rows = [
      ROWS[0]!,
      ROWS[1]!,
      row({ moduleId: 3, need: 'stress', daysToStress: 0, time: '2026-07-01T10:02:00.000Z' }),
    ];
    tab.farm.toConfirm = [planned(8, 3, '2026-07-01T08:00:00Z')];
    await seconds(119);
    tab.tell([3]);
    await seconds(1);
    expect(tab.reads).toEqual(['farm', '3']);
    const { data, toConfirm } = tab.state().farm!;
    expect(data.map(({ moduleId }) => moduleId)).toEqual([3, 1, 2]);
    expect(toConfirm.map(({ id }) => id)).toEqual([8]);
  });

  it('leaves out a module that is asked for and no longer there', async () => {
    const tab = openTab();
    await seconds(1);
    tab.farm.rows = ROWS.slice(1);
    tab.tell([1]);
    await seconds(1);
    expect(tab.state().farm!.data.map(({ moduleId }) => moduleId)).toEqual([2, 3]);
  });

  it('reads the whole farm at most once in 15 s, however often it changes', async () => {
    const tab = openTab();
    await seconds(60);
    for (let second = 0; second < 60; second++) {
      tab.tell(null);
      await seconds(1);
    }
    const count = tab.reads.filter((read) => read === 'farm').length;
    // At the start, then about each 15 to 20 s.
    expect(count).toBeGreaterThanOrEqual(4);
    expect(count).toBeLessThanOrEqual(1 + 1 + 4);
    await seconds(30);
    expect(tab.reads.length).toBeLessThanOrEqual(count + 1);
  });

  it('reads many modules as the whole farm', async () => {
    const tab = openTab();
    await seconds(60);
    for (let module = 1; module <= 30; module++) tab.tell([module], 500);
    await seconds(5);
    expect(tab.reads.slice(1)).toContain('farm');
  });

  it('reads a probe alone while it is viewed, and the others once the farm is', async () => {
    const tab = openTab();
    await seconds(1);
    tab.live.view(2);
    tab.tell([1]);
    await seconds(5);
    expect(tab.reads).toEqual(['farm']);
    const before = tab.live.versionOf(2);
    tab.tell([2, 3]);
    await seconds(5);
    expect(tab.reads).toEqual(['farm', '2']);
    expect(tab.live.versionOf(2)).toBe(before + 1);
    tab.live.view(null);
    await seconds(5);
    expect(tab.reads).toEqual(['farm', '2', '1,3']);
  });

  it('reads the whole farm after five minutes of changes, because the other rows grow old', async () => {
    const tab = openTab();
    for (let minute = 0; minute < 6; minute++) {
      tab.tell([1]);
      await seconds(60);
    }
    tab.tell([1]);
    await seconds(10);
    expect(tab.reads.filter((read) => read === 'farm')).toHaveLength(2);
  });

  it('reads again after a failure, and not once nobody is signed in', async () => {
    const tab = openTab();
    await seconds(1);
    tab.fail({ code: 'NO_ANSWER', message: '' });
    tab.tell([1]);
    await seconds(1);
    expect(tab.state()).toMatchObject({ error: { code: 'NO_ANSWER' } });
    expect(tab.state().farm).not.toBeNull();
    tab.fail(null);
    await seconds(30);
    expect(tab.state().error).toBeNull();
    tab.fail({ code: 'unauthenticated', message: '' });
    tab.tell([1]);
    await seconds(1);
    expect(tab.state()).toMatchObject({ farm: null, error: { code: 'unauthenticated' } });
    const { length } = tab.reads;
    await seconds(600);
    expect(tab.reads).toHaveLength(length);
  });
});

describe('tabs of one browser', () => {
  it('read once: one reads, and the others take its rows', async () => {
    const [first, second] = [openTab(), openTab()];
    await seconds(1);
    first.farm.rows = [row({ moduleId: 1, need: 'stress', daysToStress: 0 }), ...ROWS.slice(1)];
    first.tell([1]);
    second.tell([1], 700);
    first.shared.length = 0;
    await seconds(0.5);
    for (const read of first.shared) second.receive(structuredClone(read));
    await seconds(30);
    expect([first.reads, second.reads]).toEqual([['farm', '1'], ['farm']]);
    expect(second.state().farm!.data[0]).toMatchObject({ moduleId: 1, need: 'stress' });
  });

  it('read the whole farm once in 15 s', async () => {
    const [first, second] = [openTab(), openTab()];
    await seconds(60);
    first.shareWith(second);
    second.shareWith(first);
    for (let second_ = 0; second_ < 60; second_++) {
      first.tell(null);
      second.tell(null, 700);
      await seconds(1);
    }
    const count = [...first.reads, ...second.reads].filter((read) => read === 'farm').length;
    expect(count).toBeLessThanOrEqual(2 + 5);
  });

  it('take nothing from the tab of another person', async () => {
    const [own, other] = [openTab(), openTab({ user: 8 })];
    await seconds(1);
    other.farm.rows = [];
    await other.live.reload();
    for (const read of other.shared) own.receive(read);
    await seconds(30);
    expect(own.state().farm!.data).toHaveLength(3);
  });

  it('read themselves what another tab began to read and did not pass on', async () => {
    const tab = openTab();
    await seconds(60);
    tab.tell([1], 700);
    tab.receive({ modules: [1], user: 7 });
    await seconds(9);
    expect(tab.reads).toEqual(['farm']);
    await seconds(30);
    expect(tab.reads).toEqual(['farm', 'farm']);
  });
});
