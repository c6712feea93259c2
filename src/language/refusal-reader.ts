import { dependsOnReader } from '../domain/text/contents.ts';
import type { AcequiaError } from '../schema/error.ts';
import type { Reader } from './text/reader.ts';

/** True if it has times or quantities, which are said in the zone and units of the farm. */
export const refusalNeedsReader = ({ message, hint }: AcequiaError['texts']): boolean =>
  dependsOnReader(message) || (hint !== undefined && dependsOnReader(hint));

/** Where the company cannot be read, its zone and units are unknown. */
export const UNKNOWN_READER: Reader = { now: 0, zone: 'UTC', units: 'metric', times: 'iso' };
