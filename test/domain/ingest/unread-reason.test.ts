import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeReason,
  encodeReason,
  receivedReason,
  type UnreadCode,
} from '../../../src/domain/ingest/unread-reason.ts';

const CODES: readonly UnreadCode[] = ['no_known_field', 'value_refused', 'unset_clock', 'other'];

/** A unit of UTF-16, which may be half of a character. */
const UTF_16_UNIT = fc.nat(0xffff).map((unit) => String.fromCharCode(unit));

describe('a reason', () => {
  it('is read from the store as it was written', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...CODES),
        fc.string({ unit: UTF_16_UNIT }),
        fc.json(),
        (code, words, json) => {
          for (const text of [words, json])
            expect(decodeReason(encodeReason({ code, text }))).toEqual({ code, text });
        },
      ),
    ));

  it('with a code of a later version keeps its text', () => {
    const later = { code: 'frozen_sensor', text: 'it is frozen' };
    expect(decodeReason(JSON.stringify({ ...later, since: 1 }))).toEqual({
      ...later,
      code: 'other',
    });
    expect(receivedReason(later)).toEqual({ ...later, code: 'other' });
  });
});

/** Every form that an earlier version stored. */
it.each<[UnreadCode, string]>([
  ['value_refused', 'a value was refused: no time'],
  [
    'value_refused',
    'a value was refused: moisture 0.22 may be a fraction (m³/m³), and % is expected',
  ],
  ['no_known_field', 'no field is known; these are there: soil_wetness 24.5, name and 3 others'],
  ['no_known_field', 'no field is known; these are there: soil_wetness'],
  ['other', 'the message has no field with a value'],
  [
    'other',
    'the network does not decode the message, which has no data: add a decoder in ChirpStack',
  ],
  ['other', 'the message is in the form of no network that is known, which are LORIOT (loriot)'],
  [
    'other',
    'the message is in the form of LORIOT: use a preset of loriot, such as loriot/dragino-lse01',
  ],
  ['other', 'these fields are not of the preset that was named, but of ttn/any: name that one'],
  ['other', 'no rule reads this topic; these are read: farm/{module}'],
  [
    'other',
    'the device reports a failed measurement (moisture -9999): check its sensor and the cable',
  ],
  [
    'other',
    'its time, 1970-01-01, is more than a year before it arrived: set the clock of the device',
  ],
  ['other', 'moisture 0.22 may be a fraction (m³/m³), and % is expected: send 22'],
  ['other', 'the unit of moisture is missing'],
  ['other', 'the unit "mV" of moisture is unknown'],
  [
    'other',
    'its clock may not follow Europe/Paris, which has no 2026-03-29T02:30 (clocks go forward)',
  ],
  [
    'other',
    'its clock may not follow Europe/Paris: it does not repeat the hour that clocks repeat',
  ],
  ['other', 'no path of the map has a value; readings[0].values[0].path, "soil", is the first'],
  ['other', 'the payload is not JSON'],
  ['other', 'the message names no device (readings[0].device)'],
  ['other', '12'],
  ['other', 'null'],
  ['other', '["value_refused"]'],
  ['other', '{"code":1,"text":"a value was refused: no time"}'],
  ['other', '{"the payload" is not JSON'],
])('%s is the code of the old text %j', (code, text) => {
  expect(decodeReason(text)).toEqual({ code, text });
  expect(receivedReason(text)).toEqual({ code, text });
});
