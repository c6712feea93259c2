import type { Lang } from '../domain/lang.ts';
import type { Saying } from '../operation/call.ts';
import { moduleName, parcelName } from '../operation/directory.ts';
import { sayInstant } from '../operation/say-time.ts';
import type { InstallationVersionBody, IrrigationConfigurationBody } from '../schema/installation.ts';
import { sayFigure, sayNumber } from './say-figures.ts';
import { saySystem } from './say-watering.ts';
import type { SetupWords } from './setup-words.ts';
import { englishSetups } from './setup-words-en.ts';
import { frenchSetups } from './setup-words-fr.ts';

const WORDS: Record<Lang, SetupWords> = { en: englishSetups, fr: frenchSetups };

export const setupWords = ({ lang }: Pick<Saying, 'lang'>): SetupWords => WORDS[lang];

type Setup = Pick<
  InstallationVersionBody,
  'system' | 'flowMmPerH' | 'fractionWetted' | 'fractionWettedIsDefault' | 'irrigatedAreaM2' | 'validFrom' | 'validTo'
>;

/** Equipment in a few words: "drip, 3.2 mm/h, wetted fraction 0.35 (default), no irrigated area". */
export const sayEquipment = (setup: Setup, call: Pick<Saying, 'lang'>): string =>
  setupWords(call).equipment({
    system: saySystem(setup.system, call),
    mmPerH: setup.flowMmPerH === null ? null : sayFigure(setup.flowMmPerH, call.lang),
    fractionWetted: sayFigure(setup.fractionWetted, call.lang),
    isDefaultFraction: setup.fractionWettedIsDefault,
    areaM2: setup.irrigatedAreaM2 === null ? null : sayFigure(setup.irrigatedAreaM2, call.lang),
  });

/** From when a setup counts; the first one counts from 1970, that is, always. */
export function saySince(validFrom: string, { zone, now, lang }: Saying): string {
  const { sinceAlways, since } = WORDS[lang];
  const from = Date.parse(validFrom);
  return from === 0 ? sinceAlways : since(sayInstant(from, zone, now, lang), zone);
}

/** The equipment of a probe in force now, where it comes from and what is missing. */
export async function sayConfiguration(configuration: IrrigationConfigurationBody, call: Saying): Promise<string> {
  const { installation, parcelId, moduleId, missingDoses } = configuration;
  const words = setupWords(call);
  const name = await moduleName(call.directory, moduleId);
  const isOfParcel = installation?.scope === 'parcel' && parcelId !== null;
  const parcel = isOfParcel ? await parcelName(call.directory, parcelId, call.lang) : null;
  const sentence = installation
    ? words.inForce(name, sayEquipment(installation, call), parcel, saySince(installation.validFrom, call))
    : words.none(name);
  const { count, withoutInstallation } = missingDoses;
  return [sentence, ...(count === 0 ? [] : [words.missing(count, withoutInstallation)]), ...call.remarks].join(' ');
}

/** A placement, which enters no calculation. */
export async function sayPlacement(configuration: IrrigationConfigurationBody, call: Saying): Promise<string> {
  const name = await moduleName(call.directory, configuration.moduleId);
  const distance = configuration.placement?.emitterDistanceCm ?? null;
  const sentence = setupWords(call).placed(name, distance === null ? null : sayNumber(distance, call.lang));
  return [sentence, ...call.remarks].join(' ');
}

export const sayVersion = (version: InstallationVersionBody, call: Saying): string =>
  [
    setupWords(call).version(version.id, sayEquipment(version, call), saySince(version.validFrom, call)),
    ...call.remarks,
  ].join(' ');

export async function sayParcelSetup(
  _: unknown,
  call: Saying,
  { parcelId, system }: { parcelId: number; system: string },
): Promise<string> {
  const name = await parcelName(call.directory, parcelId, call.lang);
  return [setupWords(call).declaredForParcel(name, saySystem(system, call)), ...call.remarks].join(' ');
}

interface Generalized {
  readonly probes: readonly { before: { id: number } | null; after: { id: number } | null }[];
  /** How many more there are that are not listed. */
  readonly leftOut: { changed: number; unchanged: number };
}

/** How many probes a setup pushed up to its parcel changes. */
export async function sayGeneralized(
  { probes, leftOut }: Generalized,
  call: Saying,
  { moduleId, dryRun: isTried = false }: { moduleId: number; dryRun?: boolean | undefined },
): Promise<string> {
  const { generalized, nothingWritten, listed } = setupWords(call);
  const all = probes.length + leftOut.changed + leftOut.unchanged;
  const changed = leftOut.changed + probes.filter(({ before, after }) => before?.id !== after?.id).length;
  return [
    generalized(await moduleName(call.directory, moduleId), changed, all, isTried),
    ...(isTried ? [nothingWritten] : []),
    ...(probes.length < all ? [listed(probes.length)] : []),
    ...call.remarks,
  ].join(' ');
}
