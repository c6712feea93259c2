import type { ReviewedWateringBody } from '../../schema/advice/review.ts';
import { englishCount } from '../en/grammar.ts';
import { englishResponses } from '../en/page.ts';
import { nextCall, sameCallWith } from '../next-calls.ts';

interface NewestResponseFacts {
  readonly at: string;
  readonly deepestCm: number | null;
  readonly gainedMm: string | null;
  readonly appliedMm: string | null;
  readonly hasLosses: boolean;
  readonly isWholeArea: boolean;
}

/** They go with "is" in a sentence. */
const RESPONSES_WITHOUT_VERB: readonly ReviewedWateringBody['response'][] = [
  'too_early',
  'no_data',
];

const RESPONSES = {
  ...englishResponses,
  full_soil: 'showed no response, as the soil was already full',
  other_water: 'cannot be told from rain or another watering',
};

const RAIN_BESIDE_GAIN = {
  recorded: ', and the rain recorded for then does not explain it: ',
  possible: ': unless it rained, ',
  none: ': ',
};

export const reviewPhrases = {
  period: (start: string, end: string, zone: string) => `from ${start} to ${end} (${zone})`,
  noWaterings: (name: string, period: string) =>
    `No watering is logged as done on ${name} ${period}.`,
  totals: (name: string, period: string, total: number, responses: string) =>
    `${englishCount(total, 'watering')} of ${name} ${period}: ${responses}.`,
  response: (response: ReviewedWateringBody['response'], count: number) =>
    `${count} ${RESPONSES_WITHOUT_VERB.includes(response) ? `${count === 1 ? 'is' : 'are'} ` : ''}${RESPONSES[response]}`,
  assessedTogether: (times: string) =>
    `Assessed together, because they are at most 3 hours apart: those of ${times}.`,
  checkRan: (times: string, count: number) =>
    `Check whether ${count === 1 ? 'that' : 'those'} of ${times} ran and reached the probe.`,
  checkReached: (times: string) => `Check why the water of ${times} did not reach the probe.`,
  reachedBelow: (times: string) =>
    `The water of ${times} reached below the roots: if that happens often, give less at a time.`,
  deeperFirst: (times: string) =>
    `The water of ${times} reached a deeper sensor before the uppermost one: it runs down cracks or along the probe, or arrives from the side. Look at the soil; where it is cracked, give less at a time and more often.`,
  newestResponse: (facts: NewestResponseFacts) => {
    const { at, deepestCm, gainedMm, appliedMm, hasLosses, isWholeArea } = facts;
    const gained = gainedMm === null ? '' : `, and the soil gained ${gainedMm} mm`;
    const against =
      gainedMm === null || appliedMm === null
        ? ''
        : `; the watering gave ${appliedMm} mm${isWholeArea ? '' : ' in the wetted zone'}${hasLosses ? ', less losses' : ''}`;
    return `The newest with a visible effect, ${at}: down to ${deepestCm} cm${gained}${against}.`;
  },
  implausibleGain: (times: string, count: number, rain: 'recorded' | 'possible' | 'none') =>
    `The sensors show far more water than the ${count === 1 ? 'watering' : 'waterings'} of ${times} gave${RAIN_BESIDE_GAIN[rain]}check application rate, wetted fraction and the placement of the probe.`,
  riseAmount: (mm: string, isOverall: boolean) =>
    `, about ${mm} mm ${isOverall ? 'over the whole area' : 'in the wetted soil'}`,
  ifIrrigation: ' if it was irrigation',
  likely: {
    watering: 'more likely a watering than rain',
    unknown: 'a watering or rain',
    underCover: 'a watering',
  },
  roseElsewhere: 'at the same time as on other parcels: rain, or all were watered',
  unloggedWettingEvents: (count: number, newest: string) =>
    `${englishCount(count, 'rise')} with no watering logged; the newest ${newest}.`,
  plannedThen: (eventId: number) =>
    `A watering was planned then: if it ran, confirm it.${nextCall('correct_watering', `eventId: ${eventId}`, 'status: done')}`,
  rainRises: (count: number, at: string, mm: string) =>
    `Recorded rain explains ${englishCount(count, 'rise')}; the newest ${at}, ${mm} mm of rain.`,
  askUnderCover: 'Ask before you log one.',
  askFirst: (rainMm: string | null) =>
    rainMm === null
      ? 'No rain is recorded for then, so ask before you log a watering.'
      : `The ${rainMm} mm of rain recorded for then do not explain it, so ask before you log a watering.`,
  olderWaterings: (count: number) => englishCount(count, 'older watering'),
  olderEvents: (count: number) => englishCount(count, 'older rise'),
  omitted: (rows: string) => `Left out: ${rows}.${sameCallWith('limit', 'end')}`,
  byTension: 'By its tension: where a rise is named, it is a fall of tension by a fifth or more.',
  noSoilMoisture: 'It measures no soil moisture, so the effect of a watering cannot be seen.',
};
