import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Period } from '../../domain/periods.ts';
import { capitalize } from '../../domain/strings.ts';
import { formatTimeWithZone } from '../../language/time.ts';
import type { FarmPageBody, PageProbe } from '../../schema/advice/farm-page.ts';
import { ProbeChart } from '../chart/probe-chart.tsx';
import { usePage } from '../page-context.ts';
import {
  formatAgo,
  formatValue,
  isTension,
  joinParts,
  nameOfProbe,
  probeUnit,
} from '../page-texts.ts';
import { hrefOf } from '../route.ts';
import { ProbeDetails } from './probe-details.tsx';
import { ProbeStates } from './probe-states.tsx';
import { ToConfirm } from './to-confirm.tsx';
import { ViewHeading } from './view-heading.tsx';

interface ProbeViewProps {
  readonly moduleId: number;
  readonly period: Period | null;
}

export function ProbeView({ moduleId, period }: ProbeViewProps) {
  const { farm, texts } = usePage();
  const probe = farm.data.find((known) => known.moduleId === moduleId);
  if (probe === undefined)
    return (
      <main>
        <ViewHeading title={texts.missingPage} back={{ view: 'farm' }} />
      </main>
    );

  return (
    <KnownProbe
      probe={probe}
      period={period}
      toConfirm={farm.toConfirm.filter((watering) => watering.moduleId === moduleId)}
    />
  );
}

interface KnownProbeProps extends Pick<ProbeViewProps, 'period'> {
  readonly probe: PageProbe;
  readonly toConfirm: FarmPageBody['toConfirm'];
}

function KnownProbe({ probe, period, toConfirm }: KnownProbeProps) {
  const { texts, may } = usePage();
  const { moduleId, parcel, crop } = probe;
  return (
    <main class="probe">
      <ViewHeading title={nameOfProbe(probe)} back={{ view: 'farm' }}>
        <p class="subtitle">{joinParts(parcel, crop)}</p>
      </ViewHeading>
      <Summary probe={probe} />
      <Chart probe={probe} period={period} />
      <p class="actions">
        {may('irrigation:write') && (
          <a class="button primary" href={hrefOf({ view: 'log', moduleId })}>
            {texts.log}
          </a>
        )}
        {!isTension(probe) && (
          <a class="button" href={hrefOf({ view: 'review', moduleId })}>
            {texts.review}
          </a>
        )}
      </p>
      <ToConfirm waterings={toConfirm} />
      <ProbeDetails probe={probe} />
    </main>
  );
}

function Summary({ probe }: { readonly probe: PageProbe }) {
  const { lang, texts, zone, now } = usePage();
  const { need, time } = probe;
  const value = formatValue(probe, lang);

  return (
    <section class="summary" aria-label={isTension(probe) ? texts.tension : texts.moisture}>
      <p class={need === 'silent' ? 'value old' : 'value'}>
        {value === null ? texts.noValue : value}
        {value !== null && <small> {probeUnit(probe)}</small>}
      </p>
      <div>
        <p class="states">
          <ProbeStates probe={probe} />
        </p>
        {time !== null && (
          <p class="small">
            {joinParts(
              capitalize(formatTimeWithZone(time, { lang, zone, now: now() })),
              formatAgo(now() - Date.parse(time), lang),
            )}
          </p>
        )}
      </div>
    </section>
  );
}

/** In px, low enough that the state stays visible above the chart in a chat window of 400 px. */
const chartHeight = (): number => Math.round(Math.min(420, Math.max(220, innerHeight * 0.45)));

function Chart({ probe: { moduleId }, period }: Pick<KnownProbeProps, 'probe' | 'period'>) {
  const { may, reload } = usePage();
  const { ref, width } = useElementWidth();
  const canWrite = may('alerts:write') && may('annotations:write');

  return (
    <section class="chart" ref={ref}>
      {width > 0 && (
        <ProbeChart
          moduleId={moduleId}
          period={period}
          width={width}
          canWrite={canWrite}
          height={chartHeight()}
          onSaved={reload}
        />
      )}
    </section>
  );
}

/** Width of an element in CSS pixels; 0 until it is measured. */
function useElementWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.floor(entry?.contentRect.width ?? 0)),
    );
    observer.observe(element);
    setWidth(Math.floor(element.clientWidth));
    return () => observer.disconnect();
  }, []);

  return { ref, width };
}
