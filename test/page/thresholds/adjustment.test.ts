import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Adjustment,
  type AdjustmentEvent,
  adjust,
  linesWith,
} from '../../../src/page/thresholds/adjustment.ts';
import {
  type BacktestRequest,
  createBacktestFeed,
  isTruncated,
} from '../../../src/page/thresholds/backtest-feed.ts';
import {
  allowedValue,
  comfortBand,
  type ProbeFacts,
  savingOf,
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

const play = (...events: AdjustmentEvent[]): Adjustment | null =>
  events.reduce<Adjustment | null>(adjust, null);
const ERROR = { code: 'NO_ANSWER', message: 'offline', hint: null };

describe('pulling a line', () => {
  const pulled = [
    { kind: 'grab', line: ALERT },
    { kind: 'move', value: 16 },
    { kind: 'drop' },
  ] as const;

  it('waits for a confirmation before anything is saved', () => {
    expect(play(...pulled)).toEqual({ phase: 'waiting', line: ALERT, value: 16, error: null });
    expect(play(...pulled, { kind: 'cancel' })).toBeNull();
  });

  it('offers to undo what was saved, and then shows the value from before', () => {
    const saved = play(...pulled, { kind: 'save' }, { kind: 'saved', value: 16, changeId: 7 });
    expect(saved).toMatchObject({ phase: 'saved', value: 16, changeId: 7 });
    const undone = play(
      ...pulled,
      { kind: 'save' },
      { kind: 'saved', value: 16, changeId: 7 },
      { kind: 'undo' },
      { kind: 'undone' },
    );
    expect(undone).toMatchObject({ phase: 'undone', value: 18 });
  });

  it('keeps the line where it was pulled to after a refusal', () => {
    expect(play(...pulled, { kind: 'save' }, { kind: 'refused', error: ERROR })).toEqual({
      phase: 'waiting',
      line: ALERT,
      value: 16,
      error: ERROR,
    });
  });

  it('resumes the same line where it was released, and another line at its own value', () => {
    expect(play(...pulled, { kind: 'grab', line: ALERT })).toMatchObject({
      phase: 'moving',
      value: 16,
    });
    expect(play(...pulled, { kind: 'grab', line: CAPACITY })).toMatchObject({
      phase: 'moving',
      value: 28,
    });
  });

  it('changes nothing while a write is in progress', () => {
    const saving = play(...pulled, { kind: 'save' })!;
    for (const event of [
      { kind: 'grab', line: CAPACITY },
      { kind: 'cancel' },
      { kind: 'move', value: 3 },
      { kind: 'close' },
    ] as const)
      expect(adjust(saving, event)).toBe(saving);
  });

  it('moves the drawn line alone', () => {
    const lines = linesWith([CAPACITY, ALERT], play(...pulled));
    expect(lines.map(({ value }) => value)).toEqual([28, 16]);
    const added = linesWith(
      [CAPACITY],
      play({ kind: 'grab', line: { ...ALERT, id: 'newAlert', kind: 'newAlert', alert: null } }),
    );
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
  } as unknown as ProbeFacts['state'];
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
    }) as unknown as ProbeFacts['annotations'][number];
  const alert = (id: string, threshold: string, annotationId: string | null) =>
    ({
      id,
      threshold,
      hysteresis: '5',
      reminderTime: '08:00:00',
      annotationId,
    }) as ProbeFacts['alerts'][number];

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
    const feed = createBacktestFeed(
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
    const feed = createBacktestFeed(
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
