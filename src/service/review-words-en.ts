import { counted } from '../domain/english.ts';
import type { UnloggedRiseBody } from '../schema/advice.ts';
import type { ReviewWords, SaidResponse, SaidRise } from './review-words.ts';
import { joined } from './say-lists.ts';

const RESPONSES: Record<SaidResponse, string> = {
  reached: 'reached the root zone',
  below_roots: 'went below the roots',
  no_response: 'showed no response',
  too_early: 'cannot be seen yet',
  no_data: 'met no data',
};

const LIKELY: Record<UnloggedRiseBody['likely'], string> = {
  watering: 'more likely a watering than rain',
  rain: 'more likely rain',
  unknown: 'a watering or rain',
};

function sayAmount({ amount, likely }: SaidRise): string {
  if (amount === null) return '';
  const said = `, about ${amount.mm} mm ${amount.isOverall ? 'over the whole area' : 'where it was wet'}`;
  return amount.isOverall && likely === 'unknown' ? `${said} if it was irrigation` : said;
}

export const englishReviews: ReviewWords = {
  period: (start, end, zone) => `from ${start} to ${end} (${zone})`,
  none: (name, period) => `No watering is logged as done on ${name} ${period}.`,
  sum: (name, period, total, counts) => {
    const said = counts.map(([response, amount]) => `${amount} ${RESPONSES[response]}`);
    return `${counted(total, 'watering')} of ${name} ${period}: ${joined(said, 'en')}.`;
  },
  pulses: (ids) => `Judged as one with those at most 3 hours apart: ${joined(ids, 'en')}.`,
  checkRan: (ids) => `Check whether ${joined(ids, 'en')} ran and reached the probe (no response).`,
  lostBelow: (ids) => `Water of ${joined(ids, 'en')} was lost below the roots: give less at a time.`,
  newest: ({ at, deepestCm, gainedMm, givenMm }) => {
    const gained = gainedMm === null ? '' : `, and the soil gained ${gainedMm} mm`;
    const against = gainedMm === null || givenMm === null ? '' : ` of ${givenMm} mm in the wetted zone`;
    return `The newest that shows, ${at}: down to ${deepestCm} cm${gained}${against}.`;
  },
  unlogged: (rises, said) => {
    const { at, likely, plannedEventId } = said;
    const planned =
      plannedEventId === null
        ? ''
        : ` Watering ${plannedEventId} was planned then: if it ran, confirm it with correct_watering.`;
    return `${counted(rises, 'rise')} that nobody logged; the newest ${at}${sayAmount(said)}, ${LIKELY[likely]}.${planned} No rain is measured, so ask before logging one.`;
  },
  leftOut: (waterings, rises) => {
    const left = [
      ...(waterings === 0 ? [] : [counted(waterings, 'older watering')]),
      ...(rises === 0 ? [] : [counted(rises, 'older rise')]),
    ];
    return `Left out: ${left.join(' and ')}; give a higher limit or an earlier end.`;
  },
  noSoilMoisture: 'It measures no soil moisture, so nothing shows what a watering did.',
};
