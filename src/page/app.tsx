import type { Lang } from '../domain/lang.ts';
import { languageOf } from '../language/index.ts';
import type { ChartTheme } from '../schema/advice.ts';
import { PageContext } from './page-context.ts';
import { ProbeView } from './probe-view.tsx';
import type { Service } from './service.ts';
import { useRoute, useTheme } from './surroundings.ts';

export interface AppProps {
  readonly service: Service;
  /** Of a host around the page; null follows the device. */
  readonly forcedTheme: ChartTheme | null;
  readonly lang: Lang | null;
}

export function App({ service, forcedTheme, lang }: AppProps) {
  const route = useRoute();
  const theme = useTheme(forcedTheme);
  const page = { service, theme, lang: lang ?? 'en', zone: 'UTC', now: Date.now };
  return (
    <PageContext.Provider value={page}>
      {route.view === 'probe' ? (
        <ProbeView key={route.moduleId} moduleId={route.moduleId} />
      ) : (
        <main>{languageOf(page.lang).page.farm}</main>
      )}
    </PageContext.Provider>
  );
}
