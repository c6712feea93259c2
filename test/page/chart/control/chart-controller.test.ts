import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readingAt } from '../../../../src/page/chart/control/chart-cursor.ts';
import { pressChartKey, pressLineKey } from '../../../../src/page/chart/control/chart-keys.ts';
import { lengthOf } from '../../../../src/page/chart/control/view.ts';
import { DAY, HOUR } from '../../../time.ts';
import { chartOfProbe } from './chart-of-probe.ts';
import { NOW } from './views.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const FIRST_VIEW = { start: NOW - 10 * DAY, end: NOW };
const key = (name: string, shiftKey = false) => ({ key: name, shiftKey });

async function shownChart(options: Parameters<typeof chartOfProbe>[0] = {}) {
  const parts = chartOfProbe(options);
  const stop = parts.chart.follow();
  const model = await parts.renderAll();
  parts.requests.length = 0;
  parts.onChange.mockClear();
  return { ...parts, model, stop };
}

describe('the view of a chart', () => {
  it('only shifts the drawing while a finger drags, until the view leaves what is drawn', async () => {
    const { chart, onChange } = await shownChart();
    chart.drag({ start: FIRST_VIEW.start - DAY, end: FIRST_VIEW.end - DAY });
    expect(onChange.mock.calls).toEqual([[false]]);
    // 50 px are a day, and the drawing begins 7.5 days before its view.
    expect(chart.shift).toBeCloseTo(-6.5 * 50, 6);
    chart.drag({ start: FIRST_VIEW.start - 8 * DAY, end: FIRST_VIEW.end - 8 * DAY });
    expect(onChange.mock.lastCall).toEqual([true]);
  });

  it('loads once a drag has paused for a moment, not with each step of it', async () => {
    const { chart, requests } = await shownChart();
    for (let step = 1; step <= 10; step++) {
      const days = 4 * step * DAY;
      chart.drag({ start: FIRST_VIEW.start - days, end: FIRST_VIEW.end - days });
    }
    expect(requests).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    const series = requests.filter(([operation]) => operation === 'get_moisture_series');
    expect(series.length).toBeGreaterThan(0);
    expect(series.length).toBeLessThanOrEqual(3);
  });

  it('keeps the axis of values while it moves, and fits it to the curve afterwards', async () => {
    const { chart, model, render } = await shownChart();
    chart.drag({ start: NOW - 400 * DAY, end: NOW - 390 * DAY });
    expect(render().range).toBe(model.range);
    chart.view.settle();
    expect(render().range).not.toBe(model.range);
  });

  it('reads again after a change of its module, and no longer once it is closed', async () => {
    const { requests, listeners, stop } = await shownChart();
    const change = async (modules: readonly number[] | null) => {
      for (const listener of listeners) listener.onChange(modules, 0);
      await vi.advanceTimersByTimeAsync(0);
    };
    await change([4]);
    expect(requests).toEqual([]);
    await change([3, 4]);
    const operations = requests.map(([operation]) => operation);
    expect(operations).toContain('get_moisture_series');
    expect(operations).toContain('list_alerts');
    stop();
    expect(listeners.size).toBe(0);
  });
});

describe('keys on a chart', () => {
  it.each([
    ['ArrowLeft', -2.5, 10],
    ['ArrowRight', 2.5, 10],
    ['PageUp', -10, 10],
    ['+', 1.875, 6.25],
    ['-', -3, 16],
  ])('%s moves its start by %d days, and then it shows %d days', async (name, days, length) => {
    const { chart } = await shownChart();
    expect(pressChartKey(chart, key(name))).toBe(true);
    const { period } = chart.view;
    expect((period.start - FIRST_VIEW.start) / DAY).toBeCloseTo(days, 6);
    expect(lengthOf(period) / DAY).toBeCloseTo(length, 6);
    expect(chart.cursor.spoken).toContain('2026');
  });

  it('leaves other keys to the browser', async () => {
    const { chart, onChange } = await shownChart();
    expect(['Tab', 'a', 'F5'].map((name) => pressChartKey(chart, key(name)))).toEqual([
      false,
      false,
      false,
    ]);
    expect(onChange).not.toHaveBeenCalled();
  });

  it('reads one value after the other aloud, and moves the view to those beside it', async () => {
    const { chart, render } = await shownChart();
    pressChartKey(chart, key('ArrowLeft', true));
    const newest = chart.cursor.at!;
    expect(NOW - newest).toBeLessThanOrEqual(HOUR);
    expect(chart.cursor.spoken).toMatch(/^today .*, 15 cm \d+\s%, 45 cm \d+\s%$/);
    pressChartKey(chart, key('ArrowLeft', true));
    expect(chart.cursor.at).toBeLessThan(newest);
    pressChartKey(chart, key('Escape'));
    expect(chart.cursor.at).toBeNull();

    chart.cursor.set(FIRST_VIEW.start);
    render();
    pressChartKey(chart, key('ArrowLeft', true));
    expect(chart.view.period.start).toBeLessThan(FIRST_VIEW.start);
    expect(chart.cursor.at).toBeGreaterThanOrEqual(chart.view.period.start);
  });
});

describe('the cursor', () => {
  it('reads the nearest value to the finger, at its place in the plot', async () => {
    const { chart, model } = await shownChart();
    chart.inspect(250);
    expect(chart.cursor.at).toBe(FIRST_VIEW.start + 5 * DAY);
    const { point, x, readout } = readingAt(model, chart.cursor.at);
    expect(Math.abs(point!.at - chart.cursor.at!)).toBeLessThanOrEqual(HOUR);
    expect(Math.abs(x! - model.layout.left - 250)).toBeLessThan(5);
    expect(readout.depths.map(({ name }) => name)).toEqual(['15 cm', '45 cm']);
  });

  it('says where there is no reading', async () => {
    const { model } = await shownChart();
    const { point, readout } = readingAt(model, NOW + 5 * DAY);
    expect([point, readout.value]).toEqual([null, null]);
    expect(readout.time).toContain('no reading');
  });

  it('disappears when the view is dragged', async () => {
    const { chart } = await shownChart();
    chart.inspect(250);
    chart.drag(FIRST_VIEW);
    expect(chart.cursor.at).toBeNull();
  });
});

describe('a line of a chart', () => {
  it('is pulled by pixels, saved once, and read again before it is reported', async () => {
    const { chart, model, requests, onSaved, renderAll } = await shownChart();
    const { layout, range } = model;
    const pxPerPoint = (layout.curveBottom - layout.curveTop) / (range.high - range.low);
    chart.grab('a1');
    chart.pull(2 * pxPerPoint);
    chart.drop();
    expect(chart.adjustment.current).toMatchObject({ phase: 'waiting', value: 20 });
    const model20 = await renderAll();
    expect(model20.backtest?.request.threshold).toBe(20);

    requests.length = 0;
    await chart.adjustment.save();
    expect(requests[0]).toEqual(['update_alert', { alertId: 'a1', threshold: 20 }]);
    expect(requests.map(([operation]) => operation)).toContain('list_alerts');
    expect(onSaved).toHaveBeenCalledOnce();
    expect(chart.adjustment.current).toMatchObject({ phase: 'saved', changeId: 7 });
  });

  it('moves with keys from where it was pulled to, and Escape lets go of it', async () => {
    const { chart, model } = await shownChart();
    const line = model.lines.find(({ id }) => id === 'a1')!;
    for (const name of ['ArrowUp', 'ArrowUp', 'ArrowLeft', 'PageUp'])
      expect(pressLineKey(chart, line, key(name))).toBe(true);
    // In tenths: 1 + 1 - 1 + 10.
    expect(chart.adjustment.current).toMatchObject({ phase: 'waiting', value: 19.1 });
    expect(pressLineKey(chart, line, key('Tab'))).toBe(false);
    pressLineKey(chart, line, key('Escape'));
    expect(chart.adjustment.current).toBeNull();
  });

  it('is saved by Enter once it waits, and only offered by Enter before', async () => {
    const { chart, model, requests } = await shownChart();
    const line = model.lines.find(({ id }) => id === 'a1')!;
    pressLineKey(chart, line, key('Enter'));
    expect(chart.adjustment.current).toMatchObject({ phase: 'waiting', value: 18 });
    expect(requests).toEqual([]);
    pressLineKey(chart, line, key('ArrowDown'));
    pressLineKey(chart, line, key('Enter'));
    expect(requests).toEqual([['update_alert', { alertId: 'a1', threshold: 17.9 }]]);
  });

  it('stays where it is for a person who may only read', async () => {
    const { chart, model } = await shownChart({ canWrite: false });
    chart.grab('a1');
    chart.pull(50);
    pressLineKey(chart, model.lines[0]!, key('ArrowUp'));
    expect(chart.adjustment.current).toBeNull();
  });
});
