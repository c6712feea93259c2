import type { PageProbe } from '../../schema/advice/farm-page.ts';
import { usePage } from '../page-context.ts';
import {
  formatAgo,
  formatRecent,
  formatValue,
  joinParts,
  nameOfProbe,
  probeUnit,
  TONES,
} from '../page-texts.ts';
import { hrefOf } from '../route.ts';
import { ProbeStates } from './probe-states.tsx';
import { Sparkline } from './sparkline.tsx';

export function ProbeCard({ probe }: { readonly probe: PageProbe }) {
  const { lang, texts, zone, now } = usePage();
  const { moduleId, need, lastWateredAt, wateredBy, time, parcel, crop } = probe;
  const context = { lang, zone, now: now() };
  const value = formatValue(probe, lang);

  return (
    <a class={`card ${TONES[need]}`} href={hrefOf({ view: 'probe', moduleId })}>
      <span class="card-head">
        <span>
          <span class="name">{nameOfProbe(probe)}</span>
          <span class="place">{joinParts(parcel, crop)}</span>
        </span>
        <span class={need === 'silent' ? 'value old' : 'value'}>
          {value === null ? <span class="small">{texts.noValue}</span> : value}
          {value !== null && <small> {probeUnit(probe)}</small>}
        </span>
      </span>
      <span class="states">
        <ProbeStates probe={probe} />
      </span>
      <Sparkline probe={probe} />
      <span class="facts">
        <span>
          {lastWateredAt === null
            ? texts.neverWatered
            : joinParts(
                texts.watered(formatRecent(lastWateredAt, context)),
                wateredBy && texts.seenBy[wateredBy],
              )}
        </span>
        <span>
          {time === null ? texts.needs.silent : formatAgo(context.now - Date.parse(time), lang)}
        </span>
      </span>
    </a>
  );
}
