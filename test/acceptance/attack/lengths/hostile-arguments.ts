import { entryOf } from '../../../../src/domain/items.ts';
import { toolFields } from '../../../../src/operation/arguments/tool-fields.ts';
import type { AnyOperation } from '../../../../src/operation/operation.ts';
import { argumentLocation, inputFields } from '../../../../src/operation/operation-fields.ts';
import { callsOfOperation, type FarmRows } from '../../../operation-calls.ts';
import { toolArguments } from '../../test-surfaces.ts';
import { type TextPlace, textPlaces } from './text-places.ts';

const SOME_UUID = '524ee7b6-1c35-4a41-9b59-126156f3cd0e';

/** A call need not succeed: what it refers to is looked up once its texts are read. */
const ROWS: FarmRows = {
  module: 1,
  parcel: 1,
  event: 1,
  parcelEvent: 1,
  schedule: 1,
  rain: 1,
  version: 1,
  line: SOME_UUID,
  alert: SOME_UUID,
  notes: [SOME_UUID],
  marker: 'North',
  depthMm: 12.5,
  moisture: 25,
  height: 16.5,
  imei: '35693803564380',
};

export const validFields = ({ name }: AnyOperation): Readonly<Record<string, unknown>> =>
  callsOfOperation(name).valid(ROWS, 0);

/** Null for a field whose valid value is no text. */
export function validText(operation: AnyOperation, { field }: TextPlace): string | null {
  const value = [validFields(operation)[field]].flat()[0];
  return typeof value === 'string' ? value : null;
}

const metadataOf = (operation: AnyOperation, { field }: TextPlace) =>
  inputFields(operation).get(field)?.metadata ?? null;

export const placesInTool = (operation: AnyOperation): readonly TextPlace[] =>
  textPlaces(operation).filter((place) => metadataOf(operation, place)?.isRestOnly === false);

/** The arguments of a valid call, one of which has the text. */
export const toolArgumentsWith = (
  operation: AnyOperation,
  { field, valueWith }: TextPlace,
  text: string,
): Record<string, unknown> => ({
  ...toolArguments(operation, validFields(operation)),
  [entryOf(toolFields(operation).byName, field).argument]: valueWith(text),
});

export const restFieldsWith = (
  operation: AnyOperation,
  { field, valueWith }: TextPlace,
  text: string,
): Record<string, unknown> => ({ ...validFields(operation), [field]: valueWith(text) });

/** The length of a text in a URL, in which each character may take three bytes. */
const MAX_URL_TEXT = 2_500;
/** A file may be longer than a body of 16 MiB, in which a character may take two bytes. */
const MAX_BODY_TEXT = 8_000_000;

export const restLength = ({ endpoint }: AnyOperation, { field, maxLength }: TextPlace): number =>
  Math.min(maxLength, argumentLocation(endpoint, field) === 'body' ? MAX_BODY_TEXT : MAX_URL_TEXT);

/** Far beyond the greatest length. */
export const overlong = ({ maxLength }: TextPlace): number => Math.max(20_000, 2 * maxLength);
