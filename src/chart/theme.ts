import { itemAt } from '../domain/items.ts';
import type { ChartTheme } from '../schema/advice/moisture-chart.ts';

export interface ThemeColours {
  readonly background: string;
  readonly text: string;
  readonly muted: string;
  readonly grid: string;
  readonly curve: string;
  readonly comfort: string;
  readonly fieldCapacity: string;
  readonly stress: string;
  readonly alert: string;
  readonly water: string;
  readonly rain: string;
}

/** Colours differ in lightness too, so that colour-blind people can tell them apart. */
export const THEME_COLOURS: Record<ChartTheme, ThemeColours> = {
  light: {
    background: '#ffffff',
    text: '#1c2731',
    muted: '#52606b',
    grid: '#e3e7ea',
    curve: '#0b4f8a',
    comfort: '#dff1e3',
    fieldCapacity: '#1f7a3d',
    stress: '#b4500b',
    alert: '#b3123b',
    water: '#4fa3df',
    rain: '#5d55b5',
  },
  dark: {
    background: '#14191e',
    text: '#eef2f5',
    muted: '#a9b4bd',
    grid: '#2b333b',
    curve: '#7cc4ff',
    comfort: '#1b3325',
    fieldCapacity: '#6fcf8c',
    stress: '#ffa05c',
    alert: '#ff7d9c',
    water: '#3784bd',
    rain: '#a79ff0',
  },
};

/**
 * The colour map Plasma, from dark to light. Its lightness increases evenly, which shows the order
 * even without hues. Source: S. van der Walt and N. Smith, matplotlib colour maps (CC0).
 */
const PLASMA = [
  [13, 8, 135],
  [65, 4, 157],
  [106, 0, 168],
  [143, 13, 164],
  [177, 42, 144],
  [204, 71, 120],
  [225, 100, 98],
  [242, 132, 75],
  [252, 166, 54],
  [252, 206, 37],
  [240, 249, 33],
] as const;

/** Shares of the colour map with a contrast of at least 3:1 to the background. */
const DEPTH_COLOUR_RANGE: Record<ChartTheme, readonly [shallow: number, deep: number]> = {
  light: [0.64, 0],
  dark: [1, 0.48],
};

export function depthColours(count: number, theme: ChartTheme): string[] {
  const [shallow, deep] = DEPTH_COLOUR_RANGE[theme];
  return Array.from({ length: count }, (_, index) => {
    const share = count === 1 ? 0 : index / (count - 1);
    return plasmaColour(shallow + (deep - shallow) * share);
  });
}

function plasmaColour(share: number): string {
  const position = share * (PLASMA.length - 1);
  const index = Math.min(Math.floor(position), PLASMA.length - 2);
  const [from, to] = [itemAt(PLASMA, index), itemAt(PLASMA, index + 1)];
  const mixed = from.map((value, channel) =>
    Math.round(value + (itemAt(to, channel) - value) * (position - index)),
  );
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

const cssVariables = (theme: ChartTheme, names: readonly string[]): string =>
  Object.entries(THEME_COLOURS[theme])
    .filter(([name]) => names.includes(name))
    .map(([name, colour]) => `${variableOf(name)}:${colour}`)
    .join(';');

const variableOf = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const COLOUR_NAMES = Object.keys(THEME_COLOURS.light);

/**
 * The chart colours as CSS variables, for the theme in `data-theme`. Until the script of the page
 * has set it, only the background is visible, which follows the device.
 */
export const themeCss = (): string =>
  [
    `:root{color-scheme:light;${cssVariables('light', COLOUR_NAMES)}}`,
    `:root[data-theme=dark]{color-scheme:dark;${cssVariables('dark', COLOUR_NAMES)}}`,
    `@media(prefers-color-scheme:dark){:root:not([data-theme]){color-scheme:dark;${cssVariables('dark', ['background'])}}}`,
  ].join('');
