import type { Period } from '../domain/periods.ts';

export type PageRoute =
  | { readonly view: 'farm' }
  /** Shows the last week if there is no period. */
  | { readonly view: 'probe'; readonly moduleId: number; readonly period?: Period | undefined }
  | { readonly view: 'review'; readonly moduleId: number }
  | { readonly view: 'log'; readonly moduleId: number | null };

/**
 * "#/", "#/probe/7", "#/probe/7/1782856800000-1783461600000" (ms), "#/review/7", "#/log",
 * "#/log/7"; anything else is the farm.
 */
export function parseRoute(hash: string): PageRoute {
  const [view, id = '', period = ''] = hash.replace(/^#\/?/, '').split('/');
  const moduleId = /^\d{1,9}$/.test(id) ? Number(id) : null;
  if (view === 'log') return { view, moduleId };
  if (moduleId === null) return { view: 'farm' };
  if (view === 'probe') return { view, moduleId, period: parsePeriod(period) };
  return view === 'review' ? { view, moduleId } : { view: 'farm' };
}

function parsePeriod(text: string): Period | undefined {
  const match = /^(\d{1,14})-(\d{1,14})$/.exec(text);
  if (match === null) return undefined;

  const period = { start: Number(match[1]), end: Number(match[2]) };
  return period.start < period.end ? period : undefined;
}

export const hrefOf = (route: PageRoute): string => {
  if (route.view === 'farm') return '#/';
  if (route.view === 'probe' && route.period)
    return `#/probe/${route.moduleId}/${route.period.start}-${route.period.end}`;
  return route.moduleId === null ? `#/${route.view}` : `#/${route.view}/${route.moduleId}`;
};
