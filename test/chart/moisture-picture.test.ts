import { describe, expect, it } from 'vitest';
import { PIXEL_RATIO } from '../../src/chart/layout.ts';
import type { MoistureChart } from '../../src/chart/moisture-chart.ts';
import { moistureScene } from '../../src/chart/moisture-scene.ts';
import { depthColours } from '../../src/chart/theme.ts';
import { LANGS } from '../../src/domain/lang.ts';
import { UNIT_SYSTEMS } from '../../src/domain/units.ts';
import { DAY, HOUR } from '../time.ts';
import {
  CHART_NOW,
  chartWatering,
  DARK_COLOURS,
  type DecodedPicture,
  drawAndDecode,
  hourly,
  LIGHT_COLOURS,
  oakChart,
} from './oak-chart.ts';

/** The x of an instant in CSS px of the frame, from the ends of the time axis. */
function columnOf(chart: MoistureChart, at: number): number {
  const axis = moistureScene(chart).marks.find(
    (mark) => mark.kind === 'rule' && mark.stroke === LIGHT_COLOURS.muted,
  );
  if (axis?.kind !== 'rule') throw new Error('No time axis');
  return axis.from.x + ((at - chart.start) / (chart.end - chart.start)) * (axis.to.x - axis.from.x);
}

/** The rows in which that colour is, in CSS px. */
const rows = (picture: DecodedPicture, colour: string, x2 = 600): number[] =>
  Array.from({ length: 400 }, (_, y) => y).filter(
    (y) => picture.count(colour, { x2, y, y2: y + 1 }) > 0,
  );

let plain: Promise<DecodedPicture> | undefined;
const plainPicture = (): Promise<DecodedPicture> => {
  plain ??= drawAndDecode(oakChart());
  return plain;
};

describe('the picture of a probe', () => {
  it('is 800 by 450 px at twice the density', async () => {
    const { width, height } = await plainPicture();
    expect([width, height]).toEqual([1600, 900]);
  });

  it('has a light or a dark background', async () => {
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

  it('is the same, byte for byte, when drawn again', async () => {
    const chart = oakChart({ waterings: [chartWatering(CHART_NOW - DAY)] });
    expect((await drawAndDecode(chart)).bytes).toEqual((await drawAndDecode(chart)).bytes);
  });

  it('shows title, subtitle and labels of the time axis', async () => {
    const picture = await plainPicture();
    const blank = await drawAndDecode(oakChart({ name: ' ', parcel: null }));
    const title = { x: 0, x2: 400, y: 10, y2: 44 };
    expect(blank.count(LIGHT_COLOURS.text, title)).toBe(0);
    expect(picture.count(LIGHT_COLOURS.text, title)).toBeGreaterThan(200);
    expect(picture.count(LIGHT_COLOURS.muted, { y: 46, y2: 70 })).toBeGreaterThan(200);
    expect(picture.count(LIGHT_COLOURS.muted, { y: 372, y2: 410 })).toBeGreaterThan(200);
  });

  it('draws the curve over the whole period', async () => {
    const chart = oakChart();
    const columns = (await plainPicture()).columnsOf(LIGHT_COLOURS.curve);
    expect(columns[0]).toBeLessThan(columnOf(chart, chart.start) + 2);
    expect(columns.at(-1)).toBeGreaterThan(columnOf(chart, chart.end - 2 * HOUR));
    expect(columns.length).toBeGreaterThan((columns.at(-1)! - columns[0]!) * PIXEL_RATIO - 2);
  });

  it('leaves a gap where a day of readings is missing', async () => {
    const [from, to] = [CHART_NOW - 4 * DAY, CHART_NOW - 3 * DAY];
    const chart = oakChart({ curve: oakChart().curve.filter(({ at }) => at <= from || at >= to) });
    const columns = (await drawAndDecode(chart)).columnsOf(LIGHT_COLOURS.curve);
    const [left, right] = [columnOf(chart, from) + 4, columnOf(chart, to) - 4];
    expect(right - left).toBeGreaterThan(50);
    expect(columns.filter((x) => x > left && x < right)).toEqual([]);
    expect(columns.filter((x) => x <= left).length).toBeGreaterThan(100);
    expect(columns.filter((x) => x >= right).length).toBeGreaterThan(100);
  });

  it('draws a single value as a dot', async () => {
    const chart = oakChart({ curve: [{ at: CHART_NOW - 3 * DAY, value: 24 }] });
    const columns = (await drawAndDecode(chart)).columnsOf(LIGHT_COLOURS.curve);
    const x = columnOf(chart, CHART_NOW - 3 * DAY);
    expect(columns.length).toBeGreaterThan(4);
    for (const column of columns) expect(Math.abs(column - x)).toBeLessThan(5);
  });

  it('draws field capacity and stress point, and the comfort range between them', async () => {
    const picture = await plainPicture();
    for (const colour of [LIGHT_COLOURS.fieldCapacity, LIGHT_COLOURS.stress])
      expect(picture.count(colour)).toBeGreaterThan(2000);
    expect(picture.count(LIGHT_COLOURS.comfort)).toBeGreaterThan(100_000);
    const without = await drawAndDecode(oakChart({ wetLevel: null }));
    expect(without.count(LIGHT_COLOURS.comfort) + without.count(LIGHT_COLOURS.fieldCapacity)).toBe(
      0,
    );
    expect(without.count(LIGHT_COLOURS.stress)).toBeGreaterThan(2000);
  });

  it('draws no comfort range if the stress point is above field capacity', async () => {
    expect(
      (await drawAndDecode(oakChart({ wetLevel: 18, dryLevel: 28 }))).count(LIGHT_COLOURS.comfort),
    ).toBe(0);
  });

  it('draws the comfort range of a tensiometer from the wet level up to the dry one', async () => {
    const tension = { measure: 'tensio', wetLevel: 18, dryLevel: 28 } as const;
    expect((await drawAndDecode(oakChart(tension))).count(LIGHT_COLOURS.comfort)).toBeGreaterThan(
      100_000,
    );
    expect(
      (await drawAndDecode(oakChart({ ...tension, wetLevel: 30 }))).count(LIGHT_COLOURS.comfort),
    ).toBe(0);
  });

  it.each(['en', 'fr', 'es'] as const)('says that higher tension is drier (%s)', (lang) => {
    const texts = moistureScene(
      oakChart({ measure: 'tensio', wetLevel: 18, dryLevel: 28, lang }),
    ).marks.flatMap((mark) => (mark.kind === 'text' ? [mark.lines.join(' ')] : []));
    expect(texts).toContain(
      {
        en: 'Tension, kPa (higher is drier)',
        fr: 'Tension, kPa (plus c’est haut, plus c’est sec)',
        es: 'Tensión, kPa (cuanto más alto, más seco)',
      }[lang],
    );
    expect(texts).toContain({ en: 'Dry level 28', fr: 'Niveau sec 28', es: 'Nivel seco 28' }[lang]);
  });

  it.each([
    ['en', 'Stress point and alert 18', 'Wilting point and alert 12', 'Wilting point 12'],
    [
      'fr',
      'Seuil de stress et alerte 18',
      'Flétrissement et alerte 12',
      'Point de flétrissement 12',
    ],
    ['es', 'Umbral de estrés y alerta 18', 'Marchitez y alerta 12', 'Punto de marchitez 12'],
  ] as const)(
    'names the lines that an alert watches too (%s)',
    (lang, stress, watched, wilting) => {
      const labels = (alertLevels: number[]): string[] =>
        moistureScene(oakChart({ wiltingPoint: 12, alertLevels, lang })).marks.flatMap((mark) =>
          mark.kind === 'text' && / 1[28]$/.test(mark.lines.join(' '))
            ? [mark.lines.join(' ')]
            : [],
        );
      expect(labels([18, 12])).toEqual([stress, watched]);
      expect(labels([18])).toEqual([stress, wilting]);
    },
  );

  it('draws the threshold of an alert dashed', async () => {
    const picture = await drawAndDecode(oakChart({ alertLevels: [20] }));
    const columns = picture.columnsOf(LIGHT_COLOURS.alert).filter((x) => x > 60 && x < 600);
    const breaks = columns.filter((x, index) => index > 0 && x - columns[index - 1]! > 2);
    expect(breaks.length).toBeGreaterThan(20);
  });

  it('draws a bar where each watering started, planned ones paler', async () => {
    const done = chartWatering(CHART_NOW - 5 * DAY);
    const planned = chartWatering(CHART_NOW - DAY, { isPlanned: true });
    const chart = oakChart({ waterings: [done, planned] });
    const picture = await drawAndDecode(chart);
    const foot = (at: number) => picture.at(columnOf(chart, at) + 3, 368);
    expect(foot(done.at)).toBe(LIGHT_COLOURS.water);
    expect(foot(planned.at)).not.toBe(LIGHT_COLOURS.water);
    expect(foot(planned.at)).not.toBe(LIGHT_COLOURS.background);
    expect(foot(CHART_NOW - 3 * DAY)).toBe(LIGHT_COLOURS.background);
  });

  it('draws bars in proportion to the dose', async () => {
    const chart = oakChart({
      waterings: [
        chartWatering(CHART_NOW - 5 * DAY, { mm: 8 }),
        chartWatering(CHART_NOW - 2 * DAY, { mm: 2 }),
      ],
    });
    const picture = await drawAndDecode(chart);
    const height = (at: number) =>
      picture.count(LIGHT_COLOURS.water, {
        x: columnOf(chart, at) + 3,
        x2: columnOf(chart, at) + 4,
        y2: 380,
      });
    expect(height(CHART_NOW - 5 * DAY) / height(CHART_NOW - 2 * DAY)).toBeCloseTo(4, 0);
  });

  it('draws only the outline of a bar for an unknown dose', async () => {
    const chart = oakChart({ waterings: [chartWatering(CHART_NOW - 3 * DAY, { mm: null })] });
    const picture = await drawAndDecode(chart);
    const x = columnOf(chart, CHART_NOW - 3 * DAY);
    expect(picture.at(x + 3.5, 366)).toBe(LIGHT_COLOURS.background);
    expect(picture.count(LIGHT_COLOURS.water, { x: x - 2, x2: x + 10, y2: 380 })).toBeGreaterThan(
      50,
    );
  });

  it('draws rain of days from above, in its own colour, above the curve', async () => {
    const wet = Date.UTC(2026, 5, 27, 22);
    const rain = [
      { at: wet, mm: 12 },
      { at: wet - 2 * DAY, mm: 3 },
    ];
    const chart = oakChart({ rain, waterings: [chartWatering(CHART_NOW - DAY)] });
    const picture = await drawAndDecode(chart);
    const height = (at: number) => {
      const x = columnOf(chart, at + 5 * HOUR);
      return picture.count(LIGHT_COLOURS.rain, { x, x2: x + 1 });
    };
    expect(height(wet) / height(wet - 2 * DAY)).toBeCloseTo(4, 0);
    expect(height(wet - DAY)).toBe(0);
    const lowest = Math.max(...rows(picture, LIGHT_COLOURS.rain));
    expect(lowest).toBeLessThan(Math.min(...rows(picture, LIGHT_COLOURS.fieldCapacity, 600)));
  });

  it.each(
    LANGS.flatMap((lang) =>
      [7, 40, 300].flatMap((days) => UNIT_SYSTEMS.map((units) => [lang, days, units] as const)),
    ),
  )('has room for its legend with everything in it: %s, %i days, %s', (lang, days, units) => {
    const start = CHART_NOW - days * DAY;
    const waterings = [1, 2, 3].flatMap((day) => [
      chartWatering(CHART_NOW - day * DAY),
      chartWatering(CHART_NOW - day * DAY + HOUR, { mm: null }),
      chartWatering(CHART_NOW - day * DAY + HOUR, { isPlanned: true }),
    ]);
    const { marks } = moistureScene(
      oakChart({ lang, units, start, waterings, rain: [{ at: CHART_NOW - DAY, mm: 5 }] }),
    );
    const legend = marks.filter(
      (mark) => (mark.kind === 'rect' || mark.kind === 'text') && mark.y > 415,
    );
    expect(legend.filter(({ kind }) => kind === 'rect')).toHaveLength(5);
    expect(Math.min(...legend.map((mark) => ('x' in mark ? mark.x : 0)))).toBeGreaterThanOrEqual(
      16,
    );
  });

  it('has inches where the farm has US units', () => {
    const { marks } = moistureScene(
      oakChart({
        units: 'us',
        view: 'depths',
        depths: [{ depth: 30, points: hourly(CHART_NOW - 7 * DAY, CHART_NOW, () => 20) }],
        waterings: [chartWatering(CHART_NOW - DAY, { mm: 12.7 })],
        rain: [{ at: CHART_NOW - 3 * DAY, mm: 25.4 }],
      }),
    );
    const texts = marks.flatMap((mark) => (mark.kind === 'text' ? mark.lines : []));
    // 12.7 mm, 25.4 mm and 30 cm.
    expect(texts).toEqual(expect.arrayContaining(['0.5', '1', '12 in', 'rain, inches a day']));
    expect(texts.filter((text) => /\b(mm|cm)\b/.test(text))).toEqual([]);
  });

  it('draws a line per depth, each in its own colour, without the thresholds of a summary', async () => {
    const depths = [10, 30, 60].map((depth) => ({
      depth,
      points: hourly(CHART_NOW - 7 * DAY, CHART_NOW, () => 15 + depth / 5),
    }));
    const picture = await drawAndDecode(oakChart({ view: 'depths', depths }));
    for (const colour of depthColours(3, 'light'))
      expect(picture.count(colour)).toBeGreaterThan(2000);
    expect(
      picture.count(LIGHT_COLOURS.stress) +
        picture.count(LIGHT_COLOURS.comfort) +
        picture.count(LIGHT_COLOURS.curve),
    ).toBe(0);
  });

  it('says in the middle that there is no reading', async () => {
    const picture = await drawAndDecode(oakChart({ curve: [], newestAt: null }));
    expect(picture.count(LIGHT_COLOURS.curve)).toBe(0);
    expect(picture.count(LIGHT_COLOURS.text, { x: 150, x2: 600, y: 180, y2: 320 })).toBeGreaterThan(
      300,
    );
  });

  it.each([
    ['markup', '</text><b>&amp;"\''],
    ['characters that XML forbids', 'a\u0000b\u0007\ud800\uffff'],
    ['a very long name', 'Very long '.repeat(200)],
    ['Arabic', 'حقل الشمال'],
    ['characters missing from the font', '北区一号 🌳'],
  ])('is drawn whatever the probe is called: %s', async (_, name) => {
    const picture = await drawAndDecode(oakChart({ name, parcel: name }));
    expect(picture.width).toBe(1600);
    expect(picture.count(LIGHT_COLOURS.text, { y: 8, y2: 46 })).toBeGreaterThan(50);
    expect(picture.count(LIGHT_COLOURS.text, { x: 786, y: 8, y2: 46 })).toBe(0);
  });
});
