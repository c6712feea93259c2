import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  LineAdjustment,
  linesWith,
  type SavedLine,
} from '../../../src/page/thresholds/adjustment.ts';
import {
  BacktestFeed,
  type BacktestRequest,
  isTruncated,
} from '../../../src/page/thresholds/backtest-feed.ts';
import { allowedValue } from '../../../src/page/thresholds/line-values.ts';
import { savingOf } from '../../../src/page/thresholds/line-writer.ts';
import {
  comfortBand,
  type ProbeLevels,
  type ThresholdLine,
  thresholdLinesOf,
} from '../../../src/page/thresholds/threshold-lines.ts';
import type { BacktestBody } from '../../../src/schema/alerts/alert.ts';

const ALERT: ThresholdLine = {
  id: 'a1',
  kind: 'alert',
  value: 18,
  alert: { id: 'a1', threshold: '18', hysteresis: '5', reminderTime: '08:00:00' },
  annotationId: null,
};
const CAPACITY: ThresholdLine = {
  id: 'fieldCapacity',
  kind: 'fieldCapacity',
  value: 28,
  alert: null,
  annotationId: null,
};
const WILTING: ThresholdLine = { ...CAPACITY, id: 'wiltingPoint', kind: 'wiltingPoint', value: 14 };

const ERROR = { code: 'NO_ANSWER', message: 'offline', hint: null };

/** Writes are answered by the test. */
function adjustmentOf() {
  const writes: { resolve: (saved: SavedLine) => void; reject: (error: unknown) => void }[] = [];
  const write = (): Promise<SavedLine> =>
    new Promise((resolve, reject) => {
      writes.push({ resolve, reject });
    });
  const save = vi.fn(write);
  const undo = vi.fn(async () => void (await write()));
  const onChange = vi.fn();
  const adjustment = new LineAdjustment({ save, undo, onChange });
  return { adjustment, save, undo, onChange, writes };
}

/** The alert at 18 %, pulled to 16 %. */
function pulledAlert() {
  const parts = adjustmentOf();
  parts.adjustment.grab(ALERT);
  parts.adjustment.move(16);
  parts.adjustment.drop();
  return parts;
}

async function savedAlert() {
  const parts = pulledAlert();
  const saving = parts.adjustment.save();
  parts.writes.shift()!.resolve({ value: 16, changeId: 7 });
  await saving;
  return parts;
}

describe('pulling a line', () => {
  it('waits for a confirmation before anything is saved', () => {
    const { adjustment, save } = pulledAlert();
    expect(adjustment.current).toEqual({ phase: 'waiting', line: ALERT, value: 16, error: null });
    adjustment.cancel();
    expect(adjustment.current).toBeNull();
    expect(save).not.toHaveBeenCalled();
  });

  it('offers to undo what was saved, and then shows the value from before', async () => {
    const { adjustment, save, undo, writes } = await savedAlert();
    expect(save).toHaveBeenCalledExactlyOnceWith(ALERT, 16);
    expect(adjustment.current).toMatchObject({ phase: 'saved', value: 16, changeId: 7 });
    const undoing = adjustment.undo();
    writes.shift()!.resolve({ value: 18, changeId: null });
    await undoing;
    expect(undo).toHaveBeenCalledExactlyOnceWith(7);
    expect(adjustment.current).toMatchObject({ phase: 'undone', value: 18 });
  });

  it('keeps the line where it was pulled to after a refusal', async () => {
    const { adjustment, writes } = pulledAlert();
    const saving = adjustment.save();
    writes.shift()!.reject(ERROR);
    await saving;
    expect(adjustment.current).toEqual({ phase: 'waiting', line: ALERT, value: 16, error: ERROR });
  });

  it('still offers to undo after a refusal to undo', async () => {
    const { adjustment, writes } = await savedAlert();
    const undoing = adjustment.undo();
    writes.shift()!.reject(ERROR);
    await undoing;
    expect(adjustment.current).toMatchObject({ phase: 'saved', changeId: 7, error: ERROR });
  });

  it('writes a saved line again to confirm it, and keeps it as saved after a refusal', async () => {
    const { adjustment, save, undo, writes } = adjustmentOf();
    adjustment.grab(CAPACITY);
    adjustment.move(41);
    adjustment.drop();
    void adjustment.save();
    writes[0]!.resolve({ value: 41, changeId: 7 });
    await vi.waitFor(() => expect(adjustment.current?.phase).toBe('saved'));

    const stored = { ...CAPACITY, value: 41, annotationId: 'n1' };
    void adjustment.confirm(stored);
    expect(adjustment.current?.phase).toBe('changing');
    void adjustment.confirm(stored);
    void adjustment.undo();
    writes[1]!.reject(ERROR);
    await vi.waitFor(() =>
      expect(adjustment.current).toMatchObject({ phase: 'saved', changeId: 7, error: ERROR }),
    );

    void adjustment.confirm(stored);
    writes[2]!.resolve({ value: 41, changeId: 8 });
    await vi.waitFor(() => expect(adjustment.current).toBeNull());
    expect(save.mock.calls.slice(1)).toEqual([
      [stored, 41],
      [stored, 41],
    ]);
    expect(undo).not.toHaveBeenCalled();
  });

  it('resumes the same line where it was released, and another line at its own value', () => {
    const { adjustment } = pulledAlert();
    adjustment.grab(ALERT);
    expect(adjustment.current).toMatchObject({ phase: 'moving', value: 16 });
    adjustment.grab(CAPACITY);
    expect(adjustment.current).toMatchObject({ phase: 'moving', value: 28 });
  });

  it('changes nothing while a write is in progress, and writes once', () => {
    const { adjustment, save } = pulledAlert();
    void adjustment.save();
    const saving = adjustment.current;
    adjustment.grab(CAPACITY);
    adjustment.cancel();
    adjustment.move(3);
    adjustment.close();
    void adjustment.save();
    expect(adjustment.current).toBe(saving);
    expect(save).toHaveBeenCalledOnce();
  });

  it('reports exactly the calls that change it, in whatever order they come', () => {
    const call = fc.constantFrom(
      (line: LineAdjustment) => line.grab(ALERT),
      (line: LineAdjustment) => line.grab(CAPACITY),
      (line: LineAdjustment) => line.move(12),
      (line: LineAdjustment) => line.drop(),
      (line: LineAdjustment) => line.cancel(),
      (line: LineAdjustment) => line.close(),
      (line: LineAdjustment) => void line.save(),
      (line: LineAdjustment) => void line.undo(),
      (line: LineAdjustment) => void line.confirm(CAPACITY),
    );
    fc.assert(
      fc.property(fc.array(call, { maxLength: 12 }), (calls) => {
        const { adjustment, onChange, save } = adjustmentOf();
        for (const act of calls) {
          const before = adjustment.current;
          onChange.mockClear();
          act(adjustment);
          expect(onChange.mock.calls.length > 0).toBe(adjustment.current !== before);
          // Nothing is written before the line has been let go of.
          if (save.mock.calls.length > 0) expect(adjustment.current?.phase).toBe('saving');
        }
      }),
    );
  });

  it('moves the drawn line alone', () => {
    const { adjustment } = pulledAlert();
    const lines = linesWith([CAPACITY, ALERT], adjustment.current);
    expect(lines.map(({ value }) => value)).toEqual([28, 16]);
    adjustment.grab({ ...ALERT, id: 'newAlert', kind: 'newAlert', alert: null });
    const added = linesWith([CAPACITY], adjustment.current);
    expect(added.map(({ kind }) => kind)).toEqual(['fieldCapacity', 'newAlert']);
  });
});

describe('the value of a line', () => {
  const all = [CAPACITY, WILTING, ALERT];

  it('is in tenths, within what the service takes, and on its side of the other line', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...all),
        fc.double({ min: -50, max: 200, noNaN: true }),
        (line, wanted) => {
          const value = allowedValue(line, wanted, all);
          expect(Number((value * 10).toFixed(6)) % 1).toBe(0);
          expect(value).toBeGreaterThanOrEqual(1);
          expect(value).toBeLessThanOrEqual(100);
          if (line === CAPACITY) expect(value).toBeGreaterThan(WILTING.value);
          if (line === WILTING) expect(value).toBeLessThan(CAPACITY.value);
        },
      ),
    );
  });

  it.each([
    [ALERT, { operation: 'update_alert', fields: { alertId: 'a1', threshold: 17 } }],
    [
      { ...ALERT, kind: 'newAlert', alert: null },
      { operation: 'create_alert', fields: { moduleId: 3, threshold: 17 } },
    ],
    [
      { ...WILTING, annotationId: 'n1' },
      { operation: 'update_annotation', fields: { annotationId: 'n1', value: 17 } },
    ],
    [
      CAPACITY,
      {
        operation: 'create_annotation',
        fields: {
          moduleId: 3,
          chartType: 'humidity',
          type: 'h-line',
          value: 17,
          style: { fill: 'threshold1' },
        },
      },
    ],
  ] as const)('is saved with the operation of the record that holds it (%#)', (line, saving) => {
    expect(savingOf(line as ThresholdLine, 17, 3)).toEqual(saving);
  });
});

describe('the lines of a probe', () => {
  const state = {
    moduleId: 3,
    state: 'comfort',
    value_vwc: 22,
    time: null,
    fieldCapacity: 28,
    wiltingPoint: 14,
    stressPoint: 21,
    allowedDepletion: 0.5,
    basis: {},
    doubts: [],
  } as unknown as ProbeLevels['state'];
  const drawing = (id: string, fill: string, value: number) =>
    ({
      id,
      module_id: 3,
      probe_id: null,
      chart_type: 'humidity',
      type: 'h-line',
      p1: [1.7e12, value],
      p2: null,
      unit: 'vwc',
      content: { style: { fill } },
      user_id: '1',
      created_at: '',
      updated_at: '',
    }) as unknown as ProbeLevels['annotations'][number];
  const alert = (id: string, threshold: string, annotationId: string | null) =>
    ({
      id,
      threshold,
      hysteresis: '5',
      reminderTime: '08:00:00',
      annotationId,
    }) as ProbeLevels['alerts'][number];

  it('are the newest drawn ones, and a wilting point carries the alert that it arms', () => {
    const lines = thresholdLinesOf({
      state,
      alerts: [alert('a1', '20', null), alert('a2', '12.5', 'w2')],
      annotations: [
        drawing('w1', 'threshold2', 11),
        drawing('w2', 'threshold2', 12.5),
        drawing('x', '#f00', 30),
      ],
    });
    expect(
      lines.map(({ kind, value, annotationId, alert: watching }) => [
        kind,
        value,
        annotationId,
        watching?.id,
      ]),
    ).toEqual([
      ['fieldCapacity', 28, null, undefined],
      ['wiltingPoint', 12.5, 'w2', 'a2'],
      ['alert', 20, null, 'a1'],
    ]);
  });

  it('move the stress point with them, by the rule of the service', () => {
    expect(comfortBand({ state }, [CAPACITY, WILTING])).toEqual({ stress: 21, from: 21, to: 28 });
    // 30 - 0.5 * (30 - 14)
    expect(comfortBand({ state }, [{ ...CAPACITY, value: 30 }, WILTING])).toEqual({
      stress: 22,
      from: 22,
      to: 30,
    });
    const figures = { state: { ...state, allowedDepletion: 0.35 } };
    const pulled = [
      { ...CAPACITY, value: 28.34 },
      { ...WILTING, value: 13.35 },
    ];
    expect(comfortBand(figures, pulled)?.stress).toBe(23.09);
    expect(comfortBand({ state }, [{ ...CAPACITY, value: 13 }, WILTING])).toBeNull();
  });
});

describe('the backtest of a threshold while it is pulled', () => {
  const request = (threshold: number): BacktestRequest => ({
    threshold,
    hysteresis: 5,
    reminderTime: '08:00:00',
    start: 0,
  });
  const answer = { episodes: [], hoursBelow: 0 } as unknown as BacktestBody;
  const tick = () => new Promise((resolve) => setTimeout(resolve));

  it('requests one backtest at a time, and then only that of the newest threshold', async () => {
    const requests: { threshold: number; done: () => void }[] = [];
    const feed = new BacktestFeed(
      ({ threshold }) =>
        new Promise((resolve) => {
          requests.push({ threshold, done: () => resolve(answer) });
        }),
      () => undefined,
    );
    for (const threshold of [18, 17, 16]) feed.want(request(threshold));
    expect(requests.map(({ threshold }) => threshold)).toEqual([18]);
    requests[0]!.done();
    await tick();
    expect(requests.map(({ threshold }) => threshold)).toEqual([18, 16]);
    requests[1]!.done();
    await tick();
    expect([feed.answerTo(request(16)), feed.answerTo(request(17))]).toEqual([answer, undefined]);
    feed.want(request(16));
    expect(requests).toHaveLength(2);
  });

  it('reports a missing answer, and requests it again after new readings', async () => {
    let count = 0;
    const feed = new BacktestFeed(
      () => {
        count++;
        return Promise.reject(new Error('offline'));
      },
      () => undefined,
    );
    feed.want(request(18));
    await tick();
    feed.want(request(18));
    expect([count, feed.hasFailed(request(18))]).toEqual([1, true]);
    feed.clear();
    feed.want(request(18));
    expect(count).toBe(2);
  });

  it('tells a list that is cut by the hours that it lacks', () => {
    const episode = (hoursBelow: number) => ({
      start: '',
      end: null,
      lowest: 1,
      hoursBelow,
      reminders: 0,
    });
    const body = (hours: number[], hoursBelow: number) =>
      ({ episodes: hours.map(episode), hoursBelow }) as BacktestBody;
    expect(isTruncated(body([1.1, 2.2], 3.3))).toBe(false);
    expect(isTruncated(body([1.1, 2.2], 3.4))).toBe(false);
    expect(isTruncated(body([1.1, 2.2], 9))).toBe(true);
  });
});
