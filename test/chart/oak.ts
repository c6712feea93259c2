import { PNG } from 'pngjs';
import { drawMoisture } from '../../src/chart/draw.ts';
import { FRAME, SCALE } from '../../src/chart/frame.ts';
import type { MoistureChart } from '../../src/chart/moisture-chart.ts';
import { COLOURS } from '../../src/chart/theme.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** Noon in Europe/Paris, on a Wednesday. */
export const NOW = Date.UTC(2026, 6, 1, 10);

/** Values an hour apart, from `from` on and before `to`. */
export const hourly = (from: number, to: number, value: (at: number) => number) =>
  Array.from({ length: Math.ceil((to - from) / HOUR) }, (_, index) => from + index * HOUR).map((at) => ({
    at,
    value: value(at),
  }));

/** A week of the probe "Oak", falling from 26 to 22 %, but for what the test says. */
export const oak = (said: Partial<MoistureChart> = {}): MoistureChart => ({
  name: 'Oak',
  parcel: 'Grove',
  start: NOW - 7 * DAY,
  end: NOW,
  now: NOW,
  zone: 'Europe/Paris',
  lang: 'en',
  theme: 'light',
  view: 'summary',
  measure: 'moisture',
  intervalMs: null,
  curve: hourly(NOW - 7 * DAY, NOW, (at) => 22 + (4 * (NOW - at)) / (7 * DAY)),
  depths: [],
  newestAt: NOW - HOUR,
  fieldCapacity: 28,
  stressPoint: 18,
  alerts: [],
  waterings: [],
  ...said,
});

/** A part of the frame, in CSS px. */
export interface Box {
  readonly x?: number;
  readonly x2?: number;
  readonly y?: number;
  readonly y2?: number;
}

/** A picture, read back pixel by pixel. */
export interface Pixels {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** Colour of a place in CSS px of the frame. */
  at(x: number, y: number): string;
  /** How many pixels have a colour, within a box of the frame. */
  count(colour: string, box?: Box): number;
  /** Columns with that colour, in CSS px of the frame, in order. */
  columnsOf(colour: string): number[];
}

export async function pictureOf(chart: MoistureChart): Promise<Pixels> {
  return readPixels(await drawMoisture(chart));
}

export function readPixels(bytes: Uint8Array): Pixels {
  const { width, height, data } = PNG.sync.read(Buffer.from(bytes));
  const valueAt = (x: number, y: number) => data.readUIntBE((y * width + x) * 4, 3);
  const numberOf = (colour: string) => Number.parseInt(colour.slice(1), 16);
  const columns = (colour: string, box: Box = {}): number[] => {
    const { x = 0, x2 = FRAME.width, y = 0, y2 = FRAME.height } = box;
    const wanted = numberOf(colour);
    const found: number[] = [];
    for (let column = Math.round(x * SCALE); column < x2 * SCALE; column++)
      for (let row = Math.round(y * SCALE); row < y2 * SCALE; row++)
        if (valueAt(column, row) === wanted) found.push(column / SCALE);
    return found;
  };
  return {
    bytes,
    width,
    height,
    at: (x, y) =>
      `#${valueAt(Math.round(x * SCALE), Math.round(y * SCALE))
        .toString(16)
        .padStart(6, '0')}`,
    count: (colour, box) => columns(colour, box).length,
    columnsOf: (colour) => [...new Set(columns(colour))],
  };
}

export const light = COLOURS.light;
export const dark = COLOURS.dark;
