import type { Need } from '../../domain/advice/farm/need.ts';
import type { PageProbe } from '../../schema/advice/farm-page.ts';
import { usePage } from '../page-context.ts';
import { describeOutlook, stateLabel, TONES } from '../page-texts.ts';

/** The state of a probe, an alert besides, and what is ahead. */
export function ProbeStates({ probe }: { readonly probe: PageProbe }) {
  const { lang } = usePage();
  const { need, alert } = probe;
  const outlook = describeOutlook(probe, lang);
  return (
    <>
      <StateBadge need={need} />
      {alert === 'firing' && need !== 'firing' && <StateBadge need="firing" />}
      {outlook !== null && <span class="outlook">{outlook}</span>}
    </>
  );
}

/** Drawn in a square of 12: colour is not the only sign of a state. */
const SIGNS: Readonly<Record<(typeof TONES)[Need], string>> = {
  dry: 'M6 1 11 11H1Z',
  alert: 'M6 1 11 6 6 11 1 6Z',
  soon: 'M1 2H11L6 11Z',
  good: 'M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1Z',
  wet: 'M6 0.5C8 4 10 5.5 10 7.7a4 4 0 0 1-8 0C2 5.5 4 4 6 0.5Z',
  unknown: 'M1 5H11V7.5H1Z',
};

function StateBadge({ need }: { readonly need: Need }) {
  const { lang } = usePage();
  const tone = TONES[need];
  return (
    <span class={`badge ${tone}`}>
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d={SIGNS[tone]} />
      </svg>
      {stateLabel({ need }, lang)}
    </span>
  );
}
