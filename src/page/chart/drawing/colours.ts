import type { ThemeColours } from '../../../chart/theme.ts';

/** Variables of the style, so that a drawing has the colours of the theme without knowing it. */
export const COLOURS = {
  background: 'var(--background)',
  text: 'var(--text)',
  muted: 'var(--muted)',
  grid: 'var(--grid)',
  curve: 'var(--curve)',
  comfort: 'var(--comfort)',
  fieldCapacity: 'var(--field-capacity)',
  stress: 'var(--stress)',
  alert: 'var(--alert)',
  water: 'var(--water)',
  rain: 'var(--rain)',
} as const satisfies Readonly<Record<keyof ThemeColours, string>>;
