import type { Need } from '../domain/advice/overview.ts';
import type { Lang } from '../domain/lang.ts';
import { formatDaysAhead, formatMoisture, formatNumber } from '../language/number-format.ts';
import { capitalize } from '../language/text.ts';
import type { PageProbe } from '../schema/farm-page.ts';
import { wordsOf } from './words.ts';

export const nameOfProbe = ({ name, moduleId }: Pick<PageProbe, 'name' | 'moduleId'>): string => name ?? `#${moduleId}`;

export const isTension = ({ value_vwc, value_tensio }: PageProbe): boolean =>
  value_vwc === null && value_tensio !== null;

export const probeUnit = (probe: PageProbe): '%' | 'kPa' => (isTension(probe) ? 'kPa' : '%');

/** "25.6", without its unit; null where there is no value. */
export function formatValue({ value_vwc: moisture, value_tensio: tension }: PageProbe, lang: Lang): string | null {
  if (moisture !== null) return formatMoisture(moisture, lang);
  return tension === null ? null : formatNumber(Math.round(10 * tension) / 10, lang);
}

/** By which the colour and the sign of a state are chosen. */
export const TONES: Readonly<Record<Need, 'dry' | 'alert' | 'soon' | 'good' | 'wet' | 'unknown'>> = {
  stress: 'dry',
  water: 'dry',
  firing: 'alert',
  soon: 'soon',
  doubt: 'unknown',
  silent: 'unknown',
  comfort: 'good',
  unjudged: 'unknown',
  saturated: 'wet',
};

/** "In comfort", "Water today"; of one that is soon dry, when. */
export const stateWord = ({ need }: Pick<PageProbe, 'need'>, lang: Lang): string =>
  capitalize(wordsOf(lang).needs[need]);

export const outlook = ({ need, daysToStress: days }: PageProbe, lang: Lang): string | null =>
  days === null || days === 0 || need === 'stress' ? null : wordsOf(lang).stressIn(formatDaysAhead(days, lang));
