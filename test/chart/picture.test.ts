import { describe, expect, it } from 'vitest';
import { describe as described } from '../../src/chart/describe.ts';
import { FRAME, SCALE } from '../../src/chart/frame.ts';
import type { MoistureChart } from '../../src/chart/moisture-chart.ts';
import { depthColours } from '../../src/chart/theme.ts';
import { DAY, dark, HOUR, hourly, light, NOW, oak, pictureOf } from './oak.ts';

/** Where an instant stands in the frame, in CSS px. */
function columnOf(chart: MoistureChart, at: number): number {
  const { width, padding } = described(chart) as unknown as { width: number; padding: { left: number } };
  return padding.left + ((at - chart.start) / (chart.end - chart.start)) * width;
}

const watering = (at: number, more = {}) => ({ at, durationMin: 60, mm: 4, isPlanned: false, ...more });

describe('the picture of a probe', () => {
  it('is 800 by 450 px at twice the density', async () => {
    const { width, height } = await pictureOf(oak());
    expect([width, height]).toEqual([FRAME.width * SCALE, FRAME.height * SCALE]);
    expect([width, height]).toEqual([1600, 900]);
  });

  it('stands on white, or on black where it is asked for', async () => {
    for (const [theme, colours] of [
      ['light', light],
      ['dark', dark],
    ] as const) {
      const picture = await pictureOf(oak({ theme }));
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
    const chart = oak({ waterings: [watering(NOW - DAY)] });
    expect((await pictureOf(chart)).bytes).toEqual((await pictureOf(chart)).bytes);
  });

  it('holds its words: title, subtitle and labels leave their pixels', async () => {
    const picture = await pictureOf(oak());
    const blank = await pictureOf(oak({ name: ' ', parcel: null }));
    const title = { x: 0, x2: 400, y: 10, y2: 44 };
    expect(blank.count(light.text, title)).toBe(0);
    expect(picture.count(light.text, title)).toBeGreaterThan(200);
    expect(picture.count(light.muted, { y: 46, y2: 70 })).toBeGreaterThan(200);
    expect(picture.count(light.muted, { y: 372, y2: 410 })).toBeGreaterThan(200);
  });

  it('draws the curve over the whole period', async () => {
    const chart = oak();
    const columns = (await pictureOf(chart)).columnsOf(light.curve);
    expect(columns[0]).toBeLessThan(columnOf(chart, chart.start) + 2);
    expect(columns.at(-1)).toBeGreaterThan(columnOf(chart, chart.end - 2 * HOUR));
    expect(columns.length).toBeGreaterThan((columns.at(-1)! - columns[0]!) * SCALE - 2);
  });

  it('leaves a hole where a day of readings is missing', async () => {
    const [from, to] = [NOW - 4 * DAY, NOW - 3 * DAY];
    const chart = oak({ curve: oak().curve.filter(({ at }) => at <= from || at >= to) });
    const columns = (await pictureOf(chart)).columnsOf(light.curve);
    const [left, right] = [columnOf(chart, from) + 4, columnOf(chart, to) - 4];
    expect(right - left).toBeGreaterThan(50);
    expect(columns.filter((x) => x > left && x < right)).toEqual([]);
    expect(columns.filter((x) => x <= left).length).toBeGreaterThan(100);
    expect(columns.filter((x) => x >= right).length).toBeGreaterThan(100);
  });

  it('draws a value alone as a dot', async () => {
    const chart = oak({ curve: [{ at: NOW - 3 * DAY, value: 24 }] });
    const columns = (await pictureOf(chart)).columnsOf(light.curve);
    const x = columnOf(chart, NOW - 3 * DAY);
    expect(columns.length).toBeGreaterThan(4);
    for (const column of columns) expect(Math.abs(column - x)).toBeLessThan(5);
  });

  it('draws field capacity and stress point across, with comfort between them', async () => {
    const picture = await pictureOf(oak());
    for (const colour of [light.fieldCapacity, light.stress]) expect(picture.count(colour)).toBeGreaterThan(2000);
    expect(picture.count(light.comfort)).toBeGreaterThan(100_000);
    const without = await pictureOf(oak({ fieldCapacity: null }));
    expect(without.count(light.comfort) + without.count(light.fieldCapacity)).toBe(0);
    expect(without.count(light.stress)).toBeGreaterThan(2000);
  });

  it('draws no comfort between thresholds that are crossed', async () => {
    expect((await pictureOf(oak({ fieldCapacity: 18, stressPoint: 28 }))).count(light.comfort)).toBe(0);
  });

  it('draws the threshold of an alert dashed', async () => {
    const picture = await pictureOf(oak({ alerts: [20] }));
    const columns = picture.columnsOf(light.alert).filter((x) => x > 60 && x < 600);
    const breaks = columns.filter((x, index) => index > 0 && x - columns[index - 1]! > 2);
    expect(breaks.length).toBeGreaterThan(20);
  });

  it('stands a bar where each watering began, planned ones paler', async () => {
    const done = watering(NOW - 5 * DAY);
    const planned = watering(NOW - DAY, { isPlanned: true });
    const chart = oak({ waterings: [done, planned] });
    const picture = await pictureOf(chart);
    const foot = (at: number) => picture.at(columnOf(chart, at) + 3, 368);
    expect(foot(done.at)).toBe(light.water);
    expect(foot(planned.at)).not.toBe(light.water);
    expect(foot(planned.at)).not.toBe(light.background);
    expect(foot(NOW - 3 * DAY)).toBe(light.background);
  });

  it('makes the bar of the larger dose higher', async () => {
    const chart = oak({ waterings: [watering(NOW - 5 * DAY, { mm: 8 }), watering(NOW - 2 * DAY, { mm: 2 })] });
    const picture = await pictureOf(chart);
    const height = (at: number) =>
      picture.count(light.water, { x: columnOf(chart, at) + 3, x2: columnOf(chart, at) + 4, y2: 380 });
    expect(height(NOW - 5 * DAY) / height(NOW - 2 * DAY)).toBeCloseTo(4, 0);
  });

  it('outlines the bar of a watering whose dose is not known', async () => {
    const chart = oak({ waterings: [watering(NOW - 3 * DAY, { mm: null })] });
    const picture = await pictureOf(chart);
    const x = columnOf(chart, NOW - 3 * DAY);
    expect(picture.at(x + 3.5, 366)).toBe(light.background);
    expect(picture.count(light.water, { x: x - 2, x2: x + 10, y2: 380 })).toBeGreaterThan(50);
  });

  it('draws a line a depth, each in a colour of its own, and no threshold of the summary', async () => {
    const depths = [10, 30, 60].map((depth) => ({
      depth,
      points: hourly(NOW - 7 * DAY, NOW, () => 15 + depth / 5),
    }));
    const picture = await pictureOf(oak({ view: 'depths', depths }));
    for (const colour of depthColours(3, 'light')) expect(picture.count(colour)).toBeGreaterThan(2000);
    expect(picture.count(light.stress) + picture.count(light.comfort) + picture.count(light.curve)).toBe(0);
  });

  it('says in its middle that there is no reading', async () => {
    const picture = await pictureOf(oak({ curve: [], newestAt: null }));
    expect(picture.count(light.curve)).toBe(0);
    expect(picture.count(light.text, { x: 150, x2: 600, y: 180, y2: 320 })).toBeGreaterThan(300);
  });

  it.each([
    ['marks of a markup language', '</text><b>&amp;"\''],
    ['signs that no image file holds', 'a\u0000b\u0007\ud800\uffff'],
    ['a name without end', 'Very long '.repeat(200)],
    ['Arabic', 'حقل الشمال'],
    ['signs that the font lacks', '北区一号 🌳'],
  ])('stands whatever the probe is called: %s', async (_, name) => {
    const picture = await pictureOf(oak({ name, parcel: name }));
    expect(picture.width).toBe(1600);
    expect(picture.count(light.text, { y: 8, y2: 46 })).toBeGreaterThan(50);
    expect(picture.count(light.text, { x: 786, y: 8, y2: 46 })).toBe(0);
  });
});
