import type { Saying } from '../operation/call.ts';
import { moduleName, parcelName } from '../operation/directory.ts';
import { sayInstant } from '../operation/say-time.ts';
import type { InstallationVersionBody, IrrigationConfigurationBody } from '../schema/installation.ts';
import { sayFigure, saySystem } from './say-watering.ts';

type Setup = Pick<
  InstallationVersionBody,
  'system' | 'flowMmPerH' | 'fractionWetted' | 'fractionWettedIsDefault' | 'irrigatedAreaM2' | 'validFrom' | 'validTo'
>;

/** Equipment in a few words: "drip, 3.2 mm/h, wetted fraction 0.35 (default), no irrigated area". */
export const sayEquipment = (setup: Setup): string =>
  [
    saySystem(setup.system),
    setup.flowMmPerH === null ? 'no flow rate' : `${sayFigure(setup.flowMmPerH)} mm/h`,
    `wetted fraction ${sayFigure(setup.fractionWetted)}${setup.fractionWettedIsDefault ? ' (default)' : ''}`,
    setup.irrigatedAreaM2 === null ? 'no irrigated area' : `${sayFigure(setup.irrigatedAreaM2)} m2`,
  ].join(', ');

/** From when a setup counts; the first one counts from 1970, that is, always. */
export const saySince = (validFrom: string, { zone, now }: Saying): string =>
  Date.parse(validFrom) === 0 ? 'from the beginning' : `from ${sayInstant(Date.parse(validFrom), zone, now)} (${zone})`;

function sayMissing({ missingDoses }: IrrigationConfigurationBody): string[] {
  const { count, withoutInstallation } = missingDoses;
  if (count === 0) return [];
  const why =
    withoutInstallation === 0
      ? 'the equipment lacks the flow rate or area they need'
      : `${withoutInstallation === count ? '' : `${withoutInstallation} of them `}because no setup covers ${count === 1 ? 'its' : 'their'} date`;
  return [`${count} watering${count === 1 ? ' has' : 's have'} no dose, ${why}.`];
}

/** The equipment of a probe in force now, where it comes from and what is missing. */
export async function sayConfiguration(configuration: IrrigationConfigurationBody, call: Saying): Promise<string> {
  const { installation, parcelId, moduleId } = configuration;
  const name = await moduleName(call.directory, moduleId);
  const from =
    installation?.scope === 'parcel' && parcelId !== null
      ? ` (setup of ${await parcelName(call.directory, parcelId)})`
      : '';
  const sentence = installation
    ? `${name} is watered by ${sayEquipment(installation)}${from}, ${saySince(installation.validFrom, call)}.`
    : `${name} has no irrigation setup: declare one with set_module_installation.`;
  return [sentence, ...sayMissing(configuration), ...call.remarks].join(' ');
}

/** A placement, which enters no calculation. */
export async function sayPlacement(configuration: IrrigationConfigurationBody, call: Saying): Promise<string> {
  const name = await moduleName(call.directory, configuration.moduleId);
  const distance = configuration.placement?.emitterDistanceCm ?? null;
  const sentence =
    distance === null
      ? `The placement of ${name} is noted, without a distance to the emitter.`
      : `${name} stands ${distance} cm from the nearest emitter; this changes no dose.`;
  return [sentence, ...call.remarks].join(' ');
}

export const sayVersion = (version: InstallationVersionBody, call: Saying): string =>
  [
    `Version ${version.id} is now ${sayEquipment(version)}, ${saySince(version.validFrom, call)}.`,
    ...call.remarks,
  ].join(' ');
