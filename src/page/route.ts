export type PageRoute =
  | { readonly view: 'farm' }
  | { readonly view: 'probe' | 'review'; readonly moduleId: number }
  | { readonly view: 'log'; readonly moduleId: number | null };

/** "#/", "#/probe/7", "#/review/7", "#/log", "#/log/7"; anything else is the farm. */
export function parseRoute(hash: string): PageRoute {
  const [view, id] = hash.replace(/^#\/?/, '').split('/');
  const moduleId = /^\d{1,9}$/.test(id ?? '') ? Number(id) : null;
  if (view === 'log') return { view, moduleId };
  return (view === 'probe' || view === 'review') && moduleId !== null ? { view, moduleId } : { view: 'farm' };
}

export const hrefOf = (route: PageRoute): string => {
  if (route.view === 'farm') return '#/';
  return route.moduleId === null ? `#/${route.view}` : `#/${route.view}/${route.moduleId}`;
};
