import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { LANGS, type Lang } from '../domain/lang.ts';
import { isTimeZone, localMsAt } from '../domain/time-zone.ts';
import type { ChartTheme } from '../schema/advice/moisture-chart.ts';
import { type PageRoute, parseRoute } from './route.ts';

export function useRoute(): PageRoute {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const update = (): void => setRoute(parseRoute(location.hash));
    addEventListener('hashchange', update);
    return () => removeEventListener('hashchange', update);
  }, []);
  return route;
}

const darkQuery = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)');

/** `forced` is the theme of a host around the page. */
export function useTheme(forced: ChartTheme | null): ChartTheme {
  const [isDark, setDark] = useState(() => darkQuery().matches);
  useEffect(() => {
    const query = darkQuery();
    const update = (): void => setDark(query.matches);
    query.addEventListener('change', update);
    return () => query.removeEventListener('change', update);
  }, []);

  const theme = forced ?? (isDark ? 'dark' : 'light');
  // The layout effect runs before the first drawing, so nothing appears in the other colours.
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);

  return theme;
}

/** The first of the person's languages in which the page is written. */
export function knownLang(languages: readonly string[]): Lang | null {
  for (const language of languages) {
    // "fr-CA" is read as "fr".
    const [primary] = language.toLowerCase().split('-');
    const known = LANGS.find((lang) => lang === primary);
    if (known !== undefined) return known;
  }

  return null;
}

/** `personZone` is null, or unknown to the browser, for the zone of the device. */
export function hasOtherClock(personZone: string | null, farmZone: string, at: number): boolean {
  const zone =
    personZone !== null && isTimeZone(personZone)
      ? personZone
      : Intl.DateTimeFormat().resolvedOptions().timeZone;
  return localMsAt(at, zone) !== localMsAt(at, farmZone);
}
