import { call, list, listAndMore, type Sayable, say, verbatimText } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import {
  moduleName,
  type NameDirectory,
  type NamedTarget,
  namesOfParcelProbes,
  parcelName,
  targetName,
} from '../summary-context.ts';

export const moduleText = async (directory: NameDirectory, id: number): Promise<Text> =>
  verbatimText(await moduleName(directory, id));

export const parcelText = async (directory: NameDirectory, id: number): Promise<Text> =>
  verbatimText(await parcelName(directory, id));

export const targetText = async (directory: NameDirectory, target: NamedTarget): Promise<Text> =>
  verbatimText(await targetName(directory, target));

export const namedProbesOf = async (directory: NameDirectory, parcelId: number): Promise<Text[]> =>
  (await namesOfParcelProbes(directory, parcelId)).map(verbatimText);

const MAX_PROBES_OF_PARCEL = 3;

/**
 * "North block (North 1 and North 2)": which probes the name of a parcel stood for. More than three
 * are counted, and the call that lists them follows.
 */
export function withProbes(parcel: Text, probes: readonly Text[]): Text {
  if (probes.length === 0) return parcel;
  return probes.length > MAX_PROBES_OF_PARCEL
    ? say`${parcel} (${probes.length} probes)${call('list_modules', 'parcel')}`
    : say`${parcel} (${list(probes)})`;
}

const MAX_LISTED_NAMES = 6;

/** "North 1, North 2 and 4 more". */
export function shortList(names: readonly Sayable[]): Text {
  const omitted = names.length - MAX_LISTED_NAMES;
  return omitted <= 1
    ? say`${list(names)}`
    : say`${listAndMore(names.slice(0, MAX_LISTED_NAMES), omitted)}`;
}

export const shortListOrNull = (names: readonly Sayable[]): Text | null =>
  names.length === 0 ? null : shortList(names);
