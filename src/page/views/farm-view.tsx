import { useMemo, useState } from 'preact/hooks';
import { withoutCaseAndAccents } from '../../domain/text.ts';
import { formatTime, formatTimeWithZone } from '../../language/time.ts';
import type { PageProbe } from '../../schema/advice/farm-page.ts';
import { usePage } from '../page-context.ts';
import { joinParts, nameOfProbe } from '../page-texts.ts';
import { hrefOf } from '../route.ts';
import { ProbeCard } from './probe-card.tsx';
import { ToConfirm } from './to-confirm.tsx';
import { ViewHeading } from './view-heading.tsx';

/** From this many probes on, a search and groups by parcel are worth their space. */
const MANY_PROBES = 8;

export function FarmView() {
  const { farm, texts, may } = usePage();
  const { company, data } = farm;
  const [search, setSearch] = useState('');
  const [isByParcel, setByParcel] = useState(false);
  const found = useMemo(() => findProbes(data, search), [data, search]);

  return (
    <main>
      <ViewHeading title={company.name ?? texts.farm}>
        <Subtitle />
      </ViewHeading>
      {may('irrigation:write') ? (
        <p class="actions">
          <a class="button primary" href={hrefOf({ view: 'log', moduleId: null })}>
            {texts.log}
          </a>
        </p>
      ) : (
        <p class="note">{texts.readOnly}</p>
      )}
      <ToConfirm waterings={farm.toConfirm} />
      {data.length >= MANY_PROBES && (
        <div class="tools">
          <input
            type="search"
            placeholder={texts.search}
            aria-label={texts.searchLabel}
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
          <Order isByParcel={isByParcel} onChange={setByParcel} />
        </div>
      )}
      <p class={search === '' ? 'hidden' : 'note'} role="status">
        {search === '' ? '' : texts.found(found.length)}
      </p>
      {data.length === 0 && <p class="note">{texts.noProbes}</p>}
      {isByParcel ? <Parcels probes={found} /> : <Cards probes={found} />}
    </main>
  );
}

function Subtitle() {
  const { farm, texts, lang, zone, isElsewhere, now } = usePage();
  const { data, stations, time } = farm;
  const needy = data.filter(({ needsWater }) => needsWater).length;
  const format = isElsewhere ? formatTimeWithZone : formatTime;
  return (
    <p class="subtitle">
      {joinParts(
        texts.probes(data.length),
        stations > 0 && texts.stations(stations),
        needy > 0 && texts.needy(needy),
        texts.refreshed(format(time, { lang, zone, now: now() })),
      )}
    </p>
  );
}

interface OrderProps {
  readonly isByParcel: boolean;
  onChange(isByParcel: boolean): void;
}

function Order({ isByParcel, onChange }: OrderProps) {
  const { texts } = usePage();
  return (
    <fieldset class="segments">
      <legend class="hidden">{texts.order}</legend>
      {[false, true].map((order) => (
        <label key={String(order)}>
          <input
            type="radio"
            name="order"
            checked={isByParcel === order}
            onChange={() => onChange(order)}
          />
          <span>{order ? texts.byParcel : texts.byNeed}</span>
        </label>
      ))}
    </fieldset>
  );
}

/**
 * Probes that contain the text as typed; if there are none, those that contain all of its words.
 */
function findProbes(probes: readonly PageProbe[], search: string): readonly PageProbe[] {
  const wanted = withoutCaseAndAccents(search).trim();

  const textOf = (probe: PageProbe): string =>
    withoutCaseAndAccents(joinParts(nameOfProbe(probe), probe.parcel, probe.crop));

  const exact = probes.filter((probe) => `${textOf(probe)} `.includes(wanted));
  const words = wanted.split(/\s+/);
  return exact.length > 0
    ? exact
    : probes.filter((probe) => words.every((word) => textOf(probe).includes(word)));
}

const Cards = ({ probes }: { readonly probes: readonly PageProbe[] }) => (
  <ul class="cards">
    {probes.map((probe) => (
      <li key={probe.moduleId}>
        <ProbeCard probe={probe} />
      </li>
    ))}
  </ul>
);

/** First the parcel with the probe most in need. */
function Parcels({ probes }: { readonly probes: readonly PageProbe[] }) {
  const { texts } = usePage();
  const parcels = [...new Set(probes.map(({ parcel }) => parcel))];
  return (
    <>
      {parcels.map((parcel) => (
        <section key={parcel ?? ''}>
          <h2>{parcel ?? texts.noParcel}</h2>
          <Cards probes={probes.filter((probe) => probe.parcel === parcel)} />
        </section>
      ))}
    </>
  );
}
