import { useMemo, useState } from 'preact/hooks';
import { withoutCaseAndAccents } from '../../domain/strings.ts';
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
  const [order, setOrder] = useState<Order>('need');
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
          <OrderField order={order} onChange={setOrder} />
        </div>
      )}
      <p class={search === '' ? 'hidden' : 'note'} role="status">
        {search === '' ? '' : texts.found(found.length)}
      </p>
      {data.length === 0 && <p class="note">{texts.noProbes}</p>}
      {order === 'parcel' ? <Parcels probes={found} /> : <Cards probes={found} />}
    </main>
  );
}

function Subtitle() {
  const { farm, texts, lang, zone, isElsewhere, now } = usePage();
  const { data, stations, time } = farm;
  const needWater = data.filter(({ needsWater }) => needsWater).length;
  const format = isElsewhere ? formatTimeWithZone : formatTime;
  return (
    <p class="subtitle">
      {joinParts(
        texts.probes(data.length),
        stations > 0 && texts.stations(stations),
        needWater > 0 && texts.needWater(needWater),
        farm.waiting,
        texts.refreshed(format(time, { lang, zone, now: now() })),
      )}
    </p>
  );
}

const ORDERS = ['need', 'parcel'] as const;

type Order = (typeof ORDERS)[number];

interface OrderFieldProps {
  readonly order: Order;
  onChange(order: Order): void;
}

function OrderField({ order, onChange }: OrderFieldProps) {
  const { texts } = usePage();
  const names = { need: texts.byNeed, parcel: texts.byParcel };
  return (
    <fieldset class="segments">
      <legend class="hidden">{texts.order}</legend>
      {ORDERS.map((choice) => (
        <label key={choice}>
          <input
            type="radio"
            name="order"
            checked={choice === order}
            onChange={() => onChange(choice)}
          />
          <span>{names[choice]}</span>
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

  const exact = probes.filter((probe) => textOf(probe).includes(wanted));
  if (exact.length > 0) return exact;

  const words = wanted.split(/\s+/);
  return probes.filter((probe) => words.every((word) => textOf(probe).includes(word)));
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
