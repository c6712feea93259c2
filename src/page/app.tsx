import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Lang } from '../domain/lang.ts';
import { MAX_FRESH_AGE_MS } from '../domain/moisture/coverage.ts';
import { SECOND_MS } from '../domain/periods.ts';
import { formatTime } from '../language/time.ts';
import type { PageProbe } from '../schema/advice/farm-page.ts';
import type { ChartTheme } from '../schema/advice/moisture-chart.ts';
import { ErrorMessage, NoticeBar, useNotice } from './notice.tsx';
import { PageContext, type PageContextValue } from './page-context.ts';
import { hasOtherClock, useRoute, useTheme } from './page-environment.ts';
import { pageTexts } from './page-texts.ts';
import { hrefOf, type PageRoute } from './route.ts';
import { LiveFarm, type LiveFarmState, NO_FARM } from './service/live-farm.ts';
import type { Service } from './service/page-service.ts';
import { FarmView } from './views/farm-view.tsx';
import { LogView } from './views/log-view.tsx';
import { ProbeView } from './views/probe-view.tsx';
import { ReviewView } from './views/review-view.tsx';

const TICK_MS = 20 * SECOND_MS;

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
  const { state, live } = useFarm(service, route, forcedLang);
  const now = useMinutes();
  const { farm, error } = state;
  const lang = forcedLang ?? farm?.company.lang ?? 'en';
  const { notice, notify, undo } = useNotice(service, lang, live.reload);

  useEffect(() => {
    document.documentElement.lang = lang;
  }, [lang]);

  const page = useMemo(
    () =>
      farm && createPageContext({ state, farm, live, service, lang, theme, notify, personZone }),
    [state, live, service, lang, theme, personZone, now],
  );

  return (
    <>
      {error && (
        <div class="page-problem">
          <ErrorMessage error={error} lang={lang} onRetry={live.reload} />
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

/** The time of the device in ms; renders again often enough for ages in minutes. */
function useMinutes(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function useFarm(service: Service, route: PageRoute, lang: Lang | null) {
  const [state, setState] = useState(NO_FARM);
  const live = useMemo(() => new LiveFarm(service, setState, lang), [service, lang]);
  useEffect(() => live.start(), [live]);
  useEffect(() => live.view(route.view === 'farm' ? null : route.moduleId), [live, route]);
  return { state, live };
}

/** A probe falls silent while the page is open, also without the service. */
function withSilence(probe: PageProbe, now: number): PageProbe {
  if (probe.time === null || now - Date.parse(probe.time) <= MAX_FRESH_AGE_MS) return probe;
  return { ...probe, need: probe.alert === 'firing' ? 'firing' : 'silent', checkText: null };
}

interface PageParts
  extends Pick<PageContextValue, 'service' | 'lang' | 'theme' | 'notify' | 'farm'> {
  readonly state: LiveFarmState;
  readonly live: LiveFarm;
  readonly personZone: string | null;
}

function createPageContext({ personZone, state, live, ...parts }: PageParts): PageContextValue {
  const { company, withheld, user } = parts.farm;
  const now = (): number => Date.now() + state.aheadMs;
  return {
    ...parts,
    farm: { ...parts.farm, data: parts.farm.data.map((probe) => withSilence(probe, now())) },
    now,
    timeOf: (time) => formatTime(time, { lang: parts.lang, zone: company.timezone, now: now() }),
    reload: live.reload,
    versionOf: live.versionOf,
    texts: pageTexts(parts.lang),
    zone: company.timezone,
    units: company.units,
    isElsewhere: hasOtherClock(personZone, company.timezone, now()),
    // A service that does not list the scopes still refuses what is not allowed.
    may: (scope) => !withheld?.includes(scope) && (user?.scopes.includes(scope) ?? true),
  };
}
