import type { PageProbe } from '../schema/farm-page.ts';
import { usePage } from './page-context.ts';
import { formatValue, nameOfProbe, outlook, probeUnit, TONES } from './probe-words.ts';
import { hrefOf } from './route.ts';
import { Sparkline } from './sparkline.tsx';
import { StateBadge } from './state-badge.tsx';
import { formatAgo, formatRecent } from './words.ts';

export function ProbeCard({ probe }: { readonly probe: PageProbe }) {
  const { lang, words, zone, now } = usePage();
  const { moduleId, need, lastWateredAt, ageMin, parcel, crop, alert } = probe;
  const context = { lang, zone, now: now() };
  const value = formatValue(probe, lang);
  const ahead = outlook(probe, lang);
  return (
    <a class={`card ${TONES[need]}`} href={hrefOf({ view: 'probe', moduleId })}>
      <span class="card-head">
        <span>
          <span class="name">{nameOfProbe(probe)}</span>
          <span class="place">{[parcel, crop].filter(Boolean).join(' · ')}</span>
        </span>
        <span class={need === 'silent' ? 'value old' : 'value'}>
          {value === null ? <span class="small">{words.noValue}</span> : value}
          {value !== null && <small> {probeUnit(probe)}</small>}
        </span>
      </span>
      <span class="states">
        <StateBadge need={need} />
        {alert === 'firing' && need !== 'firing' && <StateBadge need="firing" />}
        {ahead !== null && <span class="outlook">{ahead}</span>}
      </span>
      <Sparkline probe={probe} />
      <span class="facts">
        <span>{lastWateredAt === null ? words.neverWatered : words.watered(formatRecent(lastWateredAt, context))}</span>
        <span>{ageMin === null ? words.needs.silent : formatAgo(ageMin, lang)}</span>
      </span>
    </a>
  );
}
