import { englishCount } from '../domain/english.ts';
import type { UnloggedRiseBody } from '../schema/advice.ts';
import type { ResponseKind, ReviewPhrases, UnloggedRiseFacts } from './review-words.ts';
import { joinList } from './say-lists.ts';

const RESPONSE_TEXTS: Record<ResponseKind, string> = {
  reached: 'reached the root zone',
  below_roots: 'went below the roots',
  no_response: 'showed no response',
  too_early: 'cannot be seen yet',
  no_data: 'met no data',
};

const LIKELY_SOURCES: Record<UnloggedRiseBody['likely'], string> = {
  watering: 'more likely a watering than rain',
  rain: 'more likely rain',
  unknown: 'a watering or rain',
};

function describeRiseAmount({ amount, likely }: UnloggedRiseFacts): string {
  if (amount === null) return '';
  const text = `, about ${amount.mm} mm ${amount.isOverall ? 'over the whole area' : 'where it was wet'}`;
  return amount.isOverall && likely === 'unknown' ? `${text} if it was irrigation` : text;
}

export const englishReview: ReviewPhrases = {
  period: (start, end, zone) => `from ${start} to ${end} (${zone})`,
  noWaterings: (name, period) => `No watering is logged as done on ${name} ${period}.`,
  totals: (name, period, total, counts) => {
    const parts = counts.map(([response, amount]) => `${amount} ${RESPONSE_TEXTS[response]}`);
    return `${englishCount(total, 'watering')} of ${name} ${period}: ${joinList(parts, 'en')}.`;
  },
  judgedTogether: (ids) => `Judged as one with those at most 3 hours apart: ${joinList(ids, 'en')}.`,
  checkRan: (ids) => `Check whether ${joinList(ids, 'en')} ran and reached the probe (no response).`,
  lostBelow: (ids) => `Water of ${joinList(ids, 'en')} was lost below the roots: give less at a time.`,
  newestResponse: ({ at, deepestCm, gainedMm, appliedMm }) => {
    const gained = gainedMm === null ? '' : `, and the soil gained ${gainedMm} mm`;
    const against = gainedMm === null || appliedMm === null ? '' : ` of ${appliedMm} mm in the wetted zone`;
    return `The newest that shows, ${at}: down to ${deepestCm} cm${gained}${against}.`;
  },
  unloggedRises: (rises, rise) => {
    const { at, likely, plannedEventId } = rise;
    const planned =
      plannedEventId === null
        ? ''
        : ` Watering ${plannedEventId} was planned then: if it ran, confirm it with correct_watering.`;
    return `${englishCount(rises, 'rise')} that nobody logged; the newest ${at}${describeRiseAmount(rise)}, ${LIKELY_SOURCES[likely]}.${planned} No rain is measured, so ask before logging one.`;
  },
  omitted: (waterings, rises) => {
    const omitted = [
      ...(waterings === 0 ? [] : [englishCount(waterings, 'older watering')]),
      ...(rises === 0 ? [] : [englishCount(rises, 'older rise')]),
    ];
    return `Left out: ${omitted.join(' and ')}; give a higher limit or an earlier end.`;
  },
  noSoilMoisture: 'It measures no soil moisture, so nothing shows what a watering did.',
};
