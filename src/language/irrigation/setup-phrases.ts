import { englishCount, englishNoun } from '../en/grammar.ts';
import { nextCall } from '../next-calls.ts';

interface SetupInForceFacts {
  readonly name: string;
  readonly equipment: string;
  readonly parcel: string | null;
  readonly since: string;
}

export const setupPhrases = {
  noFlowRate: 'no application rate',
  emitterFlow: (litresPerHour: string) => `${litresPerHour} L/h per emitter`,
  emitterDensity: (perM2: string) => `${perM2} emitters per m2`,
  fractionWetted: (fraction: string, isDefault: boolean) =>
    `wetted fraction ${fraction}${isDefault ? ' (default)' : ''}`,
  defaultFraction: (fraction: string, system: string) =>
    `The wetted fraction, ${fraction}, is the default for ${system}: if you can, measure the width of the wetted strip; divided by the distance between lines, it is the fraction.${nextCall('correct_installation', 'fractionWetted')}`,
  fractionOfSpacing: (ofSpacing: string, fraction: string, system: string, isSoilKnown: boolean) =>
    `Drip lines at their spacing wet about ${ofSpacing} of the area ${isSoilKnown ? 'in this soil' : 'in loam, as long as the texture here is unknown'}, and advice counts with that; recorded doses use the default for ${system}, ${fraction}, until it is entered.${nextCall('correct_installation', `fractionWetted: ${ofSpacing}`)}`,
  noIrrigatedArea: 'no irrigated area',
  spacing: (emitterM: string, lineM: string, density: string) =>
    `Emitters every ${emitterM} m on lines ${lineM} m apart: ${density} per m2.`,
  lines: (emitterM: string, lineM: string) =>
    `emitters every ${emitterM} m on lines ${lineM} m apart`,
  asBefore: (figures: string) => `As before: ${figures}.`,
  sameEquipment: (id: number, from: string) =>
    `It is the same as the version before (#${id}, ${from}): if it was declared twice by mistake, take this one back.${nextCall('undo')}`,
  equalVersionBefore: (id: number, from: string) =>
    `The version before (#${id}, ${from}) had the same figures and was not corrected: ask whether it has the same mistake.${nextCall('correct_installation', `versionId: ${id}`)}`,
  equipmentUnread:
    'The service did not show the earlier equipment, so only the figures of this call apply: give the others too.',
  applicationRateLost: (beforeMmPerH: string, lacks: 'flowMmPerH' | 'emittersPerM2') =>
    `The application rate, ${beforeMmPerH} mm/h before, is not known any more, so that a duration gives no dose: ask for ${lacks === 'flowMmPerH' ? 'the new rate' : 'the spacing of the emitters'}.${nextCall('correct_installation', lacks)}`,
  inForce: ({ name, equipment, parcel, since }: SetupInForceFacts) =>
    `${name} is watered by ${equipment}${parcel === null ? '' : ` (equipment of ${parcel})`}, ${since}.`,
  noParcelSetup: (parcel: string) =>
    `${parcel} has no irrigation equipment of its own.${nextCall('set_parcel_installation')}`,
  appliesTo: (probes: string | null, since: string) =>
    probes === null
      ? `It applies ${since}, but reaches no probe.`
      : `It applies ${since} to ${probes}.`,
  reachedProbes: (probes: string) => `It applies to ${probes}.`,
  probesWithOwnEquipment: (probes: string, count: number) =>
    `${probes} ${englishNoun(count, 'has equipment of its own', 'have equipment of their own')}.`,
  setupOf: (name: string) => `equipment of ${name}`,
  until: (instant: string) => `until ${instant}`,
  noSetup: (name: string) =>
    `${name} has no irrigation equipment.${nextCall('set_module_installation')}`,
  missingDoses: (count: number, withoutSetup: number) => {
    const reason =
      withoutSetup === 0
        ? 'because an application rate or an irrigated area is missing'
        : `${withoutSetup === count ? '' : `${withoutSetup} of them `}because no equipment covers ${englishNoun(count, 'its', 'their')} date`;
    return `${englishCount(count, 'watering has', 'waterings have')} no dose, ${reason}.`;
  },
  parcelAreaUnknown: (parcel: string, count: number) =>
    `The irrigated area of ${parcel} is not known, which the volume of ${englishCount(count, 'watering')} of the whole parcel needs: ask for it, and add it to the equipment of the parcel.${nextCall('set_parcel_installation', 'irrigatedAreaM2')}${nextCall('correct_installation', 'irrigatedAreaM2')}`,
  placement: (name: string, distanceCm: string | null) =>
    distanceCm === null
      ? `The placement of ${name} is saved, without a distance to the emitter.`
      : `${name} is ${distanceCm} cm from the nearest emitter; this does not change any dose.`,
  version: (owner: string, equipment: string, since: string) =>
    `The equipment of ${owner} is now ${equipment}, ${since}.`,
  declared: (owner: string, equipment: string) =>
    `The equipment of ${owner} is declared: ${equipment}.`,
  generalizeResult: ({
    name,
    since,
    changed,
    probes,
    isDryRun,
  }: {
    name: string;
    since: string | null;
    changed: number;
    probes: number;
    isDryRun: boolean;
  }) =>
    `${isDryRun ? 'Would apply' : 'Applied'} the equipment of ${name} to its whole parcel${since === null ? '' : ` ${since}`}: ${changed} of ${probes} modules ${isDryRun ? 'would change' : 'changed'} their equipment.`,
  nothingWritten: 'Nothing was written.',
  listedModules: (count: number) =>
    `Only ${count} of them are listed.${nextCall('get_irrigation_setup')}`,
  validityPeriod: (from: string | null, to: string) =>
    `This version applied from ${from ?? 'the beginning'} until ${to} only; today’s equipment has not changed.`,
  completedDoses: (count: number) =>
    `${englishCount(count, 'missing dose was', 'missing doses were')} completed.`,
  updatedPlannedDoses: (count: number) =>
    `${englishCount(count, 'planned watering now has', 'planned waterings now have')} the dose of the new equipment.`,
  unchangedDoses: (count: number) =>
    `${englishCount(count, 'recorded dose keeps its', 'recorded doses keep their')} earlier figure.${nextCall('correct_watering', 'refreeze: true')}`,
};
