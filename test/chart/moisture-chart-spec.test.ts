import { describe, expect, it } from 'vitest';
import { FRAME, PIXEL_RATIO } from '../../src/chart/frame.ts';
import type { MoistureChart } from '../../src/chart/moisture-chart.ts';
import { moistureChartSpec as described } from '../../src/chart/moisture-chart-spec.ts';
import { depthColours } from '../../src/chart/theme.ts';
import { CHART_NOW, DARK_COLOURS, DAY, drawAndDecode, HOUR, hourly, LIGHT_COLOURS, oakChart } from './oak-chart.ts';

/** Where an instant stands in the frame, in CSS px. */
function columnOf(chart: MoistureChart, at: number): number {
  const { width, padding } = described(chart) as unknown as { width: number; padding: { left: number } };
  return padding.left + ((at - chart.start) / (chart.end - chart.start)) * width;
}

const watering = (at: number, more = {}) => ({ at, durationMin: 60, mm: 4, isPlanned: false, ...more });

describe('the picture of a probe', () => {
  it('is 800 by 450 px at twice the density', async () => {
    const { width, height } = await drawAndDecode(oakChart());
    expect([width, height]).toEqual([FRAME.width * PIXEL_RATIO, FRAME.height * PIXEL_RATIO]);
    expect([width, height]).toEqual([1600, 900]);
  });

  it('stands on white, or on black where it is asked for', async () => {
    for (const [theme, colours] of [
      ['light', LIGHT_COLOURS],
      ['dark', DARK_COLOURS],
    ] as const) {
      const picture = await drawAndDecode(oakChart({ theme }));
      for (const [x, y] of [
        [1, 1],
        [798, 1],
        [1, 448],
        [798, 448],
      ] as const)
        expect(picture.at(x, y)).toBe(colours.background);
      expect(picture.count(colours.curve)).toBeGreaterThan(500);
    }
  });

  it('is the same to the byte when it is drawn again', async () => {
    const chart = oakChart({ waterings: [watering(CHART_NOW - DAY)] });
    expect((await drawAndDecode(chart)).bytes).toEqual((await drawAndDecode(chart)).bytes);
  });

  it('holds its words: title, subtitle and labels leave their pixels', async () => {
    const picture = await drawAndDecode(oakChart());
    const blank = await drawAndDecode(oakChart({ name: ' ', parcel: null }));
    const title = { x: 0, x2: 400, y: 10, y2: 44 };
    expect(blank.count(LIGHT_COLOURS.text, title)).toBe(0);
    expect(picture.count(LIGHT_COLOURS.text, title)).toBeGreaterThan(200);
    expect(picture.count(LIGHT_COLOURS.muted, { y: 46, y2: 70 })).toBeGreaterThan(200);
    expect(picture.count(LIGHT_COLOURS.muted, { y: 372, y2: 410 })).toBeGreaterThan(200);
  });

  it('draws the curve over the whole period', async () => {
    const chart = oakChart();
    const columns = (await drawAndDecode(chart)).columnsOf(LIGHT_COLOURS.curve);
    expect(columns[0]).toBeLessThan(columnOf(chart, chart.start) + 2);
    expect(columns.at(-1)).toBeGreaterThan(columnOf(chart, chart.end - 2 * HOUR));
    expect(columns.length).toBeGreaterThan((columns.at(-1)! - columns[0]!) * PIXEL_RATIO - 2);
  });

  it('leaves a hole where a day of readings is missing', async () => {
    const [from, to] = [CHART_NOW - 4 * DAY, CHART_NOW - 3 * DAY];
    const chart = oakChart({ curve: oakChart().curve.filter(({ at }) => at <= from || at >= to) });
    const columns = (await drawAndDecode(chart)).columnsOf(LIGHT_COLOURS.curve);
    const [left, right] = [columnOf(chart, from) + 4, columnOf(chart, to) - 4];
    expect(right - left).toBeGreaterThan(50);
    expect(columns.filter((x) => x > left && x < right)).toEqual([]);
    expect(columns.filter((x) => x <= left).length).toBeGreaterThan(100);
    expect(columns.filter((x) => x >= right).length).toBeGreaterThan(100);
  });

  it('draws a value alone as a dot', async () => {
    const chart = oakChart({ curve: [{ at: CHART_NOW - 3 * DAY, value: 24 }] });
    const columns = (await drawAndDecode(chart)).columnsOf(LIGHT_COLOURS.curve);
    const x = columnOf(chart, CHART_NOW - 3 * DAY);
    expect(columns.length).toBeGreaterThan(4);
    for (const column of columns) expect(Math.abs(column - x)).toBeLessThan(5);
  });

  it('draws field capacity and stress point across, with comfort between them', async () => {
    const picture = await drawAndDecode(oakChart());
    for (const colour of [LIGHT_COLOURS.fieldCapacity, LIGHT_COLOURS.stress])
      expect(picture.count(colour)).toBeGreaterThan(2000);
    expect(picture.count(LIGHT_COLOURS.comfort)).toBeGreaterThan(100_000);
    const without = await drawAndDecode(oakChart({ fieldCapacity: null }));
    expect(without.count(LIGHT_COLOURS.comfort) + without.count(LIGHT_COLOURS.fieldCapacity)).toBe(0);
    expect(without.count(LIGHT_COLOURS.stress)).toBeGreaterThan(2000);
  });

  it('draws no comfort between thresholds that are crossed', async () => {
    expect((await drawAndDecode(oakChart({ fieldCapacity: 18, stressPoint: 28 }))).count(LIGHT_COLOURS.comfort)).toBe(
      0,
    );
  });

  it('draws the threshold of an alert dashed', async () => {
    const picture = await drawAndDecode(oakChart({ alerts: [20] }));
    const columns = picture.columnsOf(LIGHT_COLOURS.alert).filter((x) => x > 60 && x < 600);
    const breaks = columns.filter((x, index) => index > 0 && x - columns[index - 1]! > 2);
    expect(breaks.length).toBeGreaterThan(20);
  });

  it('stands a bar where each watering began, planned ones paler', async () => {
    const done = watering(CHART_NOW - 5 * DAY);
    const planned = watering(CHART_NOW - DAY, { isPlanned: true });
    const chart = oakChart({ waterings: [done, planned] });
    const picture = await drawAndDecode(chart);
    const foot = (at: number) => picture.at(columnOf(chart, at) + 3, 368);
    expect(foot(done.at)).toBe(LIGHT_COLOURS.water);
    expect(foot(planned.at)).not.toBe(LIGHT_COLOURS.water);
    expect(foot(planned.at)).not.toBe(LIGHT_COLOURS.background);
    expect(foot(CHART_NOW - 3 * DAY)).toBe(LIGHT_COLOURS.background);
  });

  it('makes the bar of the larger dose higher', async () => {
    const chart = oakChart({
      waterings: [watering(CHART_NOW - 5 * DAY, { mm: 8 }), watering(CHART_NOW - 2 * DAY, { mm: 2 })],
    });
    const picture = await drawAndDecode(chart);
    const height = (at: number) =>
      picture.count(LIGHT_COLOURS.water, { x: columnOf(chart, at) + 3, x2: columnOf(chart, at) + 4, y2: 380 });
    expect(height(CHART_NOW - 5 * DAY) / height(CHART_NOW - 2 * DAY)).toBeCloseTo(4, 0);
  });

  it('outlines the bar of a watering whose dose is not known', async () => {
    const chart = oakChart({ waterings: [watering(CHART_NOW - 3 * DAY, { mm: null })] });
    const picture = await drawAndDecode(chart);
    const x = columnOf(chart, CHART_NOW - 3 * DAY);
    expect(picture.at(x + 3.5, 366)).toBe(LIGHT_COLOURS.background);
    expect(picture.count(LIGHT_COLOURS.water, { x: x - 2, x2: x + 10, y2: 380 })).toBeGreaterThan(50);
  });

  it('draws a line a depth, each in a colour of its own, and no threshold of the summary', async () => {
    const depths = [10, 30, 60].map((depth) => ({
      depth,
      points: hourly(CHART_NOW - 7 * DAY, CHART_NOW, () => 15 + depth / 5),
    }));
    const picture = await drawAndDecode(oakChart({ view: 'depths', depths }));
    for (const colour of depthColours(3, 'light')) expect(picture.count(colour)).toBeGreaterThan(2000);
    expect(
      picture.count(LIGHT_COLOURS.stress) + picture.count(LIGHT_COLOURS.comfort) + picture.count(LIGHT_COLOURS.curve),
    ).toBe(0);
  });

  it('says in its middle that there is no reading', async () => {
    const picture = await drawAndDecode(oakChart({ curve: [], newestAt: null }));
    expect(picture.count(LIGHT_COLOURS.curve)).toBe(0);
    expect(picture.count(LIGHT_COLOURS.text, { x: 150, x2: 600, y: 180, y2: 320 })).toBeGreaterThan(300);
  });

  it.each([
    ['marks of a markup language', '</text><b>&amp;"\''],
    ['signs that no image file holds', 'a\u0000b\u0007\ud800\uffff'],
    ['a name without end', 'Very long '.repeat(200)],
    ['Arabic', 'حقل الشمال'],
    ['signs that the font lacks', '北区一号 🌳'],
  ])('stands whatever the probe is called: %s', async (_, name) => {
    const picture = await drawAndDecode(oakChart({ name, parcel: name }));
    expect(picture.width).toBe(1600);
    expect(picture.count(LIGHT_COLOURS.text, { y: 8, y2: 46 })).toBeGreaterThan(50);
    expect(picture.count(LIGHT_COLOURS.text, { x: 786, y: 8, y2: 46 })).toBe(0);
  });
});
