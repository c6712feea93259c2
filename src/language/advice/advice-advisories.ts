import { amount, exact } from '../../domain/text/figures.ts';
import { list, name, noun, say } from '../../domain/text/say.ts';
import type { List, Text } from '../../domain/text/text.ts';
import type { AdvisoryOf, AdvisorySentences } from '../advisory-sentences.ts';
import { sensibleAmount } from '../number-format.ts';
import { shortList } from '../text/names-of-farm.ts';
import { describeRunoff } from './amounts/runoff-summary.ts';
import { describeClassError } from './deficit-summary.ts';
import {
  describeDepthsExchanged,
  describeDepthsJumped,
  describeDepthsSilent,
  describeUnmeasuredRoots,
} from './response-summary.ts';

/** Says which soil an advice counts, how fast it dries, and which water it does not take in. */
export const adviceSentences = {
  deficit_depth: ({ bottomCm }) => say`The deficit is for ${exact([0, bottomCm], 'cm', 'to')}.`,
  depths_silent: ({ depths }) => describeDepthsSilent(depths),
  depths_jumped: (jump) => describeDepthsJumped(jump),
  depths_exchanged: (depths) => describeDepthsExchanged(depths),
  deep_roots_unmeasured: (roots) => describeUnmeasuredRoots(roots),
  class_error: (error) => describeClassError(error),
  slices_without_value: ({ slices }) => say`No recent value from ${listSlices(slices)}.`,
  slices_in_doubt: ({ slices }) =>
    say`Left out because its readings are in doubt, and taken to be as wet as the rest: ${listSlices(slices)}.`,
  frozen_slices: ({ slices }) =>
    say`Left out because the soil is frozen there, and taken to be as wet as the rest: ${listSlices(slices)}.`,
  slices_without_layer: ({ slices }) => say`No soil layer from ${listSlices(slices)}.`,
  drying_rate: (drying) =>
    say`${describePace(drying)}${drying.residual === null ? null : say` Soil dries more slowly the drier it is, so the days until stress are the mean of that pace and of an exponential fall towards ${amount(drying.residual, '%')}.`}`,
  runoff: ({ probes, ...runoff }) =>
    say`On ${shortList(probes.map(name))}: ${describeRunoff(runoff)}`,
} satisfies Partial<AdvisorySentences>;

const listSlices = (
  slices: readonly { readonly topCm: number; readonly bottomCm: number }[],
): List => list(slices.map(({ topCm, bottomCm }) => exact([topCm, bottomCm], 'cm', 'to')));

function describePace({ basis, pointsPerDay, count }: AdvisoryOf<'drying_rate'>): Text {
  const points = say`${amount(pointsPerDay)} ${noun(sensibleAmount(pointsPerDay), 'point')}`;
  switch (basis) {
    case 'newest':
      return say`It dries by ${points} a day: the mean of the newest dry day and the median of ${count} in the last two weeks, each hour compared with the same hour of the day before.`;
    case 'days':
      return say`It dries by ${points} a day: the median of ${count} dry days in the last two weeks, each hour compared with the same hour of the day before.`;
    case 'parts':
      return say`It dries by about ${points} a day: the median of ${count} dry spells in the last two weeks, most of them shorter than a day and scaled up by how much of the day's sunshine they had.`;
  }
}
