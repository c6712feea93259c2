import { withoutNulls } from '../../domain/items.ts';
import { DEFAULT_LANG } from '../../domain/lang.ts';
import { exact, precise } from '../../domain/text/figures.ts';
import { call, counted, list, name, say, sentences, verbatim } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { localDay, timeOf } from '../../domain/text/times.ts';
import { suspectReadingOf } from '../../schema/moisture/suspect-bodies.ts';
import type { AdvisoryOf, AdvisorySentences } from '../advisory-sentences.ts';
import { lineCall } from '../text/line-call.ts';
import { shortList } from '../text/names-of-farm.ts';
import { cropName } from '../words/farming-terms.ts';
import { SETTING_LABELS } from './settings-summary.ts';
import { describeSuspectReadings } from './suspect-readings-summary.ts';

/** Says how readings, settings, roots and the season of a crop were taken. */
export const moistureSentences = {
  /** The four months are MAX_BALANCE_DAYS. */
  silent_probes: ({ probes }) =>
    say`No readings have come from the probes of the parcel (${shortList(probes.map(verbatim))}) in four months: check whether they transmit.`,
  silent_depths: ({ depths, weightPercent }) => {
    const named = depths.map((depth) =>
      depth === null ? say`an unknown depth` : exact(depth, 'cm'),
    );
    const silent = depths.includes(null) ? list(named) : exact(depths.map(Number), 'cm');
    return say`No reading at ${silent}: the value is based on ${exact(weightPercent, '%')} of the weight, so trust it less.`;
  },
  different_depths: (_) =>
    say`The first and last values are based on different depths, so the change between them may not come from the soil.`,
  hours_in_place_of_readings: ({ before }) =>
    say`Single readings before ${timeOf(before)} are no longer kept: the means of their hours stand in their place.`,
  suspect_readings: ({ doubts }, context) =>
    sentences(describeSuspectReadings(doubts.map(suspectReadingOf), context)),

  settings_without_effect: (_) =>
    say`It measures no soil moisture, so no deficit is computed and these settings have no effect: was another probe meant?`,
  kept_after_move: describeKeptAfterMove,
  roots_below_sensors: ({ rootDepthCm, deepestCm }) =>
    say`Its deepest sensor is at ${exact(deepestCm, 'cm')}: the moisture from there down to ${exact(rootDepthCm, 'cm')} is taken to be the same.`,
  usual_roots: ({ crop, fromCm, toCm, rootDepthCm }) => {
    const usual = say`FAO-56 has ${exact([fromCm, toCm], 'cm', 'to')} for a grown crop (${name(cropName(crop, DEFAULT_LANG))}), and young plants have less. The amount of water depends on it: dig, and`;
    return rootDepthCm === null
      ? say`No root depth is set for this parcel: ${usual} say how deep they are.${call('set_parcel', 'rootDepthCm')}`
      : say`Roots of ${exact(rootDepthCm, 'cm')} are deeper than usual: ${usual} set what you find.`;
  },
  roots_of_probes_differ: ({ count }) =>
    say`It counts where no probe measures: advice at ${counted(count, 'probe')} of this parcel goes by settings with another root depth, or none.${call('set_probe_settings', 'rootDepthCm')}`,
  roots_of_earlier_crop: ({ rootDepthsCm }) =>
    say`The root depth of ${counted(rootDepthsCm.length, 'probe')} of this parcel was set for the crop before, and stays (${exact([...new Set(rootDepthsCm)], 'cm')}): ask how deep the roots of this one are.${call('set_probe_settings', 'rootDepthCm')}`,
  harvest_ahead: ({ day }) =>
    say`The harvest on ${localDay(day)} is still to come: until then the crop is advised on as before.`,
} satisfies Partial<AdvisorySentences>;

function describeKeptAfterMove({
  fieldCapacity,
  wiltingPoint,
  hasTensionLevels,
  isCalibrated,
  settings,
}: AdvisoryOf<'kept_after_move'>): Text {
  const isDrawn = fieldCapacity !== null || wiltingPoint !== null || hasTensionLevels;
  const kept = withoutNulls([
    fieldCapacity === null ? null : say`the field capacity drawn at ${precise(fieldCapacity, '%')}`,
    wiltingPoint === null ? null : say`the wilting point drawn at ${precise(wiltingPoint, '%')}`,
    hasTensionLevels ? say`its levels of tension` : null,
    isCalibrated ? say`its calibration` : null,
    settings.length === 0
      ? null
      : say`its own settings (${list(settings.map((setting) => SETTING_LABELS[setting]))})`,
  ]);
  return sentences([
    say`If it was put elsewhere, it keeps ${list(kept)} of the place before: ask whether that holds in the new soil.`,
    isDrawn
      ? say`A line is drawn anew, or at the same height to keep it${lineCall('threshold1')}; until then its amounts are in doubt.`
      : null,
    say`Say since when it stands there, because the soil around it settles.${call('set_module', 'commissionedAt')}${settings.length === 0 ? null : call('set_probe_settings')}`,
  ]);
}
