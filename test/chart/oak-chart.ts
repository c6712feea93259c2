import { PNG } from 'pngjs';
import { FRAME, PIXEL_RATIO } from '../../src/chart/layout.ts';
import type { ChartedWatering, MoistureChart } from '../../src/chart/moisture-chart.ts';
import { moistureScene } from '../../src/chart/moisture-scene.ts';
import { renderPng } from '../../src/chart/picture.ts';
import { THEME_COLOURS } from '../../src/chart/theme.ts';
import { DAY, HOUR } from '../time.ts';

/** Noon in Europe/Paris, on a Wednesday. */
export const CHART_NOW = Date.UTC(2026, 6, 1, 10);

export const hourly = (from: number, to: number, value: (at: number) => number) =>
  Array.from({ length: Math.ceil((to - from) / HOUR) }, (_, index) => from + index * HOUR).map(
    (at) => ({
      at,
      value: value(at),
    }),
  );

/** A week of the probe "Oak", falling from 26 to 22 %. */
export const oakChart = (overrides: Partial<MoistureChart> = {}): MoistureChart => ({
  name: 'Oak',
  parcel: 'Grove',
  start: CHART_NOW - 7 * DAY,
  end: CHART_NOW,
  now: CHART_NOW,
  zone: 'Europe/Paris',
  lang: 'en',
  units: 'metric',
  theme: 'light',
  view: 'summary',
  measure: 'humidity',
  intervalMs: null,
  curve: hourly(CHART_NOW - 7 * DAY, CHART_NOW, (at) => 22 + (4 * (CHART_NOW - at)) / (7 * DAY)),
  depths: [],
  newestAt: CHART_NOW - HOUR,
  newestValue: 22,
  wetLevel: 28,
  dryLevel: 18,
  wiltingPoint: null,
  alertLevels: [],
  waterings: [],
  rain: [],
  ...overrides,
});

export const chartWatering = (
  at: number,
  overrides: Partial<ChartedWatering> = {},
): ChartedWatering => ({
  at,
  durationMin: 60,
  mm: 4,
  isPlanned: false,
  ...overrides,
});

/** A part of the frame, in CSS px. */
interface FrameBox {
  readonly x?: number;
  readonly x2?: number;
  readonly y?: number;
  readonly y2?: number;
}

export interface DecodedPicture {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** The colour at a point of the frame, in CSS px. */
  at(x: number, y: number): string;
  /** Pixels of that colour within a box of the frame. */
  count(colour: string, box?: FrameBox): number;
  /** Positions of the columns that have that colour, in CSS px of the frame, in order. */
  columnsOf(colour: string): number[];
}

export async function drawAndDecode(chart: MoistureChart): Promise<DecodedPicture> {
  return decodePicture(await renderPng(moistureScene(chart)));
}

export function decodePicture(bytes: Uint8Array): DecodedPicture {
  const { width, height, data } = PNG.sync.read(Buffer.from(bytes));
  const pixels = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const valueAt = (x: number, y: number) => pixels.getUint32((y * width + x) * 4) >>> 8;
  const numberOf = (colour: string) => Number.parseInt(colour.slice(1), 16);
  const columns = (colour: string, box: FrameBox = {}): number[] => {
    const { x = 0, x2 = FRAME.width, y = 0, y2 = FRAME.height } = box;
    const value = numberOf(colour);
    const positions: number[] = [];
    for (let column = Math.round(x * PIXEL_RATIO); column < x2 * PIXEL_RATIO; column++)
      for (let row = Math.round(y * PIXEL_RATIO); row < y2 * PIXEL_RATIO; row++)
        if (valueAt(column, row) === value) positions.push(column / PIXEL_RATIO);
    return positions;
  };
  return {
    bytes,
    width,
    height,
    at: (x, y) =>
      `#${valueAt(Math.round(x * PIXEL_RATIO), Math.round(y * PIXEL_RATIO))
        .toString(16)
        .padStart(6, '0')}`,
    count: (colour, box) => columns(colour, box).length,
    columnsOf: (colour) => [...new Set(columns(colour))],
  };
}

export const LIGHT_COLOURS = THEME_COLOURS.light;
export const DARK_COLOURS = THEME_COLOURS.dark;
