import { THEME_COLOURS, type ThemeColours } from '../chart/theme.ts';

const variables = (colours: ThemeColours): string =>
  Object.entries(colours)
    .map(([name, colour]) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${colour};`)
    .join('');

/** The colours of the charts as CSS variables: those of the device, unless `data-theme` asks for others. */
export const themeCss = (): string =>
  [
    `:root{color-scheme:light;${variables(THEME_COLOURS.light)}}`,
    `@media (prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;${variables(THEME_COLOURS.dark)}}}`,
    `:root[data-theme=dark]{color-scheme:dark;${variables(THEME_COLOURS.dark)}}`,
  ].join('\n');
