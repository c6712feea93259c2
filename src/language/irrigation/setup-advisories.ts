import { firstOf } from '../../domain/items.ts';
import { rate, share } from '../../domain/text/figures.ts';
import {
  call,
  counted,
  listAndMore,
  name,
  nameOrNull,
  say,
  sentences,
} from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { fromTime } from '../../domain/text/times.ts';
import type { AdvisoryOf, AdvisorySentences } from '../advisory-sentences.ts';
import { formatShare } from '../number-format.ts';
import { shortList } from '../text/names-of-farm.ts';
import { describeKeptFigures } from './equipment-summary.ts';
import { describeOwnEquipment, describeValidityPeriod } from './setup-summary.ts';
import { describeSystem } from './watering-summary.ts';

export const setupSentences = {
  parcel_area_unknown: describeUnknownArea,
  doses_completed: ({ count }) =>
    say`${counted(count, 'missing dose was', 'missing doses were')} completed.`,
  planned_doses_updated: ({ count }) =>
    say`${counted(count, 'planned watering now has', 'planned waterings now have')} the dose of the new equipment.`,
  recorded_doses_unchanged: ({ count }) =>
    say`${counted(count, 'recorded dose keeps its', 'recorded doses keep their')} earlier figure.${call('correct_watering', 'refreeze: true')}`,
  equipment_kept: (kept) => describeKeptFigures(kept),
  equipment_unread: (_) =>
    say`The service did not show the earlier equipment, so only the figures of this call apply: give the others too.`,
  application_rate_lost: ({ beforeMmPerH, lacks }) =>
    say`The application rate, ${rate(beforeMmPerH, 'mm/h')} before, is not known any more, so that a duration gives no dose: ask for ${lacks === 'flowMmPerH' ? say`the new rate` : say`the spacing of the emitters`}.${call('correct_installation', lacks)}`,
  same_equipment: ({ id, from }) =>
    say`It is the same as the version before (#${id}, ${fromTime(from)}): if it was declared twice by mistake, take this one back.${call('undo')}`,
  equal_version_before: ({ id, from }) =>
    say`The version before (#${id}, ${fromTime(from)}) had the same figures and was not corrected: ask whether it has the same mistake.${call('correct_installation', `versionId: ${id}`)}`,
  past_version: (period) => describeValidityPeriod(period),
  parcel_setup: describeParcelSetup,
  default_wetted_fraction: describeDefaultFraction,
  fractions_to_enter: describeFractionsToEnter,
  ripe_crops: describeRipeCrops,
  fraction_of_spacing_entered: ({ fraction, isSoilKnown }) =>
    say`Its wetted fraction is entered as ${share(fraction)}, the share of the area that drip lines wet at that spacing ${describeSoil(isSoilKnown)}: correct it if you measure the wetted strip.${call('correct_installation', 'fractionWetted')}`,
} satisfies Partial<AdvisorySentences>;

function describeUnknownArea({ parcelId, parcel, count }: AdvisoryOf<'parcel_area_unknown'>): Text {
  const target = nameOrNull(parcel) ?? say`parcel ${parcelId}`;
  return say`The irrigated area of ${target} is not known, which the volume of ${counted(count, 'watering')} of the whole parcel needs: ask for it, and add it to the equipment of the parcel.${call('set_parcel_installation', 'irrigatedAreaM2')}${call('correct_installation', 'irrigatedAreaM2')}`;
}

function describeParcelSetup({ from, reached, own }: AdvisoryOf<'parcel_setup'>): Text {
  return sentences([
    from === null ? null : describeReach(reached, from),
    own.length === 0 ? null : describeOwnEquipment(listProbes(own), own.length),
  ]);
}

const describeReach = (probes: readonly string[], from: number): Text =>
  probes.length === 0
    ? say`It applies ${fromTime(from)}, but reaches no probe.`
    : say`It applies ${fromTime(from)} to ${listProbes(probes)}.`;

const listProbes = (probes: readonly string[]): Text => shortList(probes.map(name));

function describeDefaultFraction({
  system,
  fraction,
  ofSpacing,
  isSoilKnown,
}: AdvisoryOf<'default_wetted_fraction'>): Text {
  if (ofSpacing === null)
    return say`The wetted fraction, ${share(fraction)}, is the default for ${describeSystem(system)}: if you can, measure the width of the wetted strip, and enter it with the distance between lines.${call('correct_installation', 'fractionWetted: the width', 'lineSpacingM')}`;

  return say`Drip lines at their spacing wet about ${share(ofSpacing)} of the area ${describeSoil(isSoilKnown)}, and advice counts with that; recorded doses use the default for ${describeSystem(system)}, ${share(fraction)}, until it is entered.${call('correct_installation', `fractionWetted: ${formatShare(ofSpacing)}`)}`;
}

function describeFractionsToEnter({ setups, others }: AdvisoryOf<'fractions_to_enter'>): Text {
  const { fraction } = firstOf(setups);
  const rows = setups.map((setup) => say`${share(setup.fraction)} on ${name(setup.name)}`);
  return say`By the spacing of their drip lines, advice counts with a wetted fraction that nobody entered, ${listAndMore(rows, others)}: ask whether that looks right in the field, and enter it.${call('correct_installation', `fractionWetted: ${formatShare(fraction)}`)}`;
}

function describeRipeCrops({ parcels, others }: AdvisoryOf<'ripe_crops'>): Text {
  return say`By the usual length of its season the crop should be ripe or finished on ${listAndMore(parcels.map(name), others)}, which gets no amount: ask for the day of harvest, past or planned, or for the stage if it still grows.${call('set_parcel', 'harvestedOn', 'stage')}`;
}

const describeSoil = (isKnown: boolean): Text =>
  isKnown ? say`in this soil` : say`in loam, as long as the texture here is unknown`;
