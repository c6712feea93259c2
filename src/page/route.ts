import type { Period } from '../domain/periods.ts';

export type PageRoute =
  | { readonly view: 'farm' }
  /** Shows the last week if there is no period. */
  | { readonly view: 'probe'; readonly moduleId: number; readonly period?: Period }
  | { readonly view: 'review'; readonly moduleId: number }
  | { readonly view: 'log'; readonly moduleId: number | null };

/**
 * "#/", "#/probe/7", "#/probe/7/1782856800000-1783461600000" (ms), "#/review/7", "#/log",
 * "#/log/7"; anything else is the farm.
 */
export function parseRoute(hash: string): PageRoute {
  const [view, id, between] = hash.replace(/^#\/?/, '').split('/');
  const moduleId = /^\d{1,9}$/.test(id ?? '') ? Number(id) : null;
  if (view === 'log') return { view, moduleId };
  if (view === 'probe' && moduleId !== null) return { view, moduleId, ...parsePeriod(between) };
  return view === 'review' && moduleId !== null ? { view, moduleId } : { view: 'farm' };
}

function parsePeriod(text = ''): { period?: Period } {
  const [start = 0, end = 0] = /^(\d{1,14})-(\d{1,14})$/.exec(text)?.slice(1).map(Number) ?? [];
  return start < end ? { period: { start, end } } : {};
}

export const hrefOf = (route: PageRoute): string => {
  if (route.view === 'farm') return '#/';
  if (route.view === 'probe' && route.period)
    return `#/probe/${route.moduleId}/${route.period.start}-${route.period.end}`;
  return route.moduleId === null ? `#/${route.view}` : `#/${route.view}/${route.moduleId}`;
};
