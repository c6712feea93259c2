import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { MAX_FRESH_AGE_MS } from '../../domain/moisture/coverage.ts';
import type { Period } from '../../domain/periods.ts';
import { capitalize } from '../../domain/text.ts';
import { languageOf } from '../../language/index.ts';
import { formatMoisture } from '../../language/number-format.ts';
import { formatTimeWithZone } from '../../language/time.ts';
import type { FarmPageBody, PageProbe } from '../../schema/advice/farm-page.ts';
import type { WateringBody } from '../../schema/irrigation/watering.ts';
import { ProbeChart } from '../chart/probe-chart.tsx';
import { ErrorMessage } from '../notice.tsx';
import { type PageContextValue, usePage } from '../page-context.ts';
import {
  describeAmounts,
  describeOutlook,
  formatAgo,
  formatValue,
  isTension,
  joinParts,
  nameOfProbe,
  probeUnit,
} from '../page-texts.ts';
import { hrefOf } from '../route.ts';
import type { Service } from '../service/service.ts';
import { useLoaded } from '../service/use-loaded.ts';
import { StateBadge } from './probe-card.tsx';
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
      <Details probe={probe} />
    </main>
  );
}

function Summary({ probe }: { readonly probe: PageProbe }) {
  const page = usePage();
  const { lang, texts } = page;
  const { need, alert, ageMin } = probe;
  const value = formatValue(probe, lang);
  const ahead = describeOutlook(probe, lang);
  const age = ageMin === null ? '' : capitalize(formatAgo(ageMin, lang));

  return (
    <section class="summary" aria-label={isTension(probe) ? texts.tension : texts.moisture}>
      <p class={need === 'silent' ? 'value old' : 'value'}>
        {value === null ? texts.noValue : value}
        {value !== null && <small> {probeUnit(probe)}</small>}
      </p>
      <div>
        <p class="states">
          <StateBadge need={need} />
          {alert === 'firing' && need !== 'firing' && <StateBadge need="firing" />}
          {ahead !== null && <span class="outlook">{ahead}</span>}
        </p>
        <p class="small">{`${stateSentence(probe, page)} ${age}`}</p>
      </div>
    </section>
  );
}

/** The sentence of get_agronomic_state. */
function stateSentence(
  probe: PageProbe,
  { lang, zone, now }: Pick<PageContextValue, 'lang' | 'zone' | 'now'>,
): string {
  const { probeState: phrases } = languageOf(lang);
  const { value_vwc: moisture, state, time } = probe;
  if (isTension(probe)) return '';
  if (moisture === null || time === null) return phrases.noMoisture(nameOfProbe(probe));
  const reading = phrases.reading(
    formatMoisture(moisture, lang),
    formatTimeWithZone(time, { lang, zone, now: now() }),
  );
  return state === null ? '' : phrases.state(nameOfProbe(probe), state, reading);
}

/** In px, low enough that the state stays visible above the chart in a chat window of 400 px. */
const chartHeight = (): number => Math.round(Math.min(420, Math.max(220, innerHeight * 0.45)));

function Chart({ probe: { moduleId }, period }: Pick<KnownProbeProps, 'probe' | 'period'>) {
  const { service, lang, zone, theme, may, reload } = usePage();
  const { ref, width } = useElementWidth();
  const canWrite = may('alerts:write') && may('annotations:write');

  return (
    <section class="chart" ref={ref}>
      {width > 0 && (
        <ProbeChart
          service={service}
          moduleId={moduleId}
          period={period}
          lang={lang}
          zone={zone}
          theme={theme}
          width={width}
          canWrite={canWrite}
          height={chartHeight()}
          onSaved={reload}
        />
      )}
    </section>
  );
}

function Details({ probe }: { readonly probe: PageProbe }) {
  const { service, lang, texts, versionOf, now } = usePage();
  const { moduleId, parcelId, time } = probe;
  const { value, error, load } = useLoaded(async () => {
    // A tensiometer often has no watering of its own: those of its parcel count.
    const target = isTension(probe) && parcelId !== null ? { parcelId } : { moduleId };
    const one = { ...target, limit: 1 };
    const from = new Date(now()).toISOString();
    const [depths, last, next] = await Promise.all([
      time === null ? [] : readDepths(service, probe, Date.parse(time)),
      service.call('list_waterings', { ...one, status: 'done' }),
      service.call('list_waterings', { ...one, status: 'planned', from, order: 'past_first' }),
    ]);

    return { depths, last: last.body.data[0] ?? null, next: next.body.data[0] ?? null };
  }, [moduleId, time, versionOf(moduleId)]);
  if (value === null) return error && <ErrorMessage error={error} lang={lang} onRetry={load} />;

  return (
    <>
      <section class="waterings">
        <h2>{texts.waterings}</h2>
        <dl>
          <Watering label={texts.last} watering={value.last} />
          <Watering label={texts.next} watering={value.next} />
        </dl>
      </section>
      {value.depths.length > 0 && <Depths depths={value.depths} unit={probeUnit(probe)} />}
    </>
  );
}

function Watering({
  label,
  watering,
}: {
  readonly label: string;
  readonly watering: WateringBody | null;
}) {
  const { lang, texts, timeOf } = usePage();
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {watering === null ? (
          texts.none
        ) : (
          <>
            <strong>{timeOf(watering.startedAt)}</strong>
            <br />
            {describeAmounts(watering, lang)}
          </>
        )}
      </dd>
    </div>
  );
}

interface DepthValue {
  readonly depth: number;
  readonly value: number;
}

async function readDepths(
  service: Service,
  probe: PageProbe,
  newestAt: number,
): Promise<DepthValue[]> {
  const period = { start: iso(newestAt - MAX_FRESH_AGE_MS), end: iso(newestAt + 1) };
  const type = isTension(probe) ? 'tensio' : 'humidity';
  const fields = { moduleId: probe.moduleId, type, ...period, depths: true };
  const { body } = await service.call('get_moisture_series', fields);
  return (body.sensors ?? []).flatMap(({ depth, values }) => {
    const value = values.findLast((known) => known !== null);
    return depth === null || value == null ? [] : [{ depth, value: Math.abs(value) }];
  });
}

const iso = (at: number): string => new Date(at).toISOString();

function Depths({
  depths,
  unit,
}: {
  readonly depths: readonly DepthValue[];
  readonly unit: string;
}) {
  const { lang, texts } = usePage();
  const most = Math.max(...depths.map(({ value }) => value), unit === '%' ? 40 : 0);
  return (
    <section class="depths">
      <h2>{texts.depths}</h2>
      <dl>
        {depths.map(({ depth, value }, index) => (
          // The key is the index, because two sensors may be at one depth.
          <div key={index}>
            <dt>{texts.depth(formatMoisture(depth, lang))}</dt>
            <dd>
              <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                <rect class="track" width="100" height="8" />
                <rect class="filled" width={(100 * value) / most} height="8" />
              </svg>
              <span class="reading">
                {formatMoisture(value, lang)} {unit}
              </span>
            </dd>
          </div>
        ))}
      </dl>
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
