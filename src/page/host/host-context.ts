import type { ChartTheme } from '../../schema/advice/moisture-chart.ts';
import { isFields } from './tool-call.ts';

/** How a host shows the page. */
export interface HostContext {
  readonly theme: ChartTheme | null;
  readonly locale: string | null;
  readonly timeZone: string | null;
  /** px; null where the host decides the height, and the page scrolls within it. */
  readonly maxHeight: number | null;
}

/** In px: a form needs this much. */
const MIN_HEIGHT = 400;
/** In px: the page takes no more of a chat, even if its host allows more. */
const MAX_HEIGHT = 720;

export const UNKNOWN_CONTEXT: HostContext = {
  theme: null,
  locale: null,
  timeZone: null,
  maxHeight: MAX_HEIGHT,
};

/** A host sends only the fields that changed. */
export function withHostContext(known: HostContext, params: unknown): HostContext {
  if (!isFields(params)) return known;
  const { theme, locale, timeZone, containerDimensions } = params;
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : known.theme,
    locale: typeof locale === 'string' ? locale : known.locale,
    timeZone: typeof timeZone === 'string' ? timeZone : known.timeZone,
    maxHeight: isFields(containerDimensions) ? maxHeightOf(containerDimensions) : known.maxHeight,
  };
}

function maxHeightOf({ height, maxHeight }: Readonly<Record<string, unknown>>): number | null {
  if (typeof height === 'number') return null;
  return typeof maxHeight === 'number' && maxHeight > 0
    ? Math.min(maxHeight, MAX_HEIGHT)
    : MAX_HEIGHT;
}

/** The height in px to request from the host; null if the host decides. */
export const wantedHeight = (contentHeight: number, { maxHeight }: HostContext): number | null =>
  maxHeight === null ? null : Math.min(Math.max(Math.ceil(contentHeight), MIN_HEIGHT), maxHeight);
