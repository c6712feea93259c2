import { englishCount } from '../domain/english.ts';
import type { SetupPhrases } from './setup-words.ts';

export const englishSetup: SetupPhrases = {
  equipment: ({ system, mmPerH, fractionWetted, isDefaultFraction, areaM2 }) =>
    [
      system,
      mmPerH === null ? 'no flow rate' : `${mmPerH} mm/h`,
      `wetted fraction ${fractionWetted}${isDefaultFraction ? ' (default)' : ''}`,
      areaM2 === null ? 'no irrigated area' : `${areaM2} m2`,
    ].join(', '),
  sinceBeginning: 'from the beginning',
  since: (instant, zone) => `from ${instant} (${zone})`,
  inForce: (name, equipment, parcel, since) =>
    `${name} is watered by ${equipment}${parcel === null ? '' : ` (setup of ${parcel})`}, ${since}.`,
  noSetup: (name) => `${name} has no irrigation setup: declare one with set_module_installation.`,
  missingDoses: (count, withoutSetup) => {
    const why =
      withoutSetup === 0
        ? 'the equipment lacks the flow rate or area they need'
        : `${withoutSetup === count ? '' : `${withoutSetup} of them `}because no setup covers ${count === 1 ? 'its' : 'their'} date`;
    return `${englishCount(count, 'watering has', 'waterings have')} no dose, ${why}.`;
  },
  placement: (name, distanceCm) =>
    distanceCm === null
      ? `The placement of ${name} is noted, without a distance to the emitter.`
      : `${name} stands ${distanceCm} cm from the nearest emitter; this changes no dose.`,
  version: (id, equipment, since) => `Version ${id} is now ${equipment}, ${since}.`,
  declaredForParcel: (parcel, system) => `The setup of ${parcel} is declared: ${system}.`,
  generalizeResult: (name, changed, probes, isTried) =>
    `${isTried ? 'Would push' : 'Pushed'} the setup of ${name} up to its parcel: ${changed} of ${probes} modules ${isTried ? 'would change' : 'changed'} their setup.`,
  nothingWritten: 'Nothing was written.',
  listedModules: (count) => `Listed are ${count} of them: get_irrigation_setup shows any other.`,
  validityPeriod: (from, to) =>
    `The version declared counts from ${from ?? 'the beginning'} until ${to} only; what counts today was there already.`,
  overridingModules: (count, probes) =>
    `${count} of its ${probes} modules ${count === 1 ? 'has' : 'have'} a setup of their own, which goes on counting there.`,
  completedDoses: (count) =>
    `${englishCount(count, 'watering left without a dose is', 'waterings left without a dose are')} completed.`,
  updatedPlannedDoses: (count) =>
    `${englishCount(count, 'planned watering gets', 'planned waterings get')} the dose of the new equipment.`,
  unchangedDoses: (count) =>
    `${englishCount(count, 'recorded dose keeps its', 'recorded doses keep their')} figure from before; correct_watering with refreeze true mends one.`,
};
