import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Lang } from '../domain/lang.ts';
import type { ChartTheme } from '../schema/advice/advice.ts';
import type { FarmPageBody } from '../schema/advice/farm-page.ts';
import { hasOtherClock, useRoute, useTheme } from './environment.ts';
import { ErrorMessage, NoticeBar, useNotice } from './notice.tsx';
import { PageContext, type PageContextValue } from './page-context.ts';
import { pageTexts } from './page-texts.ts';
import { hrefOf, type PageRoute } from './route.ts';
import type { Service } from './service/service.ts';
import { useLoaded } from './service/use-loaded.ts';
import { FarmView } from './views/farm-view.tsx';
import { LogView } from './views/log-view.tsx';
import { ProbeView } from './views/probe-view.tsx';
import { ReviewView } from './views/review-view.tsx';

interface AppProps {
  readonly service: Service;
  /** Set by a host around the page; null follows the device. */
  readonly forcedTheme: ChartTheme | null;
  /** Null for the language of the company. */
  readonly lang: Lang | null;
  /** From a host around the page; null for the zone of the device. */
  readonly personZone?: string | null;
}

export function App({ service, forcedTheme, lang: forcedLang, personZone = null }: AppProps) {
  const route = useRoute();
  const theme = useTheme(forcedTheme);
  const { farm, error, reload, version, now } = useFarm(service);
  const lang = forcedLang ?? farm?.company.lang ?? 'en';
  const { notice, notify, undo } = useNotice(service, lang, reload);

  useEffect(() => {
    document.documentElement.lang = lang;
  }, [lang]);

  const page = useMemo(
    () =>
      farm &&
      createPageContext({ farm, service, lang, theme, version, now, reload, notify, personZone }),
    [farm, service, lang, theme, version, personZone],
  );

  return (
    <>
      {error && (
        <div class="page-problem">
          <ErrorMessage error={error} lang={lang} onRetry={reload} />
        </div>
      )}
      {page === null ? (
        <main>
          <h1 class="hidden">Acequia</h1>
          {!error && (
            <p class="note" role="status">
              {pageTexts(lang).loading}
            </p>
          )}
        </main>
      ) : (
        <PageContext.Provider value={page}>
          <View route={route} />
        </PageContext.Provider>
      )}
      <NoticeBar notice={notice} lang={lang} onUndo={undo} onClose={() => notify(null)} />
    </>
  );
}

/** The keys give each probe a view of its own, so that nothing of one is shown with another. */
function View({ route }: { readonly route: PageRoute }) {
  switch (route.view) {
    case 'farm':
      return <FarmView />;
    case 'probe':
      return (
        <ProbeView key={hrefOf(route)} moduleId={route.moduleId} period={route.period ?? null} />
      );
    case 'review':
      return <ReviewView key={route.moduleId} moduleId={route.moduleId} />;
    case 'log':
      return <LogView key={route.moduleId} moduleId={route.moduleId} />;
  }
}

function useFarm(service: Service) {
  const [version, setVersion] = useState(0);

  const read = async () => {
    const { body, storedAt = Date.now() } = await service.perform<FarmPageBody>(
      'get_farm_page',
      {},
    );
    return { farm: body, aheadMs: Date.parse(body.time) - storedAt };
  };

  const { value, error, load } = useLoaded(read, [service]);

  const reload = async (): Promise<void> => {
    setVersion((count) => count + 1);
    await load();
  };

  useEffect(() => service.onChange(() => void reload()), [service]);
  const aheadMs = value?.aheadMs ?? 0;
  return { farm: value?.farm ?? null, error, reload, version, now: () => Date.now() + aheadMs };
}

interface PageParts extends Omit<PageContextValue, 'texts' | 'zone' | 'isElsewhere' | 'may'> {
  readonly personZone: string | null;
}

const createPageContext = ({ personZone, ...parts }: PageParts): PageContextValue => ({
  ...parts,
  texts: pageTexts(parts.lang),
  zone: parts.farm.company.timezone,
  isElsewhere: hasOtherClock(personZone, parts.farm.company.timezone, parts.now()),
  // A service that does not list the scopes still refuses what is not allowed.
  may: (scope) =>
    !parts.farm.withheld?.includes(scope) && (parts.farm.user?.scopes.includes(scope) ?? true),
});
