import type { Need } from '../domain/advice/farm/need.ts';
import type { Lang } from '../domain/lang.ts';
import { DAY_MIN, DAY_MS, MINUTE_MS } from '../domain/periods.ts';
import { capitalize } from '../domain/strings.ts';
import { formatQuantity, type QuantityWording } from '../language/american-quantities.ts';
import { type Language, languageOf } from '../language/index.ts';
import {
  formatDaysAhead,
  formatEntered,
  formatMinutes,
  formatMoisture,
  formatNumber,
} from '../language/number-format.ts';
import { formatDate, formatTime, type TimeContext } from '../language/time.ts';
import type { FarmPageBody, PageProbe } from '../schema/advice/farm-page.ts';
import type { ReviewedWateringBody } from '../schema/advice/review.ts';

export type PageTexts = Language['page'];

export const pageTexts = (lang: Lang): PageTexts => languageOf(lang).page;

/** "10 min ago", "3 h ago", "2 days ago". */
export function formatAgo(ageMs: number, lang: Lang): string {
  const { format, page } = languageOf(lang);
  const minutes = Math.floor(ageMs / MINUTE_MS);
  if (minutes < 2 * 60) return page.ago(`${Math.max(1, minutes)} min`);
  if (minutes < 2 * DAY_MIN) return page.ago(formatMinutes(60 * Math.round(minutes / 60)));
  return page.ago(format.duration(Math.round(minutes / DAY_MIN), 'day'));
}

/** "yesterday 06:00", "12 Jul": the hour is left out where it no longer matters. */
export const formatRecent = (time: string, context: TimeContext): string =>
  context.now - Date.parse(time) < 2 * DAY_MS
    ? formatTime(time, context)
    : formatDate(time, context);

export const nameOfProbe = ({ name, moduleId }: Pick<PageProbe, 'name' | 'moduleId'>): string =>
  name ?? `#${moduleId}`;

export const isTension = ({ value_vwc, value_tensio }: PageProbe): boolean =>
  value_vwc === null && value_tensio !== null;

export const probeUnit = (probe: PageProbe): '%' | 'kPa' => (isTension(probe) ? 'kPa' : '%');

/** "25.6", without its unit; null where there is no value. */
export function formatValue(
  { value_vwc: moisture, value_tensio: tension }: PageProbe,
  lang: Lang,
): string | null {
  if (moisture !== null) return formatMoisture(moisture, lang);
  return tension === null ? null : formatNumber(Math.round(10 * tension) / 10, lang);
}

/** Decides the colour and the sign of a state. */
export const TONES: Readonly<Record<Need, 'dry' | 'alert' | 'soon' | 'good' | 'wet' | 'unknown'>> =
  {
    stress: 'dry',
    water: 'dry',
    firing: 'alert',
    recheck: 'unknown',
    soon: 'soon',
    doubt: 'unknown',
    silent: 'unknown',
    comfort: 'good',
    unjudged: 'unknown',
    saturated: 'wet',
  };

/** "In comfort", "Water today" */
export const stateLabel = ({ need }: Pick<PageProbe, 'need'>, lang: Lang): string =>
  capitalize(pageTexts(lang).needs[need]);

/** Says what is to be checked, or when stress is to be expected. */
export const describeOutlook = (
  { need, checkText, daysToStress: days }: PageProbe,
  lang: Lang,
): string | null =>
  checkText ??
  (days === null || days === 0 || need === 'stress' || need === 'silent'
    ? null
    : pageTexts(lang).stressIn(formatDaysAhead(days, lang)));

export type ListedWatering = FarmPageBody['toConfirm'][number];

/** Parts of a line of the page, without those that are missing. */
export const joinParts = (...parts: readonly (string | false | null | undefined)[]): string =>
  parts.filter(Boolean).join(' · ');

/** Who saw a watering; nothing of what a person confirmed. */
export const describeWitness = (
  { witness, unseen }: Pick<ReviewedWateringBody, 'witness' | 'unseen'>,
  { seenBy }: PageTexts,
): string | null | undefined =>
  witness && seenBy[witness === 'probe' && unseen ? 'otherProbe' : witness];

/** "5.4 mm · 1 h 40 min", "12 m³ · dose unknown". */
export function describeAmounts(watering: ListedWatering, wording: QuantityWording): string {
  const { waterMm, durationMin, inputVolumeM3 } = watering;
  return joinParts(
    waterMm === null ? pageTexts(wording.lang).unknownDose : formatQuantity(waterMm, 'mm', wording),
    inputVolumeM3 !== null && formatQuantity(inputVolumeM3, 'm3', wording, formatEntered),
    durationMin !== null && formatMinutes(durationMin),
  );
}
