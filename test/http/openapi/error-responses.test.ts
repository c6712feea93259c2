import { expect, it } from 'vitest';
import { errorCodesOf } from '../../../src/http/openapi/error-responses.ts';
import { operations } from '../../../tools/index.ts';

const SETUP = [
  ...['INVALID_SYSTEM', 'INVALID_EMITTER_FLOW', 'INVALID_EMITTER_DENSITY', 'INVALID_FLOW_RATE'],
  ...[
    'INVALID_FRACTION_WETTED',
    'INVALID_IRRIGATED_AREA',
    'INVALID_EFFECTIVE_FROM',
    'EFFECTIVE_FROM_IN_FUTURE',
  ],
  'INSTALLATION_VERSION_EXISTS_AT_DATE',
];
const AMOUNTS = [
  ...['INVALID_INPUT_MODE', 'INVALID_DURATION', 'INVALID_DEPTH', 'INVALID_VOLUME'],
  ...['MISSING_DURATION', 'MISSING_DEPTH', 'MISSING_VOLUME'],
];
const WATERING = [
  ...AMOUNTS,
  ...['INVALID_ENDED_AT', 'ENDED_BEFORE_STARTED', 'INVALID_STARTED_AT', 'INVALID_STATUS'],
];

/**
 * The error table of the interface specification. On schedules it also lists INVALID_ENDED_AT and
 * ENDED_BEFORE_STARTED, which cannot occur: a schedule has no endedAt.
 */
const TABLE: readonly (readonly [endpoint: string, status: number, codes: readonly string[]])[] = [
  ['PUT /modules/{moduleId}/irrigation/installation', 400, [...SETUP, 'MODULE_NOT_OWNED']],
  ['PUT /parcels/{parcelId}/irrigation/installation', 400, SETUP],
  ['PUT /parcels/{parcelId}/irrigation/installation', 404, ['PARCEL_NOT_FOUND']],
  ['PUT /modules/{moduleId}/irrigation/placement', 400, ['INVALID_EMITTER_DISTANCE']],
  ['POST /modules/{moduleId}/irrigation/events', 400, [...WATERING, 'MODULE_NOT_OWNED']],
  ['PATCH /irrigation/events/{eventId}', 400, WATERING],
  ['PATCH /irrigation/events/{eventId}', 404, ['EVENT_NOT_FOUND']],
  [
    'POST /irrigation/schedules',
    400,
    [
      ...AMOUNTS,
      ...[
        'INVALID_TARGET',
        'INVALID_FREQ',
        'INVALID_INTERVAL',
        'INVALID_WEEKDAYS',
        'INVALID_START_TIMES',
      ],
      ...[
        'INVALID_TIMEZONE',
        'INVALID_STARTS_ON',
        'INVALID_ENDS_ON',
        'INVALID_CONFIRMATION_POLICY',
      ],
      'MODULE_NOT_OWNED',
    ],
  ],
  ['POST /irrigation/schedules', 404, ['PARCEL_NOT_FOUND']],
  ['POST /alerts', 400, ['invalid_body']],
  [
    'POST /alerts',
    403,
    ['insufficient_scope', 'insufficient_role', 'forbidden_resource', 'no_user'],
  ],
  // The specification leaves this code open.
  ['PATCH /alerts/{alertId}', 400, ['invalid_body']],
  ['PATCH /annotations/{annotationId}', 400, ['THRESHOLD_REQUIRES_VWC']],
  ['PATCH /annotations/{annotationId}', 404, ['not_found']],
  ['GET /modules/{moduleId}', 400, ['invalid_id']],
  ['GET /modules/{moduleId}', 404, ['not_found']],
  ['GET /modules/{moduleId}/annotations', 400, ['invalid_id']],
  ['PUT /parcels/{parcelId}/soil-profile', 400, ['invalid_id', 'invalid_body']],
  ['GET /modules/{moduleId}/measurements/weighted', 400, ['invalid_id', 'invalid_date']],
  ['GET /parcels/{parcelId}/soil-profile', 400, ['invalid_id']],
  ['GET /modules/{moduleId}/health', 400, ['invalid_id']],
  // Of endpoints that the specification does not describe.
  ['GET /modules/{moduleId}/irrigation/advice', 400, ['invalid_parameter']],
  ['GET /modules/{moduleId}/irrigation/advice', 404, ['not_found']],
  [
    'GET /modules/{moduleId}/irrigation/review',
    400,
    ['invalid_parameter', 'invalid_date', 'invalid_limit'],
  ],
  ['GET /modules/{moduleId}/irrigation/review', 404, ['not_found']],
  [
    'GET /modules/{moduleId}/measurements/chart',
    400,
    ['invalid_id', 'invalid_date', 'invalid_parameter'],
  ],
  ['GET /modules/{moduleId}/measurements/chart', 403, ['forbidden_resource']],
  ['GET /modules/{moduleId}/measurements/chart', 404, ['not_found']],
  ['GET /brief', 400, ['invalid_parameter']],
];

const operationAt = (wanted: string) =>
  operations.find(({ endpoint }) => `${endpoint.method} ${endpoint.path}` === wanted)!;

it.each(TABLE)('lists the codes for %s, %i', (endpoint, status, codes) => {
  expect(errorCodesOf(operationAt(endpoint))[status]).toEqual(expect.arrayContaining([...codes]));
});

it('lists no code of the specification for an endpoint that cannot answer it', () => {
  expect(
    errorCodesOf(operationAt('PUT /parcels/{parcelId}/irrigation/installation'))[400],
  ).not.toContain('MODULE_NOT_OWNED');
  expect(errorCodesOf(operationAt('PATCH /irrigation/events/{eventId}'))[400]).not.toContain(
    'MODULE_NOT_OWNED',
  );
  expect(
    errorCodesOf(operationAt('POST /modules/{moduleId}/irrigation/events'))[404],
  ).toBeUndefined();
  expect(errorCodesOf(operationAt('GET /company'))[403]).toEqual(['insufficient_scope']);
});

it('lists for every operation the errors of a missing key and a missing scope', () => {
  for (const each of operations) {
    expect(errorCodesOf(each)[401], each.name).toEqual(['unauthenticated']);
    expect(errorCodesOf(each)[403], each.name).toContain('insufficient_scope');
  }
});

it('lists errors of roles, replays and bodies for writes only', () => {
  for (const each of operations) {
    const isWrite = each.effect !== 'read';
    expect(errorCodesOf(each)[403]!.includes('insufficient_role'), each.name).toBe(isWrite);
    expect(errorCodesOf(each)[422] !== undefined, each.name).toBe(isWrite);
  }
});
